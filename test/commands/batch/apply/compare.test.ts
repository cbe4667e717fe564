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
