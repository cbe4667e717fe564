import { PAYMENT_STATUSES } from './sets.ts'
import type { PaymentStatus } from './sets.ts'

/** What a status says about a payment, whatever its amounts are. */
interface PaymentState {
  /** Whether the payment was ever authorized. */
  readonly authorized: 'yes' | 'no' | 'unknown'
  /** How much of the authorization is captured or, after a final capture, used up. */
  readonly captured: 'none' | 'part' | 'all'
}

export const PAYMENT_STATES: Readonly<Record<PaymentStatus, PaymentState>> = {
  PENDING: { authorized: 'no', captured: 'none' },
  AUTHORIZED: { authorized: 'yes', captured: 'none' },
  SETTLING: { authorized: 'yes', captured: 'all' },
  PARTIALLY_SETTLED: { authorized: 'yes', captured: 'part' },
  SETTLED: { authorized: 'yes', captured: 'all' },
  DECLINED: { authorized: 'no', captured: 'none' },
  FAILED: { authorized: 'no', captured: 'none' },
  CANCELLED: { authorized: 'unknown', captured: 'none' },
}

/** What a status says; undefined for a status that only a later version of the service has. */
export const stateOf = (status: unknown): PaymentState | undefined => {
  const known = knownStatus(status)
  return known === undefined ? undefined : PAYMENT_STATES[known]
}

export const knownStatus = (status: unknown): PaymentStatus | undefined =>
  PAYMENT_STATUSES.find((one) => one === status)
