import { expect, test } from 'vitest'
import { planRow } from '../../../support/batch-plan.ts'
import { writesOf } from '../../../support/run-result.ts'
import { useApplyBench } from './bench.ts'

const bench = useApplyBench()

test('does every ready row and reports each', async () => {
  const [a, b] = [await bench.paid(), await bench.paid()]
  bench.plan([planRow(1, a), planRow(2, b, { amount: 700 }), planRow(3, a, { amount: 300 })])

  const r = await bench.apply('--results r.csv --rejects x.csv')

  expect(r.stderr).toBe(
    'embedded sandbox: no real money\nResults: r.csv (every row)\nRejects: x.csv (no rows)\nNext: pay --sandbox batch verify p.plan.ndjson\n',
  )
  expect(r.exitCode).toBe(0)
  expect(r.summary).toMatchObject({
    planId: 'plan-00000001',
    rows: 3,
    done: 3,
    skipped: 0,
    failed: 0,
    unknown: 0,
    left: 0,
    totals: [{ currencyCode: 'EUR', count: 3, amount: 1500 }],
  })
  expect(bench.lines('r.csv')).toEqual([
    'row,paymentId,orderId,verdict,outcome,amount,currencyCode,errorId,message',
    `1,${a},,ready,done,500,EUR,,`,
    `2,${b},,ready,done,700,EUR,,`,
    `3,${a},,ready,done,300,EUR,,`,
  ])
  expect(bench.lines('x.csv')).toHaveLength(1)
  expect([(await bench.payment(a)).refunded, (await bench.payment(b)).refunded]).toEqual([800, 700])
})

test('says how many of the rows were ready', async () => {
  const id = await bench.paid()
  bench.plan([planRow(1, id), planRow(2, id, { verdict: 'bad_row' })])
  expect((await bench.runPay('batch apply p.plan.ndjson --sandbox')).stdout).toMatch(
    /Rows +2, of which 1 is ready\nDone +1\n/,
  )
})

test('sends the explicit amount and the reason of each row', async () => {
  const a = await bench.paid()
  bench.plan([planRow(1, a, { amount: 4990, reason: 'outage' })])
  const r = await bench.apply()
  expect(writesOf(r).map(({ body }) => body)).toEqual(['{"amount":4990,"reason":"outage"}'])
})

test('does nothing when it is applied again', async () => {
  const a = await bench.paid()
  bench.plan([planRow(1, a)])
  await bench.apply()
  const again = await bench.apply('--results r.csv')
  expect(again).toMatchObject({ exitCode: 0, requests: [], summary: { done: 1, left: 0 } })
  expect(bench.lines('r.csv')[1]).toBe(`1,${a},,ready,done,500,EUR,,`)
})

test('leaves rows alone that are not ready, and reports their verdict', async () => {
  const a = await bench.paid()
  bench.plan([
    planRow(1, a, { verdict: 'nothing_left', message: 'all of it was refunded' }),
    planRow(2, a),
    { type: 'row', row: 3, line: 4, verdict: 'bad_row', message: 'amount is negative' },
  ])

  const r = await bench.apply('--results r.csv --rejects x.csv')

  expect(r).toMatchObject({ exitCode: 0, summary: { rows: 3, done: 1 } })
  expect(bench.lines('r.csv').slice(1)).toEqual([
    `1,${a},,nothing_left,not_ready,500,EUR,,all of it was refunded`,
    `2,${a},,ready,done,500,EUR,,`,
    '3,,,bad_row,not_ready,,,,amount is negative',
  ])
  expect(bench.lines('x.csv').slice(1)).toEqual([
    `${a},,5.00 EUR,EUR,,,,nothing_left: all of it was refunded`,
    ',,,,,,,bad_row: amount is negative',
  ])
})

test('captures and cancels', async () => {
  const [a, b] = [await bench.authorized(), await bench.authorized()]
  const figures = { status: 'AUTHORIZED', amount: 4990, amountCaptured: 0, amountRefunded: 0 }
  bench.plan([planRow(1, a, { amount: 4990, figures })], { operation: 'capture' })
  expect((await bench.apply()).exitCode).toBe(0)
  bench.plan([{ ...planRow(1, b, { figures }), amount: undefined }], {
    operation: 'cancel',
    planId: 'plan-00000002',
  })
  expect((await bench.apply()).exitCode).toBe(0)
  expect(await bench.payment(a)).toMatchObject({ status: 'SETTLED', captured: 4990 })
  expect((await bench.payment(b)).status).toBe('CANCELLED')
})

test('a dry run shows what is left and sends nothing', async () => {
  const a = await bench.paid()
  bench.plan([planRow(1, a)])
  const r = await bench.apply('--dry-run')
  expect(r).toMatchObject({ exitCode: 0, requests: [], summary: { done: 0, left: 1 } })
  expect(r.stderr).toContain(
    'Nothing was sent: the payments are compared with the plan only when it is applied.',
  )
  const done = await bench.apply()
  expect(done.stderr).not.toMatch(/nothing was sent/i)
})

test('shows the summary on a terminal', async () => {
  const a = await bench.paid()
  bench.plan([planRow(1, a)])
  const r = await bench.runPay('batch apply p.plan.ndjson --sandbox', { tty: true })
  expect(r.stdout).toContain('Done in EUR')
  expect(r.stdout).toContain('5.00 EUR in 1 row')
})

test('captures one payment several times: only its last row is final', async () => {
  const [a, b] = [await bench.authorized(), await bench.authorized()]
  const figures = { status: 'AUTHORIZED', amount: 4990, amountCaptured: 0, amountRefunded: 0 }
  bench.plan(
    [
      planRow(1, a, { amount: 1000, figures, final: false }),
      planRow(2, b, { amount: 4990, figures }),
      planRow(3, a, { amount: 2000, figures }),
    ],
    { operation: 'capture' },
  )

  const r = await bench.apply()

  expect(r.summary).toMatchObject({ done: 3, skipped: 0, failed: 0 })
  const bodies = writesOf(r).map(({ url, body }) => [url.split('/').at(-2), body])
  expect(bodies.filter(([id]) => id === a)).toEqual([
    [a, '{"amount":1000,"final":false}'],
    [a, '{"amount":2000}'],
  ])
  expect(bodies.filter(([id]) => id === b)).toEqual([[b, '{"amount":4990}']])
  expect(await bench.payment(a)).toMatchObject({ status: 'SETTLED', captured: 3000 })
})
