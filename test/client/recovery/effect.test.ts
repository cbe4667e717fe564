import { describe, expect, test } from 'vitest'
import { contradicts, showsAmount, showsResumed } from '../../../src/client/recovery/effect.ts'

const refund = (more: object = {}) => ({
  transactionType: 'REFUND',
  amount: 300,
  processorStatus: 'SETTLED',
  ...more,
})

describe('what a payment that was read back cannot be the result of', () => {
  test.each([
    ['a capture', 'payment.capture', { amount: 700 }, { status: 'AUTHORIZED' }],
    ['a capture', 'payment.capture', { amount: 700 }, { status: 'PENDING' }],
    ['a capture', 'payment.capture', undefined, { status: 'CANCELLED' }],
    [
      'a capture',
      'payment.capture',
      { amount: 700 },
      { status: 'SETTLED', processor: { amountCaptured: 699 } },
    ],
    [
      'a capture of all',
      'payment.capture',
      undefined,
      { status: 'SETTLED', processor: { amountCaptured: 0 } },
    ],
    [
      'a refund',
      'payment.refund',
      { amount: 300 },
      { status: 'SETTLED', processor: { amountRefunded: 299 } },
    ],
    ['a refund of the rest', 'payment.refund', {}, { processor: { amountRefunded: 0 }, transactions: [] }],
    [
      'a refund',
      'payment.refund',
      { amount: 300 },
      { processor: { amountRefunded: 200 }, transactions: [refund({ amount: 200 })] },
    ],
    ['a cancel', 'payment.cancel', undefined, { status: 'AUTHORIZED' }],
    ['a cancel', 'payment.cancel', undefined, { status: 'SETTLED' }],
    ['an authorization', 'payment.authorize', {}, { status: 'PENDING' }],
    ['an authorization', 'payment.authorize', {}, { status: 'CANCELLED' }],
    [
      'a creation with another amount',
      'payment.create',
      { amount: 1_000 },
      { status: 'AUTHORIZED', amount: 999 },
    ],
    ['a creation in another currency', 'payment.create', { currencyCode: 'EUR' }, { currencyCode: 'USD' }],
    ['a creation for another order', 'payment.create', { orderId: 'A-1' }, { orderId: 'A-2' }],
    ['a creation for another customer', 'payment.create', { customerId: 'C-1' }, { customerId: 'C-2' }],
    ['anything, when it is no payment', 'payment.capture', {}, []],
    ['anything, when it is no payment', 'payment.create', {}, null],
  ])('%s (%s) of %j: %j', (_, operation, request, payment) => {
    expect(contradicts(operation, request, payment)).toBe(true)
  })

  test.each(['payment.create', 'payment.authorize', 'payment.capture', 'payment.refund', 'payment.cancel'])(
    'figures that are absent contradict nothing: %s',
    (operation) => {
      const request = { amount: 300, currencyCode: 'EUR', orderId: 'A-1' }
      for (const payment of [{}, { id: 'p' }, { processor: {} }, { processor: null }, { amount: null }])
        expect(contradicts(operation, request, payment)).toBe(false)
    },
  )

  test.each([
    ['payment.capture', { amount: 700 }, { status: 'SETTLED', processor: { amountCaptured: 700 } }],
    ['payment.capture', { amount: 700 }, { status: 'PARTIALLY_SETTLED', processor: { amountCaptured: 900 } }],
    ['payment.capture', { amount: 700 }, { status: 'SETTLING' }],
    ['payment.capture', { amount: 700 }, { status: 'A_STATUS_OF_NEXT_YEAR' }],
    ['payment.refund', { amount: 300 }, { processor: { amountRefunded: 300 } }],
    [
      'payment.refund',
      { amount: 300 },
      { processor: { amountRefunded: 0 }, transactions: [refund({ processorStatus: 'FAILED' })] },
    ],
    ['payment.cancel', undefined, { status: 'CANCELLED' }],
    ['payment.authorize', {}, { status: 'AUTHORIZED' }],
    ['payment.authorize', {}, { status: 'DECLINED' }],
    [
      'payment.create',
      { amount: 1_000, orderId: 'A-1' },
      { status: 'DECLINED', amount: 1_000, orderId: 'A-1' },
    ],
    ['payment.create', {}, { amount: 1_000, currencyCode: 'EUR', orderId: 'from the session' }],
  ])('%s of %j can be the reason for %j', (operation, request, payment) => {
    expect(contradicts(operation, request, payment)).toBe(false)
  })

  test.each(['DECLINED', 'FAILED'])(
    'a capture that was processed and %s has captured nothing, and is no contradiction',
    (status) => {
      expect(
        contradicts('payment.capture', { amount: 700 }, { status, processor: { amountCaptured: 0 } }),
      ).toBe(false)
    },
  )
})

test.each([
  [{ amount: 1_500 }, { amount: 1_500 }, true],
  [{ amount: 1_500 }, { amount: 1_000 }, false],
  [{ amount: 1_500 }, {}, false],
  [{}, {}, false],
  [undefined, { amount: 1_500 }, false],
  [{ amount: 1_500 }, null, false],
])('an adjustment to %j is shown by %j: %s', (request, payment, isShown) => {
  expect(showsAmount(request, payment)).toBe(isShown)
})

test.each([
  ['PENDING', 'AUTHORIZED', true],
  ['PENDING', 'DECLINED', true],
  ['PENDING', 'A_STATUS_OF_NEXT_YEAR', true],
  ['PENDING', 'PENDING', false],
  ['PENDING', 'CANCELLED', false],
  ['PENDING', undefined, false],
  ['AUTHORIZED', 'SETTLED', false],
  [undefined, 'AUTHORIZED', false],
])('a payment that was %s and is %s shows that it was resumed: %s', (before, after, isShown) => {
  expect(showsResumed(before, { status: after })).toBe(isShown)
  expect(showsResumed(before, null)).toBe(false)
})
