import type { Payment } from '../../api/models/payment.ts'
import { PAYMENT_STATUSES } from '../../api/sets.ts'
import type { PaymentStatus } from '../../api/sets.ts'

/** In minor units; undefined where the answer does not tell. */
export interface PaymentAmounts {
  readonly authorized: number | undefined
  readonly captured: number | undefined
  /** What a final capture of a part let go. */
  readonly released: number | undefined
  readonly refunded: number | undefined
  readonly leftToCapture: number | undefined
  readonly leftToRefund: number | undefined
}

type AmountSource = Pick<Payment, 'status' | 'amount' | 'processor'>

/** What a status says of the authorization: still `open` to captures, `used` up, or `none` that is known of. */
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

/** The figures of a payment. A figure that is absent stays unknown: it is never taken for zero. */
export function deriveAmounts({ status, amount, processor }: AmountSource): PaymentAmounts {
  const known = PAYMENT_STATUSES.find((candidate) => candidate === status)
  const authorization = known === undefined ? undefined : AUTHORIZATION[known]
  const authorized = authorization === 'open' || authorization === 'used' ? amount : undefined
  const captured = processor?.amountCaptured
  const refunded = processor?.amountRefunded
  // Once a capture was final, nothing is left to capture whatever the difference.
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

function difference(whole: number | undefined, part: number | undefined): number | undefined {
  return whole === undefined || part === undefined ? undefined : Math.max(0, whole - part)
}
