import { doClocksAgree } from '../ledger/moment.ts'
import type { DoubtfulWrite } from '../ledger/port.ts'
import { requestOf } from '../calls/client-port.ts'
import type { Answer, Call } from '../calls/call.ts'
import type { Expectation, Resolution, ResolveOptions } from '../calls/client-port.ts'
import { KEY_USED, readErrorBody } from '../calls/api-error.ts'
import { evidenceOf } from './evidence.ts'
import type { Sight } from './evidence.ts'
import { accountOf } from '../calls/build-intent.ts'
import { isKeyOld } from '../calls/absence.ts'
import type { SendResult } from '../calls/attempts.ts'
import { sendWrite } from './recover.ts'
import { saysNothingOfEffect } from '../calls/retry.ts'
import { whyNotOurs } from '../calls/unrecorded.ts'
import { refusalOf } from '../calls/refusal.ts'
import { ambiguous, confirmedBy, inDoubt, notDone, nowOf, readTarget, settled } from './resolution.ts'
import type { ResolutionContext } from './resolution.ts'
import { shellWord } from '../../files/shell.ts'

/**
 * Resolves a write that has an idempotency key. Where the payment shows its effect, nothing is sent: if the effect is ours,
 * nothing is missing, and a colleague's must not be doubled. Where it doesn't, the recorded request goes out again with its own
 * key, unless the service may have forgotten that key: then the payment is only read.
 */
export async function resolveKeyed(
  context: ResolutionContext,
  intent: DoubtfulWrite,
  call: Call,
  { confirmSend, expects, resends }: Omit<ResolveOptions, 'operation'>,
): Promise<Resolution> {
  const seen = await readTarget(context, intent)
  if (seen.kind === 'resolution') return seen.resolution
  const { payment } = seen
  const sight = look(context, intent, call, payment, expects)
  const { evidence } = sight
  const found = resends === true ? undefined : resolutionBySight(intent, call, payment, sight)
  if (found !== undefined) return found
  const whyNot = await whyNotSent(context, intent)
  if (whyNot !== undefined)
    return evidence === 'absent'
      ? notDone(context, intent, { whyNot })
      : ambiguous(`${whyNot}, and the payment does not show clearly whether it was done: check the payment.`)
  const answer = await confirmSend({ evidence, payment: payment.json })
  if (answer === false) return inDoubt('Not confirmed: nothing was sent.')
  if (answer === 'asked') {
    // A colleague may have made the same write meanwhile. The yes was about what the payment showed before.
    const again = await readTarget(context, intent)
    if (again.kind === 'resolution') return again.resolution
    const changed = look(context, intent, call, again.payment, expects)
    const foundSince =
      changed.evidence === evidence ? undefined : resolutionBySight(intent, call, again.payment, changed)
    if (foundSince !== undefined) return foundSince
  }
  const request = requestOf(context, call, intent.idempotencyKey)
  // The times before this attempt, in case the service refuses it.
  const timing = intent.timing()
  if (!(await intent.fence(context.service.nowMs()))) return inDoubt(await whyNotOurs(intent))
  const { fence, isLeased, isFresh, isKeyTaken } = intent
  let mayArrive = false
  const ended = await sendWrite(context, call, request, {
    before: undefined,
    inDoubt: true,
    isKeyOld: () => isKeyOld(timing, nowOf(context, intent)),
    fence: () => fence(context.service.nowMs()),
    isLeased,
    isFresh,
    isKeyTaken,
    onDoubt: () => {
      mayArrive = true
    },
  })
  if (ended.kind === 'unknown')
    return afterRefusal(
      { context, intent, call, expects, mayArrive },
      ended,
      mayArrive ? intent.timing() : timing,
    )
  // Found by reading the payment, so there is no need to read it again.
  return settled(intent, call, {
    ended,
    before: payment,
    words:
      ended.kind === 'answer' && ended.note !== undefined
        ? 'It had already been done: the service knows its idempotency key.'
        : 'It was sent again with the same idempotency key. It is done.',
  })
}

/** The resolution without a resend; undefined if the payment doesn't show the write. */
function resolutionBySight(
  intent: DoubtfulWrite,
  call: Call,
  payment: Answer,
  { evidence, effectAt, why }: ReturnType<typeof look>,
): Resolution | undefined {
  if (evidence === 'shown') return confirmedBy(intent, call, payment, { effectAt })
  if (evidence !== 'unclear') return undefined
  return ambiguous(
    why === undefined
      ? `The payment may show it already, so nothing was sent. Check the payment: to send it anyway, run pay ops resolve ${shellWord(intent.id)} --resend.`
      : `Not sent again, because ${why}.`,
  )
}

/** What the payment shows of the write, by itself or by what the caller expects. */
function look(
  context: ResolutionContext,
  intent: DoubtfulWrite,
  call: Call,
  { json }: Answer,
  expects: ResolveOptions['expects'],
): Sight & { readonly why?: string | undefined } {
  const { first } = intent.timing()
  const seen = evidenceOf(
    {
      operation: intent.operation,
      request: call.body?.value,
      sinceMs: doClocksAgree(first, nowOf(context, intent)) ? first.serviceMs : undefined,
      others: intent.others,
      before: intent.before,
    },
    json,
  )
  const expected: Expectation | undefined = expects?.(json)
  switch (expected?.kind) {
    case undefined:
      return seen
    case 'with':
      // Others may have moved as much as the write would, in other amounts: then this ledger's writes leave no room for it.
      return seen.evidence === 'absent' || seen.evidence === 'hidden'
        ? { evidence: 'unclear', why: 'the payment changed in another way' }
        : { ...seen, evidence: 'shown' }
    case 'without':
      return { evidence: seen.evidence === 'hidden' ? 'hidden' : 'absent' }
    case 'other':
      return { evidence: 'unclear', why: expected.why }
  }
}

/** Why the recorded request can't go out again; undefined if it can. Completes a sentence. */
async function whyNotSent(context: ResolutionContext, intent: DoubtfulWrite): Promise<string | undefined> {
  if (intent.apiKeyId !== accountOf(context))
    return 'It was sent with another API key, so its idempotency key may mean nothing with this one'
  if (isKeyOld(intent.timing(), nowOf(context, intent)))
    return 'Its idempotency key is too old to be sent again, or no clock can tell its age'
  // The user supplied this key and has used it before: the service's response may be about the other write.
  return (await intent.isKeyTaken())
    ? 'Another write was confirmed with the same idempotency key, so sending this one again would do nothing'
    : undefined
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

interface Resent extends Pick<ResolveOptions, 'expects'> {
  readonly context: ResolutionContext
  readonly intent: DoubtfulWrite
  readonly call: Call
  /** Whether a resend may have been done without a response. */
  readonly mayArrive: boolean
}

/** A refused resend was not done. Whether an earlier attempt was, only the payment can show. */
async function afterRefusal(
  { context, intent, call, expects, mayArrive }: Resent,
  { last }: Extract<SendResult, { kind: 'unknown' }>,
  timing: ReturnType<DoubtfulWrite['timing']>,
): Promise<Resolution> {
  if (last === undefined)
    return inDoubt(
      context.interruption.stop.aborted
        ? 'Interrupted: nothing was sent.'
        : 'Nothing was sent: this process stood still for too long.',
    )
  if (last.kind === 'failure')
    return inDoubt(
      last.failure.sent
        ? `It was sent again, and ${last.failure.message}. ${RESOLVE_LATER}`
        : mayArrive
          ? `It was sent again without a usable response, and then ${last.failure.message}. ${RESOLVE_LATER}`
          : `It could not be sent again: ${last.failure.message}. ${RESOLVE_LATER}`,
    )
  const { status, body } = last.answer
  if (last.fault !== undefined)
    return inDoubt(`It was sent again, and the response (${status}) ${last.fault}. ${RESOLVE_LATER}`)
  const { errorId } = readErrorBody(body)
  const refusal = refusalOf(status, errorId, true)
  if (errorId !== undefined && KEY_USED.some((id) => id === errorId)) {
    const seen = await readTarget(context, intent)
    return seen.kind === 'payment'
      ? ambiguous(KEY_USED_UNSEEN)
      : inDoubt('The service has already processed its idempotency key, but the payment could not be read.')
  }
  // Other refusals may not be final: the first attempt may still be in progress and block this one, or the API key may lack
  // a scope that can be granted.
  if (
    errorId === undefined ||
    saysNothingOfEffect(status) ||
    !(status === 422 || FINAL_ERROR_IDS.includes(errorId))
  )
    return inDoubt(
      !saysNothingOfEffect(status) && status !== 429
        ? `It was sent again and refused: ${refusal.message} (${status}).`
        : `It was sent again, and the service responded with ${status}. ${RESOLVE_LATER}`,
    )
  const seen = await readTarget(context, intent)
  if (seen.kind === 'resolution') return seen.resolution
  const { evidence, effectAt } = look(context, intent, call, seen.payment, expects)
  switch (evidence) {
    case 'shown':
      return confirmedBy(intent, call, seen.payment, {
        effectAt,
        more: `It was sent again, and the service refused it: ${refusal.message}.`,
      })
    case 'absent':
      return notDone(context, intent, {
        timing,
        exitCode: refusal.exitCode,
        refusal: `It was sent again, and the service refused it: ${refusal.message}`,
      })
    case 'unclear':
    case 'hidden':
      return ambiguous(
        `It was sent again and refused (${refusal.message}), and the payment does not show clearly whether it was done: check the payment.`,
      )
  }
}
