import { describe, expect, test } from 'vitest'
import { compareRows } from '../../../src/batch/verify/compare.ts'
import type { PlannedPayment } from '../../../src/batch/verify/compare.ts'
import type { PaymentFacts, RefundFact } from '../../../src/batch/read/payment-facts.ts'
import type { BatchOperation, Figures } from '../../../src/batch/plan.ts'

const BEFORE: Figures = { status: 'SETTLED', amount: 1000, amountCaptured: 1000, amountRefunded: 100 }

function statesOf(
  operation: BatchOperation,
  amounts: readonly (number | undefined)[],
  now: Partial<Figures>,
  {
    before = BEFORE,
    refunds = [],
  }: { readonly before?: Figures; readonly refunds?: readonly RefundFact[] } = {},
) {
  const figures = { ...before, ...now }
  const payment: PlannedPayment = {
    paymentId: 'p1',
    currencyCode: 'EUR',
    figures: before,
    rows: amounts.map((amount, at) => ({ row: at + 1, line: at + 2, amount })),
  }
  const facts: PaymentFacts = {
    id: 'p1',
    orderId: undefined,
    status: figures.status,
    currencyCode: 'EUR',
    figures,
    refunds,
  }
  return compareRows(operation, payment, { kind: 'payment', facts }).map(({ state, found }) => [state, found])
}

const pending = (amount: number): RefundFact => ({ amount, state: 'pending', date: undefined })

describe('the refunds of a payment', () => {
  test.each<[string, number, readonly (readonly unknown[])[]]>([
    [
      'nothing',
      100,
      [
        ['missing', 0],
        ['missing', 0],
      ],
    ],
    [
      'the first row',
      400,
      [
        ['asPlanned', 300],
        ['missing', 0],
      ],
    ],
    [
      'part of the second',
      500,
      [
        ['asPlanned', 300],
        ['missing', 100],
      ],
    ],
    [
      'both',
      600,
      [
        ['asPlanned', 300],
        ['asPlanned', 200],
      ],
    ],
    [
      'more than both',
      700,
      [
        ['asPlanned', 300],
        ['more', 300],
      ],
    ],
    [
      'less than before the plan, after a refund has failed',
      0,
      [
        ['missing', 0],
        ['missing', 0],
      ],
    ],
  ])('show %s', (_, amountRefunded, expected) => {
    expect(statesOf('refund', [300, 200], { amountRefunded })).toEqual(expected)
  })

  test('are pending until the service has settled them', () => {
    const refunds: readonly RefundFact[] = [pending(200), { amount: 300, state: 'done', date: undefined }]
    expect(statesOf('refund', [300, 200], { amountRefunded: 600 }, { refunds })).toEqual([
      ['asPlanned', 300],
      ['pending', 200],
    ])
    expect(statesOf('refund', [200, 200], { amountRefunded: 500 }, { refunds: [pending(200)] })).toEqual([
      ['pending', 200],
      ['asPlanned', 200],
    ])
  })
})

describe('the captures of a payment', () => {
  const before: Figures = { status: 'AUTHORIZED', amount: 1000, amountCaptured: 0, amountRefunded: 0 }

  test('are compared with what was captured', () => {
    expect(statesOf('capture', [700], { status: 'SETTLED', amountCaptured: 700 }, { before })).toEqual([
      ['asPlanned', 700],
    ])
    expect(statesOf('capture', [700], {}, { before })).toEqual([['missing', 0]])
    expect(statesOf('capture', [700], { status: 'SETTLED', amountCaptured: 1000 }, { before })).toEqual([
      ['more', 1000],
    ])
  })

  test('are pending while the payment settles, regardless of its figures', () => {
    for (const amountCaptured of [0, 700])
      expect(statesOf('capture', [700], { status: 'SETTLING', amountCaptured }, { before })).toEqual([
        ['pending', amountCaptured],
      ])
  })
})

test('a cancellation is as planned once the payment is cancelled', () => {
  expect(statesOf('cancel', [undefined], { status: 'CANCELLED' })).toEqual([['asPlanned', 'CANCELLED']])
  expect(statesOf('cancel', [undefined], { status: 'SETTLED' })).toEqual([['missing', 'SETTLED']])
})

test('a payment that cannot be read proves nothing', () => {
  const payment = {
    paymentId: 'p1',
    currencyCode: 'EUR',
    figures: BEFORE,
    rows: [{ row: 4, line: 5, amount: 300 }],
  }
  expect(compareRows('refund', payment, { kind: 'unread', message: 'down' })).toEqual([
    {
      row: 4,
      line: 5,
      paymentId: 'p1',
      currencyCode: 'EUR',
      state: 'unread',
      planned: 300,
      found: null,
      message: 'down',
    },
  ])
})
