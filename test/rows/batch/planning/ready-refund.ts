import type { Circumstances } from '../../../../src/rows/batch/planning/judge.ts'
import type { Figures, BatchFacts } from '../../../../src/rows/payments/payment-facts.ts'

export const SETTLED: Figures = { status: 'SETTLED', amount: 1000, amountCaptured: 1000, amountRefunded: 0 }

export const factsOf = (figures: Figures | undefined, more: Partial<BatchFacts> = {}): BatchFacts => ({
  id: 'p1',
  orderId: 'o1',
  status: figures?.status,
  currencyCode: 'EUR',
  figures,
  refunds: [],
  ...more,
})

/** A refund of 5.00 EUR of a settled payment of 10.00 EUR, which is ready. */
export const READY: Circumstances = {
  operation: 'refund',
  requested: { amount: 500, currencyCode: undefined, ticket: undefined },
  problem: undefined,
  reading: { kind: 'payment', facts: factsOf(SETTLED) },
  earlier: [],
  openWrite: undefined,
  usedTicket: undefined,
  sameWrite: () => undefined,
  allowsRepeats: false,
  mayBeDone: false,
  overLimit: () => undefined,
}
