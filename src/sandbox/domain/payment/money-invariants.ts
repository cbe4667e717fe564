import type { StoredPayment } from '../stored.ts'

/** Checks the amounts at every write of a payment, in its transaction. A violation is a bug; then nothing is written. */
export function assertMoney(payment: StoredPayment): void {
  const { amount, amountCaptured, amountRefunded } = payment
  const refunds = payment.transactions.filter(
    ({ transactionType, processorStatus }) =>
      transactionType === 'REFUND' && (processorStatus === 'PENDING' || processorStatus === 'SETTLED'),
  )
  const refundedByTransactions = refunds.reduce((sum, refund) => sum + refund.amount, 0)
  const holds =
    [amount, amountCaptured, amountRefunded].every((part) => Number.isSafeInteger(part) && part >= 0) &&
    amountRefunded <= amountCaptured &&
    amountCaptured <= amount &&
    refundedByTransactions === amountRefunded
  if (holds) return
  throw new Error(
    `Payment ${payment.id} doesn't add up: authorized ${amount}, captured ${amountCaptured}, refunded ` +
      `${amountRefunded}, refund transactions ${refundedByTransactions}`,
  )
}
