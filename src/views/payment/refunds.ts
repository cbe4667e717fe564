import type { Payment, Transaction } from '../../api/models/payment.ts'
import { refundStateOf, transactionTypeOf } from '../../api/payment-states.ts'
import { timeMsOf } from '../../text/local-time.ts'
import { addNote, formatFreeText } from '../format-fields.ts'
import { formatReason } from './status.ts'

export const isRefund = (transaction: Transaction): boolean => transactionTypeOf(transaction) === 'REFUND'

export const refundsOf = ({ transactions = [] }: Payment): readonly Transaction[] =>
  transactions.filter(isRefund)

const stateOf = ({ processorStatus }: Transaction) => refundStateOf(processorStatus)

export const isPending = (refund: Transaction): boolean => stateOf(refund) === 'pending'

export const pendingRefunds = (payment: Payment): readonly Transaction[] =>
  refundsOf(payment).filter(isPending)

export const hasFailed = (refund: Transaction): boolean => stateOf(refund) === 'failed'

/** Whether a failed refund may have returned the money: the processor never responded. */
export const mayHaveReturned = (refund: Transaction): boolean =>
  hasFailed(refund) && refund.processorStatusReason?.type === 'GATEWAY_TIMEOUT'

/** Sorts refunds. One without a readable date may be the newest, so it comes first. */
export const newestFirst = (refunds: readonly Transaction[]): readonly Transaction[] =>
  refunds.toSorted((one, other) => msOf(other) - msOf(one))

const msOf = ({ date = '' }: Transaction): number => timeMsOf(date) ?? Number.MAX_SAFE_INTEGER

/** Why the refund was requested. For a failed refund the cause of the failure comes first, so the two aren't confused. */
export function describeRefundReason(refund: Transaction): string | undefined {
  const [asked, cause] = [formatFreeText(refund.reason), formatReason(refund.processorStatusReason)]
  if (!hasFailed(refund) || asked === undefined) return addNote(asked, cause)
  return `${cause ?? 'no failure reason given'}; refund reason: ${asked}`
}
