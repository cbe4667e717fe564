import { describe, expect, test } from 'vitest'
import { compareRows } from '../../../../src/rows/batch/verify/compare.ts'
import type { PlannedPayment } from '../../../../src/rows/batch/verify/compare.ts'
import type { Figures, BatchFacts, RefundFact } from '../../../../src/rows/payments/payment-facts.ts'
import type { BatchOperation } from '../../../../src/rows/batch/plan.ts'

const BEFORE: Figures = { status: 'SETTLED', amount: 1000, amountCaptured: 1000, amountRefunded: 100 }

const PLANNED_AT = new Date('2026-03-01T12:00:00.000Z')

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
  const facts: BatchFacts = {
    id: 'p1',
    orderId: undefined,
    status: figures.status,
    currencyCode: 'EUR',
    figures,
    refunds,
  }
  return compareRows(operation, payment, { kind: 'payment', facts }, PLANNED_AT).map(
    ({ state, found }) => `${state} ${found}`,
  )
}

const pending = (amount: number): RefundFact => ({ amount, state: 'pending', date: undefined })

describe('the refunds of a payment', () => {
  test.each<[string, number, readonly string[]]>([
    ['nothing', 100, ['missing 0', 'missing 0']],
    ['the first row', 400, ['asPlanned 300', 'missing 0']],
    ['part of the second', 500, ['asPlanned 300', 'missing 100']],
    ['both', 600, ['asPlanned 300', 'asPlanned 200']],
    ['more than both', 700, ['asPlanned 300', 'more 300']],
    ['less than before the plan, after a refund has failed', 0, ['missing 0', 'missing 0']],
  ])('show %s', (_, amountRefunded, expected) => {
    expect(statesOf('refund', [300, 200], { amountRefunded })).toEqual(expected)
  })

  test('are pending until the service has settled them', () => {
    const refunds: readonly RefundFact[] = [pending(200), { amount: 300, state: 'done', date: undefined }]
    expect(statesOf('refund', [300, 200], { amountRefunded: 600 }, { refunds })).toEqual([
      'asPlanned 300',
      'pending 200',
    ])
    expect(statesOf('refund', [200, 200], { amountRefunded: 500 }, { refunds: [pending(200)] })).toEqual([
      'pending 200',
      'asPlanned 200',
    ])
  })
})

describe('a refund that failed', () => {
  const failed = (amount: number, date: string | undefined): RefundFact => ({ amount, state: 'failed', date })
  const AFTER = '2026-03-01T12:00:01'

  test('after the plan has failed later, whichever row it is', () => {
    const refunds = [failed(300, AFTER)]
    expect(statesOf('refund', [300, 200], { amountRefunded: 300 }, { refunds })).toEqual([
      'failed_later 0',
      'asPlanned 200',
    ])
    expect(statesOf('refund', [200, 300], { amountRefunded: 300 }, { refunds })).toEqual([
      'asPlanned 200',
      'failed_later 0',
    ])
    expect(statesOf('refund', [300], { amountRefunded: 100 }, { refunds: [failed(300, undefined)] })).toEqual(
      ['failed_later 0'],
    )
  })

  test.each([
    ['before the plan', failed(300, '2026-03-01T11:59:59'), 100, 'missing'],
    ['of another amount', failed(200, AFTER), 100, 'missing'],
    // It was made again, and that one returned the money.
    ['and was made again', failed(300, AFTER), 400, 'asPlanned'],
  ])('%s says nothing of the row', (_, refund, amountRefunded, state) => {
    expect(statesOf('refund', [300], { amountRefunded }, { refunds: [refund] })).toMatchObject([
      expect.stringMatching(`^${state} `),
    ])
  })

  test('counts for one row only', () => {
    expect(
      statesOf('refund', [300, 300], { amountRefunded: 100 }, { refunds: [failed(300, AFTER)] }),
    ).toEqual(['failed_later 0', 'missing 0'])
  })
})

describe('the captures of a payment', () => {
  const before: Figures = { status: 'AUTHORIZED', amount: 1000, amountCaptured: 0, amountRefunded: 0 }

  test('are compared with what was captured', () => {
    expect(statesOf('capture', [700], { status: 'SETTLED', amountCaptured: 700 }, { before })).toEqual([
      'asPlanned 700',
    ])
    expect(statesOf('capture', [700], {}, { before })).toEqual(['missing 0'])
    expect(statesOf('capture', [700], { status: 'SETTLED', amountCaptured: 1000 }, { before })).toEqual([
      'more 1000',
    ])
  })

  test('are pending while the payment settles, regardless of its figures', () => {
    for (const amountCaptured of [0, 700])
      expect(statesOf('capture', [700], { status: 'SETTLING', amountCaptured }, { before })).toEqual([
        `pending ${amountCaptured}`,
      ])
  })
})

test('a cancellation is as planned once the payment is cancelled', () => {
  expect(statesOf('cancel', [undefined], { status: 'CANCELLED' })).toEqual(['asPlanned CANCELLED'])
  expect(statesOf('cancel', [undefined], { status: 'SETTLED' })).toEqual(['missing SETTLED'])
})

test('a payment that cannot be read proves nothing', () => {
  const payment = {
    paymentId: 'p1',
    currencyCode: 'EUR',
    figures: BEFORE,
    rows: [{ row: 4, line: 5, amount: 300 }],
  }
  expect(compareRows('refund', payment, { kind: 'unread', message: 'down' }, PLANNED_AT)).toEqual([
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
