import type { StoredIntent } from '../../ledger/port.ts'
import { KEY_LIFETIME_MS } from '../../ledger/port.ts'
import { sendAll } from '../attempts.ts'
import { requestOf } from '../client-port.ts'
import type { Answer, Call } from '../call.ts'
import type { ClientOptions, JudgeWrite, Resolution, ResolveOptions } from '../client-port.ts'
import { CLOCK_SKEW_MS } from '../clock-skew.ts'
import { KEY_USED, readErrorBody } from '../api-error.ts'
import { contradicts } from './effect.ts'
import { evidenceOf } from './evidence.ts'
import type { Evidence } from '../client-port.ts'
import { accountOf } from '../build-intent.ts'
import { awaitSettleDelay } from './settle-delay.ts'
import type { ResolutionContext } from './settle-delay.ts'
import type { SendResult } from '../attempts.ts'
import { recoveryFor } from './recovery.ts'
import { refusalOf } from '../refusal.ts'
import { ambiguous, confirmedBy, inDoubt, readTarget, readBack, settled } from './resolution.ts'
import type { PaymentReading } from './resolution.ts'

/**
 * Resolves a write that has an idempotency key. If the payment shows it, it is never sent again, regardless of the age of the
 * key. Otherwise it is sent again with the same key, because the service knows whether it has processed that key.
 */
export async function resolveKeyed(
  options: ResolutionContext,
  intent: StoredIntent,
  call: Call,
  { confirmSend, judge }: Pick<ResolveOptions, 'confirmSend' | 'judge'>,
): Promise<Resolution> {
  const whyUnknown = whyKeyUnknown(options, intent)
  const read = whyUnknown === undefined ? readEvidence : readEvidenceAfterDelay
  const seen = await read(options, intent, call, judge)
  if (seen.kind === 'resolution') return seen.resolution
  const { evidence } = seen
  if (evidence === 'processed') return afterProof(intent, call, seen.payment)
  if (evidence === 'disputed') return inDoubt('The payment has changed: nothing was sent.')
  if (evidence === 'shown') return confirmedBy(intent, call, seen.payment)
  // The user supplied this key and has used it before: the service's response may be about the other write.
  if ((await intent.isKeyTaken?.()) === true)
    return ambiguous(
      'Another write was confirmed with the same idempotency key, so sending this one again would do nothing. Check the payment.',
    )
  if (whyUnknown !== undefined && evidence === 'unclear')
    return ambiguous(
      `${whyUnknown}, and the payment does not show clearly whether it was done: check the payment.`,
    )
  if (!(await confirmSend({ evidence }))) return inDoubt('Not confirmed: nothing was sent.')
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
  // Found by reading the payment, so there is no need to read it again.
  if (ended.kind === 'answer' && ended.note !== undefined)
    return settled(intent, call, ended, 'It had already been done: the service knows its idempotency key.')
  const found = settled(
    intent,
    call,
    ended,
    'It was sent again with the same idempotency key. It is done, once.',
  )
  return found.kind === 'confirmed' ? readBack(options, intent, call, found, seen.payment) : found
}

/** Why the service may not recognize the key; undefined when it is sure to. */
function whyKeyUnknown(options: ClientOptions, { account, createdAt }: StoredIntent): string | undefined {
  const ageMs = options.now().getTime() - createdAt.getTime()
  if (ageMs > KEY_LIFETIME_MS) return 'It is too old to send again with its idempotency key'
  // A record from the future means that this clock or the one that wrote it is wrong, so the age is unknown.
  if (ageMs < -CLOCK_SKEW_MS)
    return "Its date is in the future by this machine's clock, so its idempotency key may have expired"
  return account === accountOf(options)
    ? undefined
    : 'It was sent with another API key, so its idempotency key may mean nothing with this one'
}

type EvidenceReading =
  | Exclude<PaymentReading, { kind: 'payment' }>
  | {
      readonly kind: 'evidence'
      readonly evidence: Evidence | 'processed' | 'disputed'
      readonly payment: Answer
    }

async function readEvidence(
  options: ResolutionContext,
  intent: StoredIntent,
  call: Call,
  judge?: JudgeWrite,
): Promise<EvidenceReading> {
  const seen = await readTarget(options, intent)
  if (seen.kind === 'resolution') return seen
  const judged = await judge?.(seen.payment.json)
  if (judged !== undefined) return { kind: 'evidence', evidence: judged, payment: seen.payment }
  const { operation, createdAt: since, others } = intent
  const query = { operation, request: call.body?.value, since, others }
  return { kind: 'evidence', evidence: evidenceOf(query, seen.payment.json), payment: seen.payment }
}

/** A write that the payment does not show counts as absent only after the settle delay. */
async function readEvidenceAfterDelay(
  options: ResolutionContext,
  intent: StoredIntent,
  call: Call,
  judge?: JudgeWrite,
): Promise<EvidenceReading> {
  const seen = await readEvidence(options, intent, call, judge)
  if (seen.kind === 'resolution' || seen.evidence !== 'absent') return seen
  const resolution = await awaitSettleDelay(options, intent)
  return resolution === undefined
    ? readEvidence(options, intent, call, judge)
    : { kind: 'resolution', resolution }
}

/** Error ids of refusals that depend only on the request and the payment's state: a resend would be refused again. */
const FINAL_ERROR_IDS = [
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

/** The service has processed the key: the payment shows how that ended. */
const afterProof = (intent: StoredIntent, call: Call, payment: Answer): Resolution =>
  contradicts(intent.operation, call.body?.value, payment.json)
    ? ambiguous(KEY_USED_UNSEEN)
    : confirmedBy(intent, call, payment)

const KEY_USED_UNSEEN =
  'The service has already processed its idempotency key, but the payment does not show the write: check the payment.'

/** A refused resend was not done. Whether an earlier attempt was, only the payment can show. */
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
  if (last.fault !== undefined)
    return inDoubt(`It was sent again, and the response (${status}) ${last.fault}.`)
  const { errorId } = readErrorBody(body)
  const refusal = refusalOf(status, errorId, true)
  if (errorId !== undefined && KEY_USED.some((id) => id === errorId)) {
    const seen = await readTarget(options, intent)
    return seen.kind === 'payment'
      ? ambiguous(KEY_USED_UNSEEN)
      : inDoubt('The service has already processed its idempotency key, but the payment could not be read.')
  }
  // Other refusals may not be final: the first attempt may still be in progress and block this one, or the API key may lack
  // a scope that can be granted.
  if (errorId === undefined || !(status === 422 || FINAL_ERROR_IDS.includes(errorId)))
    return inDoubt(
      status >= 300 && status < 500 && status !== 429
        ? `It was sent again and refused: ${refusal.message} (${status}).`
        : `It was sent again, and the service responded with ${status}.`,
    )
  const late = await readEvidenceAfterDelay(options, intent, call)
  if (late.kind === 'resolution') return late.resolution
  // Even `shown` proves nothing here: if the service had processed this key, it would have said so. What the payment shows
  // may be another write, done instead of this one or in addition to it. Only a person can tell.
  return late.evidence === 'absent'
    ? {
        kind: 'rejected',
        exitCode: refusal.exitCode,
        words: `It was not done, and the service would refuse it: ${refusal.message}.`,
      }
    : ambiguous(
        `It was sent again and refused (${refusal.message}), and the payment does not show clearly whether it was done: check the payment.`,
      )
}
