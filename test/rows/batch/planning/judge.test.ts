import { describe, expect, test } from 'vitest'
import { PAYMENT_STATUSES } from '../../../../src/api/sets.ts'
import { judge } from '../../../../src/rows/batch/planning/judge.ts'
import type { Circumstances } from '../../../../src/rows/batch/planning/judge.ts'
import { VERDICTS } from '../../../../src/rows/batch/plan.ts'
import type { Verdict } from '../../../../src/rows/batch/plan.ts'
import type { Figures, BatchFacts } from '../../../../src/rows/payments/payment-facts.ts'
import { READY, SETTLED, factsOf } from './ready-refund.ts'

const AUTHORIZED: Figures = { status: 'AUTHORIZED', amount: 1000, amountCaptured: 0, amountRefunded: 0 }

const requested = (change: Partial<Circumstances['requested']>): Pick<Circumstances, 'requested'> => ({
  requested: { ...READY.requested, ...change },
})
const payment = (
  figures: Figures | undefined,
  more?: Partial<BatchFacts>,
): Pick<Circumstances, 'reading'> => ({ reading: { kind: 'payment', facts: factsOf(figures, more) } })
const none = (kind: 'not_found' | 'ambiguous_order' | 'unread'): Pick<Circumstances, 'reading'> => ({
  reading: { kind, message: kind },
})

/** What causes each verdict by itself. Later causes combine with earlier ones, unless they exclude each other. */
const CAUSES: Readonly<Record<Exclude<Verdict, 'ready'>, Partial<Circumstances>>> = {
  bad_row: { problem: 'the row is bad' },
  not_found: none('not_found'),
  ambiguous_order: none('ambiguous_order'),
  unread: none('unread'),
  in_doubt: { openWrite: 'a write is in doubt' },
  done_before: { usedTicket: 'the ticket was used' },
  currency_mismatch: requested({ currencyCode: 'USD' }),
  wrong_state: { operation: 'capture', ...payment({ ...AUTHORIZED, status: 'PENDING' }) },
  not_captured: payment(AUTHORIZED),
  nothing_left: payment({ ...SETTLED, amountRefunded: 1000 }),
  exceeds_remaining: requested({ amount: 1001 }),
  possible_duplicate: { sameWrite: () => 'this machine sent an equal refund' },
  over_limit: { overLimit: () => 'more than the limit' },
}
const CAUSED = VERDICTS.filter((verdict) => verdict !== 'ready')

/** Neighbours that can't apply at once: a row has one payment, one reading and one amount. */
const EXCLUSIVE = [
  'not_found ambiguous_order',
  'ambiguous_order unread',
  'wrong_state not_captured',
  'not_captured nothing_left',
]

describe('a verdict', () => {
  test('is ready if no other verdict applies, with its amount, currency and figures', () => {
    expect(judge(READY)).toEqual({ verdict: 'ready', amount: 500, currencyCode: 'EUR', figures: SETTLED })
  })

  test.each(CAUSED)('is %s for its cause alone, and says why', (verdict) => {
    expect(judge({ ...READY, ...CAUSES[verdict] })).toMatchObject({
      verdict,
      message: expect.stringMatching(/\w/),
    })
  })

  test.each(
    CAUSED.slice(0, -1).flatMap((verdict, at) => {
      const later = CAUSED[at + 1]
      return later === undefined || EXCLUSIVE.includes(`${verdict} ${later}`)
        ? []
        : [[verdict, later] as const]
    }),
  )('is %s rather than %s', (verdict, later) => {
    const both = { ...READY, ...CAUSES[later], ...CAUSES[verdict] }
    expect(judge(both).verdict).toBe(verdict)
    expect(judge({ ...READY, ...CAUSES[later] }).verdict).toBe(later)
  })

  test.each(CAUSED.slice(1))('is bad_row rather than %s', (later) => {
    expect(judge({ ...READY, ...CAUSES[later], ...CAUSES.bad_row }).verdict).toBe('bad_row')
  })

  test.each(CAUSED.slice(4, -1))('is %s rather than over_limit', (verdict) => {
    expect(judge({ ...READY, ...CAUSES.over_limit, ...CAUSES[verdict] }).verdict).toBe(verdict)
  })
})

describe('the state of the payment', () => {
  const CASES = [
    ['PENDING', 'not_captured', 'wrong_state', 'ready'],
    ['AUTHORIZED', 'not_captured', 'ready', 'ready'],
    ['SETTLING', 'ready', 'nothing_left', 'wrong_state'],
    ['PARTIALLY_SETTLED', 'ready', 'ready', 'wrong_state'],
    ['SETTLED', 'ready', 'nothing_left', 'wrong_state'],
    ['DECLINED', 'not_captured', 'wrong_state', 'wrong_state'],
    ['FAILED', 'not_captured', 'wrong_state', 'wrong_state'],
    ['CANCELLED', 'not_captured', 'wrong_state', 'wrong_state'],
    ['NEW', 'not_captured', 'wrong_state', 'wrong_state'],
  ] as const

  test.each(CASES)('%s: refund is %s, capture %s, cancel %s', (status, ...verdicts) => {
    const figures = {
      status,
      amount: 1000,
      amountCaptured: /SETTL/.test(status) ? 600 : 0,
      amountRefunded: 0,
    }
    const found = (['refund', 'capture', 'cancel'] as const).map((operation) => {
      const amount = operation === 'cancel' ? undefined : 100
      return judge({ ...READY, operation, ...payment(figures), ...requested({ amount }) }).verdict
    })
    expect(found).toEqual(verdicts)
  })

  test('has a row above for every status', () =>
    expect(CASES.map(([status]) => status)).toEqual([...PAYMENT_STATUSES, 'NEW']))

  test('proves nothing while a settling payment shows no captured amount', () => {
    const settling = { ...SETTLED, status: 'SETTLING', amountCaptured: 0 }
    expect(judge({ ...READY, ...payment(settling) }).verdict).toBe('not_captured')
  })

  test.each([
    ['amounts', payment(undefined, { status: 'SETTLED' })],
    ['status', payment(undefined)],
    ['currency', payment(SETTLED, { currencyCode: undefined })],
  ])('is unread without its %s', (missing, reading) => {
    expect(judge({ ...READY, ...reading })).toMatchObject({
      verdict: 'unread',
      message: `the payment does not show its ${missing}: plan the row again, or use pay payment refund`,
    })
  })
})

describe('several rows of one payment', () => {
  const earlier = [
    { row: 2, amount: 300 },
    { row: 5, amount: 200 },
  ]

  test('add up: a row without an amount takes what the others leave', () => {
    expect(judge({ ...READY, ...requested({ amount: undefined }), earlier })).toMatchObject({
      verdict: 'ready',
      amount: 500,
    })
  })

  test('must not take more together than is left', () => {
    expect(judge({ ...READY, ...requested({ amount: 501 }), earlier })).toMatchObject({
      verdict: 'exceeds_remaining',
      amount: 501,
      message:
        '5.01 EUR is more than the 5.00 EUR left to refund (10.00 EUR less 5.00 EUR in rows 2 and 5): correct the amount',
    })
  })

  test('leave nothing for a further row', () => {
    const all = [...earlier, { row: 6, amount: 500 }]
    expect(judge({ ...READY, ...requested({ amount: 1 }), earlier: all })).toMatchObject({
      verdict: 'nothing_left',
      message: 'rows 2, 5 and 6 take the 10.00 EUR left to refund: remove this row, or correct the amounts',
    })
  })

  test('cancel it once, regardless of their tickets', () => {
    const cancel = {
      ...READY,
      operation: 'cancel' as const,
      ...payment(AUTHORIZED),
      earlier: [{ row: 1, amount: 0 }],
    }
    expect(judge({ ...cancel, ...requested({ amount: undefined }) })).toMatchObject({
      verdict: 'possible_duplicate',
      message: 'row 1 cancels the payment: remove this row',
    })
    expect(judge({ ...cancel, ...requested({ amount: undefined, ticket: 'T' }) }).verdict).toBe(
      'nothing_left',
    )
  })
})
