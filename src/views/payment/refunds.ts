import type { Payment, Transaction } from '../../api/models/payment.ts'
import { timeMsOf } from '../../text/local-time.ts'
import { addNote, formatFreeText } from '../format-fields.ts'
import { formatReason } from './status.ts'

/** SALE or REFUND. Some services call the field `type`. */
export function transactionTypeOf(transaction: Transaction): string | undefined {
  const { transactionType, type } = transaction
  return transactionType ?? (typeof type === 'string' ? type : undefined)
}

export const isRefund = (transaction: Transaction): boolean => transactionTypeOf(transaction) === 'REFUND'

export const refundsOf = ({ transactions = [] }: Payment): readonly Transaction[] =>
  transactions.filter(isRefund)

/** Until a refund is settled or has failed, its outcome is open; in a state that isn't known, too. */
const isPending = (refund: Transaction): boolean =>
  refund.processorStatus !== 'SETTLED' && !returnsNothing(refund)

export const pendingRefunds = (payment: Payment): readonly Transaction[] =>
  refundsOf(payment).filter(isPending)

/** A refund with one of these statuses returns no money, unless the processor never responded. */
export const NOT_REFUNDED: readonly string[] = ['DECLINED', 'FAILED', 'CANCELLED', 'REJECTED']

export const returnsNothing = ({ processorStatus: status }: Transaction): boolean =>
  status !== undefined && NOT_REFUNDED.includes(status)

/** Whether a failed refund may have returned the money: the processor never responded. */
export const mayHaveReturned = (refund: Transaction): boolean =>
  returnsNothing(refund) && refund.processorStatusReason?.type === 'GATEWAY_TIMEOUT'

/** A refund without a readable date may be the newest, so it comes first. */
export const newestFirst = (refunds: readonly Transaction[]): readonly Transaction[] =>
  refunds.toSorted((one, other) => msOf(other) - msOf(one))

const msOf = ({ date = '' }: Transaction): number => timeMsOf(date) ?? Number.MAX_SAFE_INTEGER

const FAILED: readonly (string | undefined)[] = ['FAILED', 'DECLINED']

/** Why the refund was requested. For a failed refund the cause of the failure comes first, so the two aren't confused. */
export function describeRefundReason({
  reason,
  processorStatus,
  processorStatusReason,
}: Transaction): string | undefined {
  const [asked, cause] = [formatFreeText(reason), formatReason(processorStatusReason)]
  if (!FAILED.includes(processorStatus) || asked === undefined) return addNote(asked, cause)
  return `${cause ?? 'no failure reason given'}; refund reason: ${asked}`
}
