import { readErrorBody } from '../../calls/api-error.ts'
import type { AttemptResult } from '../../calls/attempt.ts'
import { buildRequest } from '../../calls/build.ts'
import type { RequestTarget } from '../../calls/build.ts'
import type { CallOperation } from '../../calls/call.ts'
import { refusalOf } from '../../calls/refusal.ts'
import { EXIT, PayError, UsageError } from '../../errors.ts'
import { isRecord } from '../../is-record.ts'
import type { HttpResponse } from '../../http/transport-port.ts'
import { BulkCaller, Progress } from './bulk-call.ts'
import type { BulkCallSettings, CallEnd } from './bulk-call.ts'
import { SLOWED_DOWN } from './patience.ts'
import { refusalMessage, shortMessage } from './row-message.ts'
import { RowAbandoned, refusedForAll } from './run-errors.ts'

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

/** Reads with the retry policy of single calls and a shared limiter. */
export function createBulkReader(options: BulkReaderOptions): BulkReader {
  const { patience, stop, clean, target } = options
  const caller = new BulkCaller({ ...options, halt: stop, abandon: stop })
  let consecutiveFailures = 0

  const failed = (message: string): ReadOutcome => {
    consecutiveFailures += 1
    if (consecutiveFailures >= MAX_CONSECUTIVE_FAILURES) throw caller.stopAll(serviceDown())
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
    return caller.send({ ...call, request }, new Progress(), {}, outcomeOf)
  }

  function outcomeOf(end: CallEnd): ReadOutcome {
    if (stop.aborted) throw new RowAbandoned()
    switch (end.kind) {
      case 'accepted':
        return afterAnswer(end.answer)
      case 'refused':
        return afterRefusal(end.answer)
      case 'slowed-down':
        return failed(SLOWED_DOWN)
      case 'lost':
        return failed(faultOf(end.last))
    }
  }

  function afterAnswer({ body }: HttpResponse): ReadOutcome {
    const json = jsonIn(body)
    if (!isRecord(json)) return failed('the response is not a JSON object')
    consecutiveFailures = 0
    return { kind: 'answer', json }
  }

  function afterRefusal({ status, body }: HttpResponse): ReadOutcome {
    consecutiveFailures = 0
    const refusal = readErrorBody(body)
    const stopped = refusedForAll(status, refusal)
    if (stopped !== undefined) throw caller.stopAll(stopped)
    const message = refusalMessage(status, refusal)
    const { code } = refusalOf(status, refusal.errorId, true)
    if (code === 'payment_not_found' || code === 'not_found')
      return { kind: 'not-found', message: shortMessage(message, clean) ?? '' }
    return failed(message)
  }
}

/** Why there is no usable response. */
function faultOf(last: AttemptResult): string {
  if (last.kind === 'failure') return last.failure.message
  if (last.fault !== undefined) return `the response ${last.fault}`
  const { status, body } = last.answer
  return refusalMessage(status, readErrorBody(body))
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
