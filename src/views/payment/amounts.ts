import type { Payment } from '../../api/models/payment.ts'
import { stateOf } from '../../api/payment-states.ts'

/** The amounts of a payment in minor units; undefined where the payment does not say. */
export interface PaymentAmounts {
  readonly authorized: number | undefined
  readonly captured: number | undefined
  /** Released by a final partial capture. */
  readonly released: number | undefined
  readonly refunded: number | undefined
  readonly leftToCapture: number | undefined
  readonly leftToRefund: number | undefined
}

type AmountSource = Pick<Payment, 'status' | 'amount' | 'processor'>

/** Derives the amounts of a payment. An absent amount is unknown, never zero. */
export function deriveAmounts({ status, amount, processor }: AmountSource): PaymentAmounts {
  const state = stateOf(status)
  const authorized = state?.authorized === 'yes' ? amount : undefined
  const captured = processor?.amountCaptured
  const refunded = processor?.amountRefunded
  // After a final capture nothing is left to capture, even if less than the authorized amount was captured.
  const leftToCapture =
    state?.authorized !== 'yes' ? undefined : state.captured === 'all' ? 0 : difference(authorized, captured)
  return {
    authorized,
    captured,
    released: leftToCapture === 0 ? difference(authorized, captured) : undefined,
    refunded,
    leftToCapture,
    leftToRefund: difference(captured, refunded),
  }
}

/** In place of an authorized amount. */
export function describeNotAuthorized({ status, statusReason }: Payment): string {
  if (status === 'PENDING') return 'not yet'
  if (status === 'CANCELLED' || status === 'DECLINED') return 'nothing'
  return status === 'FAILED' && statusReason?.type !== 'GATEWAY_TIMEOUT' ? 'nothing' : 'unknown'
}

function difference(total: number | undefined, part: number | undefined): number | undefined {
  return total === undefined || part === undefined ? undefined : Math.max(0, total - part)
}
