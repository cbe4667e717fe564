import type { Payment, Transaction } from '../../../api/models/payment.ts'
import { refundsOf } from '../../../views/payment/refunds.ts'
import { isRefund, transactionTypeOf } from '../../../views/payment/refunds.ts'
import { verdictOfRefund } from './status-verdict.ts'

/**
 * Finds refunds again in a later response for their payment. References and dates can't identify a refund: it may get them
 * late, lose them, or share them with another (spec 2.1).
 */

type RefundSelector = (payment: Payment) => readonly Transaction[]

/** For each watched refund, the transactions in a later response that may be it: none or several if unclear. */
export type RefundMatcher = (first: Payment, now: Payment) => readonly (readonly Transaction[])[]

/** The refunds that are not final; if all are, the latest one. */
export function pendingOrLatest(payment: Payment): readonly Transaction[] {
  const refunds = refundsOf(payment)
  const open = refunds.filter(isOpen)
  const latest = refunds.reduce<Transaction | undefined>(
    (best, refund) => ((refund.date ?? '') < (best?.date ?? '') ? best : refund),
    undefined,
  )
  return open.length > 0 || latest === undefined ? open : [latest]
}

/** Watches every refund that `choose` selects in the first response. Ignores later refunds. */
export const matchEachRefund =
  (choose: RefundSelector): RefundMatcher =>
  (first, now) =>
    choose(first).map((refund) => matchIn(first, now, refund))

/** Watches one refund: its position in the first response and what `choose` selects in the later one must agree. */
export const matchOneRefund =
  (choose: RefundSelector): RefundMatcher =>
  (first, now) => {
    const chosen = choose(first)
    const matched = [...new Set(chosen.flatMap((refund) => matchIn(first, now, refund)))]
    if (!hasSameStart(first, now))
      return [refundsOf(first).length === refundsOf(now).length ? choose(now) : matched]
    // Leaves out transactions made since the first reading.
    const chosenAgain = choose({
      ...now,
      transactions: now.transactions?.slice(0, first.transactions?.length),
    })
    return [chosen.length === 1 ? [...new Set([...matched, ...chosenAgain])] : chosenAgain]
  }

/**
 * The transaction at the same position. If the list was rearranged, every refund of the same amount, or none if there are
 * fewer of those than before.
 */
function matchIn(first: Payment, now: Payment, refund: Transaction): readonly Transaction[] {
  const at = first.transactions?.indexOf(refund) ?? -1
  if (hasSameStart(first, now)) return now.transactions?.slice(at, at + 1) ?? []
  const refundsOfSameAmount = (payment: Payment) =>
    refundsOf(payment).filter(({ amount }) => amount === refund.amount)
  return refundsOfSameAmount(now).length < refundsOfSameAmount(first).length ? [] : refundsOfSameAmount(now)
}

/** Whether the earlier transactions are all still at their positions. */
function hasSameStart({ transactions: before = [] }: Payment, { transactions: now = [] }: Payment): boolean {
  return before.every((earlier, at) => {
    const later = now[at]
    if (
      later === undefined ||
      transactionTypeOf(later) !== transactionTypeOf(earlier) ||
      later.amount !== earlier.amount
    )
      return false
    return !isRefund(earlier) || isOpen(earlier) || later.processorStatus === earlier.processorStatus
  })
}

const isOpen = ({ processorStatus: status }: Transaction): boolean =>
  verdictOfRefund({ status, reasonType: undefined }, undefined) === undefined
