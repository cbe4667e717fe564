import type { StoredIntent } from '../../ledger/port.ts'
import { KEY_LIFETIME_MS } from '../../ledger/port.ts'
import { requestOf } from '../client-port.ts'
import type { Answer, Call } from '../call.ts'
import type { ClientOptions, Resolution, ResolveOptions, Evidence } from '../client-port.ts'
import { CLOCK_SKEW_MS, parseTimeMs } from '../clock-skew.ts'
import { KEY_USED, readErrorBody } from '../api-error.ts'
import { evidenceOf } from './evidence.ts'
import { accountOf } from '../build-intent.ts'
import { EXIT } from '../../errors.ts'
import { awaitSettleDelay, settleDelayOf } from './settle-delay.ts'
import type { ResolutionContext } from './settle-delay.ts'
import type { SendResult } from '../attempts.ts'
import { sendWrite } from './recover.ts'
import { refusalOf } from '../refusal.ts'
import { ambiguous, confirmedBy, inDoubt, readTarget, readBack, settled, TAKEN_OVER } from './resolution.ts'
import type { PaymentReading } from './resolution.ts'
import { factsOf } from '../../api/facts/facts.ts'
import { isRecord } from '../../is-record.ts'
import { refundsOfAmount } from '../matching-refunds.ts'

/**
 * Resolves a write that has an idempotency key. What the payment shows may be a colleague's, so only the service can tell:
 * the recorded request is sent again with its own key. If the service may not know the key any more, it is only read.
 */
export async function resolveKeyed(
  options: ResolutionContext,
  intent: StoredIntent,
  call: Call,
  { confirmSend, forbidResend, sendsDespiteRemedy }: Omit<ResolveOptions, 'operation'>,
): Promise<Resolution> {
  const whyUnknown = whyKeyUnknown(options, intent)
  if (whyUnknown !== undefined) return resolveByState(options, intent, call, whyUnknown)
  const seen = await readTarget(options, intent)
  if (seen.kind === 'resolution') return seen.resolution
  const { payment } = seen
  // The user supplied this key and has used it before: the service's response may be about the other write.
  if ((await intent.isKeyTaken?.()) === true)
    return ambiguous(
      'Another write was confirmed with the same idempotency key, so sending this one again would do nothing. Check the payment.',
    )
  const evidence = evidenceFor(intent, call, payment)
  const forbidden = forbidResend?.(payment.json, evidence)
  if (forbidden !== undefined) return inDoubt(`Not sent again, because ${forbidden}.`)
  const remedyAt = remedyOf(options, intent, call, payment)
  if (remedyAt !== undefined && sendsDespiteRemedy !== true)
    return inDoubt(
      `The payment has an equal refund of ${remedyAt.toISOString()}, after this one was sent, which someone probably made in its place: nothing was sent. Check the payment. To send this one as well, run pay ops resolve ${intent.id} --resend.`,
    )
  if (!(await confirmSend({ evidence, remedyAt, payment: payment.json })))
    return inDoubt('Not confirmed: nothing was sent.')
  const request = requestOf(options, call, intent.idempotencyKey)
  if (!(await intent.fence())) return inDoubt(TAKEN_OVER)
  const { fence, isLeased } = intent
  const since = keySinceOf(intent)
  const write = { before: undefined, inDoubt: true, since, fence, isLeased }
  const ended = await sendWrite(options, call, request, write)
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
  return found.kind === 'confirmed' ? readBack(options, intent, call, found, payment) : found
}

/** Only reads. A state is the effect, no matter who reached it; an amount may have been moved by someone else. */
async function resolveByState(
  options: ResolutionContext,
  intent: StoredIntent,
  call: Call,
  whyUnknown: string,
): Promise<Resolution> {
  // Dates can't rule out a write whose own date is wrong.
  const createdAt = isFromFuture(options, intent) ? new Date(0) : intent.createdAt
  const seen = await readEvidenceAfterDelay(options, { ...intent, createdAt }, call)
  if (seen.kind === 'resolution') return seen.resolution
  switch (seen.evidence) {
    case 'shown':
      return confirmedBy(intent, call, seen.payment)
    case 'absent':
      return {
        kind: 'rejected',
        exitCode: EXIT.serverFault,
        words: 'It was not done: the payment does not show it. Nothing was sent.',
      }
    case 'unclear':
      return ambiguous(
        `${whyUnknown}, and the payment does not show clearly whether it was done: check the payment.`,
      )
  }
}

/** Why the service may not recognize the key; undefined when it is sure to. */
function whyKeyUnknown(options: ClientOptions, intent: StoredIntent): string | undefined {
  if (options.now().getTime() - keySinceOf(intent).getTime() > KEY_LIFETIME_MS)
    return 'Its idempotency key is too old to be sent again'
  // This clock or the one that wrote it is wrong, so the age is unknown.
  if (isFromFuture(options, intent))
    return "Its date is in the future by this machine's clock, so its idempotency key may have expired"
  return intent.apiKeyId === accountOf(options)
    ? undefined
    : 'It was sent with another API key, so its idempotency key may mean nothing with this one'
}

const keySinceOf = ({ keySince, createdAt }: StoredIntent): Date => keySince ?? createdAt

const isFromFuture = ({ now }: ClientOptions, { createdAt }: StoredIntent): boolean =>
  createdAt.getTime() - now().getTime() > CLOCK_SKEW_MS

type EvidenceReading =
  | Exclude<PaymentReading, { kind: 'payment' }>
  | { readonly kind: 'evidence'; readonly evidence: Evidence; readonly payment: Answer }

async function readEvidence(
  options: ResolutionContext,
  intent: StoredIntent,
  call: Call,
): Promise<EvidenceReading> {
  const seen = await readTarget(options, intent)
  if (seen.kind === 'resolution') return seen
  return { kind: 'evidence', evidence: evidenceFor(intent, call, seen.payment), payment: seen.payment }
}

const evidenceFor = ({ operation, createdAt: since, others }: StoredIntent, call: Call, payment: Answer) =>
  evidenceOf({ operation, request: call.body?.value, since, others }, payment.json)

/** A write that the payment does not show counts as absent only after the settle delay. */
async function readEvidenceAfterDelay(
  options: ResolutionContext,
  intent: StoredIntent,
  call: Call,
): Promise<EvidenceReading> {
  const seen = await readEvidence(options, intent, call)
  if (seen.kind === 'resolution' || seen.evidence !== 'absent') return seen
  const resolution = await awaitSettleDelay(options, intent)
  return resolution === undefined ? readEvidence(options, intent, call) : { kind: 'resolution', resolution }
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

const KEY_USED_UNSEEN =
  'The service has already processed its idempotency key, but the payment does not show the write: check the payment.'

const RESOLVE_LATER = 'Resolve it again once the service responds.'

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
        ? `It was sent again, and ${last.failure.message}. ${RESOLVE_LATER}`
        : `It could not be sent again: ${last.failure.message}. ${RESOLVE_LATER}`,
    )
  const { status, body } = last.answer
  if (last.fault !== undefined)
    return inDoubt(`It was sent again, and the response (${status}) ${last.fault}. ${RESOLVE_LATER}`)
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
        : `It was sent again, and the service responded with ${status}. ${RESOLVE_LATER}`,
    )
  const late = await readEvidenceAfterDelay(options, intent, call)
  if (late.kind === 'resolution') return late.resolution
  switch (late.evidence) {
    case 'shown':
      return confirmedBy(
        intent,
        call,
        late.payment,
        `It is done: the payment shows it. It was sent again, and the service refused it: ${refusal.message}.`,
      )
    case 'absent':
      return {
        kind: 'rejected',
        exitCode: refusal.exitCode,
        words: `It was not done, and the service would refuse it: ${refusal.message}.`,
      }
    case 'unclear':
      return ambiguous(
        `It was sent again and refused (${refusal.message}), and the payment does not show clearly whether it was done: check the payment.`,
      )
  }
}

/**
 * When someone made an equal write after this one was last sent and had time to arrive: probably in its place. Undefined if
 * the payment shows none. Refunds are the only writes that a payment lists with their dates.
 */
function remedyOf(
  context: ResolutionContext,
  intent: StoredIntent,
  call: Call,
  { json: payment, servedAt }: Answer,
): Date | undefined {
  if (factsOf(intent.operation)?.effect !== 'refunded' || !isRecord(payment)) return undefined
  // The payment has the dates of the service's clock.
  const clockOffsetMs = servedAt === undefined ? 0 : servedAt.getTime() - context.now().getTime()
  const arrivedMs = context.lastAttemptAt().getTime() + settleDelayOf(context, intent) + clockOffsetMs
  const request = isRecord(call.body?.value) ? call.body.value : {}
  const laterMs = refundsOfAmount(request, payment)
    .filter(({ processorStatus }) => processorStatus !== 'FAILED')
    .map(({ date }) => parseTimeMs(date))
    .filter((ms) => ms !== undefined && ms > arrivedMs)
  return laterMs[0] === undefined ? undefined : new Date(laterMs[0])
}
