import type { StoredIntent } from '../../ledger/port.ts'
import { KEY_LIFE_MS } from '../../ledger/port.ts'
import { sendAll } from '../attempts.ts'
import { requestOf } from '../client-port.ts'
import type { Answer, Call } from '../call.ts'
import type { ClientOptions, Resolution, MaySend } from '../client-port.ts'
import { CLOCKS_DIFFER_MS } from '../clocks.ts'
import { KEY_USED, readErrorBody } from '../api-error.ts'
import { evidenceOf } from './evidence.ts'
import type { Evidence } from '../client-port.ts'
import { accountOf } from '../build-intent.ts'
import { awaitSettleDelay } from './settle-delay.ts'
import type { ResolutionContext } from './settle-delay.ts'
import type { SendResult } from '../attempts.ts'
import { recoveryFor } from './recovery.ts'
import { refusalOf } from '../refusal.ts'
import { ambiguous, confirmedBy, inDoubt, lookAt, readBack, settled } from './resolution.ts'
import type { Seen } from './resolution.ts'

/**
 * The payment tells, whatever the age of the key: what it shows is never sent again. What it does not show, or not for
 * sure, is sent again with its own key, since the service itself knows whether it has processed that.
 */
export async function resolveKeyed(
  options: ResolutionContext,
  intent: StoredIntent,
  call: Call,
  maySend: MaySend,
): Promise<Resolution> {
  const whyUnknown = whyKeyUnknown(options, intent)
  const seen = await (whyUnknown === undefined ? lookOnce : lookLate)(options, intent, call)
  if (seen.kind === 'resolution') return seen.resolution
  const { evidence } = seen
  if (evidence === 'shown') return confirmedBy(intent, call, seen.payment)
  // Given by hand, and used before: whatever the service says to it now may be about that one.
  if ((await intent.isKeyTaken?.()) === true)
    return ambiguous(
      'Another write was confirmed with the same key, so the service would do nothing if this one were sent again. Compare the payment with what you know.',
    )
  if (whyUnknown !== undefined && evidence === 'unclear')
    return ambiguous(
      `${whyUnknown}, and the payment can be read both ways: compare what it shows with what you know.`,
    )
  if (!(await maySend({ evidence }))) return inDoubt('Not confirmed: nothing was sent.')
  const request = requestOf(options, call, intent.idempotencyKey)
  const since = whyUnknown === undefined ? intent.createdAt : undefined
  const recovery = recoveryFor(options, call, {
    before: undefined,
    inDoubt: true,
    since,
    isOurs: intent.isOurs,
  })
  const ended = await sendAll(options, call, request, recovery)
  if (ended.kind === 'unknown') return afterRefusal(options, intent, call, ended)
  // Found by reading, so that there is nothing to read once more.
  if (ended.kind === 'answer' && ended.note !== undefined)
    return settled(intent, call, ended, 'It had been done: the service knows its key.')
  const found = settled(intent, call, ended, 'It was sent again with the same key: it is done, once.')
  return found.kind === 'confirmed' ? readBack(options, intent, call, found, seen.payment) : found
}

/** Why the service may take the key for a new one; undefined where it is sure to know it. */
function whyKeyUnknown(options: ClientOptions, { account, createdAt }: StoredIntent): string | undefined {
  const ageMs = options.now().getTime() - createdAt.getTime()
  if (ageMs > KEY_LIFE_MS) return 'It is too old to be sent again with its key'
  // A clock that is behind the record is wrong, and says nothing of the record's age.
  if (ageMs < -CLOCKS_DIFFER_MS)
    return 'By the clock it is still to come, so its key may be too old to be sent again'
  return account === accountOf(options)
    ? undefined
    : 'It was sent with another API key, with which its idempotency key may have no meaning'
}

type Looked =
  | Exclude<Seen, { kind: 'payment' }>
  | { readonly kind: 'evidence'; readonly evidence: Evidence; readonly payment: Answer }

async function lookOnce(options: ResolutionContext, intent: StoredIntent, call: Call): Promise<Looked> {
  const seen = await lookAt(options, intent)
  if (seen.kind === 'resolution') return seen
  const { operation, createdAt: since, others } = intent
  const asked = { operation, request: call.body?.value, since, others }
  return { kind: 'evidence', evidence: evidenceOf(asked, seen.payment.json), payment: seen.payment }
}

/** What is not there counts only when nothing can be on its way any longer. */
async function lookLate(options: ResolutionContext, intent: StoredIntent, call: Call): Promise<Looked> {
  const seen = await lookOnce(options, intent, call)
  if (seen.kind === 'resolution' || seen.evidence !== 'absent') return seen
  const resolution = await awaitSettleDelay(options, intent)
  return resolution === undefined ? lookOnce(options, intent, call) : { kind: 'resolution', resolution }
}

/** Refusals of the service itself, made after it has looked at what there is: sent again, it would be refused again. */
const IS_FINAL = [
  'RequestValidationError',
  'PaymentError',
  'PaymentNotFoundError',
  'InvalidPaymentStatus',
  'PaymentAlreadyAuthorized',
  'PaymentIsNotAuthorizedYet',
  'MerchantAccountNotFound',
  'MerchantAccountConflict',
  'PartialCaptureNotSupported',
  'UnprocessableCaptureAmount',
  'UnprocessableRefundAmount',
  'PaymentAlreadyRefunded',
  'PaymentRequestLimitExceeded',
]

/** A refusal of the resend tells that this one was not done; whether an earlier one was, the payment has to tell. */
async function afterRefusal(
  options: ResolutionContext,
  intent: StoredIntent,
  call: Call,
  ended: Extract<SendResult, { kind: 'unknown' }>,
): Promise<Resolution> {
  const { last } = ended
  if (last === undefined) return inDoubt('Interrupted: nothing was sent.')
  if (last.kind === 'failure')
    return inDoubt(
      last.failure.sent
        ? `It was sent again, and ${last.failure.message}.`
        : `It could not be sent again: ${last.failure.message}.`,
    )
  const { status, body } = last.answer
  if (last.fault !== undefined) return inDoubt(`It was sent again, and the answer (${status}) ${last.fault}.`)
  const { errorId } = readErrorBody(body)
  const refusal = refusalOf(status, errorId, true)
  if (errorId !== undefined && KEY_USED.some((id) => id === errorId)) {
    const seen = await lookAt(options, intent)
    return seen.kind === 'payment'
      ? ambiguous('The service has seen its key before, and the payment does not show what was asked for.')
      : inDoubt('The service has seen its key before, and the payment could not be read.')
  }
  // The first may be what is in the way of the second, as long as it is not through; a key can be given its rights.
  if (errorId === undefined || !(status === 422 || IS_FINAL.includes(errorId)))
    return inDoubt(
      status >= 300 && status < 500 && status !== 429
        ? `It was sent again, and that was refused: ${refusal.message} (${status}).`
        : `It was sent again, and the service answered ${status}.`,
    )
  const late = await lookLate(options, intent, call)
  if (late.kind === 'resolution') return late.resolution
  // Even what is `shown` is not taken for it here: to a key that it had processed, the service would have said so.
  // What is there may be what somebody else did, in place of this one or beside it, and that is for a person to tell.
  return late.evidence === 'absent'
    ? {
        kind: 'rejected',
        exitCode: refusal.exitCode,
        words: `It was not done, and can no longer be: ${refusal.message}.`,
      }
    : ambiguous(
        `Sent again it is refused (${refusal.message}), and the payment can be read both ways: compare what it shows with what you know.`,
      )
}
