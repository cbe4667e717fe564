import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
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

const keysOf = (r: Awaited<ReturnType<BatchBench['apply']>>) =>
  writesOf(r).map(({ headers }) => headers['x-idempotency-key'])

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
  const faults = ['--on', 'POST /payments/*/refund', '--do', 'refuse', '--skip', '1']
  await bench.runPay(['sandbox', 'faults', 'add', ...faults])
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
