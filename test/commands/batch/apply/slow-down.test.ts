import { afterEach, beforeEach, expect, test } from 'vitest'
import { planRow } from '../../../support/batch-plan.ts'
import { errorOf } from '../../../support/run-result.ts'
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
