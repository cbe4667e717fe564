import { readErrorBody } from '../../calls/api-error.ts'
import type { ErrorBody } from '../../calls/api-error.ts'
import { attemptOnce, toAttemptEnd } from '../../calls/attempt.ts'
import type { AttemptResult } from '../../calls/attempt.ts'
import { decide } from '../../calls/retry.ts'
import type { AttemptEnd, Verdict } from '../../calls/retry.ts'
import type { PayError } from '../../errors.ts'
import type { HttpResponse } from '../../http/transport-port.ts'
import type { PreparedRow } from '../map/row.ts'
import type { RowOutcome } from '../row-outcome.ts'
import { MAX_CONNECTION_TRIES, attemptSettings } from './call-settings.ts'
import type { BulkCallSettings } from './call-settings.ts'
import { SLOWED_DOWN } from './patience.ts'
import type { Streak } from './patience.ts'
import { pauseAll } from './pause.ts'
import { refusalMessage, shortMessage } from './row-message.ts'
import type { RowOperation } from './row-operation.ts'
import { RowAbandoned, RunStopped, notConnected, refusedForAll, serviceFailing } from './run-errors.ts'

/** After this many consecutive rows with an unknown outcome, stop: more would only add rows in doubt. */
const MAX_CONSECUTIVE_UNKNOWN = 100

/** How the sender reports on a row to the run. */
export interface RowWatch {
  /** Whether an earlier run may have sent the row without getting a response. */
  readonly maybeSent: boolean
  /** Called right before the first attempt. */
  readonly onStart: () => void
  /** Called when an attempt may have been applied without a response. */
  readonly onDoubt: () => void
}

/**
 * Sends a row until it has an outcome.
 * @throws {RowAbandoned} if the run was stopped first; {@link RunStopped} if no row can be sent
 */
export type Send = (row: PreparedRow, watch: RowWatch) => Promise<RowOutcome>

export interface SenderOptions extends BulkCallSettings {
  readonly operation: RowOperation
  /** Once aborted, no new rows are sent; rows in flight are awaited, and rows in doubt repeated. */
  readonly halt: AbortSignal
  /** Once aborted, requests in flight are not awaited either. */
  readonly abandon: AbortSignal
  /** The column that a field comes from, if the input has columns. */
  readonly columnOf?: ((field: string) => string | undefined) | undefined
  /** A 2xx response whose body is not what the operation returns. */
  readonly onInvalidSuccess: (status: number) => void
}

/** What follows an attempt. */
type Next =
  | { readonly kind: 'ended'; readonly outcome: RowOutcome }
  | { readonly kind: 'retry'; readonly waitMs: number }

const RETRY_NOW: Next = { kind: 'retry', waitMs: 0 }
const NEVER_ABORTED = new AbortController().signal

/**
 * Sends rows with the retry policy of single calls, the shared limiter and the conditions that stop the whole run. Repeats a
 * row in doubt before reporting it as unknown.
 */
export function createSender(options: SenderOptions): Send {
  const { limiter, patience, halt, abandon, maxRetries, clean } = options
  const sending = attemptSettings(options)
  const untilHalted = { ...sending, interruption: { stop: halt, abandon } }
  // A row in doubt is repeated even after the first signal, because its outcome matters.
  const untilAbandoned = { ...sending, interruption: { stop: NEVER_ABORTED, abandon } }
  let consecutiveUnknown = 0
  let isStopped = false

  const stopAll = (error: PayError): RunStopped => {
    // Set before the limiter admits another row.
    isStopped = true
    return new RunStopped(error)
  }

  /** Makes every row wait. */
  const pause = (ticket: number, askedMs: number | undefined): Next => {
    pauseAll(options, ticket, askedMs)
    return RETRY_NOW
  }

  return async function send(row, watch) {
    let current = options.operation.requestFor(row)
    /** Whether an attempt of this run is in doubt: then a halt doesn't stop the row. */
    let isInDoubt = false
    let [requests, attempts, tries, unconnected] = [1, 0, 0, 0]
    let streak: Streak | undefined
    const isWanted = () =>
      patience.over === undefined && !isStopped && !abandon.aborted && (isInDoubt || !halt.aborted)
    for (;;) {
      const ticket = await limiter.acquire(isWanted)
      if (ticket === undefined)
        throw patience.over === undefined ? new RowAbandoned() : new RunStopped(patience.over)
      let next: Next
      try {
        if (attempts === 0) watch.onStart()
        const until = isInDoubt ? untilAbandoned : untilHalted
        next = after(ticket, await attemptOnce(until, current, current.request, attempts))
      } finally {
        limiter.release()
      }
      if (next.kind === 'ended') return next.outcome
      if (next.waitMs > 0) await options.sleep(next.waitMs)
    }

    function after(ticket: number, last: AttemptResult): Next {
      attempts += 1
      const end = toAttemptEnd(last, current.operation, options.now())
      const isUnsent = end.kind === 'failure' && !end.sent
      if (last.kind === 'answer') unconnected = 0
      else if (isUnsent) unconnected += 1
      const verdict = decide({
        replay: current.operation.replay,
        risk: current.operation.risk,
        attempt: isUnsent ? unconnected : tries,
        maxRetries: isUnsent ? MAX_CONNECTION_TRIES : maxRetries,
        outlasts429: true,
        // Requests are safe to repeat, so the response to a repeat also counts for the attempts before it.
        inDoubt: false,
        end,
        random: options.random(),
      })
      if (end.kind === 'failure') reportInvalidSuccess(last)
      switch (verdict.kind) {
        case 'accept':
          limiter.reportSuccess()
          return ended(current.outcome)
        case 'refused':
          if (last.kind !== 'answer') throw new Error('refused without a response')
          limiter.reportSuccess()
          return afterRefusal(last.answer)
        case 'retry':
          return retryAfter(ticket, end, verdict)
        case 'unknown':
          doubt(ticket)
          if (isAborted(last)) throw new RowAbandoned()
          return unknown(last)
        case 'not-connected':
          if (last.kind !== 'failure') throw new Error('not connected despite a response')
          if (isAborted(last)) throw new RowAbandoned()
          throw stopAll(notConnected(last.failure))
        case 'processed-before':
        case 'check-target':
        case 'rate-limited':
        case 'server-fault':
          throw new Error(`a row cannot end with ${verdict.kind}`)
      }
    }

    function retryAfter(ticket: number, end: AttemptEnd, verdict: Extract<Verdict, { kind: 'retry' }>): Next {
      const askedMs = end.kind === 'answer' ? end.retryAfterMs : undefined
      if (end.kind === 'answer' && end.status === 429) {
        const next = pause(ticket, askedMs)
        streak ??= patience.startStreak()
        if (patience.over !== undefined || !streak.isTooLong()) return next
        return ended(isInDoubt || watch.maybeSent ? 'unknown' : 'failed', undefined, SLOWED_DOWN)
      }
      streak = undefined
      if (verdict.inDoubt) {
        doubt(ticket)
        tries += 1
      }
      // Retry-After applies to all rows.
      return askedMs === undefined ? { kind: 'retry', waitMs: verdict.waitMs } : pause(ticket, askedMs)
    }

    function afterRefusal({ status, body }: HttpResponse): Next {
      const refusal = readErrorBody(body)
      const { errorId } = refusal
      const next = options.operation.afterRefusal({
        row,
        operation: current.operation,
        errorId,
        maybeDone: isInDoubt || watch.maybeSent,
      })
      if (next === undefined) {
        const stop = refusedForAll(status, refusal)
        if (stop !== undefined) throw stopAll(stop)
        return ended('failed', errorId, reasonOf(status, refusal))
      }
      if (!('request' in next)) return ended(next.outcome, errorId, next.message ?? reasonOf(status, refusal))
      current = next
      requests += 1
      streak = undefined
      return RETRY_NOW
    }

    function unknown(last: AttemptResult): Next {
      consecutiveUnknown += 1
      if (consecutiveUnknown > MAX_CONSECUTIVE_UNKNOWN) throw stopAll(serviceFailing(MAX_CONSECUTIVE_UNKNOWN))
      if (last.kind === 'failure') return ended('unknown', undefined, last.failure.message)
      const { status, body } = last.answer
      if (last.fault !== undefined)
        return ended('unknown', undefined, `the response (${status}) ${last.fault}`)
      const refusal = readErrorBody(body)
      return ended('unknown', refusal.errorId, reasonOf(status, refusal))
    }

    function reasonOf(status: number, refusal: ErrorBody): string {
      return refusalMessage(status, refusal, { body: row.body, columnOf: options.columnOf, clean })
    }

    function doubt(ticket: number): void {
      isInDoubt = true
      watch.onDoubt()
      limiter.reportFailure(ticket)
    }

    function ended(outcome: string, errorId?: string, message?: string): Next {
      if (outcome !== 'unknown') consecutiveUnknown = 0
      patience.noteEnded()
      return {
        kind: 'ended',
        outcome: {
          outcome,
          errorId: errorId === undefined ? undefined : clean(errorId),
          message: shortMessage(message, clean),
          retries: attempts - requests,
        },
      }
    }
  }

  function reportInvalidSuccess(last: AttemptResult): void {
    if (last.kind !== 'answer') return
    const { status } = last.answer
    if (status >= 200 && status < 300) options.onInvalidSuccess(status)
  }
}

const isAborted = (last: AttemptResult): boolean =>
  last.kind === 'failure' && last.failure.reason === 'aborted'
