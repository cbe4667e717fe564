import { Problem } from '../../problem.ts'
import type { ClientSession, SandboxContext } from '../context.ts'
import type { Store } from '../../database/store.ts'
import type { StoredPayment } from '../stored.ts'
import { readClientToken } from '../client-token.ts'
import { sha256Base64url } from '../../../files/sha256.ts'

/** @throws {Problem} `Unauthorized` if the token is malformed, wrongly signed, or older than 24 hours */
export function authenticateCheckout(clientToken: string, context: SandboxContext): ClientSession {
  const found = findClientSession(clientToken, context)
  if (found === undefined || found.isExpired)
    throw new Problem(
      'Unauthorized',
      found === undefined ? 'The client token is unknown.' : 'The client token has expired.',
      { recoverySuggestion: 'Create another client session: a client token lasts 24 hours.' },
    )
  return found
}

/** The refusal that doesn't say whether the thing exists. */
export const notOfSession = (what: string): Problem =>
  new Problem('Forbidden', `The client token may not use this ${what}: it doesn't belong to its session.`)

/** @throws {Problem} `Forbidden` unless the body has only these fields */
export function refuseFurtherFields(body: object, known: readonly string[]): void {
  const further = Object.keys(body).filter((name) => !known.includes(name))
  if (further.length > 0)
    throw new Problem(
      'Forbidden',
      `With a client token, the body may have only ${known.join(', ')}. Everything else comes from the session.`,
    )
}

/** @throws {Problem} `Forbidden` if the payment isn't one of the session */
export function paymentOfSession(id: string, { idHash }: ClientSession, store: Store): StoredPayment {
  const payment = store.payments.find(id)
  if (payment === undefined || payment.sessionIdHash !== idHash) throw notOfSession('payment')
  return payment
}

/** Whether the saved method belongs to the customer of the session. */
export function ownsSavedMethod(token: string, { session }: ClientSession, store: Store): boolean {
  const owner = store.instruments.find(token)?.customerId
  return owner !== undefined && owner !== '' && owner === session.customerId
}

/** Whether the token was made for the session, or is a saved method of its customer. */
export function ownsToken(token: string, clientSession: ClientSession, store: Store): boolean {
  const single = store.singleUseTokens.find(token)
  if (single === undefined) return ownsSavedMethod(token, clientSession, store)
  const { sessionIdHash, savedMethod } = single
  return (
    sessionIdHash === clientSession.idHash &&
    (savedMethod === undefined || ownsSavedMethod(savedMethod, clientSession, store))
  )
}

/**
 * Refuses a second payment of a session; another attempt is possible after a decline or a failure.
 * @throws {Problem} `PaymentRequestLimitExceeded`, which names the earlier payment
 */
export function refuseSecondPayment({ idHash }: ClientSession, { payments }: Store): void {
  const earlier = payments.findOfSession(idHash)
  if (earlier === undefined || earlier.status === 'DECLINED' || earlier.status === 'FAILED') return
  throw new Problem(
    'PaymentRequestLimitExceeded',
    `The session already has payment ${earlier.id}, which is ${earlier.status}.`,
    {
      payment: { paymentId: earlier.id, paymentStatus: earlier.status },
      recoverySuggestion: 'Read that payment, or create another client session.',
    },
  )
}

interface FoundSession extends ClientSession {
  readonly isExpired: boolean
}

/** The session of a client token; undefined if this sandbox didn't make the token, or if it is for a payment's action. */
export function findClientSession(
  clientToken: string,
  { store, now }: SandboxContext,
): FoundSession | undefined {
  const claims = readClientToken(store.settings.secret(), clientToken)
  if (claims === undefined) return undefined
  const session = store.sessions.find(claims.id)
  if (session === undefined) return undefined
  return {
    id: claims.id,
    idHash: sha256Base64url(claims.id),
    session,
    isExpired: session.expiresAtMs <= now.getTime(),
  }
}
