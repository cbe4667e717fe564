import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from '../../src/api/schema.ts'
import { storeProfile } from '../support/stored-profile.ts'
import { createBench, jsonAnswer } from '../support/run-pay.ts'
import type { Bench } from '../support/run-pay.ts'

/** What people mistype, and the words of the answer that say what to type instead. */

let bench: Bench
let captured = ''
beforeEach(async () => {
  bench = createBench()
  const create = "payment create --sandbox --amount '40.90 EUR' -o id --token"
  captured = (await bench.runPay(`${create} tok_autocapture --order-id A-1`)).stdout.trim()
  writeFileSync(join(bench.folder, 'ab.csv'), 'a,b\n1,2\n')
  writeFileSync(join(bench.folder, 'r.csv'), RECORD)
})
afterEach(() => bench.dispose())

const RECORD = `paymentId,currencyCode,processor.name,amount,createdAt,order.id,paymentMethod.paymentMethodType
x1,EUR,ACME,5.00,2026-02-01T10:00:00Z,O1,PAYMENT_CARD
`

/** Exit code, command, and what stderr says. `P` is a captured payment. */
const MISTAKES: readonly (readonly [exitCode: number, line: string, ...says: readonly string[]])[] = [
  [2, 'payment refund P 500', 'Too many arguments', 'An amount needs its flag: --amount 500'],
  [2, 'payment refund P --amount 10,50', '("10.50 EUR")'],
  [2, 'payment refund P --amount half', 'Only the question on a terminal takes it.'],
  [2, 'payment refund --order-id A-1 --amount 500', 'Missing: ID (or --order)', '--order A-1'],
  [2, 'payment refund P --set amount=100', '--set amount:=100'],
  [2, 'payment refund P -d amount=100', '--set FIELD:=JSON'],
  [2, 'payment refund P -d body.json', '--data "@body.json"'],
  [2, 'payment refund P -d {bad', `--data '{"amount": 500}'`],
  [2, 'payment create --token tok_visa --line-item name=Shoe,amount=1,00', 'a comma in a value as \\,'],
  [
    3,
    "payment create --token tok_nope --amount '5 EUR' --order-id B-1",
    'token from the checkout',
    'Next pay sandbox scenarios',
  ],
  [3, 'payment adjust P --amount 500', 'Capture less, or refund a part'],
  [2, 'payment list --from 28.02.2026', 'Write the year first: 2026-02-28'],
  [2, 'payment list --from 03/02/2026', 'Write the year first: 2026-02-03 or 2026-03-02'],
  [2, 'payment list --all --out all.xlsx', 'not "all.xlsx"', 'Spreadsheets open .csv.'],
  [3, 'session get --client-token abc', '24 hours', 'pay session create --help'],
  [
    5,
    'loyalty redeem --connection-id foo --customer-id c1 --order-id L-1 --value 10',
    "The sandbox's is points-1",
  ],
  [5, 'observability get nope', 'observability list'],
  [
    5,
    'observability update nope --status SETTLED',
    'pay observability push creates one',
    'observability list',
  ],
  [2, 'observability import .', 'is a folder'],
  [2, 'observability import settlements', 'there is no such file'],
  [2, `observability import ${'a'.repeat(300)}`, 'cannot be read'],
  [2, `batch plan refund ${'a'.repeat(300)}.csv`, 'cannot be read'],
  [2, 'observability import r.csv --date-format DD.MM.YYYY', 'The year is yyyy and the day dd'],
  [2, 'observability import r.csv --encoding ansi', 'Did you mean windows-1252?'],
  [14, 'observability import r.csv', 'Use --amounts major if 20.00 is 20.00'],
  [2, 'batch plan ab.csv', 'Missing: OPERATION (refund, capture or cancel)', 'batch plan refund ab.csv'],
  [2, 'batch plan refnd ab.csv', 'Did you mean refund?'],
  [2, 'batch plan refund ab.csv', 'pay batch template FILE prints the whole command'],
  [2, 'batch show none.plan.ndjson', 'there is no such file', 'Next pay batch list'],
  [2, 'batch apply none.plan.ndjson', 'there is no such file', 'Next pay batch list'],
  [2, 'batch verify none.plan.ndjson', 'there is no such file', 'Next pay batch list'],
  [2, 'batch verify ab.csv', 'is not a batch plan', 'Next pay batch list'],
  [5, 'ops show 12345678', 'the ID 12345678'],
  [2, 'ops list --since lastweek', '--since takes a day'],
  [2, 'ledger status --profile nobody', 'No profile named "nobody"'],
  [2, 'profile add x --base-url https://api.example.com --operations refund', 'Did you mean payment.refund?'],
  [2, 'schema refund', 'Did you mean payment.refund?'],
  [2, 'sandbox faults remove 1', 'ACTION takes add, list or clear, not "remove"'],
  [2, 'api /payments/p1', 'Missing: METHOD', 'api GET /payments/p1'],
  [5, 'api GET /payment/p1', 'Did you mean /payments/p1?'],
  [5, 'api GET /nope', 'Next pay schema'],
]

/** The line that says what failed. */
const failureOf = (stderr: string): string | undefined => /✗ (.+)/.exec(stderr)?.[1]

const WITHOUT_SANDBOX = ['help', 'ledger', 'profile', 'schema', 'sandbox']

test.each(MISTAKES.map(([exitCode, line, ...says]) => ({ exitCode, line, says })))(
  'exit $exitCode: pay $line',
  async ({ exitCode, line, says }) => {
    const words = line.split(/ (?=(?:[^']*'[^']*')*[^']*$)/).map((word) => (word === 'P' ? captured : word))
    const isPlain = WITHOUT_SANDBOX.includes(words[0] ?? '')
    const typed = words.map((word) => (word.startsWith("'{") ? word : word.replaceAll("'", '')))
    const ran = await bench.runPay([...typed, ...(isPlain ? [] : ['--sandbox'])])
    const stderr = ran.stderr.replaceAll(/\s+/g, ' ')
    expect({ exitCode: ran.exitCode, stderr }).toMatchObject({ exitCode })
    for (const each of says) expect(stderr.replaceAll('pay --sandbox', 'pay')).toContain(each)
    // What it names next is a command that can be typed, and another answer.
    for (const [, next = ''] of ran.stderr.matchAll(/^ +(?:Next)? +pay (.+)$/gm)) {
      const followed = await bench.runPay(next)
      expect({ next, same: failureOf(followed.stderr) === failureOf(ran.stderr) }).toEqual({
        next,
        same: false,
      })
      expect(followed.stderr).not.toMatch(/There is no (?:command|flag)|Too many arguments|Missing/)
    }
  },
)

test.skipIf(process.platform === 'win32')('what is no file may be in either format', async () => {
  const { exitCode, stderr } = await type('batch plan refund /dev/null')
  expect({ exitCode, stderr }).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('Add --format csv'),
  })
})

/** The line, and what its hint says to type in its place. */
const REMEDIES: readonly (readonly [line: string, remedy: string])[] = [
  ['payment refund P 500', 'payment refund P --amount 500'],
  ['payment refund P --amount 10,50', 'payment refund P --amount "10.50 EUR"'],
  ['payment refund --order-id A-1 --amount 500', 'payment refund --order A-1 --amount 500'],
  ['payment refund P --set amount=100', 'payment refund P --set amount:=100'],
  ['payment list --out all.csv', 'payment list --all --out all.csv'],
  ['payment list --from 28.02.2026', 'payment list --from 2026-02-28'],
  ['payment list --status setled', 'payment list --status SETTLED'],
  ['payment list --status REFUNDED', 'payment list --refunds full'],
  ['observability import r.csv', 'observability import r.csv --amounts major'],
  ['observability split r.csv --out d', 'observability split r.csv --parts 2 --out d'],
  ['observability split r.csv --parts 2', 'observability split r.csv --parts 2 --out d'],
  ['batch plan refnd r.csv', 'batch template r.csv'],
  ['schema refund', 'schema payment.refund'],
  ['help refunds', 'help payment refund'],
  ['api GET /payment/P', 'api GET /payments/P'],
  ['sandbox seed', 'sandbox seed --reset'],
  ['sandbox clock advance 2', 'sandbox clock advance 2m'],
  ['sandbox tokenize', 'sandbox tokenize --card 4111111111111111'],
  [
    'profile add x --base-url https://api.example.com --operations refund',
    'profile add x --base-url https://api.example.com --operations payment.refund',
  ],
  ['profile add x --base-url api.example.com', 'profile add x --base-url https://api.example.com'],
  ['find', 'find A-1'],
]

test.each(REMEDIES)('pay %s is mended by pay %s', async (line, remedy) => {
  const wrong = await type(line)
  expect(wrong.exitCode).not.toBe(0)
  const mended = await type(remedy)
  expect({ exitCode: mended.exitCode, stderr: mended.stderr }).toMatchObject({ exitCode: 0 })
})

/** Runs a line; `P` in it is the captured payment. */
const type = (line: string) => {
  const isPlain = WITHOUT_SANDBOX.includes(line.split(' ')[0] ?? '')
  return bench.runPay(`${line.replace(/(?<=[ /])P(?= |$)/, captured)}${isPlain ? '' : ' --sandbox'}`)
}

test('a live account is not led to the sandbox', async () => {
  await storeProfile(bench, { mode: 'live' })
  const ran = await bench.runPay(
    'loyalty redeem --connection-id foo --customer-id c1 --order-id L-1 --value 10 --yes --profile shop',
    {
      service: () => jsonAnswer(400, { error: { errorId: 'ConnectionNotFound', description: 'none' } }),
    },
  )
  expect(ran).toMatchObject({ exitCode: 5, stderr: expect.stringContaining('its loyalty provider') })
  expect(ran.stderr).not.toContain('sandbox')
})

test('a row that a reconciliation cannot read says how to read it', async () => {
  await bench.runPay('reconcile r.csv --sandbox --exceptions x.csv')
  expect(readFileSync(join(bench.folder, 'x.csv'), 'utf8')).toContain('Use --amounts major if 20.00 is 20.00')
})

test.each(['DECLINED', 'CANCELLED'])(
  'a refund of a payment that is %s says that there is nothing to refund',
  async (status) => {
    const token = status === 'DECLINED' ? 'tok_declined' : 'tok_visa'
    const create = `payment create --token ${token} --amount 500 --currency EUR --order-id D-1 --json --sandbox`
    const { id } = z.looseObject({ id: z.string() }).parse(JSON.parse((await bench.runPay(create)).stdout))
    if (status === 'CANCELLED') await bench.runPay(`payment cancel ${id} --sandbox`)
    const { exitCode, stderr } = await bench.runPay(`payment refund ${id} --sandbox`)
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 6,
      stderr: expect.stringContaining('Nothing was captured, so there is nothing to refund.'),
    })
  },
)

test.each([
  ['null', 'is a word for nothing'],
  ['undefined', 'is a word for nothing'],
  ['${PAY_KEY}', 'is the name of a variable'],
  ['$PAY_KEY', 'is the name of a variable'],
  ['<API_KEY>', 'is a placeholder'],
  ['"key-12345"', 'has quotes around it'],
  ['PAY_API_KEY=key-12345', 'has a name and = before it'],
])('%s is no key, wherever it comes from', async (key, says) => {
  const env = { PAY_API_KEY: key, PAY_BASE_URL: 'https://api.example.com' }
  const add = 'profile add x --base-url https://api.example.com --live --api-key-stdin'
  writeFileSync(join(bench.folder, 'key'), key)
  for (const ran of [
    await bench.runPay('payment list', { env }),
    await bench.runPay(add, { stdin: key }),
    await bench.runPay('payment list', {
      env: { ...env, PAY_API_KEY: '', PAY_API_KEY_FILE: join(bench.folder, 'key') },
    }),
  ]) {
    expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(says), requests: [] })
    expect(ran.stderr).not.toContain('12345')
  }
})

test.each(['key-1\r', 'key-1\r\n', 'key-1\n'])(
  'the end of the line %j is not part of the key',
  async (key) => {
    const { exitCode, requests } = await bench.runPay('payment list', {
      env: { PAY_API_KEY: key, PAY_BASE_URL: 'https://api.example.com' },
      service: () => jsonAnswer(200, { data: [] }),
    })
    expect({ exitCode, key: requests[0]?.headers['x-api-key'] ?? requests[0]?.headers['X-API-KEY'] }).toEqual(
      { exitCode: 0, key: 'key-1' },
    )
  },
)

test.each(['a==', 'c2VjcmV0LWtleQ==', 'sk_live_1', 'nullable', 'abc=def'])('%s may be a key', async (key) => {
  const add = 'profile add x --base-url https://api.example.com --live --api-key-stdin'
  expect(await bench.runPay(add, { stdin: key })).toMatchObject({ exitCode: 0 })
})
