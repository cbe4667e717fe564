import type { Payment } from '../../../api/models/payment.ts'
import { bodyIn } from './client.ts'
import type { Answer } from './client.ts'

/** A response may be partial: of its other fields, any may be missing. */
export type CheckoutPayment = Payment & { readonly id: string }

/** Undefined for a response without an ID. */
export function paymentIn(answer: Answer<Payment>): CheckoutPayment | undefined {
  const payment = bodyIn(answer)
  return payment?.id === undefined ? undefined : { ...payment, id: payment.id }
}

export type Outcome = 'successful' | 'declined' | 'failed'

const OUTCOMES: Readonly<Record<string, Outcome>> = {
  AUTHORIZED: 'successful',
  SETTLING: 'successful',
  PARTIALLY_SETTLED: 'successful',
  SETTLED: 'successful',
  DECLINED: 'declined',
  FAILED: 'failed',
  CANCELLED: 'failed',
}

/** Undefined while the payment can still change, and for a status that this page doesn't know. */
export const outcomeOf = ({ status }: Pick<Payment, 'status'>): Outcome | undefined =>
  status !== undefined && Object.hasOwn(OUTCOMES, status) ? OUTCOMES[status] : undefined
