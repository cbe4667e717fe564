import { chmodSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ledgerPath } from '../../../src/client/ledger/ledger-file.ts'
import type { Entry } from '../../../src/client/ledger/entry.ts'
import { damage, entriesIn, putEntries } from '../../support/ledger-rows.ts'
import { useBench } from '../../support/use-bench.ts'
import type { RunOptions } from '../../support/run-pay.ts'

const bench = useBench()

/** The completions of the last word in zsh's format: values with descriptions. */
async function offered(words: string, options: RunOptions = {}): Promise<readonly (readonly string[])[]> {
  const before = words.split(' ')
  const current = before.pop() ?? ''
  const ran = await bench.runPay(['__complete', 'zsh', `:${current}`, ...before], options)
  expect(ran).toMatchObject({ exitCode: 0, stderr: '', requests: [] })
  return ran.stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t'))
}
const values = async (words: string, options?: RunOptions) =>
  (await offered(words, options)).map(([value]) => value)

const create = (order: string, profile = '--sandbox') =>
  bench.runPay(`${profile} payment create --token tok_visa --amount '1 EUR' --order-id ${order} -o id`)

describe('completes at the cursor', () => {
  test.each([
    ['', ['session', 'payment', 'obs', 'doctor']],
    ['payment ', ['create', 'refund']],
    ['obs ', ['push', 'import']],
    ['--sandbox payment ', ['refund']],
    ['--profile sandbox payment ', ['refund']],
    ['-p sandbox payment ', ['refund']],
    ['payment refund p1 --', ['--amount', '--reason', '--data', '--sandbox']],
    ['payment capture p1 --', ['--final', '--no-final']],
    ['--', ['--sandbox', '--version']],
    ['payment list --status ', ['SETTLED', 'PARTIALLY_SETTLED']],
    ['payment create --payment-type ', ['MOTO']],
    ['payment create --currency E', ['EUR', 'ETB']],
    ['observability import x.csv --on-exists ', ['update', 'skip', 'fail']],
    ['observability import x.csv --mapping ', ['stripe-balance', 'paypal-activity']],
    ['observability import x.csv --mapping=stripe', ['--mapping=stripe-balance']],
    ['sandbox faults ', ['add', 'list', 'clear']],
    ['sandbox faults add --do ', ['drop-after', 'delay=2s']],
    ['sandbox tokenize --card 4', ['4111111111111111']],
    ['profile set shop --clear ', ['max-amount']],
    ['profile set shop --operations payment.capture,payment.r', ['payment.capture,payment.refund']],
    ['ops list --state ', ['in-doubt']],
    ['schema payment.c', ['payment.create', 'payment.capture', 'payment.cancel']],
    ['completion ', ['bash', 'zsh', 'fish', 'powershell']],
    ['help ', ['money', 'exit-codes', 'payment']],
    ['whoami -o ', ['json', 'csv']],
    ['whoami --color=', ['--color=never']],
  ])('pay %s', async (words, some) => {
    expect(await values(words)).toEqual(expect.arrayContaining(some))
  })

  test.each([
    ['nonsense ', 'an unknown noun has no verbs'],
    ['payment nonsense ', 'an unknown verb has no arguments'],
    ['payment refund p1 p2 ', 'there are no more arguments'],
    ['payment refund p1 --amount ', 'an amount is for the person to say'],
    ['payment resume p1 --resume-token ', 'tokens are secret'],
    ['instrument delete ', 'a token as an argument too'],
    ['payment refund --nonsense=', 'nothing is known of an unknown flag'],
  ])('pay %s: offers nothing, since %s', async (words) => {
    expect(await values(words)).toEqual([])
  })

  test('a given flag is offered again only if it may repeat', async () => {
    const flags = await values('payment create --metadata a=b --order-id A-1 --')
    expect(flags).toContain('--metadata')
    expect(flags).not.toContain('--order-id')
    expect(await values('payment capture p1 --final --')).not.toContain('--no-final')
  })

  test('offers no flags after --', async () => {
    expect(await values('payment refund -- --')).toEqual([])
  })

  test.each([
    ['observability import ', ':files'],
    ['observability import x.csv --results ', ':files'],
    ['observability import x.csv --mapping ./', ':files'],
    ['batch plan refund x.csv --mapping ', ':files'],
    ['sandbox start --data ', ':folders'],
  ])('pay %s: leaves files to the shell', async (words, told) => {
    expect(await values(words)).toEqual([told])
  })

  test('values come with a description', async () => {
    expect(await offered('payment ref')).toEqual([['refund', expect.stringContaining('Refund')]])
    expect(await offered('payment refund p1 --am')).toEqual([['--amount', expect.stringContaining('700')]])
  })
})

describe('names on this machine', () => {
  const addShop = () =>
    bench.runPay('profile add shop --base-url https://api.example.com --live --api-key-stdin -q', {
      stdin: 'key-of-the-shop-0123456789',
    })

  test('profiles come with mode and base URL, without keys', async () => {
    await addShop()
    const profiles = await offered('whoami --profile ')
    expect(profiles).toEqual([
      ['shop', 'live, https://api.example.com'],
      ['sandbox', expect.stringContaining('no real money')],
    ])
  })

  test('recent payments come first, with what was done', async () => {
    const ids: string[] = []
    for (const order of ['A-1', 'A-2']) {
      ids.push((await create(order)).stdout.trim())
      bench.clock.now = new Date(bench.clock.now.getTime() + 60_000)
    }
    expect(await offered('--sandbox payment get ')).toEqual(
      ids
        .toReversed()
        .map((id) => [id, expect.stringMatching(/payment\.create 1\.00 EUR, confirmed, 2026-03-01 12:0/)]),
    )
    expect(await values('--sandbox payment list --order-id ')).toEqual(['A-2', 'A-1'])
  })

  test('payments are those of the account on the line', async () => {
    await addShop()
    await create('A-1')
    expect(await values('payment get ')).toEqual([])
    expect(await values('-p shop payment get ')).toEqual([])
    expect(await values('payment get ', { env: { PAY_PROFILE: 'sandbox' } })).toHaveLength(1)
  })

  test('operations for pay ops are those of all profiles', async () => {
    await create('A-1')
    const [[id = '', about] = []] = await offered('ops show ')
    expect(id).toMatch(/^[\w-]{8,}$/)
    expect(about).toContain('payment.create')
  })

  test.each([
    ['controls the terminal', 'a\u001b]0;x\u0007'],
    ['has a line break', 'a\nb'],
    ['reverses the text direction', 'a\u202eb'],
    ['is a card number', '4111111111111111'],
    ['is very long', 'a'.repeat(300)],
  ])('an id that %s is not offered', async (_, hostile) => {
    await create('A-1')
    putEntries(bench.stateFolder, [copyOf('other', hostile)])
    expect(await values('--sandbox payment list --order-id ')).toEqual(['A-1'])
  })

  test('of a long ledger, the latest writes are offered', async () => {
    await create('A-1')
    const older = Array.from({ length: 400 }, (_, at) => copyOf(`old-${at}`, 'A-0'))
    const [latest] = entriesIn(bench.stateFolder)
    putEntries(bench.stateFolder, [...older, ...(latest === undefined ? [] : [latest])])
    expect(await values('--sandbox payment list --order-id ')).toContain('A-1')
  })
})

/** The record of the only write, under another ID and on another target. */
function copyOf(id: string, target: string): Entry {
  const [entry] = entriesIn(bench.stateFolder)
  if (entry === undefined) throw new Error('no record')
  return { ...entry, record: { ...entry.record, id, target } }
}

describe('errors print nothing', () => {
  test('a damaged profile file', async () => {
    writeFileSync(join(bench.configFolder, 'config.json'), '{"profiles":', { mode: 0o600 })
    expect(await values('whoami --profile ')).toEqual([])
    expect(await values('payment ')).toContain('refund')
  })

  test('a ledger that is no database', async () => {
    writeFileSync(ledgerPath(bench.stateFolder), 'x'.repeat(1000))
    expect(await values('--sandbox payment get ')).toEqual([])
  })

  test('a damaged record', async () => {
    await create('A-1')
    putEntries(bench.stateFolder, [copyOf('other', 'A-2')])
    damage(bench.stateFolder, 'other')
    expect(await values('--sandbox payment list --order-id ')).toEqual(['A-1'])
  })

  test('an unreadable ledger', async () => {
    await create('A-1')
    chmodSync(ledgerPath(bench.stateFolder), 0o000)
    expect((await values('--sandbox payment get ')).length).toBeLessThanOrEqual(1)
  })

  test.each([[[]], [['zsh']], [['nonsense', ':pay']], [['bash']], [['bash', ' =:']]])('%j', async (words) => {
    expect(await bench.runPay(['__complete', ...words])).toMatchObject({ exitCode: 0, stderr: '' })
  })

  test('creates no files', async () => {
    await values('--sandbox payment get ')
    expect(readdirSync(bench.stateFolder)).toEqual([])
    expect(readdirSync(bench.configFolder)).toEqual([])
  })
})

describe('output for each shell', () => {
  test('bash: words as quoted in its line, without descriptions', async () => {
    const ran = await bench.runPay(['__complete', 'bash', ' =:', 'pay sandbox faults add --on="DEL'])
    expect(ran.stdout).toBe('DELETE /payment-instruments/*\n')
  })

  test('PowerShell: the word with its quotes, without them, and its description', async () => {
    const ran = await bench.runPay(['__complete', 'powershell', ':DEL', 'sandbox', 'faults', 'add', '--on'])
    expect(ran.stdout).toBe("'DELETE /payment-instruments/*'\tDELETE /payment-instruments/*\n")
  })
})
