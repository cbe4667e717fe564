import type { Payment, Transaction } from '../../../api/models/payment.ts'
import { refundsOf } from '../../../views/payment/refunds.ts'
import { isRefund, transactionTypeOf } from '../../../views/payment/refunds.ts'
import { verdictOfRefund } from './awaited.ts'

/**
 * Which of a payment's refunds are followed, and which of another reading they are. Reference and date do not tell that:
 * a refund need not have them from the beginning, nor keep them, nor have them for itself (spec 2.1).
 */

type Choose = (paid: Payment) => readonly Transaction[]

/** For each refund that is followed, those of a reading that it may be: none or several where that cannot be told. */
export type Find = (first: Payment, now: Payment) => readonly (readonly Transaction[])[]

/** Those that are not final; where all are, the one that was made last. */
export function openOrLatest(paid: Payment): readonly Transaction[] {
  const refunds = refundsOf(paid)
  const open = refunds.filter(isOpen)
  const latest = refunds.reduce<Transaction | undefined>(
    (best, refund) => ((refund.date ?? '') < (best?.date ?? '') ? best : refund),
    undefined,
  )
  return open.length > 0 || latest === undefined ? open : [latest]
}

/** Each that is chosen from the first reading is followed; later ones of others do not matter. */
export const followEach =
  (choose: Choose): Find =>
  (first, now) =>
    choose(first).map((refund) => againIn(first, now, refund))

/** One is followed: where it stood first and what tells it now must mean the same. */
export const followOne =
  (choose: Choose): Find =>
  (first, now) => {
    const chosen = choose(first)
    const again = [...new Set(chosen.flatMap((refund) => againIn(first, now, refund)))]
    if (!standsAsBefore(first, now))
      return [refundsOf(first).length === refundsOf(now).length ? choose(now) : again]
    // Without those that were made since.
    const told = choose({ ...now, transactions: now.transactions?.slice(0, first.transactions?.length) })
    return [chosen.length === 1 ? [...new Set([...again, ...told])] : told]
  }

/** What stands where it stood; where the list is another, whatever has its amount, unless some of that is gone. */
function againIn(first: Payment, now: Payment, refund: Transaction): readonly Transaction[] {
  const at = first.transactions?.indexOf(refund) ?? -1
  if (standsAsBefore(first, now)) return now.transactions?.slice(at, at + 1) ?? []
  const alike = (paid: Payment) => refundsOf(paid).filter(({ amount }) => amount === refund.amount)
  return alike(now).length < alike(first).length ? [] : alike(now)
}

/** Whether what was in the list is still in its place there. */
function standsAsBefore(
  { transactions: before = [] }: Payment,
  { transactions: now = [] }: Payment,
): boolean {
  return before.every((was, at) => {
    const is = now[at]
    if (is === undefined || transactionTypeOf(is) !== transactionTypeOf(was) || is.amount !== was.amount)
      return false
    return !isRefund(was) || isOpen(was) || is.processorStatus === was.processorStatus
  })
}

const isOpen = ({ processorStatus: status }: Transaction): boolean =>
  verdictOfRefund({ status, reasonType: undefined }, undefined) === undefined
