import { createExternalPayment, updateExternalPayment } from '../../api/operations/observability.ts'
import type { PreparedRow } from '../map/row.ts'
import type { Outcome, RowOutcome } from '../row-outcome.ts'
import { SLOWED_DOWN } from '../send/patience.ts'
import { refusalMessage, shortMessage } from '../send/row-message.ts'
import type { Send } from './run-rows.ts'
import { refusedForAll, serviceFailing } from '../send/run-errors.ts'
import { sendOne } from '../send/send-one.ts'
import type { CallEnd, OneCall, RunCallSettings } from '../send/send-one.ts'
import { readErrorBody } from '../../client/calls/api-error.ts'
import type { AttemptLog, AttemptResult } from '../../client/calls/attempt.ts'
import { buildRequest } from '../../client/calls/build.ts'
import type { RequestTarget } from '../../client/calls/build.ts'
import { PayError } from '../../errors.ts'
import type { HttpResponse } from '../../client/http/transport-port.ts'
import { textAt } from '../../json/fields.ts'
import { jsonOrUndefined, stringifyJson } from '../../json/json.ts'
import { CREATED_AT_KEPT } from '../row-outcome.ts'

/** The ways to treat a row whose record exists. */
export const ON_EXISTS = ['update', 'skip', 'fail'] as const
export type OnExists = (typeof ON_EXISTS)[number]

const EXISTS = createExternalPayment.doneOnResend.errorId
/** Without this difference or more, the service only writes the same time with fewer decimals. */
const OTHER_TIME_MS = 1000

/** The time that a record keeps, if the response to its update shows one that isn't the row's. */
function keptTime({ body }: PreparedRow, { body: response }: HttpResponse): string | undefined {
  const [wanted, kept] = [textAt(body, 'createdAt'), textAt(jsonOrUndefined(response), 'createdAt')]
  if (wanted === undefined || kept === undefined) return undefined
  // Without a zone, the service's times are UTC.
  const utc = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(kept) ? kept : `${kept}Z`
  return Math.abs(Date.parse(utc) - Date.parse(wanted)) >= OTHER_TIME_MS ? kept : undefined
}

/** How many consecutive rows with an unknown outcome stop the run: more would only add rows in doubt. */
const MAX_CONSECUTIVE_UNKNOWN = 100

export interface SenderOptions extends RunCallSettings {
  readonly target: RequestTarget
  readonly onExists: OnExists
  /** The column that a field comes from, if the input has columns. */
  readonly columnOf?: ((field: string) => string | undefined) | undefined
  /** Called with the status of a 2xx response whose body is not a record. */
  readonly onInvalidSuccess: (status: number) => void
}

/**
 * Creates the record of a row; if it exists, does what `onExists` says. Both requests are safe to repeat: the paymentId of
 * a record is unique. So a row in doubt is repeated before it is reported as unknown.
 */
export function createSender(options: SenderOptions): Send {
  const { patience, clean, onExists } = options
  const parts = { ...options.target, query: {} }
  const template = buildRequest(createExternalPayment, { ...parts, params: {}, body: '{}' })
  let consecutiveUnknown = 0

  return async function send(row, watch) {
    let [attempts, requests, inDoubt] = [0, 0, false]
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
    const sent = (call: Pick<OneCall, 'operation' | 'request'>): Promise<CallEnd> => {
      requests += 1
      const params = { paymentId: row.id }
      return sendOne(settings, { ...call, params }, { inDoubt, isHarmless: true, onDoubt })
    }
    const isMaybeDone = () => inDoubt || watch.maybeSent

    const request = { ...template, body: stringifyJson(row.body) }
    const end = await sent({ operation: createExternalPayment, request })
    const isThere = end.kind === 'refused' && readErrorBody(end.answer.body).errorId === EXISTS
    if (!isThere) return outcomeOf(end, 'created')
    if (onExists === 'update') {
      const update = updateOf(row)
      if (typeof update === 'string') return over('failed', EXISTS, update)
      const updated = await sent({ operation: updateExternalPayment, request: update })
      const kept = updated.kind === 'answer' ? keptTime(row, updated.answer) : undefined
      return kept === undefined
        ? outcomeOf(updated, 'updated')
        : over('updated', CREATED_AT_KEPT, `the record keeps its createdAt, ${kept}`)
    }
    // The record may be this import's or someone else's; nothing tells them apart.
    return isMaybeDone()
      ? over('unknown', EXISTS, 'the record exists; an earlier attempt may have created it')
      : over(onExists === 'skip' ? 'skipped' : 'failed', EXISTS, reasonOf(end.answer))

    function outcomeOf(ended: CallEnd, success: Outcome): RowOutcome {
      switch (ended.kind) {
        case 'answer':
          return over(success)
        case 'refused': {
          const refusal = readErrorBody(ended.answer.body)
          const stop = refusedForAll(ended.answer.status, refusal)
          if (stop !== undefined) throw patience.stop(stop)
          // The service refuses equal requests alike, but a refusal that can't be read may say that the record exists.
          const isUnclear = isMaybeDone() && refusal.errorId === undefined
          return over(isUnclear ? 'unknown' : 'failed', refusal.errorId, reasonOf(ended.answer))
        }
        case 'rate-limited':
          return over(isMaybeDone() ? 'unknown' : 'failed', undefined, SLOWED_DOWN)
        case 'lost':
          return unknown(ended.last)
      }
    }

    function unknown(last: AttemptResult): RowOutcome {
      consecutiveUnknown += 1
      if (consecutiveUnknown > MAX_CONSECUTIVE_UNKNOWN)
        throw patience.stop(serviceFailing(MAX_CONSECUTIVE_UNKNOWN))
      if (last.kind === 'failure') return over('unknown', undefined, last.failure.message)
      const { status, body } = last.answer
      return last.fault === undefined
        ? over('unknown', readErrorBody(body).errorId, reasonOf(last.answer))
        : over('unknown', undefined, `the response (${status}) ${last.fault}`)
    }

    function reasonOf({ status, body }: HttpResponse): string {
      return refusalMessage(status, readErrorBody(body), {
        body: row.body,
        columnOf: options.columnOf,
        clean,
      })
    }

    function over(outcome: Outcome, errorId?: string, message?: string): RowOutcome {
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

  /** The request, or why there is none: some paymentIds can't be part of a path. */
  function updateOf({ id, body }: PreparedRow) {
    // Neither can be changed.
    const { paymentId: _id, createdAt: _createdAt, ...changes } = body
    try {
      const params = { paymentId: id }
      return buildRequest(updateExternalPayment, { ...parts, params, body: stringifyJson(changes) })
    } catch (error) {
      if (!(error instanceof PayError)) throw error
      return `the record exists and cannot be updated: ${error.message}`
    }
  }

  function noteInvalidSuccess(ended: AttemptResult): void {
    if (ended.kind !== 'answer' || ended.fault === undefined) return
    const { status } = ended.answer
    if (status >= 200 && status < 300) options.onInvalidSuccess(status)
  }
}
