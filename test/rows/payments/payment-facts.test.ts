import { expect, test } from 'vitest'
import { factsOf } from '../../../src/rows/payments/payment-facts.ts'

const PAYMENT = {
  id: 'p1',
  orderId: 'o-1',
  status: 'SETTLED',
  currencyCode: 'EUR',
  amount: 1000,
  processor: { amountCaptured: 1000, amountRefunded: 200 },
}

test('the facts of a payment are its figures and refunds', () => {
  const transactions = [
    { transactionType: 'SALE', amount: 1000, processorStatus: 'SETTLED' },
    { transactionType: 'REFUND', amount: 100, processorStatus: 'SETTLED', date: '2026-01-31T09:30:00' },
    { type: 'REFUND', amount: 60, processorStatus: 'PENDING' },
    { transactionType: 'REFUND', amount: 40 },
    { transactionType: 'REFUND', amount: 30, processorStatus: 'FAILED' },
    { transactionType: 'REFUND', amount: 20, processorStatus: 'REJECTED' },
    { transactionType: 'REFUND', amount: 1.5, processorStatus: 'SETTLED' },
    null,
    'REFUND',
  ]
  expect(factsOf({ ...PAYMENT, transactions }, 'p1')).toEqual({
    id: 'p1',
    orderId: 'o-1',
    status: 'SETTLED',
    currencyCode: 'EUR',
    figures: { status: 'SETTLED', amount: 1000, amountCaptured: 1000, amountRefunded: 200 },
    refunds: [
      { amount: 100, state: 'done', date: '2026-01-31T09:30:00' },
      { amount: 60, state: 'pending', date: undefined },
      { amount: 40, state: 'pending', date: undefined },
      { amount: 30, state: 'failed', date: undefined },
      { amount: 20, state: 'failed', date: undefined },
      { amount: undefined, state: 'done', date: undefined },
    ],
  })
})

test.each([
  ['an amount that is missing', { amount: undefined }],
  ['an amount with decimals', { amount: 10.5 }],
  ['an amount as text', { amount: '1000' }],
  ['an amount that is not exact', { amount: 2 ** 53 }],
  ['a negative amount', { amount: -1 }],
  ['no captured amount', { processor: { amountRefunded: 0 } }],
  ['no refunded amount', { processor: { amountCaptured: 1000 } }],
  ['no processor', { processor: null }],
  ['no status', { status: null }],
])('a payment with %s has no figures', (_, change) => {
  expect(factsOf({ ...PAYMENT, ...change }, 'p1').figures).toBeUndefined()
})

test('before a capture, missing figures are 0', () => {
  expect(factsOf({ ...PAYMENT, status: 'AUTHORIZED', processor: undefined }, 'p1').figures).toEqual({
    status: 'AUTHORIZED',
    amount: 1000,
    amountCaptured: 0,
    amountRefunded: 0,
  })
})
