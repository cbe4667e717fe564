import { readErrorBody } from '../../client/calls/api-error.ts'
import type { AttemptResult } from '../../client/calls/attempt.ts'
import { buildRequest } from '../../client/calls/build.ts'
import type { RequestTarget } from '../../client/calls/build.ts'
import type { CallOperation } from '../../client/calls/call.ts'
import { refusalOf } from '../../client/calls/refusal.ts'
import { EXIT, PayError, UsageError } from '../../errors.ts'
import { isRecord } from '../../json/is-record.ts'
import type { HttpResponse } from '../../client/http/transport-port.ts'
import { SLOWED_DOWN } from './patience.ts'
import { refusalMessage, shortMessage } from './row-message.ts'
import { RowAbandoned, refusedForAll } from './run-errors.ts'
import { sendOne } from './send-one.ts'
import type { CallEnd, RunCallSettings } from './send-one.ts'

export interface BulkReaderOptions extends RunCallSettings {
  readonly target: RequestTarget
}

export interface BulkRead {
  readonly operation: CallOperation
  readonly params: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
}

export type ReadOutcome =
  /** The response. Numbers beyond 2^53 - 1 are not exact in `json`, and not safe integers. */
  | { readonly kind: 'answer'; readonly json: Readonly<Record<string, unknown>> }
  /** The service's statement that there is no such resource. */
  | { readonly kind: 'not-found'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string }

/**
 * Reads one resource of many.
 * @throws {RunStopped} if no other read can succeed; {@link RowAbandoned} after an interruption
 */
export type BulkReader = (read: BulkRead) => Promise<ReadOutcome>

/** How many consecutive failures show that the service is down for every read. */
const MAX_CONSECUTIVE_FAILURES = 100

export function createBulkReader(options: BulkReaderOptions): BulkReader {
  const { patience, interruption, clean, target } = options
  let consecutiveFailures = 0

  const failed = (message: string): ReadOutcome => {
    consecutiveFailures += 1
    if (consecutiveFailures >= MAX_CONSECUTIVE_FAILURES) throw patience.stop(serviceDown())
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
    return outcomeOf(await sendOne(options, { ...call, request }, { inDoubt: false }))
  }

  function outcomeOf(end: CallEnd): ReadOutcome {
    if (interruption.stop.aborted) throw new RowAbandoned()
    switch (end.kind) {
      case 'answer':
        return afterAnswer(end.answer)
      case 'refused':
        return afterRefusal(end.answer)
      case 'rate-limited':
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
    if (stopped !== undefined) throw patience.stop(stopped)
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

/** The request of a read, or why there is none: some IDs can't be part of a path. */
function requestOf(target: RequestTarget, { operation, params, query = {} }: BulkRead) {
  try {
    return buildRequest(operation, { ...target, params, query, body: undefined })
  } catch (error) {
    if (error instanceof UsageError) return error
    throw error
  }
}

/** Parses with the fast parser: many responses are read, and only for safe integers. */
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
