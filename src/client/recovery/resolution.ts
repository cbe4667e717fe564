import { EXIT, PayError } from '../../errors.ts'
import type { ExitCode } from '../../errors.ts'
import type { Moment } from '../ledger/moment.ts'
import type { DoubtfulWrite, Timing } from '../ledger/port.ts'
import { factsOf } from '../../api/facts.ts'
import { formatLocalTime } from '../../text/local-time.ts'
import type { Answer, Call } from '../calls/call.ts'
import type { ClientOptions, Resolution } from '../calls/client-port.ts'
import { exitOfAnswer } from '../calls/exit-code.ts'
import { absenceCountsInMs } from '../calls/absence.ts'
import { accountOf } from '../calls/build-intent.ts'
import { effectIn } from '../calls/matching-refunds.ts'
import { answerOrThrow } from '../calls/outcome.ts'
import type { SendResult } from '../calls/attempts.ts'
import { isPayment, readPayment } from '../calls/read.ts'
import type { ServiceClock } from '../calls/service-clock.ts'
import { capitalize, lowerFirst } from '../../text/words.ts'

/** Shared by all ways of resolving a write. */

export interface ResolutionContext extends ClientOptions {
  readonly service: ServiceClock
  /** When the resolving began. What a payment doesn't show, it didn't show then; its answer may come much later. */
  readonly began: Moment
}

export const inDoubt = (words: string): Resolution => ({ kind: 'in-doubt', isAmbiguous: false, words })
/** In doubt because a read failed. */
export const unread = (words: string, { exitCode }: PayError): Resolution => ({
  kind: 'in-doubt',
  isAmbiguous: false,
  words,
  isKeyRefused: exitCode === EXIT.auth,
})
export const ambiguous = (words: string): Resolution => ({
  kind: 'in-doubt',
  isAmbiguous: true,
  words: `Ambiguous. ${words}`,
})

/** The time by every clock: those of this machine and of the ledger, and the service's in its newest answer. */
export const nowOf = ({ service }: ResolutionContext, intent: Pick<DoubtfulWrite, 'now'>): Moment => ({
  ...intent.now(),
  serviceMs: service.seenMs(),
})

type PaymentReading =
  | { readonly kind: 'payment'; readonly payment: Answer }
  | { readonly kind: 'resolution'; readonly resolution: Resolution }

/** Reads the payment that the write acts on. Returns the resolution instead if there is none or it can't be read. */
export async function readTarget(context: ResolutionContext, intent: DoubtfulWrite): Promise<PaymentReading> {
  try {
    const payment = await readPayment(context, intent.target?.name)
    if (payment !== undefined && (await isPayment(payment))) return { kind: 'payment', payment }
    return { kind: 'resolution', resolution: inDoubt('The payment could not be read.') }
  } catch (error) {
    if (!(error instanceof PayError)) throw error
    const isNone = error.code === 'payment_not_found' && intent.apiKeyId === accountOf(context)
    return {
      kind: 'resolution',
      resolution: isNone
        ? notDone(context, intent, { exitCode: EXIT.notFound, words: 'the payment does not exist' })
        : unread(`The payment could not be read (${error.message}).`, error),
    }
  }
}

/**
 * The resolution for a write that the payment doesn't show: it counts as not done once none of its requests can still arrive.
 */
export function notDone(
  context: ResolutionContext,
  intent: DoubtfulWrite,
  {
    timing = intent.timing(),
    exitCode = EXIT.serverFault,
    words = 'the payment does not show it',
    whyNot,
    refusal,
  }: {
    /** When the last attempt was sent that the service hasn't refused. */
    readonly timing?: Timing
    readonly exitCode?: ExitCode
    /** What was read, as a clause. */
    readonly words?: string
    /** Why it isn't sent again, as a clause. */
    readonly whyNot?: string
    /** What came of sending it again, as a clause. */
    readonly refusal?: string
  } = {},
): Resolution {
  const mode = context.mode === 'live' || intent.mode === 'live' ? 'live' : 'test'
  const leftMs = absenceCountsInMs(
    { timing, mode, isEmbedded: context.isEmbedded === true },
    { ...context.began, serviceMs: context.service.seenMs() },
  )
  const reason = [refusal, whyNot].map((clause) => (clause === undefined ? '' : `${clause}. `)).join('')
  if (leftMs === undefined)
    return inDoubt(
      `${reason}${capitalize(words)}, but no clock here tells how long ago it was sent, so it may still arrive: check the payment, then abandon the record.`,
    )
  if (leftMs > 0)
    return inDoubt(
      `${reason}${capitalize(words)} yet, and it may still arrive: ask again after ${timeOf(context, leftMs)}.`,
    )
  return {
    kind: 'rejected',
    exitCode,
    endedBy: 'absence',
    words: `It was not done: ${words}. ${refusal ?? `Nothing was sent${whyNot === undefined ? '' : ` just now (${lowerFirst(whyNot)})`}`}.`,
  }
}

/** The time by this machine's clock, rounded up to the next second, so that asking at exactly that time is late enough. */
function timeOf({ now }: ResolutionContext, leftMs: number): string {
  const at = Math.ceil((now().getTime() + leftMs) / 1000) * 1000
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** The resolution that follows from the result of a resend. `before` is the payment as it was read before. */
export function settled(
  intent: DoubtfulWrite,
  call: Call,
  { ended, before, words }: { readonly ended: SendResult; readonly before: Answer; readonly words: string },
): Resolution {
  try {
    const { exitCode, warning, json } = answerOrThrow(call, ended, intent.id, intent.idempotencyKey)
    return {
      kind: 'confirmed',
      exitCode,
      resource: undefined,
      effectAt: effectIn(call, { before: before.json, after: json }),
      payment: json,
      words: warning === undefined ? words : `${words} ${warning}`,
    }
  } catch (error) {
    if (!(error instanceof PayError)) throw error
    return error.details.outcome === 'none' && ended.kind === 'refused'
      ? { kind: 'rejected', exitCode: error.exitCode, words: `It was not done: ${error.message}.` }
      : inDoubt(`${error.message}.`)
  }
}

/** The resolution when the payment shows the effect of the write. Whose effect it is can't be told, unless it is a state. */
export function confirmedBy(
  intent: DoubtfulWrite,
  call: Call,
  payment: Answer,
  {
    effectAt,
    more,
  }: {
    readonly effectAt?: string | undefined
    /** What was sent, and what came of it; undefined for nothing. */
    readonly more?: string
  } = {},
): Resolution {
  const exitCode = exitOfAnswer(intent.operation, 200, call.body?.value, payment.json)
  if (exitCode === EXIT.outcomeUnknown) return inDoubt('The processor never responded to the service.')
  const effect = factsOf(intent.operation)?.effect
  const isAmount = effect === 'refunded' || effect === 'captured'
  const words = isAmount
    ? `The payment shows an equal ${effect === 'refunded' ? 'refund' : 'capture'}${effectAt === undefined ? '' : ` of ${formatLocalTime(effectAt, 'UTC') ?? effectAt}`}: yours or a colleague's, pay can't tell.`
    : 'It is done: the payment shows it.'
  return {
    kind: 'confirmed',
    exitCode,
    resource: undefined,
    payment: payment.json,
    ...(isAmount ? { effectAt, endedBy: 'effect' as const } : {}),
    words: `${words} ${more ?? 'Nothing was sent.'}`,
  }
}
