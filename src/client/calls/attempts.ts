import { interruptedBy } from '../../errors.ts'
import type { InterruptedError } from '../../errors.ts'
import { attemptOnce, toAttemptEnd, wasSent } from './attempt.ts'
import type { AttemptResult } from './attempt.ts'
import type { CheckedCall } from './check-answer.ts'
import type { ClientOptions } from './client-port.ts'
import { decide } from './retry.ts'
import type { HttpRequest, HttpResponse, Streak } from '../http/transport-port.ts'

/** The settings of a client that sending needs. */
export type SendSettings = Pick<
  ClientOptions,
  'transport' | 'timeoutMs' | 'maxRetries' | 'now' | 'random' | 'sleep' | 'interruption' | 'onAttempt'
>

/** How all attempts of one intent ended. */
export type SendResult =
  | {
      readonly kind: 'answer'
      readonly answer: HttpResponse
      readonly requestId: string | undefined
      readonly note?: string
      readonly warning?: string
    }
  | { readonly kind: 'refused'; readonly answer: HttpResponse; readonly requestId: string | undefined }
  | { readonly kind: 'rate-limited'; readonly answer: HttpResponse; readonly requestId: string | undefined }
  /** The service failed and did nothing. */
  | { readonly kind: 'server-fault'; readonly last: AttemptResult }
  /** `isSent`: whether earlier attempts were sent, which did nothing. */
  | { readonly kind: 'not-connected'; readonly last: AttemptResult; readonly isSent: boolean }
  | { readonly kind: 'unknown'; readonly last: AttemptResult | undefined }
  /** Another process may have taken the write over. This one has sent nothing. */
  | { readonly kind: 'lapsed' }
  | { readonly kind: 'interrupted'; readonly error: InterruptedError }

/** How to find out whether a write was done when its response was lost. Without an answer, its outcome stays unknown. */
export interface Recovery {
  /** Whether an earlier attempt was in doubt before this call began. */
  readonly inDoubt: boolean
  /** Whether the service may have forgotten the idempotency key since it was first sent. */
  readonly isKeyOld?: () => boolean
  /**
   * Whether repeating the call harms nothing: then it is repeated in doubt even after the first signal, and a refusal of a
   * repeat also counts for the attempts before it.
   */
  readonly isHarmless?: boolean
  /** Called when an attempt may have been done without a response, and is repeated. */
  readonly onDoubt?: () => void
  /** Called before each further attempt. False once another process has taken the intent over. */
  readonly fence?: () => Promise<boolean>
  /** Whether the lease on the intent still holds by the clocks of this process. Called right before a request is sent. */
  readonly isLeased?: () => boolean
  /** Whether the time of this attempt was noted a moment ago. Called right before a request is sent. */
  readonly isFresh?: () => boolean
  /** Called when a refusal proves that an earlier attempt was processed. */
  readonly confirmProcessed?: (last: AttemptResult) => Promise<SendResult>
  /** Called when only reading the target can show that the write was done. */
  readonly checkTarget?: (last: AttemptResult) => Promise<SendResult>
}

/** After this many failed connections in a row, the service is unreachable for each of many calls. */
const MAX_CONNECTION_TRIES = 6
const NEVER_ABORTED = new AbortController().signal

/**
 * Sends one call until its outcome is decided: the same bytes and the same key on every attempt. Single calls, the rows of
 * imports and batches, and their reads are all sent here.
 */
export async function sendAll(
  options: SendSettings,
  call: CheckedCall,
  request: HttpRequest,
  recovery: Recovery,
): Promise<SendResult> {
  const { operation } = call
  const { pace } = options.transport
  const { isHarmless = false, fence = async () => true } = recovery
  const { isLeased = () => true, isFresh = () => true } = recovery
  const isKeyOld = () => operation.replay === 'keyed' && recovery.isKeyOld?.() === true
  let { inDoubt } = recovery
  let isSent = false
  let last: AttemptResult | undefined
  let streak: Streak | undefined
  let [tries, unconnected] = [0, 0]
  /** Whether this attempt may still be sent. Notes its time again after a wait: the noted one would be too early. */
  const confirm = async () => isFresh() || (await fence().catch(() => false))
  for (let attempt = 0; ; attempt += 1) {
    const stop = inDoubt && isHarmless ? NEVER_ABORTED : options.interruption.stop
    if (inDoubt && (stop.aborted || isKeyOld())) return { kind: 'unknown', last }
    if (stop.aborted) return interrupted(stop, isSent)
    // This machine may have slept during the wait. Another process may then have taken over and sent the request.
    const isOurs = (attempt === 0 && isFresh()) || (await fence().catch(() => false))
    if (!isOurs || !isLeased()) return inDoubt || isSent ? { kind: 'unknown', last } : { kind: 'lapsed' }
    last = await attemptOnce(options, call, request, { attempt, stop, confirm })
    isSent ||= wasSent(last)
    const end = toAttemptEnd(last, operation, options.now())
    const is429 = end.kind === 'answer' && end.status === 429
    const isUnsent = end.kind === 'failure' && !end.sent
    const isPatient = pace !== undefined && isUnsent
    unconnected = isUnsent ? unconnected + 1 : 0
    streak = is429 ? (streak ?? pace?.startStreak()) : undefined
    const returns429 = pace?.returnsWrites === true && operation.risk !== 'read' && !inDoubt
    const verdict = decide({
      replay: operation.replay,
      risk: operation.risk,
      attempt: isPatient ? unconnected : tries,
      // After the first signal, nothing is sent again.
      maxRetries: stop.aborted && !isHarmless ? 0 : isPatient ? MAX_CONNECTION_TRIES : options.maxRetries,
      shared: pace && { endsAt429: returns429 || streak?.isTooLong() === true },
      inDoubt: inDoubt && !isHarmless,
      end,
      random: options.random(),
    })
    if (pace === undefined || !(is429 || isUnsent)) tries += 1
    switch (verdict.kind) {
      case 'accept':
        if (last.kind !== 'answer') throw new Error('accepted without an answer')
        return last
      case 'refused':
      case 'rate-limited':
        if (last.kind !== 'answer') throw new Error('refused without an answer')
        return { ...last, kind: verdict.kind }
      case 'processed-before':
        return (await recovery.confirmProcessed?.(last)) ?? { kind: 'unknown', last }
      case 'check-target': {
        await options.sleep(verdict.waitMs, stop, 'before reading the payment')
        // If it shows nothing, the request may still arrive.
        return (await recovery.checkTarget?.(last)) ?? { kind: 'unknown', last }
      }
      case 'retry':
        inDoubt ||= verdict.inDoubt
        if (verdict.inDoubt) recovery.onDoubt?.()
        if (verdict.waitMs > 0) await options.sleep(verdict.waitMs, stop, 'before the next attempt')
        continue
      case 'unknown':
        return { kind: 'unknown', last }
      case 'server-fault':
      case 'not-connected':
        if (last.kind === 'failure' && last.failure.reason === 'aborted') return interrupted(stop, isSent)
        return { kind: verdict.kind, last, isSent }
    }
  }
}

/** An aborted read or a 429 was sent, but did nothing. */
function interrupted(stop: AbortSignal, isSent: boolean): SendResult {
  return {
    kind: 'interrupted',
    error: interruptedBy(stop, isSent ? 'Interrupted: nothing was done.' : undefined),
  }
}
