import { describe, expect, test } from 'vitest'
import { factOfPayment, factOfRecord, wasAuthorized } from '../../../src/views/insights/facts.ts'
import type { PaymentFact } from '../../../src/views/insights/facts.ts'
import { FACT } from './payment-fact.ts'

test.each<[Partial<PaymentFact>, boolean]>([
  [{ status: 'AUTHORIZED' }, true],
  [{ status: 'PARTIALLY_SETTLED' }, true],
  [{ status: 'SETTLING' }, true],
  [{ status: 'SETTLED' }, true],
  [{ status: 'CANCELLED', amountAuthorized: 500 }, true],
  [{ status: 'CANCELLED', amountAuthorized: null }, true],
  [{ status: 'CANCELLED', amountAuthorized: 0 }, false],
  [{ status: 'PENDING', amountAuthorized: 0 }, false],
  [{ status: 'DECLINED' }, false],
  [{ status: 'FAILED' }, false],
  [{ status: undefined }, false],
])('what counts as authorized: %j: %s', (change, expected) => {
  expect(wasAuthorized({ ...FACT, ...change })).toBe(expected)
})

describe('a payment', () => {
  test('gives its own figures', () => {
    const fact = factOfPayment({
      id: 'p1',
      date: '2026-01-31T10:00:00.000000',
      status: 'PARTIALLY_SETTLED',
      currencyCode: 'EUR',
      amount: 1000,
      processor: { name: 'ALPHA', amountCaptured: 400, amountRefunded: 100 },
      paymentMethod: { paymentMethodType: 'PAYMENT_CARD' },
    })
    expect(fact).toMatchObject({
      source: 'payments',
      amountAuthorized: 1000,
      amountCaptured: 400,
      amountRefunded: 100,
      method: 'PAYMENT_CARD',
    })
  })

  test('that lacks a figure leaves it unknown', () => {
    expect(factOfPayment({ id: 'p1', status: 'SETTLED' })).toMatchObject({
      amountAuthorized: null,
      amountCaptured: null,
      amountRefunded: null,
      currencyCode: undefined,
    })
  })
})

describe('an external record', () => {
  test.each([
    ['SETTLED', 700, 700],
    ['SETTLING', 700, 700],
    ['AUTHORIZED', 700, 0],
    ['DECLINED', 0, 0],
    ['PARTIALLY_SETTLED', 700, null],
    [undefined, null, null],
  ] as const)('%s: authorized %s, captured %s, refunded unknown', (status, authorized, captured) => {
    expect(factOfRecord({ paymentId: 'x', amount: 700, status })).toMatchObject({
      source: 'external',
      amountAuthorized: authorized,
      amountCaptured: captured,
      amountRefunded: null,
    })
  })

  test('of a payment gives the figures of the payment', () => {
    const record = {
      source: 'payments',
      status: 'SETTLED',
      amount: 700,
      amountCaptured: 500,
      amountRefunded: 20,
    }
    expect(factOfRecord(record)).toMatchObject({
      source: 'payments',
      amountAuthorized: 700,
      amountCaptured: 500,
      amountRefunded: 20,
    })
  })
})
