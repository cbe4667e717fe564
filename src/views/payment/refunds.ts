import type { Transaction } from '../../api/models/payment.ts'

/** SALE, REFUND. Other services of this shape call the field `type`. */
export function kindOf(transaction: Transaction): string | undefined {
  const { transactionType, type } = transaction
  return transactionType ?? (typeof type === 'string' ? type : undefined)
}

export const isRefund = (transaction: Transaction): boolean => kindOf(transaction) === 'REFUND'
