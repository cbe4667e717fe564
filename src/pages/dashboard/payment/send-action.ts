import { actionOf } from '../../../api/actions/actions.ts'
import type { ActionName } from '../../../api/actions/actions.ts'
import { FACTS } from '../../../api/facts/facts.ts'
import type { Payment } from '../../../api/models/payment.ts'
import { deriveAmounts } from '../../../views/payment/amounts.ts'
import type { ShownRecord } from '../../../sandbox/domain/records.ts'
import { call, read } from '../../page/service.ts'
import { NO_RESPONSE, ServiceError } from '../../page/service-error.ts'

export type ActionOutcome =
  /** The sandbox answered, or the payment shows the effect of a lost answer. */
  | { readonly kind: 'done'; readonly payment: Payment; readonly wasAnswerLost: boolean }
  | { readonly kind: 'refused'; readonly error: ServiceError }
  /** No response, and the payment is unchanged. */
  | { readonly kind: 'unchanged'; readonly payment: Payment }
  /** No response, and the payment can't be read either. */
  | { readonly kind: 'unknown' }

export interface ActionRequest {
  readonly action: ActionName
  /** As it was shown. */
  readonly payment: Payment
  readonly body: Readonly<Record<string, unknown>>
  /** One for each opened dialog. */
  readonly key: string
}

/** A request that hangs counts as unanswered. */
const TIMEOUT_MS = 30_000

/** Sends an action. If the answer is lost, reads the payment and says what happened to it. */
export async function sendAction(request: ActionRequest): Promise<ActionOutcome> {
  const { action, payment, body, key } = request
  const { method, path, idempotencyKey } = FACTS[actionOf(action).operation]
  try {
    const changed = await call<Payment>(
      method,
      path.replace('{id}', () => encodeURIComponent(payment.id ?? '')),
      body,
      { signal: AbortSignal.timeout(TIMEOUT_MS), ...(idempotencyKey ? { idempotencyKey: key } : {}) },
    )
    return { kind: 'done', payment: changed, wasAnswerLost: false }
  } catch (error) {
    if (error instanceof ServiceError && isRefusal(error)) return { kind: 'refused', error }
    if (!(error instanceof ServiceError) && !isTimeout(error)) throw error
    const now = await readPayment(payment.id ?? '')
    if (now === undefined) return { kind: 'unknown' }
    return isOwnKeyUsed(error) || hasChanged(action, payment, now)
      ? { kind: 'done', payment: now, wasAnswerLost: true }
      : { kind: 'unchanged', payment: now }
  }
}

/** A server error may come after the request was applied. */
const isRefusal = (error: ServiceError): boolean =>
  error.status !== NO_RESPONSE && error.status < 500 && !isOwnKeyUsed(error)

/**
 * The key is random, so only a request of ours can have used it: an earlier one whose answer was lost, or the same one,
 * which browsers send again by themselves when a connection breaks.
 */
const isOwnKeyUsed = (error: unknown): boolean =>
  error instanceof ServiceError && error.errorId === 'IdempotencyKeyAlreadyExists'

const isTimeout = (error: unknown): boolean => error instanceof DOMException && error.name === 'TimeoutError'

async function readPayment(id: string): Promise<Payment | undefined> {
  try {
    const found = await read<ShownRecord>('/sandbox/record', { query: { id } })
    return found.source === 'payments' ? found.payment : undefined
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}

/** Whether the payment shows the effect of an action that was sent once. */
function hasChanged(action: ActionName, before: Payment, after: Payment): boolean {
  const [was, is] = [deriveAmounts(before), deriveAmounts(after)]
  switch (FACTS[actionOf(action).operation].effect) {
    case 'captured':
      return is.captured !== was.captured
    case 'refunded':
      return (after.transactions?.length ?? 0) > (before.transactions?.length ?? 0)
    case 'adjusted':
      return after.amount !== before.amount
    case 'cancelled':
    case 'authorized':
    case 'resumed':
    case 'created':
    case 'none':
      return after.status !== before.status || after.transactions?.length !== before.transactions?.length
  }
}
