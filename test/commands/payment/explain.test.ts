import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ledgerPath } from '../../../src/client/ledger/ledger-file.ts'
import { damage, recordsIn } from '../../support/ledger-rows.ts'
import { SERVICE_ENV } from '../../support/error-envelope.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'
import type { RunOptions } from '../../support/run-pay.ts'
import { errorOf } from '../../support/run-result.ts'
import { storeProfile } from '../../support/stored-profile.ts'

const bench = useBench()

async function created(token: string, orderId = 'A-1'): Promise<string> {
  const made = await bench.runPay(
    `--sandbox payment create --token ${token} --amount 1000 --currency EUR --order-id ${orderId} -o id`,
  )
  return made.stdout.trim()
}

const explain = async (id: string, more = '') => bench.runPay(`--sandbox payment explain ${id} ${more}`)

const answering = (payment: unknown): RunOptions => ({
  env: SERVICE_ENV,
  service: () => jsonAnswer(200, payment),
})

/** Runs commands that `|` joins. */
async function piped(line: string): Promise<Awaited<ReturnType<typeof bench.runPay>>> {
  let last = await bench.runPay('--version')
  for (const command of line.split(' | '))
    last = await bench.runPay(command.replace(/^pay /, ''), { stdin: last.stdout })
  return last
}

test('explains why a payment was declined and whether to try again', async () => {
  const { exitCode, stdout, requests } = await explain(await created('tok_declined'))
  expect(exitCode).toBe(0)
  expect(stdout).toContain('The issuer declined it: no money moved.')
  expect(stdout).toMatch(/^ {2}Reason +INSUFFICIENT_FUNDS \(SOFT_DECLINE, ISSUER_DECLINED\)$/m)
  expect(stdout).toMatch(/^ {2}Try again +✓ yes, later$/m)
  expect(stdout).toMatch(/^ {2}Captured +0\.00 EUR$/m)
  expect(requests.map(({ method }) => method)).toEqual(['GET', 'GET'])
})

test("says how long an authorization has waited, by the sandbox's clock", async () => {
  const id = await created('tok_visa')
  expect((await explain(id)).stdout).not.toContain('Authorized 10 days ago')
  await bench.runPay('sandbox clock advance 10d')
  expect((await explain(id)).stdout).toContain('Authorized 10 days ago.')
})

test('advises against retrying a hard decline with the same method', async () => {
  expect((await explain(await created('tok_hard_declined'))).stdout).toMatch(
    /^ {2}Try again +✗ no, not with this method$/m,
  )
})

test('shows pending and failed refunds', async () => {
  const id = await created('tok_refund_fails')
  await bench.runPay(['--sandbox', 'payment', 'capture', id])
  await bench.runPay(`--sandbox payment refund ${id} --amount 300`)
  const open = await explain(id)
  expect(open.stdout).toContain('Refund of 3.00 EUR at SANDBOX_ALPHA: … Pending, not final yet')
  expect(open.stdout).toMatch(/^ +Refunded +3\.00 EUR \(3\.00 EUR not final yet\)$/m)
  // The figures already show the amounts.
  expect(open.stdout).not.toContain('can still be refunded')
  await bench.runPay('sandbox clock advance 2h')
  expect((await explain(id)).stdout).toContain(
    'Refund of 3.00 EUR at SANDBOX_ALPHA: ✗ Failed; no money was returned, so you can refund again',
  )
})

test('says first that a refund failed, and never confirms it', async () => {
  const id = await created('tok_refund_fails')
  await bench.runPay(['--sandbox', 'payment', 'capture', id])
  await bench.runPay(`--sandbox payment refund ${id} --amount 300`)
  // Accepted, as far as anyone knows.
  expect((await explain(id)).stdout).toMatch(/✓ confirmed +payment\.refund/)
  await bench.runPay('sandbox clock advance 2h')
  const { stdout } = await explain(id)
  expect(stdout).toMatch(
    /^The customer has got nothing back: the refund of 3\.00 EUR failed\. Captured and settled/,
  )
  expect(stdout).toMatch(/✗ failed later +payment\.refund/)
  expect(stdout).not.toMatch(/✓ confirmed +payment\.refund/)
  // What was done stays so.
  expect(stdout).toMatch(/✓ confirmed +payment\.capture/)
  const answer = JSON.parse((await explain(id, '--json')).stdout)
  expect(answer.headline).toContain('the refund of 3.00 EUR failed')
  expect(answer.ledger).toMatchObject([
    { operation: 'payment.refund', state: 'confirmed', verdict: 'failed_later' },
    { operation: 'payment.capture', state: 'confirmed' },
    { operation: 'payment.create' },
  ])
  expect(answer.ledger[1]).not.toHaveProperty('verdict')
})

test('a refund that was made again after one failed is confirmed', async () => {
  const id = await created('tok_refund_fails')
  await bench.runPay(['--sandbox', 'payment', 'capture', id])
  await bench.runPay(`--sandbox payment refund ${id} --amount 300`)
  await bench.runPay('sandbox clock advance 2h')
  await bench.runPay(`--sandbox payment refund ${id} --amount 300 --again`)
  const { ledger, headline } = JSON.parse((await explain(id, '--json')).stdout)
  expect(headline).toContain('3.00 EUR is on its way, and a refund of 3.00 EUR failed.')
  expect(ledger[0]).not.toHaveProperty('verdict')
  expect(ledger[1]).toMatchObject({ operation: 'payment.refund', verdict: 'failed_later' })
})

test('says what the cardholder must do, and the next command', async () => {
  const { stdout } = await explain(await created('tok_3ds'))
  expect(stdout).toContain('3-D Secure requires a challenge')
  expect(stdout).toMatch(/ \| pay --sandbox payment resume \w+ --resume-token -$/m)
})

describe('suggested commands', () => {
  test.each([
    ['authorized', 'tok_visa'],
    ['declined', 'tok_declined'],
    ['failed', 'tok_failed'],
    ['waiting', 'tok_3ds'],
    ['captured at once', 'tok_autocapture'],
  ])('work as printed: %s', async (_, token) => {
    const id = await created(token)
    const listed = await explain(id, '--query actions[].command')
    const commands: readonly string[] = JSON.parse(listed.stdout)
    expect(commands.length).toBeGreaterThan(1)
    for (const command of commands) {
      const last = command.split(' | ').at(-1) ?? ''
      const words = last.replace(/^pay /, '').replace('--resume-token -', '--resume-token token-1')
      // A dry run, because an earlier command may have changed the payment.
      const { exitCode, stderr } = await bench.runPay(`${words} --dry-run`)
      expect({ command, exitCode }, stderr).toEqual({ command, exitCode: 0 })
    }
    const [first = ''] = commands
    const ran = await piped(first)
    expect([0, 8]).toContain(ran.exitCode)
  })

  test('name the account as this call does', async () => {
    const named = await bench.runPay('payment explain p1 -p sandbox --query actions[0].command', {
      service: () => jsonAnswer(200, { id: 'p1', status: 'AUTHORIZED' }),
    })
    expect(JSON.parse(named.stdout)).toBe('pay --profile sandbox payment capture p1')
  })

  test('are marked as blocked if the limits of the profile forbid them', async () => {
    await storeProfile(bench, { words: ['--read-only'] })
    const options = { ...answering({ id: 'p1', status: 'AUTHORIZED', amount: 5 }), env: {} }
    const { stdout } = await bench.runPay('payment explain p1 -p shop --json', options)
    expect(JSON.parse(stdout)).toMatchObject({
      actions: [
        { action: 'capture', blocked: expect.stringContaining('read-only') },
        { action: 'cancel', blocked: expect.stringContaining('read-only') },
        { action: 'get', blocked: null },
      ],
    })
  })
})

describe('the ledger of this machine', () => {
  test('lists every write on the payment and its creation', async () => {
    const id = await created('tok_visa')
    await created('tok_visa', 'A-2')
    await bench.runPay(['--sandbox', 'payment', 'capture', id])
    const { stdout } = await explain(id, '--query ledger[].[operation,state]')
    expect(JSON.parse(stdout)).toEqual([
      ['payment.capture', 'confirmed'],
      ['payment.create', 'confirmed'],
    ])
  })

  test('lists operations in doubt first, with the command that resolves them', async () => {
    const id = await created('tok_visa')
    await bench.runPay(['--sandbox', 'payment', 'capture', id])
    await bench.runPay("--sandbox sandbox faults add --on 'POST /payments/*/refund' --do drop-after")
    await bench.runPay(`--sandbox payment refund ${id} --amount 300 --max-retries 0`)
    await bench.runPay('sandbox faults clear')
    bench.clock.now = new Date(bench.clock.now.getTime() + 60_000)
    const { stdout } = await explain(id, '--json')
    const explained: { ledger: readonly { id: string }[] } = JSON.parse(stdout)
    expect(explained).toMatchObject({
      ledger: [{ state: 'in-doubt' }, { operation: 'payment.capture' }, { operation: 'payment.create' }],
      actions: [
        { action: 'clear-up', command: `pay ops resolve ${explained.ledger[0]?.id}`, blocked: null },
        { action: 'wait-refund', blocked: null },
        { action: 'refund', blocked: 'Resolve this first: payment.refund of 3.00 EUR is in doubt.' },
        { action: 'get', blocked: null },
      ],
    })
    const text = (await explain(id)).stdout
    expect(text).toMatch(/^ {2}\? IN DOUBT +payment\.refund +3\.00 EUR/m)
    expect(text.indexOf('pay ops resolve')).toBeLessThan(text.indexOf('payment refund'))
  })

  test('leaves out a payment with the same id at another URL', async () => {
    await bench.runPay('payment refund p1 --amount 5', answering({ id: 'p1', status: 'SETTLED' }))
    const elsewhere = { ...answering({ id: 'p1', status: 'SETTLED' }) }
    const { stdout } = await bench.runPay('payment explain p1 --query ledger', {
      ...elsewhere,
      env: { ...SERVICE_ENV, PAY_BASE_URL: 'http://127.0.0.1:8' },
    })
    expect(JSON.parse(stdout)).toEqual([])
  })

  test('may be unreadable: the payment is still explained', async () => {
    const id = await created('tok_visa')
    const explained = await bench.runPay(`--sandbox payment explain ${id} --json`, {
      withLedger: (ledger) => ({ ...ledger, list: () => Promise.reject(new Error('EACCES: open')) }),
    })
    expect(explained.exitCode).toBe(0)
    expect(JSON.parse(explained.stdout)).toMatchObject({ ledger: null, payment: { id } })
    expect(explained.stderr).toContain("This machine's ledger could not be read: EACCES: open")
  })

  test('is read without changing it', async () => {
    const id = await created('tok_visa')
    await bench.runPay(`payment cancel ${id} --sandbox`)
    const [record] = recordsIn(bench.stateFolder)
    damage(bench.stateFolder, record?.id ?? '')
    const before = readFileSync(ledgerPath(bench.stateFolder))
    const explained = await explain(id)
    expect(explained.exitCode).toBe(0)
    expect(explained.stderr).toContain('is damaged and may block other writes')
    expect(readFileSync(ledgerPath(bench.stateFolder)).equals(before)).toBe(true)
  })
})

describe('as JSON', () => {
  test('has the unedited payment and the explanation', async () => {
    const text =
      '{"id":"p1","status":"SETTLED","amount":1000,"big":9007199254740993,"rate":1.10,"new":{"x":null}}'
    const explained = await bench.runPay('payment explain p1 --json', {
      env: SERVICE_ENV,
      service: () => ({ status: 200, headers: {}, body: text }),
    })
    expect(explained.stdout).toContain('"big": 9007199254740993')
    expect(explained.stdout).toContain('"rate": 1.10')
    const parts: Record<string, unknown> = JSON.parse(explained.stdout)
    expect(Object.keys(parts)).toEqual(
      'payment headline standsOut timeline decline figures actions ledger'.split(' '),
    )
    expect(parts['payment']).toMatchObject({ id: 'p1', new: { x: null } })
  })

  test('names two equal refunds, which nobody may have meant', async () => {
    const id = await created('tok_autocapture')
    for (const ticket of ['T-1', 'T-2'])
      await bench.runPay(`--sandbox payment refund ${id} --amount 100 --once ${ticket}`)
    const { stdout } = await explain(id, '--query standsOut')
    expect(JSON.parse(stdout)).toEqual([
      {
        kind: 'equal_refunds',
        amount: 100,
        currencyCode: 'EUR',
        at: [expect.any(String), expect.any(String)],
      },
    ])
    expect((await explain(id)).stdout).toContain('What stands out\n  ! 2 equal refunds of 1.00 EUR: ')
  })

  test('-o id prints the payment id', async () => {
    const id = await created('tok_visa')
    expect((await explain(id, '-o id')).stdout).toBe(`${id}\n`)
  })
})

test('finds the payment by its order', async () => {
  const id = await created('tok_visa', 'ORD-77')
  const found = await bench.runPay('--sandbox payment explain --order ORD-77 --query payment.id')
  expect(JSON.parse(found.stdout)).toBe(id)
  expect(found.stderr).toContain(`Order ORD-77: payment ${id}`)
})

test('says that a response with an unexpected shape cannot be explained', async () => {
  const explained = await bench.runPay('payment explain p1', answering({ id: 'p1', amount: 'a lot' }))
  expect(explained.exitCode).toBe(0)
  expect(explained.stderr).toContain("can't be explained. To see it as received, run pay payment get")
  expect(explained.stdout).toContain('pay payment get p1')
})

test('exits 5 for an unknown payment', async () => {
  expect(await explain('nowhere')).toMatchObject({ exitCode: 5, stdout: '' })
})

test('--dry-run prints the request without sending it', async () => {
  const shown = await explain('p1', '--dry-run')
  expect(shown).toMatchObject({ exitCode: 0, requests: [] })
  expect(shown.stdout).toContain('GET http://sandbox.localhost/payments/p1')
})

test.each([60, 80])('fits a terminal of %i columns', async (columns) => {
  const id = await created('tok_declined')
  const { stdout } = await bench.runPay(`--sandbox payment explain ${id} --color never`, {
    tty: true,
    columns,
  })
  // A command to copy stays on one line.
  const wide = stdout.split('\n').filter((line) => line.length > columns)
  expect(wide.filter((line) => !line.startsWith('    pay '))).toEqual([])
})

const CREATE = "payment create --token tok_visa --amount '10.00 EUR' --order-id A-1"

test('suggests the capture on the account of the payment', async () => {
  const made = await bench.runPay(`--sandbox ${CREATE}`)
  expect(made.stderr).toMatch(/^Next: pay --sandbox payment capture \w+$/m)
  const inUse = await bench.runPay(CREATE, { env: { PAY_PROFILE: 'sandbox' } })
  expect(inUse.stderr).toMatch(/^Next: pay payment capture \w+$/m)
})

test('in the sandbox, the line after a challenge, that of explain and that of wait answer it', async () => {
  for (const account of ['--sandbox', '--profile sandbox']) {
    const made = await bench.runPay(`${account} ${CREATE.replace('tok_visa', 'tok_3ds')} --again`)
    expect(made.exitCode).toBe(0)
    const [, line = ''] = /^Next, to answer for the customer: (.*)$/m.exec(made.stderr) ?? []
    const [id = ''] = /(?<=payment get )\w+/.exec(line) ?? []
    const explained = await bench.runPay(`${account} payment explain ${id}`)
    expect(explained.stdout).toContain(`    ${line}\n`)
    const waited = await bench.runPay(`${account} payment wait ${id} --for 1s --json`)
    expect(errorOf(waited)).toMatchObject({ code: 'not_finished', next: [line] })
    expect(waited.stderr).not.toContain('clock')
    expect(await piped(line)).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Authorized') })
  }
})

test('on another account, suggests the resume with the token of the checkout', async () => {
  const waiting = { id: 'p1', status: 'PENDING', requiredAction: { name: 'X', clientToken: 'secret' } }
  const made = await bench.runPay(`${CREATE} --yes`, answering(waiting))
  expect(made.stderr).toMatch(/^Next: open the checkout .*, then pay payment resume p1 --resume-token -$/m)
})

test('says where to find the token of a challenge without printing it', async () => {
  const made = await bench.runPay(`--sandbox ${CREATE.replace('tok_visa', 'tok_3ds')}`)
  const [line = ''] =
    /pay --sandbox payment get \w+ -o id --query requiredAction.clientToken/.exec(made.stderr) ?? []
  const { stdout: token } = await bench.runPay(line.replace(/^pay /, ''))
  expect(token).toMatch(/^eyJ/)
  expect(made.stdout).toContain('requiredAction.clientToken, with --json')
  expect(made.stdout + made.stderr).not.toContain(token.trim())
})

test('says that the method is saved and where to find its new token', async () => {
  const made = await bench.runPay(`--sandbox ${CREATE} --vault-on-success --customer-id c-1`)
  expect(made.stderr).toMatch(
    /^The payment method is saved. To list its token: pay --sandbox instrument list --customer-id c-1$/m,
  )
  expect(made.stdout).toMatch(/Saved +yes \(its token: paymentMethod.paymentMethodToken, with --json\)/)
  const { stdout: token } = await bench.runPay('--sandbox instrument list --customer-id c-1 -o id')
  expect(token.trim()).not.toBe('')
  expect(made.stdout + made.stderr).not.toContain(token.trim())
  expect((await bench.runPay(`--sandbox ${CREATE} --again`)).stderr).not.toContain('saved')
})

test('suggests the explanation of a declined or failed payment', async () => {
  for (const token of ['tok_declined', 'tok_failed']) {
    const made = await bench.runPay(`--sandbox ${CREATE.replace('tok_visa', token)} --again`)
    expect(made.exitCode).toBe(13)
    expect(made.stderr).toMatch(/^To see why, and whether to try again: pay --sandbox payment explain \w+$/m)
  }
})

test('text from the service cannot control the terminal', async () => {
  const answer = { id: 'p1', status: 'PENDING', requiredAction: { description: 'wait\u001b[2J\u0007 here' } }
  const made = await bench.runPay(`--sandbox ${CREATE}`, { service: () => jsonAnswer(200, answer) })
  expect(made).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('wait') })
  for (const sign of ['\u001b', '\u0007']) expect(made.stderr).not.toContain(sign)
})

test('omits from suggestions an id that a shell would interpret', async () => {
  const answer = { id: 'p1; rm -rf $HOME', status: 'AUTHORIZED' }
  const made = await bench.runPay(`--sandbox ${CREATE}`, { service: () => jsonAnswer(200, answer) })
  expect(made.stderr).toContain('Next: pay --sandbox payment capture ID\n')
})
