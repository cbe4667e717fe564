import { readErrorBody } from '../../calls/api-error.ts'
import type { ErrorBody } from '../../calls/api-error.ts'
import type { AttemptLog, AttemptResult } from '../../calls/attempt.ts'
import type { HttpResponse } from '../../http/transport-port.ts'
import type { PreparedRow } from '../map/row.ts'
import type { RowOutcome } from '../row-outcome.ts'
import { SLOWED_DOWN } from './patience.ts'
import { refusalMessage, shortMessage } from './row-message.ts'
import type { RowOperation, RowRequest } from './row-operation.ts'
import { refusedForAll, serviceFailing } from './run-errors.ts'
import { sendOne } from './send-one.ts'
import type { CallEnd, RunCallSettings } from './send-one.ts'

/** After this many consecutive rows with an unknown outcome, stop: more would only add rows in doubt. */
const MAX_CONSECUTIVE_UNKNOWN = 100

/** What the sender and the run tell each other about a row. */
export interface RowWatch {
  /** Whether an earlier run may have sent the row without getting a response. */
  readonly maybeSent: boolean
  /** Called when an attempt may have been done without a response. */
  readonly onDoubt: () => void
}

/**
 * Sends a row until it has an outcome.
 * @throws {RowAbandoned} if the run was stopped first; {@link RunStopped} if no row can be sent
 */
export type Send = (row: PreparedRow, watch: RowWatch) => Promise<RowOutcome>

export interface SenderOptions extends RunCallSettings {
  readonly operation: RowOperation
  /** The column that a field comes from, if the input has columns. */
  readonly columnOf?: ((field: string) => string | undefined) | undefined
  /** A 2xx response whose body is not what the operation returns. */
  readonly onInvalidSuccess: (status: number) => void
}

/** Sends rows, and repeats a row in doubt before reporting it as unknown. */
export function createSender(options: SenderOptions): Send {
  const { patience, clean } = options
  let consecutiveUnknown = 0

  return async function send(row, watch) {
    let [attempts, requests, inDoubt] = [0, 1, false]
    const settings = {
      ...options,
      onAttempt: (log: AttemptLog) => {
        attempts += 1
        noteInvalidSuccess(log.ended)
        options.onAttempt({ ...log, attempt: attempts })
      },
    }
    const onDoubt = () => {
      inDoubt = true
      watch.onDoubt()
    }
    let current = options.operation.requestFor(row)
    for (;;) {
      const next = after(await sendOne(settings, current, { inDoubt, isHarmless: true, onDoubt }))
      if (!('request' in next)) return next
      current = next
      requests += 1
    }

    function after(end: CallEnd): RowOutcome | RowRequest {
      switch (end.kind) {
        case 'answer':
          return ended(current.outcome)
        case 'refused':
          return afterRefusal(end.answer)
        case 'rate-limited':
          return ended(inDoubt || watch.maybeSent ? 'unknown' : 'failed', undefined, SLOWED_DOWN)
        case 'lost':
          return unknown(end.last)
      }
    }

    function afterRefusal({ status, body }: HttpResponse): RowOutcome | RowRequest {
      const refusal = readErrorBody(body)
      const { errorId } = refusal
      const next = options.operation.afterRefusal({
        row,
        operation: current.operation,
        errorId,
        maybeDone: inDoubt || watch.maybeSent,
      })
      if (next === undefined) {
        const stop = refusedForAll(status, refusal)
        if (stop !== undefined) throw patience.stop(stop)
        return ended('failed', errorId, reasonOf(status, refusal))
      }
      return 'request' in next
        ? next
        : ended(next.outcome, errorId, next.message ?? reasonOf(status, refusal))
    }

    function unknown(last: AttemptResult): RowOutcome {
      consecutiveUnknown += 1
      if (consecutiveUnknown > MAX_CONSECUTIVE_UNKNOWN)
        throw patience.stop(serviceFailing(MAX_CONSECUTIVE_UNKNOWN))
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
        retries: attempts - requests,
      }
    }
  }

  function noteInvalidSuccess(ended: AttemptResult): void {
    if (ended.kind !== 'answer' || ended.fault === undefined) return
    const { status } = ended.answer
    if (status >= 200 && status < 300) options.onInvalidSuccess(status)
  }
}
