import type { Payment } from '../../api/models/payment.ts'
import { PAYMENT_STATUSES } from '../../api/sets.ts'
import type { PaymentStatus } from '../../api/sets.ts'

/** In minor units; undefined where the payment does not say. */
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

/** State of the authorization: `open` to captures, `used` up, or `none` known. */
const AUTHORIZATION = {
  PENDING: 'none',
  AUTHORIZED: 'open',
  SETTLING: 'used',
  PARTIALLY_SETTLED: 'open',
  SETTLED: 'used',
  DECLINED: 'none',
  FAILED: 'none',
  CANCELLED: 'none',
} as const satisfies Record<PaymentStatus, 'open' | 'used' | 'none'>

/** Derives the amounts of a payment. An absent amount is unknown, never zero. */
export function deriveAmounts({ status, amount, processor }: AmountSource): PaymentAmounts {
  const known = PAYMENT_STATUSES.find((candidate) => candidate === status)
  const authorization = known === undefined ? undefined : AUTHORIZATION[known]
  const authorized = authorization === 'open' || authorization === 'used' ? amount : undefined
  const captured = processor?.amountCaptured
  const refunded = processor?.amountRefunded
  // After a final capture nothing is left to capture, even if less than the authorized amount was captured.
  const leftToCapture =
    authorization === 'open' ? difference(authorized, captured) : authorization === 'used' ? 0 : undefined
  return {
    authorized,
    captured,
    released: leftToCapture === 0 ? difference(authorized, captured) : undefined,
    refunded,
    leftToCapture,
    leftToRefund: difference(captured, refunded),
  }
}

function difference(total: number | undefined, part: number | undefined): number | undefined {
  return total === undefined || part === undefined ? undefined : Math.max(0, total - part)
}
