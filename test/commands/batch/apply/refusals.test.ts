import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { accountOf } from '../../../../src/client/calls/build-intent.ts'
import { lockFile, lockOutputs } from '../../../../src/rows/keep/lock-file.ts'
import { planRow } from '../../../support/batch-plan.ts'
import { errorOf, writesOf } from '../../../support/run-result.ts'
import { useApplyBench } from './bench.ts'
import type { RunResult } from '../../../support/run-pay.ts'

const bench = useApplyBench()

let id: string

beforeEach(async () => {
  id = await bench.paid()
})

const file = () => join(bench.folder, 'p.plan.ndjson')

const expectRefused = async (code: string, more = '') => {
  const r = await bench.apply(more)
  expect(r).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
  expect(errorOf(r)).toMatchObject({ code, outcome: 'none' })
  return errorOf(r)
}

test.each<[string, (text: string) => string]>([
  ['with a changed byte', (text) => text.replace('"amount":500', '"amount":600')],
  ['whose end is missing', (text) => text.split('\n').slice(0, -2).join('\n')],
  ['with text after its end', (text) => `${text}{}\n`],
])('refuses a plan %s', async (_, change) => {
  bench.plan([planRow(1, id)])
  writeFileSync(file(), change(readFileSync(file(), 'utf8')))
  await expectRefused('plan_changed')
})

test('refuses a file that is not a plan, and one that is missing', async () => {
  writeFileSync(file(), 'paymentId,amount\n')
  await expectRefused('not_a_plan')
  const r = await bench.runPay('batch apply missing.ndjson --sandbox --json')
  expect(errorOf(r)).toMatchObject({ code: 'unreadable_file', exitCode: 2 })
})

const FOREIGN = accountOf({ baseUrl: 'http://sandbox.localhost', apiKey: 'another' })
test.each([
  [{ baseUrl: 'https://pay.example' }, 'for https://pay.example, not for http://sandbox.localhost'],
  [{ account: FOREIGN }, 'another API key'],
])('refuses a plan of another account: %j', async (planned, words) => {
  bench.plan([planRow(1, id)], planned)
  expect((await expectRefused('plan_foreign')).message).toContain(words)
})

test('refuses a plan of yesterday that was never begun', async () => {
  bench.plan([planRow(1, id)])
  bench.clock.now = new Date('2026-03-02T12:00:00.001Z')
  await expectRefused('plan_expired')
})

test('continues a plan of yesterday that was begun', async () => {
  const b = await bench.paid()
  bench.plan([planRow(1, id), planRow(2, b, { amount: 600 })])
  await bench.runPay(`sandbox faults add --on 'POST /payments/${b}/refund' --do refuse --times 1000`)
  expect((await bench.apply()).exitCode).not.toBe(0)
  await bench.runPay('sandbox faults clear')
  bench.clock.now = new Date('2026-03-03T12:00:00.001Z')
  expect(await bench.apply()).toMatchObject({ exitCode: 0, summary: { done: 2 } })
})

test('refuses a plan with another total or count than expected, and names both figures', async () => {
  bench.plan([planRow(1, id), planRow(2, id, { amount: 700 })])
  const total = await expectRefused('expectation_failed', "--expect-total '11.00 EUR'")
  expect(total.message).toContain('its total is 12.00 EUR, and --expect-total is 11.00 EUR')
  const count = await expectRefused('expectation_failed', '--expect-count 3')
  expect(count.message).toContain('it has 2 ready rows, and --expect-count is 3')
  const other = await expectRefused('expectation_failed', "--expect-total '12.00 USD'")
  expect(other.message).toContain('its total is 12.00 EUR, and --expect-total names no amount in EUR')
  expect(other.message).toContain('its total is 0.00 USD, and --expect-total is 12.00 USD')
})

test('expectations cover all ready rows, done or not', async () => {
  bench.plan([planRow(1, id)])
  const expected = "--expect-total '5.00 EUR' --expect-count 1"
  expect((await bench.apply(expected)).exitCode).toBe(0)
  expect((await bench.apply(expected)).exitCode).toBe(0)
})

test.each([
  ['a bare amount', "--expect-total '500'", 'amount_needs_currency'],
  ['no amount', "--expect-total 'all'", 'bad_amount'],
  ['a currency twice', "--expect-total '1 EUR' --expect-total '2 EUR'", 'given_twice'],
  ['a rate in words', '--rate fast', 'bad_value'],
  ['no connections', '--concurrency 0', 'bad_value'],
  ['failures in words', '--max-failures some', 'bad_value'],
  ['more failures than rows', '--max-failures 101%', 'bad_value'],
  ['a decimal without a currency', "--expect-total '5.00'", 'amount_needs_currency'],
  ['the plan as results', '--results p.plan.ndjson', 'two_sources'],
  ['one file for both', '--results x.csv --rejects x.csv', 'two_sources'],
  ['a folder that is missing', '--results none/x.csv', 'unwritable_file'],
])('refuses %s', async (_, flags, code) => {
  bench.plan([planRow(1, id)])
  await expectRefused(code, flags)
})

test('names both forms of --max-failures', async () => {
  bench.plan([planRow(1, id)])
  expect(await expectRefused('bad_value', '--max-failures some')).toMatchObject({
    message: '--max-failures takes a number of rows or a share of them, such as 20 or 5%, not "some"',
  })
})

test.each(['--results', '--rejects'])('refuses %s that another process writes', async (flag) => {
  bench.plan([planRow(1, id)])
  const release = lockOutputs(bench.stateFolder, [join(bench.folder, 'rows.csv')], () => {
    throw new Error('locked')
  })
  const r = await bench.apply(`${flag} rows.csv`)
  expect(r).toMatchObject({ exitCode: 6, requests: [] })
  expect(errorOf(r)).toMatchObject({ code: 'batch_running', retryable: true })
  release()
  expect((await bench.apply(`${flag} rows.csv`)).exitCode).toBe(0)
})

test('refuses a second process for the same plan', async () => {
  bench.plan([planRow(1, id)])
  const folder = join(bench.stateFolder, 'batches')
  mkdirSync(folder, { mode: 0o700 })
  const release = lockFile(join(folder, 'plan-00000001.lock'), () => {
    throw new Error('locked')
  })

  const r = await bench.apply()
  expect(r).toMatchObject({ exitCode: 6, requests: [] })
  expect(errorOf(r)).toMatchObject({ code: 'batch_running', retryable: true })

  release()
  expect((await bench.apply()).exitCode).toBe(0)
})

test('needs the name of the plan', async () => {
  const r = await bench.runPay('batch apply --sandbox --json')
  expect(errorOf(r)).toMatchObject({ code: 'missing_input', exitCode: 2 })
})

test.each(['--results', '--rejects'])(
  'refuses %s that would overwrite the input of the plan',
  async (flag) => {
    bench.plan([planRow(1, id)])
    writeFileSync(join(bench.folder, 'refunds.csv'), 'mine')
    await expectRefused('two_sources', `${flag} refunds.csv`)
    expect(readFileSync(join(bench.folder, 'refunds.csv'), 'utf8')).toBe('mine')
  },
)

const keysOf = (r: RunResult) => writesOf(r).map(({ headers }) => headers['x-idempotency-key'])

test('a row with a ticket uses exactly the key of --once', async () => {
  bench.plan([planRow(1, id, { ticket: 'T-1' })])
  const r = await bench.apply()
  const b = await bench.runPay(`payment refund ${id} --amount 100 --once T-1 --sandbox --json`)
  expect(b.exitCode).toBe(6)
  bench.changeMachine()
  const elsewhere = await bench.refund(id, '--amount 100 --once T-1')
  expect(elsewhere.requests.map(({ headers }) => headers['x-idempotency-key'])).toContain(keysOf(r)[0])
  expect(elsewhere.exitCode).toBe(6)
  expect((await bench.payment(id)).refunded).toBe(500)
})

test('a row whose ticket was used by hand for the same amount is done', async () => {
  bench.plan([planRow(1, id, { ticket: 'T-1' })])
  await bench.refund(id, '--amount 500 --once T-1')
  expect(await bench.apply()).toMatchObject({ exitCode: 0, summary: { done: 1 }, requests: [] })
})

test('a row whose ticket was used from another machine is skipped, and nothing is sent', async () => {
  bench.plan([planRow(1, id, { ticket: 'T-1' })])
  await bench.refund(id, '--amount 500 --once T-1')
  bench.changeMachine()
  const r = await bench.apply()
  expect(r).toMatchObject({ exitCode: 14, summary: { skipped: 1 } })
  expect(writesOf(r)).toEqual([])
  expect((await bench.payment(id)).refunded).toBe(500)
})

test('a row whose ticket was used for another amount is skipped', async () => {
  bench.plan([planRow(1, id, { ticket: 'T-1' })])
  await bench.refund(id, '--amount 600 --once T-1')
  const r = await bench.apply('--results r.csv')
  expect(r.summary).toMatchObject({ skipped: 1 })
  expect(bench.lines('r.csv')[1]).toContain('ticket was used for another write')
  expect((await bench.payment(id)).refunded).toBe(600)
})

test('a row whose ticket another machine had used before the plan is done, and the next row of its payment too', async () => {
  await bench.refund(id, '--amount 500 --once T-1')
  const figures = { status: 'SETTLED', amount: 4990, amountCaptured: 4990, amountRefunded: 500 }
  bench.plan([
    planRow(1, id, { ticket: 'T-1', figures }),
    planRow(2, id, { ticket: 'T-2', amount: 300, figures }),
  ])
  bench.changeMachine()
  expect(await bench.apply()).toMatchObject({ exitCode: 0, summary: { done: 2 } })
  expect((await bench.payment(id)).refunded).toBe(800)
})

test.each([
  ['stopped after it', false],
  ['killed before it noted it', true],
])('so it is when the run was %s', async (_, isForgotten) => {
  await bench.refund(id, '--amount 500 --once T-1')
  const figures = { status: 'SETTLED', amount: 4990, amountCaptured: 4990, amountRefunded: 500 }
  bench.plan([planRow(1, id, { ticket: 'T-1', figures }), planRow(2, id, { amount: 300, figures })])
  bench.changeMachine()
  await bench.runPay("sandbox faults add --on 'POST /payments/*/refund' --do refuse --skip 1")
  expect((await bench.apply('--max-retries 0')).summary).toMatchObject({ done: 1, left: 1 })
  await bench.runPay('sandbox faults clear')
  if (isForgotten) rmSync(join(bench.stateFolder, 'batches'), { recursive: true })
  expect(await bench.apply()).toMatchObject({ exitCode: 0, summary: { done: 2 } })
  expect((await bench.payment(id)).refunded).toBe(800)
})

test('the key of a row depends on plan, row, operation and payment, not on amount or digest', async () => {
  const b = await bench.paid()
  await bench.runPay(['sandbox', 'faults', 'add', '--on', 'POST /payments/*/refund', '--do', 'drop-before'])
  bench.plan([planRow(1, id), planRow(2, b)])
  const first = keysOf(await bench.apply('--max-retries 0'))
  expect(new Set(first).size).toBe(2)
  bench.changeMachine()
  bench.plan([planRow(1, id, { amount: 700 })])
  const [otherAmount] = keysOf(await bench.apply('--max-retries 0'))
  expect(first).toContain(otherAmount)
})

test('keys are UUIDs', async () => {
  bench.plan([planRow(1, id)])
  expect(keysOf(await bench.apply())[0]).toMatch(
    /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
  )
})

const resultOf = (row: number) => {
  const [, line = ''] = /^(?:\d+),(.*)$/.exec(bench.lines('r.csv')[row] ?? '') ?? []
  return line
}

test('skips a payment that was refunded since, with both figures', async () => {
  bench.plan([planRow(1, id)])
  await bench.refund(id, "--amount '1.00 EUR'")
  const r = await bench.apply('--results r.csv --rejects x.csv')
  expect(r).toMatchObject({ exitCode: 14, summary: { done: 0, skipped: 1 } })
  expect(writesOf(r)).toEqual([])
  const words = 'The payment changed: the amount refunded is 1.00 EUR, planned 0.00 EUR'
  expect(resultOf(1)).toBe(`${id},,ready,skipped,500,EUR,,"${words}"`)
  expect(bench.lines('x.csv')[1]).toBe(`${id},,5.00 EUR,EUR,,,,payment_moved`)
})

test('skips a payment that someone else has refunded by the same amount', async () => {
  bench.plan([planRow(1, id)])
  await bench.refund(id, "--amount '5.00 EUR'")
  bench.changeMachine()
  const r = await bench.apply('--results r.csv')
  expect(r.summary).toMatchObject({ done: 0, skipped: 1 })
  expect(await bench.payment(id)).toMatchObject({ refunded: 500 })
})

test('skipped rows stay skipped', async () => {
  bench.plan([planRow(1, id)])
  await bench.refund(id, "--amount '1.00 EUR'")
  await bench.apply()
  const r = await bench.apply('--results r.csv --rejects x.csv')
  expect(r).toMatchObject({ exitCode: 14, requests: [], summary: { skipped: 1 } })
  expect(bench.lines('x.csv')).toHaveLength(2)
})

test('the other rows of a plan are done when one is skipped', async () => {
  const b = await bench.paid()
  bench.plan([planRow(1, id), planRow(2, b)])
  await bench.refund(id, "--amount '1.00 EUR'")
  expect((await bench.apply()).summary).toMatchObject({ done: 1, skipped: 1 })
  expect((await bench.payment(b)).refunded).toBe(500)
})

test.each(['5.00 EUR', '49.90 EUR'])(
  'a row of %s that another machine did is skipped, and nothing is sent for it',
  async (amount) => {
    const minor = Number(amount.replace('.', '').replace(' EUR', ''))
    bench.plan([planRow(1, id, { amount: minor })])
    await bench.apply()
    bench.changeMachine()
    const r = await bench.apply('--results r.csv')
    expect(r).toMatchObject({ exitCode: 14, summary: { done: 0, skipped: 1 } })
    expect(resultOf(1)).toContain('The payment changed')
    expect(writesOf(r)).toEqual([])
    expect((await bench.payment(id)).refunded).toBe(minor)
  },
)

test('an unrelated refund of the same amount makes the row skipped, under limits too, and nothing else is sent', async () => {
  bench.plan([planRow(1, id)])
  bench.changeMachine()
  await bench.refund(id, "--amount '5.00 EUR'")
  const r = await bench.apply()
  expect(r.summary).toMatchObject({ done: 0, skipped: 1 })
  expect(r.requests.map(({ method }) => method)).toEqual(['GET'])
  expect(JSON.parse((await bench.runPay('ops list --json')).stdout)).toHaveLength(1)
})

test('a capture and a cancellation that another machine did are skipped', async () => {
  const [a, b, c] = [await bench.authorized(), await bench.authorized(), await bench.authorized()]
  const figures = { status: 'AUTHORIZED', amount: 4990, amountCaptured: 0, amountRefunded: 0 }
  const captures = [planRow(1, a, { amount: 4990, figures }), planRow(2, b, { amount: 1000, figures })]
  const cancels = [{ ...planRow(1, c, { figures }), amount: undefined }]
  const planAndApply = async () => {
    bench.plan(captures, { operation: 'capture', planId: 'plan-captures' })
    const captured = await bench.apply()
    bench.plan(cancels, { operation: 'cancel', planId: 'plan-cancels' })
    return [captured.summary, (await bench.apply()).summary]
  }
  await planAndApply()
  bench.changeMachine()

  expect(await planAndApply()).toMatchObject([{ skipped: 2 }, { skipped: 1 }])
  expect((await bench.payment(b)).captured).toBe(1000)
})

test('skips a payment that someone else has cancelled', async () => {
  const a = await bench.authorized()
  const figures = { status: 'AUTHORIZED', amount: 4990, amountCaptured: 0, amountRefunded: 0 }
  bench.plan([{ ...planRow(1, a, { figures }), amount: undefined }], { operation: 'cancel' })
  await bench.runPay(`payment cancel ${a} --sandbox`)
  const r = await bench.apply('--results r.csv')
  expect(r.summary).toMatchObject({ done: 0, skipped: 1 })
  expect(resultOf(1)).toContain('its status is CANCELLED, planned AUTHORIZED')
})

test('a payment that settles in the meantime is as planned', async () => {
  const { stdout } = await bench.runPay(
    "payment create --token tok_async --amount '49.90 EUR' --order-id order-2 --sandbox -o id",
  )
  const b = stdout.trim()
  await bench.runPay(`payment capture ${b} --sandbox`)
  const { status } = await bench.payment(b)
  const figures = { status, amount: 4990, amountCaptured: 4990, amountRefunded: 0 }
  bench.plan([planRow(1, b, { figures })])
  await bench.runPay('sandbox clock advance 48h')

  expect(status).toBe('SETTLING')
  expect((await bench.payment(b)).status).toBe('SETTLED')
  expect((await bench.apply()).summary).toMatchObject({ done: 1 })
})

test('skips a payment in another currency than planned', async () => {
  bench.plan([planRow(1, id, { currencyCode: 'USD' })])
  const r = await bench.apply('--results r.csv')
  expect(r.summary).toMatchObject({ skipped: 1 })
  expect(resultOf(1)).toContain('its currency is EUR, planned USD')
})

test('a row whose payment does not exist has failed', async () => {
  bench.plan([planRow(1, 'nosuchpay')])
  const r = await bench.apply('--results r.csv')
  expect(r).toMatchObject({ exitCode: 14, summary: { failed: 1 } })
  expect(resultOf(1)).toContain('failed,500,EUR,PaymentError,')
})
