import { interruptedBy } from '../errors.ts'
import type { InterruptedError } from '../errors.ts'
import { attemptOnce, toAttemptEnd, mayStillTakeEffect } from './attempt.ts'
import type { AttemptResult } from './attempt.ts'
import type { Call } from './call.ts'
import type { ClientOptions } from './client-port.ts'
import { KEY_LIFETIME_MS } from '../ledger/port.ts'
import { decide } from './retry.ts'
import type { HttpRequest, HttpResponse } from '../http/transport-port.ts'

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
  | { readonly kind: 'not-connected'; readonly last: AttemptResult }
  | { readonly kind: 'unknown'; readonly last: AttemptResult | undefined }
  /** Another process may have taken the write over. This one has sent nothing. */
  | { readonly kind: 'lapsed' }
  | { readonly kind: 'interrupted'; readonly error: InterruptedError }

/** How to find out whether a write was done when its response was lost. */
export interface Recovery {
  /** Whether an earlier attempt was in doubt before this call began. */
  readonly inDoubt: boolean
  /** When the idempotency key was first sent, if before this call. */
  readonly since?: Date | undefined
  /** Before each further attempt: false once another process has taken the intent over. */
  readonly fence: () => Promise<boolean>
  /** Right before a request is sent: whether the lease on the intent still holds by the clocks of this process. */
  readonly isLeased: () => boolean
  /** Called when a refusal proves that an earlier attempt was processed. */
  readonly confirmProcessed: (last: AttemptResult) => Promise<SendResult>
  /** Called when only reading the target can tell whether the write was done. */
  readonly checkTarget: (last: AttemptResult) => Promise<SendResult | 'unchanged'>
}

/** Sends one intent until the outcome is decided: the same bytes and the same key on every attempt. */
export async function sendAll(
  options: ClientOptions,
  call: Call,
  request: HttpRequest,
  recovery: Recovery,
): Promise<SendResult> {
  const { operation } = call
  const { stop } = options.interruption
  const startedMs = (recovery.since ?? options.now()).getTime()
  const isKeyOld = () => operation.replay === 'keyed' && options.now().getTime() - startedMs > KEY_LIFETIME_MS
  let { inDoubt } = recovery
  let last: AttemptResult | undefined
  let paced429s = 0
  /** For a wait that outlasts the lease. */
  const confirmLease = async () => recovery.isLeased() || (await recovery.fence().catch(() => false))
  for (let attempt = 0; ; attempt += 1) {
    if (inDoubt && (stop.aborted || isKeyOld())) return { kind: 'unknown', last }
    if (stop.aborted) return interrupted(stop, last)
    // This machine may have slept during the wait. Another process may then have taken over and sent the request.
    const isOurs = attempt === 0 || (await recovery.fence().catch(() => false))
    if (!isOurs || !recovery.isLeased())
      return inDoubt || wasSent(last) ? { kind: 'unknown', last } : { kind: 'lapsed' }
    last = await attemptOnce(options, call, request, attempt, confirmLease)
    const end = toAttemptEnd(last, operation, options.now())
    paced429s = end.kind === 'answer' && end.status === 429 ? paced429s + 1 : 0
    const verdict = decide({
      replay: operation.replay,
      risk: operation.risk,
      attempt,
      // After the first signal, nothing is sent again.
      maxRetries: stop.aborted ? 0 : options.maxRetries,
      paced429s: options.returns429 === true && operation.risk !== 'read' ? paced429s : undefined,
      inDoubt,
      end,
      random: options.random(),
    })
    switch (verdict.kind) {
      case 'accept':
        if (last.kind !== 'answer') throw new Error('accepted without an answer')
        return last
      case 'refused':
      case 'rate-limited':
        if (last.kind !== 'answer') throw new Error('refused without an answer')
        return { ...last, kind: verdict.kind }
      case 'processed-before':
        return recovery.confirmProcessed(last)
      case 'check-target': {
        await options.sleep(verdict.waitMs, stop, 'before reading the payment')
        const seen = await recovery.checkTarget(last)
        if (seen !== 'unchanged') return seen
        // Don't resend even if the payment is unchanged: if the first request arrives later, it would undo a newer change.
        return { kind: inDoubt || mayStillTakeEffect(last) ? 'unknown' : 'server-fault', last }
      }
      case 'retry':
        inDoubt = verdict.inDoubt
        await options.sleep(verdict.waitMs, stop, 'before the next attempt')
        continue
      case 'unknown':
        return { kind: 'unknown', last }
      case 'server-fault':
      case 'not-connected':
        if (last.kind === 'failure' && last.failure.reason === 'aborted') return interrupted(stop, last)
        return { kind: verdict.kind, last }
    }
  }
}

const wasSent = (last: AttemptResult | undefined): boolean =>
  last !== undefined && (last.kind === 'answer' || last.failure.sent)

/** An aborted read or a 429 was sent, but did nothing. */
function interrupted(stop: AbortSignal, last: AttemptResult | undefined): SendResult {
  return {
    kind: 'interrupted',
    error: interruptedBy(stop, wasSent(last) ? 'Interrupted: nothing was done.' : undefined),
  }
}
