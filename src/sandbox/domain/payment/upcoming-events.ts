import { scenarioOfToken } from '../scenarios/payment-scenarios.ts'
import type { StoredPayment } from '../stored.ts'

/** An event that the clock will bring to a payment or to one of its refunds. */
export interface UpcomingEvent {
  readonly paymentId: string
  readonly orderId: string
  readonly what: 'payment' | 'refund'
  /** The status before the event; `to` is the one after it. */
  readonly from: string
  readonly to: string
  readonly amount: number
  readonly currencyCode: string
  readonly dueAt: string
}

/** The next events, in the order in which they happen. */
export const upcomingEvents = (payments: readonly StoredPayment[]): readonly UpcomingEvent[] =>
  payments
    .flatMap(eventsOf)
    .toSorted((one, other) => (one.dueAt < other.dueAt ? -1 : one.dueAt > other.dueAt ? 1 : 0))

function eventsOf(payment: StoredPayment): readonly UpcomingEvent[] {
  const { id: paymentId, orderId, currencyCode, status, amount, dueAtMs, challenge } = payment
  const common = { paymentId, orderId, currencyCode }
  const answer = challenge?.outcome === 'fail' ? 'DECLINED' : 'AUTHORIZED'
  const refundsFail = scenarioOfToken(payment.method.scenario)?.refunds === 'fail'
  return [
    ...(dueAtMs === undefined
      ? []
      : [
          {
            ...common,
            what: 'payment' as const,
            from: status,
            to: status === 'PENDING' ? answer : 'SETTLED',
            amount,
            dueAt: new Date(dueAtMs).toISOString(),
          },
        ]),
    ...payment.transactions.flatMap((transaction) =>
      transaction.dueAtMs === undefined
        ? []
        : [
            {
              ...common,
              what: 'refund' as const,
              from: transaction.processorStatus,
              to: refundsFail ? 'FAILED' : 'SETTLED',
              amount: transaction.amount,
              dueAt: new Date(transaction.dueAtMs).toISOString(),
            },
          ],
    ),
  ]
}
