import { payment as paymentSchema } from '../../../api/models/payment.ts'
import type { Payment, Transaction } from '../../../api/models/payment.ts'
import { parseResponse } from '../../../api/parse-response.ts'
import { joinParts, formatAmount } from '../../../views/format-fields.ts'
import { formatStatus } from '../../../views/payment/status.ts'
import { verdictOfRefund } from './status-verdict.ts'
import type { TargetStatuses, Verdict } from './status-verdict.ts'
import { transactionTypeOf } from '../../../api/payment-states.ts'
import { refundsOf, isRefund } from '../../../views/payment/refunds.ts'

/** How to evaluate and describe each response while waiting. */
export interface StatusWatch {
  readonly evaluate: (payment: unknown) => Verdict | undefined
  /** Describes the state for the user who waits: `2.00 EUR … Pending` */
  readonly describe: (payment: unknown) => string
}

/** Watches refunds from the first response that has any. */
export function watchRefunds(find: RefundMatcher, until: TargetStatuses): StatusWatch {
  let first: Payment | undefined
  const readRefunds = (answer: unknown) => {
    const payment = parseResponse(paymentSchema, answer) ?? {}
    if (first === undefined && find(payment, payment).flat().length > 0) first = payment
    return { payment, followed: first === undefined ? [] : find(first, payment) }
  }
  return {
    evaluate: (answer) =>
      combineVerdicts(readRefunds(answer).followed.map((refunds) => unanimousVerdict(refunds, until))),
    describe: (answer) => {
      const { payment, followed: candidates } = readRefunds(answer)
      const refunds = [...new Set(candidates.flat())]
      if (refunds.length > 0) return refunds.map((refund) => describeRefund(refund, payment)).join(', ')
      return first === undefined ? 'not listed on the payment yet' : 'missing from the payment'
    },
  }
}

/** The verdict on all refunds. A failed one fails the wait, but only once all the others have ended too. */
function combineVerdicts(verdicts: readonly (Verdict | undefined)[]): Verdict | undefined {
  if (verdicts.length === 0 || verdicts.includes(undefined)) return undefined
  return (
    (['unknown', 'declined', 'unreachable'] as const).find((outcome) => verdicts.includes(outcome)) ??
    'reached'
  )
}

/** The verdict on a refund that may be any of these transactions; undefined unless all of them agree. */
function unanimousVerdict(refunds: readonly Transaction[], until: TargetStatuses): Verdict | undefined {
  const verdicts = refunds.map(({ processorStatus: status, processorStatusReason: reason }) =>
    verdictOfRefund({ status, reasonType: reason?.type }, until),
  )
  return verdicts.every((verdict) => verdict === verdicts[0]) ? verdicts[0] : undefined
}

const describeRefund = ({ amount, currencyCode, processorStatus }: Transaction, payment: Payment): string =>
  joinParts([formatAmount(amount, currencyCode ?? payment.currencyCode), formatStatus(processorStatus)], ' ')

type RefundSelector = (payment: Payment) => readonly Transaction[]

/**
 * Finds refunds again in a later response: for each, the transactions that may be it, none or several if unclear. References
 * and dates can't identify a refund: it may get them late, lose them, or share them with another (spec 2.1).
 */
type RefundMatcher = (first: Payment, now: Payment) => readonly (readonly Transaction[])[]

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
