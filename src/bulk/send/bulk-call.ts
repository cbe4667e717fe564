import { attemptOnce, toAttemptEnd } from '../../calls/attempt.ts'
import type { AttemptLog, AttemptResult } from '../../calls/attempt.ts'
import type { Call } from '../../calls/call.ts'
import { decide } from '../../calls/retry.ts'
import type { AttemptEnd, Verdict } from '../../calls/retry.ts'
import type { PayError } from '../../errors.ts'
import type { HttpRequest, HttpResponse, Transport } from '../../http/transport-port.ts'
import type { Streak } from './patience.ts'
import { pauseAll } from './pause.ts'
import type { PauseOptions } from './pause.ts'
import { RowAbandoned, RunStopped, notConnected } from './run-errors.ts'

export interface BulkCallSettings extends PauseOptions {
  readonly transport: Transport
  readonly timeoutMs: number
  readonly maxRetries: number
  readonly now: () => Date
  /** From 0 to 1. */
  readonly random: () => number
  readonly sleep: (ms: number) => Promise<void>
  /** Makes text of the service safe for files and terminals, and masks secrets. */
  readonly clean: (text: string) => string
  readonly onAttempt: ((log: AttemptLog) => void) | undefined
}

export interface BulkCallerOptions extends BulkCallSettings {
  /** Once aborted, nothing new is sent; requests in flight are awaited, and calls in doubt repeated. */
  readonly halt: AbortSignal
  /** Once aborted, requests in flight are not awaited either. */
  readonly abandon: AbortSignal
}

export interface BulkCall extends Pick<Call, 'operation' | 'params'> {
  readonly request: HttpRequest
}

/** How the attempts of a call ended. */
export type CallEnd =
  | { readonly kind: 'accepted' | 'refused'; readonly answer: HttpResponse }
  /** No usable response came. A write may have been done. */
  | { readonly kind: 'lost'; readonly last: AttemptResult }
  /** The service refuses this call in particular: it got only 429s while others ended. */
  | { readonly kind: 'slowed-down' }

/** What the attempts have come to, over all calls for one row. */
export class Progress {
  attempts = 0
  /** Those that used up a retry. */
  tries = 0
  /** The latest ones that found no connection. */
  unconnected = 0
  /** Whether an attempt may have been done without a response: then a halt doesn't stop the row. */
  isInDoubt = false
  streak: Streak | undefined
}

export interface CallWatch {
  /** Called right before the first attempt. */
  readonly onStart?: () => void
  /** Called when an attempt may have been done without a response. */
  readonly onDoubt?: () => void
  /** A 2xx response whose body is not what the operation returns. */
  readonly onInvalidSuccess?: ((status: number) => void) | undefined
}

/** After this many consecutive failed connections, the service is unreachable for every call. */
const MAX_CONNECTION_TRIES = 6
const NEVER_ABORTED = new AbortController().signal

/**
 * Sends many calls with the retry policy of single ones and a shared limiter. A 429 makes every call wait, and uses up no
 * retry.
 */
export class BulkCaller {
  readonly #options: BulkCallerOptions
  #isStopped = false

  constructor(options: BulkCallerOptions) {
    this.#options = options
  }

  /** The error that ends the run. Nothing more is sent. */
  stopAll(error: PayError): RunStopped {
    this.#isStopped = true
    return new RunStopped(error)
  }

  /**
   * Sends a call until its end. `finish` sees the end before any other call is sent.
   * @throws {RowAbandoned} if the run was stopped first; {@link RunStopped} if no call can be sent
   */
  async send<T>(
    call: BulkCall,
    progress: Progress,
    watch: CallWatch,
    finish: (end: CallEnd) => T,
  ): Promise<T> {
    const { limiter, patience, halt, abandon, sleep } = this.#options
    const isWanted = () =>
      patience.over === undefined &&
      !this.#isStopped &&
      !abandon.aborted &&
      (progress.isInDoubt || !halt.aborted)
    for (;;) {
      const ticket = await limiter.acquire(isWanted)
      if (ticket === undefined)
        throw patience.over === undefined ? new RowAbandoned() : new RunStopped(patience.over)
      let waitMs: number
      try {
        if (progress.attempts === 0) watch.onStart?.()
        const next = this.#after(call, progress, watch, ticket, await this.#attempt(call, progress))
        if (typeof next !== 'number') return finish(next)
        waitMs = next
      } finally {
        limiter.release()
      }
      if (waitMs > 0) await sleep(waitMs)
    }
  }

  #attempt(call: BulkCall, { isInDoubt, attempts }: Progress): Promise<AttemptResult> {
    const { transport, timeoutMs, now, onAttempt = () => {}, halt, abandon } = this.#options
    // A call in doubt is repeated even after the first signal, because its outcome matters.
    const interruption = { stop: isInDoubt ? NEVER_ABORTED : halt, abandon }
    return attemptOnce({ transport, timeoutMs, now, onAttempt, interruption }, call, call.request, attempts)
  }

  /** The end of the call, or how long to wait before the next attempt. */
  #after(
    { operation }: BulkCall,
    progress: Progress,
    watch: CallWatch,
    ticket: number,
    last: AttemptResult,
  ): CallEnd | number {
    const { limiter, maxRetries, now, random } = this.#options
    progress.attempts += 1
    const end = toAttemptEnd(last, operation, now())
    const isUnsent = end.kind === 'failure' && !end.sent
    if (last.kind === 'answer') progress.unconnected = 0
    else if (isUnsent) progress.unconnected += 1
    if (end.kind === 'failure' && last.kind === 'answer' && isSuccess(last.answer))
      watch.onInvalidSuccess?.(last.answer.status)
    const verdict = decide({
      replay: operation.replay,
      risk: operation.risk,
      attempt: isUnsent ? progress.unconnected : progress.tries,
      maxRetries: isUnsent ? MAX_CONNECTION_TRIES : maxRetries,
      outlasts429: true,
      // Calls are safe to repeat, so the response to a repeat also counts for the attempts before it.
      inDoubt: false,
      end,
      random: random(),
    })
    switch (verdict.kind) {
      case 'accept':
      case 'refused':
        if (last.kind !== 'answer') throw new Error(`${verdict.kind} without a response`)
        limiter.reportSuccess()
        return { kind: verdict.kind === 'accept' ? 'accepted' : 'refused', answer: last.answer }
      case 'retry':
        return this.#retryAfter(operation.risk === 'read', progress, watch, ticket, end, verdict)
      case 'unknown':
      case 'server-fault':
        this.#fail(verdict.kind === 'unknown', progress, watch, ticket)
        if (isAborted(last)) throw new RowAbandoned()
        return { kind: 'lost', last }
      case 'not-connected':
        if (last.kind !== 'failure') throw new Error('not connected despite a response')
        if (isAborted(last)) throw new RowAbandoned()
        throw this.stopAll(notConnected(last.failure))
      case 'processed-before':
      case 'check-target':
      case 'rate-limited':
        throw new Error(`a call of many cannot end with ${verdict.kind}`)
    }
  }

  #retryAfter(
    isRead: boolean,
    progress: Progress,
    watch: CallWatch,
    ticket: number,
    end: AttemptEnd,
    verdict: Extract<Verdict, { kind: 'retry' }>,
  ): CallEnd | number {
    const { patience } = this.#options
    const askedMs = end.kind === 'answer' ? end.retryAfterMs : undefined
    if (end.kind === 'answer' && end.status === 429) {
      pauseAll(this.#options, ticket, askedMs)
      progress.streak ??= patience.startStreak()
      return patience.over === undefined && progress.streak.isTooLong() ? { kind: 'slowed-down' } : 0
    }
    progress.streak = undefined
    if (verdict.inDoubt || (isRead && (end.kind === 'answer' || end.sent))) {
      progress.tries += 1
      this.#fail(verdict.inDoubt, progress, watch, ticket)
    }
    if (askedMs === undefined) return verdict.waitMs
    // Retry-After applies to all calls.
    pauseAll(this.#options, ticket, askedMs)
    return 0
  }

  #fail(isInDoubt: boolean, progress: Progress, watch: CallWatch, ticket: number): void {
    this.#options.limiter.reportFailure(ticket)
    if (!isInDoubt) return
    progress.isInDoubt = true
    watch.onDoubt?.()
  }
}

const isSuccess = ({ status }: HttpResponse): boolean => status >= 200 && status < 300
const isAborted = (last: AttemptResult): boolean =>
  last.kind === 'failure' && last.failure.reason === 'aborted'
