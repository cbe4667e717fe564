import { actionOf, ruledOut } from '../../../api/actions/actions.ts'
import { knownStatus, PAYMENT_STATES } from '../../../api/payment-states.ts'
import { formatMoney } from '../../../money/format.ts'
import type { BatchOperation, Verdict } from '../plan.ts'
import type { Figures } from '../../payments/payment-facts.ts'

interface Refusal {
  readonly verdict: Extract<Verdict, 'wrong_state' | 'not_captured' | 'nothing_left'>
  readonly message: string
}

/** The amount left of the payment for the operation, in minor units; 0 for a cancellation. */
export function leftOf(operation: BatchOperation, figures: Figures): number {
  const { amount, amountCaptured, amountRefunded } = figures
  switch (actionOf(operation).left) {
    case 'leftToCapture':
      return Math.max(0, amount - amountCaptured)
    case 'leftToRefund':
      return Math.max(0, amountCaptured - amountRefunded)
    case null:
      return 0
  }
}

/** Why the payment's state rules out the operation, regardless of the amount. */
export function refuseByState(
  operation: BatchOperation,
  figures: Figures,
  currencyCode: string,
): Refusal | undefined {
  const status = knownStatus(figures.status)
  if (status === undefined)
    return {
      verdict: operation === 'refund' ? 'not_captured' : 'wrong_state',
      message: `the payment is ${figures.status}, which this version of pay does not know: use pay payment ${operation}`,
    }
  const ruled = ruledOut(operation, status)
  if (ruled !== undefined)
    return {
      verdict:
        operation === 'refund'
          ? 'not_captured'
          : operation === 'capture' && PAYMENT_STATES[status].captured === 'all'
            ? 'nothing_left'
            : 'wrong_state',
      message:
        ruled.inPlan ??
        `the payment is ${status}, so it cannot be ${actionOf(operation).participle}: remove the row`,
    }
  const { amountCaptured, amountRefunded } = figures
  // While a payment settles, its captured amount may lag behind.
  if (operation === 'refund' && amountCaptured === 0)
    return {
      verdict: 'not_captured',
      message: `the payment is ${status} and shows no captured amount yet: plan the row again later`,
    }
  if (operation === 'cancel' || leftOf(operation, figures) > 0) return undefined
  const all = formatMoney(operation === 'refund' ? amountRefunded : amountCaptured, currencyCode)
  return {
    verdict: 'nothing_left',
    message: `all ${all} ${operation === 'refund' ? 'are refunded' : 'are captured'} already: remove the row`,
  }
}
