import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { WholeLedger } from '../../../../src/client/ledger/ledger.ts'
import { loadSqlite } from '../../../../src/store/sqlite.ts'
import { planRow } from '../../../support/batch-plan.ts'
import { errorOf, writesOf } from '../../../support/run-result.ts'
import { useApplyBench } from './bench.ts'

const bench = useApplyBench()

let id: string

beforeEach(async () => {
  id = await bench.paid()
})

const fault = (what: string, on = 'POST /payments/*/refund') =>
  bench.runPay(['sandbox', 'faults', 'add', '--on', on, '--do', ...what.split(' ')])

const clear = () => bench.runPay('sandbox faults clear')

test('a lost answer is recovered with the same key', async () => {
  bench.plan([planRow(1, id)])
  await fault('drop-after --times 1')
  const r = await bench.apply()
  expect(r).toMatchObject({ exitCode: 0, summary: { done: 1 } })
  const keys = writesOf(r).map(({ headers }) => headers['x-idempotency-key'])
  expect(keys).toHaveLength(2)
  expect(new Set(keys).size).toBe(1)
  expect((await bench.payment(id)).refunded).toBe(500)
})

test.each([303, 408, 460, 499])(
  '%i is repeated with the same key, and leaves the row unknown',
  async (status) => {
    bench.plan([planRow(1, id)])
    await fault(`status=${status}`)
    const r = await bench.apply('--max-retries 1')
    expect(r).toMatchObject({ exitCode: 14, summary: { unknown: 1, failed: 0 } })
    const keys = writesOf(r).map(({ headers }) => headers['x-idempotency-key'])
    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(1)
  },
)

test('without an answer the row is unknown, and the rows after it on the payment are left', async () => {
  const b = await bench.paid()
  bench.plan([planRow(1, id), planRow(2, b), planRow(3, id, { amount: 300 })])
  await fault('drop-after', `POST /payments/${id}/refund`)

  const r = await bench.apply('--max-retries 0 --results r.csv --rejects x.csv')

  expect(r).toMatchObject({ exitCode: 14, summary: { done: 1, unknown: 1, left: 1 } })
  expect(r.stderr.replaceAll(/\s+/g, ' ')).toContain('Rows of a payment wait for its unknown row.')
  expect(
    bench
      .lines('r.csv')
      .slice(1)
      .map((line) => line.split(',')[4]),
  ).toEqual(['unknown', 'done'])
  const [first, second] = bench.lines('x.csv').slice(1)
  expect(first).toContain('unknown: ')
  expect(second).toContain(',not_begun')
})

test('applied again, an unknown row is settled without a second refund, and the rest is done', async () => {
  bench.plan([planRow(1, id), planRow(2, id, { amount: 300 })])
  await fault('drop-after --times 1')
  await bench.apply('--max-retries 0')
  const r = await bench.apply()
  expect(r).toMatchObject({ exitCode: 0, summary: { done: 2 } })
  expect((await bench.payment(id)).refunded).toBe(800)
  // The payment shows the first.
  expect(writesOf(r).map(({ body }) => body)).toEqual(['{"amount":300}'])
})

test('an unknown row that was not done is done when the plan is applied again', async () => {
  bench.plan([planRow(1, id)])
  await fault('drop-before --times 1')
  expect((await bench.apply('--max-retries 0')).summary).toMatchObject({ unknown: 1 })
  expect(await bench.apply()).toMatchObject({ exitCode: 0, summary: { done: 1 } })
  expect((await bench.payment(id)).refunded).toBe(500)
})

test.each([
  ['another amount', [200]],
  ['the amount of the row in two parts', [200, 300]],
])('an unknown row is not sent again once someone else has refunded %s', async (_, amounts) => {
  bench.plan([planRow(1, id)])
  await fault('drop-before --times 1')
  await bench.apply('--max-retries 0')
  bench.changeMachine()
  for (const amount of amounts) await bench.refund(id, `--amount ${amount}`)
  bench.changeMachine()
  const r = await bench.apply()
  expect(r).toMatchObject({ exitCode: 14, summary: { unknown: 1 } })
  expect(writesOf(r)).toEqual([])
  expect((await bench.payment(id)).refunded).toBe(amounts.reduce((sum, amount) => sum + amount, 0))
})

test('a row that is resolved by hand is done', async () => {
  bench.plan([planRow(1, id)])
  await fault('drop-after --times 1')
  await bench.apply('--max-retries 0')
  await bench.runPay('ops resolve --all')
  expect(await bench.apply()).toMatchObject({ exitCode: 0, requests: [], summary: { done: 1 } })
})

test('a write in doubt outside the plan blocks its payment', async () => {
  bench.plan([planRow(1, id)])
  await fault('drop-before --times 1')
  await bench.refund(id, '--amount 100 --max-retries 0')
  const r = await bench.apply('--results r.csv')
  expect(r.summary).toMatchObject({ skipped: 1 })
  expect(writesOf(r)).toEqual([])
  expect(bench.lines('r.csv')[1]).toMatch(
    /Another write on this payment is in doubt: run pay ops resolve \w{8}, then plan the row again/,
  )
})

test('a row whose ticket is in doubt for another amount is skipped, after one look', async () => {
  await fault('drop-before --times 1')
  await bench.refund(id, '--amount 100 --once T-1 --max-retries 0')
  bench.plan([planRow(1, id, { ticket: 'T-1' })])
  const r = await bench.apply('--results r.csv')
  expect(r).toMatchObject({ exitCode: 14, summary: { skipped: 1 } })
  expect(writesOf(r)).toEqual([])
  expect(r.requests.length).toBeLessThanOrEqual(2)
  expect(bench.lines('r.csv')[1]).toContain('Another write on this payment is in doubt')
})

test('a row that another write blocks is done once that is resolved and its reject is planned again', async () => {
  await fault('drop-before --times 1')
  await bench.refund(id, '--amount 100 --max-retries 0')
  bench.plan([planRow(1, id)])
  await bench.apply('--rejects rejects.csv')
  expect(await bench.runPay('ops resolve --all --sandbox --yes')).toMatchObject({ exitCode: 0 })
  const planned = await bench.runPay('batch plan refund rejects.csv --sandbox')
  expect(planned).toMatchObject({ exitCode: 0 })
  expect(await bench.runPay('batch apply rejects.plan.ndjson --sandbox')).toMatchObject({ exitCode: 0 })
  expect(await bench.payment(id)).toMatchObject({ refunded: 600 })
})

test('stops after more failures than --max-failures', async () => {
  const rows = []
  for (let row = 1; row <= 6; row += 1) rows.push(planRow(row, await bench.paid()))
  bench.plan(rows)
  await fault('status=503')
  const r = await bench.apply('--max-retries 0 --max-failures 1 --concurrency 1')
  expect(r).toMatchObject({ exitCode: 14, summary: { unknown: 2, left: 4 } })
  expect(r.stderr).toContain('Stopped by --max-failures')
  await clear()
  expect((await bench.apply()).summary).toMatchObject({ done: 6 })
})

test('stops once a share of the rows can only exceed --max-failures', async () => {
  const rows = []
  for (let row = 1; row <= 10; row += 1) rows.push(planRow(row, await bench.paid()))
  bench.plan(rows)
  await fault('status=422')
  const r = await bench.apply('--max-failures 20% --concurrency 1')
  expect(r).toMatchObject({ exitCode: 14, summary: { failed: 3, left: 7 } })
  expect(r.stderr).toContain('Stopped by --max-failures')
})

test('a service that cannot be reached stops the run, and the same command continues', async () => {
  bench.plan([planRow(1, id)])
  await fault('refuse', 'GET /payments/*')
  expect(await bench.apply()).toMatchObject({ exitCode: 9, stdout: '' })
  await clear()
  expect((await bench.apply()).exitCode).toBe(0)
})

test('a refund that the processor refuses has failed, and is not sent again', async () => {
  const { stdout } = await bench.runPay(
    "payment create --token tok_refund_fails --amount '49.90 EUR' --order-id order-2 --sandbox -o id",
  )
  const b = stdout.trim()
  await bench.runPay(`payment capture ${b} --sandbox`)
  bench.plan([planRow(1, b)])
  await bench.apply()
  await bench.runPay('sandbox clock advance 48h')
  const again = await bench.apply()
  expect(writesOf(again)).toEqual([])
})

test.each(['', '--results results.csv'])(
  'an error of the run itself after a row was sent never says that nothing changed: %s',
  async (flags) => {
    bench.plan([planRow(1, id)])
    const withLedger = (ledger: WholeLedger): WholeLedger => ({
      ...ledger,
      begin: async (...intent) => {
        const [run = ''] = readdirSync(join(bench.stateFolder, 'batches')).filter((name) =>
          name.endsWith('.db'),
        )
        const database = loadSqlite()(join(bench.stateFolder, 'batches', run))
        database.exec('DROP TABLE rows')
        database.close()
        return ledger.begin(...intent)
      },
    })

    const r = await bench.apply(flags, { withLedger })

    expect(r.exitCode).not.toBe(0)
    expect(writesOf(r)).toHaveLength(1)
    expect(r.stderr).not.toContain('"outcome":"none"')
    expect((await bench.payment(id)).refunded).toBe(500)
  },
)

test('a 429 makes every row wait and fails none', async () => {
  const b = await bench.paid()
  bench.plan([planRow(1, id), planRow(2, b)])
  await fault('429=7 --times 9')
  const r = await bench.apply()
  expect(r).toMatchObject({ exitCode: 0, summary: { done: 2 } })
  expect(bench.waits.some((ms) => ms > 6_000)).toBe(true)
  expect(r.stderr).toContain('The service asks to slow down. Waiting 7 s.')
})

test.each([
  ['nothing but 429', '429=1', '', /no row has ended for/],
  ['a Retry-After of 31 years', '429=999999999', '', /to wait 11575 days/],
  ['a Retry-After above --max-wait', '429=4', '--max-wait 3s', /to wait 4 s, longer than the 3 s/],
])('%s stops the run in order; the same command continues', async (_, kind, flags, words) => {
  const rows = [planRow(1, id)]
  for (let row = 2; row <= 5; row += 1) rows.push(planRow(row, await bench.paid()))
  bench.plan(rows)
  await fault(kind)

  const r = await bench.apply(`${flags} --max-failures 1`)

  expect(r).toMatchObject({ exitCode: 7, summary: { done: 0, failed: 0, unknown: 0, left: 5 } })
  expect(JSON.parse(r.stdout)).toMatchObject({ ended: 'rate_limited' })
  const error = errorOf(r)
  expect(error).toMatchObject({ code: 'rate_limited', exitCode: 7, retryable: true })
  expect(error.message).toMatch(words)
  expect(error.message).toContain('5 left')
  expect(error.next).toEqual([expect.stringContaining('batch apply p.plan.ndjson')])
  expect(bench.waits.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(10 * 60_000)
  await clear()
  expect(await bench.apply()).toMatchObject({ exitCode: 0, summary: { done: 5, left: 0 } })
})

test('nothing but 429 to reads stops the run, too', async () => {
  bench.plan([planRow(1, id)])
  await bench.runPay(['sandbox', 'faults', 'add', '--on', 'GET /payments/*', '--do', '429=1'])
  expect(await bench.apply()).toMatchObject({ exitCode: 7, summary: { left: 1 } })
})

test('a row that is always answered 429 fails while others end', async () => {
  const b = await bench.paid()
  bench.plan([planRow(1, id), planRow(2, b)])
  await bench.runPay(['sandbox', 'faults', 'add', '--on', `POST /payments/${id}/refund`, '--do', '429=1'])
  const r = await bench.apply()
  expect(r).toMatchObject({ exitCode: 14, summary: { done: 1, failed: 1, left: 0 } })
  expect(r.stderr).toContain('asked to slow down (429) 10 times in a row')
  await clear()
  expect(await bench.apply()).toMatchObject({ exitCode: 0, summary: { done: 2 } })
})

test('a write in doubt that is then always answered 429 is unknown', async () => {
  const b = await bench.paid()
  bench.plan([planRow(1, id), planRow(2, b)])
  const on = `POST /payments/${id}/refund`
  await bench.runPay(['sandbox', 'faults', 'add', '--on', on, '--do', 'drop-after', '--times', '1'])
  await bench.runPay(['sandbox', 'faults', 'add', '--on', on, '--do', '429=1'])
  const r = await bench.apply()
  expect(r).toMatchObject({ exitCode: 14, summary: { done: 1, unknown: 1, left: 0 } })
  await clear()
  expect(await bench.apply()).toMatchObject({ exitCode: 0, summary: { done: 2 } })
  expect(await bench.payment(id)).toMatchObject({ refunded: 500 })
})

test('after a 429 the payment is compared again', async () => {
  bench.plan([planRow(1, id)])
  await fault('429=1 --times 1')
  const r = await bench.apply()
  expect(r.requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET', 'POST'])
})
