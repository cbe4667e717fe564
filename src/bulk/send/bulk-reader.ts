import { readErrorBody } from '../../calls/api-error.ts'
import { attemptOnce, toAttemptEnd } from '../../calls/attempt.ts'
import { buildRequest } from '../../calls/build.ts'
import type { RequestTarget } from '../../calls/build.ts'
import type { CallOperation } from '../../calls/call.ts'
import { refusalOf } from '../../calls/refusal.ts'
import { decide } from '../../calls/retry.ts'
import { EXIT, PayError, UsageError } from '../../errors.ts'
import { isRecord } from '../../is-record.ts'
import { MAX_CONNECTION_TRIES, attemptSettings } from './call-settings.ts'
import type { BulkCallSettings } from './call-settings.ts'
import { SLOWED_DOWN } from './patience.ts'
import { pauseAll } from './pause.ts'
import { refusalMessage, shortMessage } from './row-message.ts'
import { RowAbandoned, RunStopped, notConnected, refusedForAll } from './run-errors.ts'

export interface BulkReaderOptions extends BulkCallSettings {
  readonly target: RequestTarget
  /** Once aborted, nothing more is read. */
  readonly stop: AbortSignal
}

export interface BulkRead {
  readonly operation: CallOperation
  readonly params: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
}

export type ReadOutcome =
  /** Numbers beyond 2^53 - 1 are not exact in `json`, and not safe integers. */
  | { readonly kind: 'answer'; readonly json: Readonly<Record<string, unknown>> }
  /** The service says that there is none. */
  | { readonly kind: 'not-found'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string }

/**
 * Reads one resource of many.
 * @throws {RunStopped} if no other read can succeed; {@link RowAbandoned} after `stop`
 */
export type BulkReader = (read: BulkRead) => Promise<ReadOutcome>

/** After this many consecutive failures, the service is down for every read. */
const MAX_CONSECUTIVE_FAILURES = 100

/** Reads with the retry policy of single calls and a shared limiter. A 429 makes every read wait, and uses up no retry. */
export function createBulkReader(options: BulkReaderOptions): BulkReader {
  const { limiter, patience, stop, clean, target } = options
  const sending = { ...attemptSettings(options), interruption: { stop, abandon: stop } }
  let consecutiveFailures = 0
  let isStopped = false

  const stopAll = (error: PayError): RunStopped => {
    isStopped = true
    return new RunStopped(error)
  }
  const failed = (message: string): ReadOutcome => {
    consecutiveFailures += 1
    if (consecutiveFailures >= MAX_CONSECUTIVE_FAILURES) throw stopAll(serviceDown())
    return { kind: 'failed', message: shortMessage(message, clean) ?? '' }
  }

  return async (call) => {
    const outcome = await read(call)
    patience.noteEnded()
    return outcome
  }

  async function read(call: BulkRead): Promise<ReadOutcome> {
    const request = requestOf(target, call)
    if (request instanceof UsageError) return { kind: 'failed', message: clean(request.message) }
    let [attempts, tries, unconnected] = [0, 0, 0]
    const isWanted = () => patience.over === undefined && !isStopped && !stop.aborted
    let streak = patience.startStreak()
    for (;;) {
      const ticket = await limiter.acquire(isWanted)
      if (ticket === undefined)
        throw patience.over === undefined ? new RowAbandoned() : new RunStopped(patience.over)
      const last = await attemptOnce(sending, call, request, attempts).finally(() => limiter.release())
      if (stop.aborted) throw new RowAbandoned()
      attempts += 1
      const end = toAttemptEnd(last, call.operation, options.now())
      const isUnsent = end.kind === 'failure' && !end.sent
      unconnected = isUnsent ? unconnected + 1 : 0
      const verdict = decide({
        replay: call.operation.replay,
        risk: 'read',
        attempt: isUnsent ? unconnected : tries,
        maxRetries: isUnsent ? MAX_CONNECTION_TRIES : options.maxRetries,
        outlasts429: true,
        inDoubt: false,
        end,
        random: options.random(),
      })
      if (verdict.kind === 'retry') {
        const askedMs = end.kind === 'answer' ? end.retryAfterMs : undefined
        const isLimited = end.kind === 'answer' && end.status === 429
        if (!isLimited && !isUnsent) {
          tries += 1
          limiter.reportFailure(ticket)
        }
        // Retry-After applies to all reads.
        if (isLimited || askedMs !== undefined) pauseAll(options, ticket, askedMs)
        else await options.sleep(verdict.waitMs)
        if (!isLimited) streak = patience.startStreak()
        else if (patience.over === undefined && streak.isTooLong()) return failed(SLOWED_DOWN)
        continue
      }
      if (verdict.kind === 'not-connected') {
        if (last.kind !== 'failure') throw new Error('not connected despite a response')
        throw stopAll(notConnected(last.failure))
      }
      limiter.reportSuccess()
      if (last.kind === 'failure') return failed(last.failure.message)
      if (last.fault !== undefined) return failed(`the response ${last.fault}`)
      const { status, body } = last.answer
      if (verdict.kind === 'accept') {
        const json = jsonIn(body)
        if (!isRecord(json)) return failed('the response is not a JSON object')
        consecutiveFailures = 0
        return { kind: 'answer', json }
      }
      const refusal = readErrorBody(body)
      const message = refusalMessage(status, refusal)
      if (status >= 500) return failed(message)
      consecutiveFailures = 0
      const stopped = refusedForAll(status, refusal)
      if (stopped !== undefined) throw stopAll(stopped)
      const { code } = refusalOf(status, refusal.errorId, true)
      if (code === 'payment_not_found' || code === 'not_found')
        return { kind: 'not-found', message: shortMessage(message, clean) ?? '' }
      return failed(message)
    }
  }
}

/** Some IDs can't be part of a path. */
function requestOf(target: RequestTarget, { operation, params, query = {} }: BulkRead) {
  try {
    return buildRequest(operation, { ...target, params, query, body: undefined })
  } catch (error) {
    if (error instanceof UsageError) return error
    throw error
  }
}

/** The fast parser: many responses are read, and only for safe integers. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const serviceDown = (): PayError =>
  new PayError(
    'service_failing',
    EXIT.serverFault,
    `The service is failing: ${MAX_CONSECUTIVE_FAILURES} reads in a row got no usable response`,
    { outcome: 'none', retryable: true, hint: 'Run the same command once the service works again.' },
  )
