import { expect, test } from 'vitest'
import { deriveAmounts } from '../../../src/views/payment/amounts.ts'

const processor = (amountCaptured: number, amountRefunded: number) => ({ amountCaptured, amountRefunded })

test.each([
  ['AUTHORIZED', processor(0, 0), { authorized: 1000, leftToCapture: 1000, leftToRefund: 0 }],
  ['PARTIALLY_SETTLED', processor(400, 100), { authorized: 1000, leftToCapture: 600, leftToRefund: 300 }],
  ['SETTLED', processor(700, 0), { authorized: 1000, leftToCapture: 0, leftToRefund: 700 }],
  ['SETTLING', processor(1000, 1000), { authorized: 1000, leftToCapture: 0, leftToRefund: 0 }],
  ['PENDING', processor(0, 0), { authorized: undefined, leftToCapture: undefined, leftToRefund: 0 }],
  ['DECLINED', processor(0, 0), { authorized: undefined, leftToCapture: undefined }],
  ['CANCELLED', processor(0, 0), { authorized: undefined, leftToCapture: undefined }],
  ['SOMETHING', processor(400, 100), { authorized: undefined, leftToCapture: undefined, leftToRefund: 300 }],
  [undefined, processor(400, 100), { authorized: undefined, leftToRefund: 300 }],
])('a payment that is %s with %j', (status, figures, expected) => {
  expect(deriveAmounts({ status, amount: 1000, processor: figures })).toMatchObject(expected)
})

test('a missing figure is unknown, never zero', () => {
  expect(deriveAmounts({ status: 'AUTHORIZED', amount: 1000 })).toEqual({
    authorized: 1000,
    captured: undefined,
    refunded: undefined,
    leftToCapture: undefined,
    leftToRefund: undefined,
  })
})

test('a refund above the capture leaves zero, never less', () => {
  expect(deriveAmounts({ status: 'SETTLED', amount: 5, processor: processor(5, 9) }).leftToRefund).toBe(0)
})
