import type { StoredPayment } from '../store/stored-payment.ts'

/** Checked at every write of a payment, inside its transaction: a breach is a defect of ours and nothing is written. */
export function assertMoney(payment: StoredPayment): void {
  const { amount, amountCaptured, amountRefunded } = payment
  const refunds = payment.transactions.filter(
    ({ transactionType, processorStatus }) =>
      transactionType === 'REFUND' && (processorStatus === 'PENDING' || processorStatus === 'SETTLED'),
  )
  const refundedBySteps = refunds.reduce((sum, refund) => sum + refund.amount, 0)
  const holds =
    [amount, amountCaptured, amountRefunded].every((part) => Number.isSafeInteger(part) && part >= 0) &&
    amountRefunded <= amountCaptured &&
    amountCaptured <= amount &&
    refundedBySteps === amountRefunded
  if (holds) return
  throw new Error(
    `Payment ${payment.id} would not add up: authorized ${amount}, captured ${amountCaptured}, refunded ` +
      `${amountRefunded}, refund transactions ${refundedBySteps}`,
  )
}
