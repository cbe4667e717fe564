import type { Payment, Transaction } from '../../api/models/payment.ts'
import { addNote, formatFreeText } from '../format-fields.ts'
import { formatReason } from '../status.ts'

/** SALE or REFUND. Some services call the field `type`. */
export function transactionTypeOf(transaction: Transaction): string | undefined {
  const { transactionType, type } = transaction
  return transactionType ?? (typeof type === 'string' ? type : undefined)
}

export const isRefund = (transaction: Transaction): boolean => transactionTypeOf(transaction) === 'REFUND'

export const refundsOf = ({ transactions = [] }: Payment): readonly Transaction[] =>
  transactions.filter(isRefund)

/** Until a refund is settled or has failed, its outcome is open. */
const isPending = ({ processorStatus: status }: Transaction): boolean =>
  status === undefined || status === 'PENDING' || status === 'SETTLING'

export const pendingRefunds = (payment: Payment): readonly Transaction[] =>
  refundsOf(payment).filter(isPending)

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
