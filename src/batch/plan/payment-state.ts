import { PAYMENT_STATUSES } from '../../api/sets.ts'
import type { PaymentStatus } from '../../api/sets.ts'
import { formatMoney } from '../../money/format.ts'
import type { BatchOperation, Figures, Verdict } from '../plan.ts'

interface Refusal {
  readonly verdict: Extract<Verdict, 'wrong_state' | 'not_captured' | 'nothing_left'>
  readonly message: string
}

/** What is left of the payment for the operation, in minor units; 0 for a cancellation. */
export function leftOf(operation: BatchOperation, figures: Figures): number {
  const { amount, amountCaptured, amountRefunded } = figures
  if (operation === 'cancel') return 0
  return Math.max(0, operation === 'refund' ? amountCaptured - amountRefunded : amount - amountCaptured)
}

/** Why the payment's state rules out the operation, regardless of the amount. */
export function refuseByState(
  operation: BatchOperation,
  figures: Figures,
  currencyCode: string,
): Refusal | undefined {
  const status = PAYMENT_STATUSES.find((one) => one === figures.status)
  if (status === undefined)
    return {
      verdict: operation === 'refund' ? 'not_captured' : 'wrong_state',
      message: `the payment is ${figures.status}, which this version of pay does not know: use pay payment ${operation}`,
    }
  const message = MESSAGES[operation][status]
  if (message !== undefined)
    return {
      verdict:
        operation === 'refund'
          ? 'not_captured'
          : operation === 'capture' && USED_UP.includes(status)
            ? 'nothing_left'
            : 'wrong_state',
      message,
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

/** After these, nothing is left to capture. */
const USED_UP: readonly PaymentStatus[] = ['SETTLING', 'SETTLED']

type Messages = Readonly<Record<PaymentStatus, string | undefined>>

/** Why a status rules out an operation; undefined where it doesn't. */
const MESSAGES: Readonly<Record<BatchOperation, Messages>> = {
  refund: {
    PENDING: 'the payment is PENDING, so nothing is captured: remove the row',
    AUTHORIZED: 'the payment is AUTHORIZED, so nothing is captured: cancel it instead',
    SETTLING: undefined,
    PARTIALLY_SETTLED: undefined,
    SETTLED: undefined,
    DECLINED: 'the payment was DECLINED, so nothing is captured: remove the row',
    FAILED: 'the payment has FAILED, so nothing is captured: remove the row',
    CANCELLED: 'the payment is CANCELLED, so nothing is captured: remove the row',
  },
  capture: {
    PENDING: 'the payment is PENDING, not authorized yet: plan the row again later',
    AUTHORIZED: undefined,
    SETTLING: 'the payment is SETTLING, so nothing is left to capture: remove the row',
    PARTIALLY_SETTLED: undefined,
    SETTLED: 'the payment is SETTLED, so nothing is left to capture: remove the row',
    DECLINED: 'the payment was DECLINED, so it cannot be captured: remove the row',
    FAILED: 'the payment has FAILED, so it cannot be captured: remove the row',
    CANCELLED: 'the payment is CANCELLED, so it cannot be captured: remove the row',
  },
  cancel: {
    PENDING: undefined,
    AUTHORIZED: undefined,
    SETTLING: 'the payment is SETTLING, so it is captured: refund it instead',
    PARTIALLY_SETTLED: 'part of the payment is captured: refund that part instead',
    SETTLED: 'the payment is SETTLED, so it is captured: refund it instead',
    DECLINED: 'the payment was DECLINED, so there is nothing to cancel: remove the row',
    FAILED: 'the payment has FAILED, so there is nothing to cancel: remove the row',
    CANCELLED: 'the payment is CANCELLED already: remove the row',
  },
}
