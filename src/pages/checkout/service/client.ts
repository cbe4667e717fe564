import { send, NO_RESPONSE, ServiceError } from '../../page/send.ts'
import type { Payment } from '../../../api/models/payment.ts'
import { knownStatus } from '../../../api/payment-states.ts'
import type { PaymentStatus } from '../../../api/sets.ts'

/** The outcome of a request. */
export type Answer<Body = unknown> =
  | { readonly kind: 'done'; readonly body: Body }
  /** Not carried out, and why. */
  | ({ readonly kind: 'refused' } & Refusal)
  /** No usable response: the request may or may not have been carried out. */
  | { readonly kind: 'lost'; readonly why: string; readonly retryAfterMs?: number }

export type Refusal = Pick<
  ServiceError,
  'status' | 'errorId' | 'description' | 'recoverySuggestion' | 'paymentId'
>

/** Sends requests to the sandbox that serves this page. Never rejects. */
export interface Client {
  send<Body>(
    method: 'GET' | 'POST',
    path: string,
    options?: { readonly body?: object; readonly idempotencyKey?: string },
  ): Promise<Answer<Body>>
}

const TIMEOUT_MS = 30_000

/** Returns the client of a session. The client token is sent in a header only. */
export const createClient = (clientToken: string): Client => ({
  send: <Body>(
    method: string,
    path: string,
    { body, idempotencyKey }: { readonly body?: object; readonly idempotencyKey?: string } = {},
  ): Promise<Answer<Body>> =>
    send<Body>({
      method,
      path,
      headers: {
        authorization: `Bearer ${clientToken}`,
        ...(idempotencyKey === undefined ? {} : { 'x-idempotency-key': idempotencyKey }),
      },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).then((answer) => ({ kind: 'done', body: answer }), judge),
})

/** The outcome of a request that failed. A server error leaves open whether it was carried out. */
function judge(error: unknown): Answer<never> {
  if (!(error instanceof ServiceError)) return { kind: 'lost', why: 'The service took too long to respond.' }
  const { status, errorId, description, recoverySuggestion, paymentId, retryAfterMs } = error
  if (status >= 500 || status === 429 || status === 408)
    return { kind: 'lost', why: `The service responded with an error (${status}).`, retryAfterMs }
  if (status !== NO_RESPONSE)
    return { kind: 'refused', status, errorId, description, recoverySuggestion, paymentId }
  const isUnreadable = errorId === 'UnreadableResponse'
  return {
    kind: 'lost',
    why: isUnreadable ? 'The service sent an unreadable response.' : 'The connection was lost.',
  }
}

export const bodyIn = <Body>(answer: Answer<Body>): Body | undefined =>
  answer.kind === 'done' ? answer.body : undefined

/** A payment with an ID. Any other field may be missing, because responses can be partial. */
export type CheckoutPayment = Payment & { readonly id: string }

/** The payment in a response; undefined without an ID. */
export function paymentIn(answer: Answer<Payment>): CheckoutPayment | undefined {
  const payment = bodyIn(answer)
  return payment?.id === undefined ? undefined : { ...payment, id: payment.id }
}

export type Outcome = 'successful' | 'declined' | 'failed'

const OUTCOMES: Readonly<Record<PaymentStatus, Outcome | undefined>> = {
  PENDING: undefined,
  AUTHORIZED: 'successful',
  SETTLING: 'successful',
  PARTIALLY_SETTLED: 'successful',
  SETTLED: 'successful',
  DECLINED: 'declined',
  FAILED: 'failed',
  CANCELLED: 'failed',
}

/** The outcome of a payment; undefined while it can still change, and for a status that this page doesn't know. */
export const outcomeOf = ({ status }: Pick<Payment, 'status'>): Outcome | undefined => {
  const known = knownStatus(status)
  return known === undefined ? undefined : OUTCOMES[known]
}
