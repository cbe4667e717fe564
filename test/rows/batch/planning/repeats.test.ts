import { describe, expect, test } from 'vitest'
import { judge } from '../../../../src/rows/batch/planning/judge.ts'
import type { Circumstances } from '../../../../src/rows/batch/planning/judge.ts'
import type { RefundFact } from '../../../../src/rows/payments/payment-facts.ts'
import { READY, SETTLED, factsOf } from './ready-refund.ts'

const circumstances = (
  refunds: readonly RefundFact[],
  change: Partial<Circumstances> & { readonly ticket?: string } = {},
): Circumstances => ({
  ...READY,
  requested: { ...READY.requested, ticket: change.ticket },
  reading: {
    kind: 'payment',
    facts: factsOf({ ...SETTLED, amount: 5000, amountCaptured: 5000, amountRefunded: 500 }, { refunds }),
  },
  ...change,
})

const refund = (change: Partial<RefundFact> = {}): RefundFact => ({
  amount: 500,
  state: 'done',
  date: '2026-01-31T09:30:00.000000',
  ...change,
})
const REMEDY = 'if it is intentional, give the row a ticket, or plan with --again'

describe('a row may be a repeat', () => {
  test('of a refund that the payment shows', () => {
    expect(judge(circumstances([refund()]))).toMatchObject({
      verdict: 'possible_duplicate',
      message: `the payment already shows a refund of 5.00 EUR, 2026-01-31: ${REMEDY}`,
    })
    expect(judge(circumstances([refund({ state: 'pending', date: undefined })])).message).toBe(
      `the payment already shows a refund of 5.00 EUR: ${REMEDY}`,
    )
  })

  test('of a write of this machine', () => {
    const sameWrite = (amount: number | undefined) =>
      amount === 500 ? 'this machine sent an equal refund' : undefined
    expect(judge(circumstances([], { sameWrite }))).toMatchObject({
      verdict: 'possible_duplicate',
      message: `this machine sent an equal refund: ${REMEDY}`,
    })
  })

  test('of an earlier row of the file', () => {
    const earlier = [
      { row: 3, amount: 499 },
      { row: 7, amount: 500 },
    ]
    expect(judge(circumstances([], { earlier }))).toMatchObject({
      verdict: 'possible_duplicate',
      message: `row 7 is the same refund of 5.00 EUR: ${REMEDY}`,
    })
  })
})

describe('a row is no repeat', () => {
  const everything = {
    sameWrite: () => 'this machine sent an equal refund',
    earlier: [{ row: 1, amount: 500 }],
  }

  test('of a refund of another amount, or one that failed', () => {
    const others = [refund({ amount: 501 }), refund({ amount: undefined }), refund({ state: 'failed' })]
    expect(judge(circumstances(others)).verdict).toBe('ready')
  })

  test('with an unused ticket', () => {
    expect(judge(circumstances([refund()], { ...everything, ticket: 'T-1' })).verdict).toBe('ready')
  })

  test('if repeats are intentional', () => {
    expect(judge(circumstances([refund()], { ...everything, allowsRepeats: true })).verdict).toBe('ready')
  })

  test('of a refund, if it is a capture', () => {
    const capture = circumstances([refund()], { operation: 'capture' })
    const { reading } = capture
    const facts = reading.kind === 'payment' ? reading.facts : undefined
    const figures = { status: 'PARTIALLY_SETTLED', amount: 5000, amountCaptured: 1000, amountRefunded: 500 }
    expect(facts).toBeDefined()
    if (facts === undefined) return
    expect(judge({ ...capture, reading: { kind: 'payment', facts: { ...facts, figures } } }).verdict).toBe(
      'ready',
    )
  })
})
