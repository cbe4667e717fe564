import { isRecord } from '../../../../is-record.ts'
import { textOf, wholeOf } from './answer.ts'

/** What the checkout needs to know about a payment. */
export interface CheckoutPayment {
  readonly id: string
  readonly status: string | undefined
  readonly reason: { readonly code: string | undefined; readonly message: string | undefined } | undefined
  /** What a PENDING payment waits for. */
  readonly requiredAction: { readonly name: string; readonly description: string | undefined } | undefined
  readonly methodType: string | undefined
  /** In minor units, surcharge included. */
  readonly amount: number | undefined
}

/** Undefined for a response without an ID. Other fields may be missing: responses may be partial. */
export function readPayment(body: unknown): CheckoutPayment | undefined {
  if (!isRecord(body)) return undefined
  const id = textOf(body['id'])
  if (id === undefined) return undefined
  const { statusReason, requiredAction, paymentMethod } = body
  return {
    id,
    status: textOf(body['status']),
    reason: isRecord(statusReason)
      ? { code: textOf(statusReason['code']), message: textOf(statusReason['message']) }
      : undefined,
    requiredAction: isRecord(requiredAction)
      ? {
          name: textOf(requiredAction['name']) ?? '',
          description: textOf(requiredAction['description']),
        }
      : undefined,
    methodType: isRecord(paymentMethod) ? textOf(paymentMethod['paymentMethodType']) : undefined,
    amount: wholeOf(body['amount']),
  }
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
export function outcomeOf({ status }: CheckoutPayment): Outcome | undefined {
  return status !== undefined && Object.hasOwn(OUTCOMES, status) ? OUTCOMES[status] : undefined
}
