import { readErrorBody } from '../../calls/api-error.ts'
import type { ErrorBody } from '../../calls/api-error.ts'
import type { AttemptResult } from '../../calls/attempt.ts'
import type { HttpResponse } from '../../http/transport-port.ts'
import type { PreparedRow } from '../map/row.ts'
import type { RowOutcome } from '../row-outcome.ts'
import { BulkCaller, Progress } from './bulk-call.ts'
import type { BulkCallerOptions, CallEnd, CallWatch } from './bulk-call.ts'
import { SLOWED_DOWN } from './patience.ts'
import { refusalMessage, shortMessage } from './row-message.ts'
import type { RowOperation, RowRequest } from './row-operation.ts'
import { refusedForAll, serviceFailing } from './run-errors.ts'

/** After this many consecutive rows with an unknown outcome, stop: more would only add rows in doubt. */
const MAX_CONSECUTIVE_UNKNOWN = 100

/** How the sender reports on a row to the run. */
export interface RowWatch extends Required<Pick<CallWatch, 'onStart' | 'onDoubt'>> {
  /** Whether an earlier run may have sent the row without getting a response. */
  readonly maybeSent: boolean
}

/**
 * Sends a row until it has an outcome.
 * @throws {RowAbandoned} if the run was stopped first; {@link RunStopped} if no row can be sent
 */
export type Send = (row: PreparedRow, watch: RowWatch) => Promise<RowOutcome>

export interface SenderOptions extends BulkCallerOptions, Pick<CallWatch, 'onInvalidSuccess'> {
  readonly operation: RowOperation
  /** The column that a field comes from, if the input has columns. */
  readonly columnOf?: ((field: string) => string | undefined) | undefined
}

/** Sends rows, and repeats a row in doubt before reporting it as unknown. */
export function createSender(options: SenderOptions): Send {
  const { patience, clean, onInvalidSuccess } = options
  const caller = new BulkCaller(options)
  let consecutiveUnknown = 0

  return async function send(row, watch) {
    const progress = new Progress()
    let current = options.operation.requestFor(row)
    let requests = 1
    for (;;) {
      const callWatch = { onStart: () => watch.onStart(), onDoubt: () => watch.onDoubt(), onInvalidSuccess }
      const next: RowOutcome | RowRequest = await caller.send(current, progress, callWatch, after)
      if (!('request' in next)) return next
      current = next
      requests += 1
      progress.streak = undefined
    }

    function after(end: CallEnd): RowOutcome | RowRequest {
      switch (end.kind) {
        case 'accepted':
          return ended(current.outcome)
        case 'refused':
          return afterRefusal(end.answer)
        case 'lost':
          return unknown(end.last)
        case 'slowed-down':
          return ended(progress.isInDoubt || watch.maybeSent ? 'unknown' : 'failed', undefined, SLOWED_DOWN)
      }
    }

    function afterRefusal({ status, body }: HttpResponse): RowOutcome | RowRequest {
      const refusal = readErrorBody(body)
      const { errorId } = refusal
      const next = options.operation.afterRefusal({
        row,
        operation: current.operation,
        errorId,
        maybeDone: progress.isInDoubt || watch.maybeSent,
      })
      if (next === undefined) {
        const stop = refusedForAll(status, refusal)
        if (stop !== undefined) throw caller.stopAll(stop)
        return ended('failed', errorId, reasonOf(status, refusal))
      }
      return 'request' in next
        ? next
        : ended(next.outcome, errorId, next.message ?? reasonOf(status, refusal))
    }

    function unknown(last: AttemptResult): RowOutcome {
      consecutiveUnknown += 1
      if (consecutiveUnknown > MAX_CONSECUTIVE_UNKNOWN)
        throw caller.stopAll(serviceFailing(MAX_CONSECUTIVE_UNKNOWN))
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

    function ended(outcome: string, errorId?: string, message?: string): RowOutcome {
      if (outcome !== 'unknown') consecutiveUnknown = 0
      patience.noteEnded()
      return {
        outcome,
        errorId: errorId === undefined ? undefined : clean(errorId),
        message: shortMessage(message, clean),
        retries: progress.attempts - requests,
      }
    }
  }
}
