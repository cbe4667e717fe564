import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { WholeLedger } from '../../../../src/client/ledger/ledger.ts'
import { loadSqlite } from '../../../../src/store/sqlite.ts'
import { planRow } from '../../../support/batch-plan.ts'
import { writesOf } from '../../../support/run-result.ts'
import { createBatchBench } from './bench.ts'
import type { BatchBench } from './bench.ts'

let bench: BatchBench
let id: string

beforeEach(async () => {
  bench = createBatchBench()
  id = await bench.paid()
})
afterEach(() => bench.dispose())

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

  const r = await bench.apply()
  expect(r).toMatchObject({ exitCode: 9, stdout: '' })
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
