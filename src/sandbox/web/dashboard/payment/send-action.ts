import type { Payment } from '../../../../api/models/payment.ts'
import { deriveAmounts } from '../../../../views/payment/amounts.ts'
import type { PaymentActionName } from '../../../../views/payment/allowed-actions.ts'
import { call } from '../../page/service.ts'
import { NO_RESPONSE, ServiceError } from '../../page/service-error.ts'
import { ACTION_FORMS } from './action-forms.ts'

export type ActionOutcome =
  /** The sandbox answered, or the payment shows the effect of a lost answer. */
  | { readonly kind: 'done'; readonly payment: Payment; readonly wasAnswerLost: boolean }
  | { readonly kind: 'refused'; readonly error: ServiceError }
  /** No answer, and the payment is as it was. */
  | { readonly kind: 'unchanged'; readonly payment: Payment }
  /** No answer, and the payment can't be read either. */
  | { readonly kind: 'unknown' }

export interface ActionRequest {
  readonly action: PaymentActionName
  /** As it was shown. */
  readonly payment: Payment
  readonly body: Readonly<Record<string, unknown>>
  /** One for each opened dialog. */
  readonly key: string
  /** Whether an earlier request with this key got no answer. */
  readonly isRepeat: boolean
}

/** A request that hangs counts as unanswered. */
const TIMEOUT_MS = 30_000

/** Sends an action. If the answer is lost, reads the payment and says what happened to it. */
export async function sendAction(request: ActionRequest): Promise<ActionOutcome> {
  const { action, payment, body, key, isRepeat } = request
  const { path, takesKey } = ACTION_FORMS[action]
  try {
    const changed = await call<Payment>(
      'POST',
      `/payments/${encodeURIComponent(payment.id ?? '')}/${path}`,
      body,
      { signal: AbortSignal.timeout(TIMEOUT_MS), ...(takesKey ? { idempotencyKey: key } : {}) },
    )
    return { kind: 'done', payment: changed, wasAnswerLost: false }
  } catch (error) {
    // The key was used by the request whose answer was lost.
    const isOwnKeyUsed =
      isRepeat && error instanceof ServiceError && error.errorId === 'IdempotencyKeyAlreadyExists'
    if (error instanceof ServiceError && isAnswer(error) && !isOwnKeyUsed) return { kind: 'refused', error }
    if (!(error instanceof ServiceError) && !isTimeout(error)) throw error
    const now = await readPayment(payment.id ?? '')
    if (now === undefined) return { kind: 'unknown' }
    return isOwnKeyUsed || hasChanged(action, payment, now)
      ? { kind: 'done', payment: now, wasAnswerLost: true }
      : { kind: 'unchanged', payment: now }
  }
}

/** A server error may come after the request was applied. */
const isAnswer = ({ status }: ServiceError): boolean => status !== NO_RESPONSE && status < 500

const isTimeout = (error: unknown): boolean => error instanceof DOMException && error.name === 'TimeoutError'

export interface ShownRecord {
  readonly payment?: Payment
}

async function readPayment(id: string): Promise<Payment | undefined> {
  try {
    const { payment } = await call<ShownRecord>('GET', '/sandbox/record', undefined, { query: { id } })
    return payment
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}

/** Whether the payment shows the effect of an action that was sent once. */
function hasChanged(action: PaymentActionName, before: Payment, after: Payment): boolean {
  const [was, is] = [deriveAmounts(before), deriveAmounts(after)]
  switch (action) {
    case 'capture':
      return is.captured !== was.captured
    case 'refund':
      return (after.transactions?.length ?? 0) > (before.transactions?.length ?? 0)
    case 'adjust':
      return after.amount !== before.amount
    case 'cancel':
    case 'authorize':
    case 'resume':
      return after.status !== before.status || after.transactions?.length !== before.transactions?.length
  }
}
