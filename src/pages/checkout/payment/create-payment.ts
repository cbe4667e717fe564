import type { Payment } from '../../../api/models/payment.ts'
import { bodyIn, paymentIn } from '../service/client.ts'
import type { Answer, Client, Refusal, CheckoutPayment } from '../service/client.ts'
import type { Choice, Terms } from '../summary/price.ts'
import { retryDelayMs } from './pause.ts'
import type { Pause } from './pause.ts'
import type { Phase, Result } from './phase.ts'

/** What sending requests needs. `show` tells the customer what is known so far. */
export interface Sending {
  readonly client: Client
  readonly pause: Pause
  readonly show: (phase: Phase) => void
}

/** The outcome of a payment that was sent. */
export type Created =
  | { readonly kind: 'payment'; readonly payment: CheckoutPayment }
  /** The service created none. */
  | { readonly kind: 'refused'; readonly result: Result }
  /** It can't be found out; the page has told the customer. */
  | { readonly kind: 'unknown' }

const TRIES = 3

/** Sends a request that may safely be repeated, a few times if its response is lost. */
export async function sendRepeatable<Body>(
  { client, pause }: Sending,
  ...request: Parameters<Client['send']>
): Promise<Answer<Body>> {
  for (let lost = 0; ; lost += 1) {
    const answer = await client.send<Body>(...request)
    if (answer.kind !== 'lost' || lost + 1 === TRIES) return answer
    await pause.wait(retryDelayMs(lost, answer.retryAfterMs))
  }
}

/** Turns the choice into a token for one payment. Card data goes into this request only. */
export const tokenize = (choice: Choice, cardDigits: string, sending: Sending) =>
  sendRepeatable<{ paymentMethodToken: string }>(sending, 'POST', '/sandbox/tokenize', {
    body: tokenRequest(choice, cardDigits),
  })

function tokenRequest(choice: Choice, cardDigits: string) {
  switch (choice.kind) {
    case 'card':
      return { card: cardDigits }
    case 'saved':
      return { savedMethod: choice.saved.token }
    case 'method':
      return { method: choice.type }
  }
}

/**
 * Creates the payment and doesn't stop at a lost response: every attempt sends the same body with the same idempotency key,
 * so the customer can't be charged twice.
 */
export const createPayment = (paymentMethodToken: string, idempotencyKey: string, sending: Sending) =>
  untilKnown(sending, undefined, {
    attempt: () =>
      sending.client.send<Payment>('POST', '/payments', { body: { paymentMethodToken }, idempotencyKey }),
    onRefused: (refusal, isResend) => afterRefusal(refusal, isResend, sending),
  })

/** Reads a payment, retrying until it succeeds. */
export const readPaymentUntilKnown = (id: string, sending: Sending): Promise<Created> =>
  untilKnown(sending, id, {
    attempt: () => sending.client.send<Payment>('GET', `/payments/${encodeURIComponent(id)}`),
    onRefused: async ({ description }) => {
      sending.show({ kind: 'unconfirmed', why: description, paymentId: id, continues: false })
      return { kind: 'unknown' }
    },
  })

interface Attempts {
  readonly attempt: () => Promise<Answer<Payment>>
  readonly onRefused: (refusal: Refusal, isResend: boolean) => Promise<Created>
}

/** Repeats a request until a response says what became of the payment. The customer sees that it isn't known yet. */
async function untilKnown(
  sending: Sending,
  paymentId: string | undefined,
  { attempt, onRefused }: Attempts,
): Promise<Created> {
  for (let lost = 0; ; lost += 1) {
    const answer = await attempt()
    if (answer.kind === 'refused') return onRefused(answer, lost > 0)
    const payment = paymentIn(answer)
    if (payment?.status !== undefined) return { kind: 'payment', payment }
    // Responses may be partial, but the ID is enough to read the rest.
    if (payment !== undefined && paymentId === undefined) return readPaymentUntilKnown(payment.id, sending)
    const { why, retryAfterMs } = answer.kind === 'lost' ? answer : INCOMPLETE
    sending.show({ kind: 'unconfirmed', why, paymentId, continues: true })
    await sending.pause.wait(retryDelayMs(lost, retryAfterMs))
  }
}

const INCOMPLETE = { why: 'The service sent an incomplete response.', retryAfterMs: 0 } as const

async function afterRefusal(refusal: Refusal, isResend: boolean, sending: Sending): Promise<Created> {
  if (refusal.status === 409) {
    // An attempt without a response was processed, or the session was paid elsewhere.
    const id = refusal.paymentId ?? (await findPayment(sending))
    if (id !== undefined) return readPaymentUntilKnown(id, sending)
  }
  const { errorId, description, recoverySuggestion } = refusal
  // The key is checked after authentication: this refusal says nothing about the attempt before it.
  if (refusal.status === 409 || (isResend && (refusal.status === 401 || refusal.status === 403))) {
    sending.show({ kind: 'unconfirmed', why: description, paymentId: undefined, continues: false })
    return { kind: 'unknown' }
  }
  const message = recoverySuggestion === undefined ? description : `${description} ${recoverySuggestion}`
  return {
    kind: 'refused',
    result: { outcome: 'failed', payment: undefined, reason: errorId, message },
  }
}

async function findPayment(sending: Sending): Promise<string | undefined> {
  return bodyIn(await sendRepeatable<Terms>(sending, 'GET', '/sandbox/checkout'))?.payment?.id
}
