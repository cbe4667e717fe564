import { AlreadyDoneError, EXIT, PayError } from '../../errors.ts'
import type { HttpResponse } from '../http/transport-port.ts'
import { jsonOrUndefined } from '../../json/json.ts'
import { exitOfAnswer, warningOfAnswer } from './exit-code.ts'
import type { SendResult } from './attempts.ts'
import type { Answer, Call } from './call.ts'
import { KEY_USED, readErrorBody } from './api-error.ts'
import type { ErrorBody } from './api-error.ts'
import { wasSent } from './attempt.ts'
import type { AttemptResult } from './attempt.ts'
import { isIncomplete } from './check-answer.ts'
import { refusalOf } from './refusal.ts'
import { isGatewayStatus } from './retry.ts'
import { waitInWords } from './retry-after.ts'
import { shellWord } from '../../files/shell.ts'

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

/** What identifies the call in each of its errors. */
interface Ids {
  readonly operation: string
  readonly operationId: string | undefined
  readonly idempotencyKey: string | undefined
}

/** The error of a call that failed. Its `outcome` says whether the write may have been done. */
function toCallError(call: Call, ended: Exclude<SendResult, { kind: 'answer' }>, ids: Ids): Error {
  switch (ended.kind) {
    case 'refused':
    case 'rate-limited': {
      const body = readErrorBody(ended.answer.body)
      const refusal = refusalOf(ended.answer.status, body.errorId, call.params['id'] !== undefined)
      const details = {
        ...ids,
        httpStatus: ended.answer.status,
        errorId: body.errorId,
        description: body.description,
        diagnosticsId: body.diagnosticsId ?? ended.requestId,
        paymentId: body.paymentId,
        paymentStatus: body.paymentStatus,
        validationErrors: body.validationErrors,
        hint: body.recoverySuggestion,
        outcome: 'none',
        retryable: ended.kind === 'rate-limited',
        retryAfter: ended.answer.headers['retry-after'],
      } as const
      // The key is derived from the ticket and this was its first use here, so the ticket was used elsewhere.
      if (call.ticket !== undefined && body.errorId !== undefined && KEY_USED.includes(body.errorId))
        return new AlreadyDoneError(TICKET_USED, {
          ...details,
          paymentId: body.paymentId ?? call.params['id'],
        })
      return new PayError(
        refusal.code,
        refusal.exitCode,
        `${refusal.message}${describeNamedPayment(body)}${ended.kind === 'rate-limited' ? describeWait(ended.answer) : ''}`,
        details,
      )
    }
    case 'server-fault': {
      const message = describeFault(ended.last)
      const details = { ...ids, ...responseDetails(ended.last), outcome: 'none', retryable: true } as const
      return isWrongAnswer(call, ended.last)
        ? new PayError('wrong_answer', EXIT.serverFault, message, details)
        : new PayError('server_error', EXIT.serverFault, message, details)
    }
    case 'not-connected': {
      const own = localErrorOf(ended.last)
      // A local service that could not start has its own, more specific error.
      if (own !== undefined) return own
      return new PayError(
        'not_connected',
        EXIT.notConnected,
        `Nothing was ${ended.isSent ? 'done' : 'sent'}: ${describeReason(ended.last)}`,
        {
          ...ids,
          outcome: 'none',
          retryable: true,
          cause: ended.last.kind === 'failure' ? ended.last.failure : undefined,
        },
      )
    }
    case 'unknown':
      return unknownOutcome(ended.last, ids, whyUnknown(ended.last))
    case 'lapsed':
      return new PayError(
        'lease_lapsed',
        EXIT.conflict,
        'Nothing was sent: this process has lost its claim on the write, since it stood still for too long or the ledger did not answer',
        {
          ...ids,
          outcome: 'none',
          // The process that took it over may have sent it.
          retryable: false,
          hint: 'Another process may have taken the write over and done it: look at its record before you try again.',
          next: ids.operationId === undefined ? [] : [`pay ops show ${shellWord(ids.operationId)}`],
        },
      )
    case 'interrupted':
      return ended.error
  }
}

/** The service responded, but its processor did not respond to the service. The processor may still have done it. */
const gatewayTimeoutError = (payment: unknown, ids: Ids): PayError =>
  unknownOutcome(
    undefined,
    ids,
    `the request was sent, and the processor never responded to the service (GATEWAY_TIMEOUT)${describePayment(payment)}`,
  )

/** The response to a read is not JSON. */
const unusableResponseError = ({ status, body }: HttpResponse, ids: Ids): PayError =>
  new PayError(
    'unusable_answer',
    EXIT.serverFault,
    `The response ${body.trim() === '' ? 'is empty' : 'is not JSON'}`,
    {
      ...ids,
      httpStatus: status,
      description: readErrorBody(body).description,
      outcome: 'none',
      retryable: true,
    },
  )

/** The payment that the service names as the reason for its refusal. */
function describeNamedPayment({ paymentId, paymentStatus }: ErrorBody): string {
  if (paymentId === undefined) return ''
  return `: payment ${paymentId}${paymentStatus === undefined ? '' : ` is ${paymentStatus}`}`
}

/** How long the service asks to wait. */
function describeWait({ headers }: HttpResponse): string {
  const header = headers['retry-after']
  const seconds = /^\s*\d{1,12}\s*$/.test(header ?? '') ? Number(header) : undefined
  const at = seconds === undefined ? Date.parse(header ?? '') : Number.NaN
  if (!Number.isNaN(at)) return ` and to wait until ${new Date(at).toISOString()}`
  return seconds === undefined || seconds === 0 ? '' : ` and to wait ${waitInWords(seconds * 1000)}`
}

const TICKET_USED =
  'Already done for this ticket: the service processed it earlier, and this call did nothing'

const localErrorOf = (last: AttemptResult): PayError | undefined =>
  last.kind === 'failure' && last.failure.cause instanceof PayError ? last.failure.cause : undefined

/** The payment's ID, so that the user can look it up: the payment itself is not printed. */
function describePayment(payment: unknown): string {
  if (typeof payment !== 'object' || payment === null || !('id' in payment)) return ''
  return typeof payment.id === 'string' ? `: payment ${payment.id}` : ''
}

/** Why the outcome is unknown. Where the last attempt was not sent, an earlier one may have been, by another process too. */
function whyUnknown(last: AttemptResult | undefined): string {
  if (last === undefined) return 'an earlier attempt may have been done, and nothing was sent now'
  return wasSent(last)
    ? `the request was sent, and ${describeReason(last)}`
    : `an earlier attempt may have been done, and the last one was not sent: ${describeReason(last)}`
}

function unknownOutcome(last: AttemptResult | undefined, ids: Ids, why: string): PayError {
  return new PayError('outcome_unknown', EXIT.outcomeUnknown, `Outcome unknown: ${why}`, {
    ...ids,
    ...(last === undefined ? {} : responseDetails(last)),
    outcome: 'unknown',
    retryable: false,
  })
}

function responseDetails(last: AttemptResult) {
  if (last.kind === 'failure') return { cause: last.failure }
  const body = readErrorBody(last.answer.body)
  // JSON that is not an error may be someone else's payment.
  const isForeign =
    last.fault !== undefined && body.errorId === undefined && /^\s*[[{"]/.test(last.answer.body)
  return {
    httpStatus: last.answer.status,
    errorId: body.errorId,
    description: isForeign ? undefined : body.description,
    diagnosticsId: body.diagnosticsId ?? last.requestId,
    retryAfter: last.answer.headers['retry-after'],
  }
}

/** A whole response to a read that is not about the resource in its path. */
const isWrongAnswer = ({ operation }: Call, last: AttemptResult): boolean =>
  operation.risk === 'read' && last.kind === 'answer' && last.fault !== undefined && !isIncomplete(last.fault)

function describeFault(last: AttemptResult): string {
  if (last.kind === 'failure') return `The service gave no usable response: ${last.failure.message}`
  if (last.fault !== undefined) return `The service gave no usable response: the response ${last.fault}`
  const { status } = last.answer
  return isGatewayStatus(status)
    ? `The service gave no usable response: ${status} came back, which a gateway may have sent in its place`
    : `The service failed (${status})`
}

function describeReason(last: AttemptResult): string {
  if (last.kind === 'failure') return last.failure.message
  const { status } = last.answer
  if (last.fault !== undefined) return `the response (${status}) ${last.fault}`
  return isGatewayStatus(status)
    ? `${status} came back, which doesn't say whether the service did it: a gateway may send it after passing the request on`
    : `the service responded with ${status}`
}
