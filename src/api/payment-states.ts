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

/** `failed`: it returned no money, unless the processor never responded. */
export type RefundState = 'pending' | 'done' | 'failed'

/** What a refund's `processorStatus` says. Processors also write REJECTED, which no payment has. */
const REFUND_STATES: Readonly<Record<PaymentStatus | 'REJECTED', RefundState>> = {
  PENDING: 'pending',
  AUTHORIZED: 'pending',
  SETTLING: 'pending',
  PARTIALLY_SETTLED: 'pending',
  SETTLED: 'done',
  DECLINED: 'failed',
  FAILED: 'failed',
  CANCELLED: 'failed',
  REJECTED: 'failed',
}

/** The state of a refund. A `processorStatus` that isn't known, or is missing, is not final. */
export const refundStateOf = (processorStatus: string | undefined): RefundState => {
  const states: Readonly<Record<string, RefundState>> = REFUND_STATES
  if (processorStatus === undefined || !Object.hasOwn(states, processorStatus)) return 'pending'
  return states[processorStatus] ?? 'pending'
}

/** What a transaction of a payment is, such as REFUND. Some services call the field `type`. */
export function transactionTypeOf(transaction: Readonly<Record<string, unknown>>): string | undefined {
  const named = transaction['transactionType'] ?? transaction['type']
  return typeof named === 'string' ? named : undefined
}
