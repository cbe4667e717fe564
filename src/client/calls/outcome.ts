import { EXIT } from '../../errors.ts'
import type { HttpResponse } from '../http/transport-port.ts'
import { jsonOrUndefined } from '../../json/json.ts'
import { exitOfAnswer, warningOfAnswer } from './exit-code.ts'
import type { SendResult } from './attempts.ts'
import type { Answer, Call } from './call.ts'
import { readErrorBody } from './api-error.ts'
import { toCallError, gatewayTimeoutError, unusableResponseError } from './call-errors.ts'

/**
 * Turns the end of a call into its result.
 * @throws {PayError} if the call was refused, failed, or its outcome is unknown
 */
export function answerOrThrow(
  call: Call,
  ended: SendResult,
  operationId: string | undefined,
  idempotencyKey: string | undefined,
): Answer {
  const { operation } = call
  const ids = { operation: operation.id, operationId, idempotencyKey }
  if (ended.kind !== 'answer') throw toCallError(call, ended, ids)
  const { status, body: text } = ended.answer
  const json = jsonOrUndefined(text)
  const exitCode = exitOfAnswer(operation.id, status, call.body?.value, json)
  if (exitCode === EXIT.outcomeUnknown) throw gatewayTimeoutError(json, ids)
  // An HTML page instead of JSON comes from a proxy or another server. `pay api` accepts any response.
  if (json === undefined && operation.risk === 'read' && operation.id !== 'api')
    throw unusableResponseError(ended.answer, ids)
  return {
    status,
    text,
    json,
    requestId: ended.requestId,
    servedAt: dateIn(ended.answer),
    exitCode,
    unfinished: exitCode === EXIT.notFinished ? unfinishedReasonIn(ended) : undefined,
    operationId,
    idempotencyKey,
    note: ended.note,
    warning: ended.warning ?? warningOfAnswer(operation.id, call.body?.value, json),
  }
}

function dateIn({ headers }: HttpResponse): Date | undefined {
  const ms = Date.parse(headers['date'] ?? '')
  return Number.isNaN(ms) ? undefined : new Date(ms)
}

function unfinishedReasonIn({
  answer,
  requestId,
}: Extract<SendResult, { kind: 'answer' }>): Answer['unfinished'] {
  const { errorId, description, diagnosticsId } = readErrorBody(answer.body)
  return { errorId, description, diagnosticsId: diagnosticsId ?? requestId }
}
