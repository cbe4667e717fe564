import { AlreadyDoneError, EXIT, PayError } from '../errors.ts'
import type { InterruptedError } from '../errors.ts'
import { parseJson } from '../json/json.ts'
import type { Attempted } from './attempt.ts'
import type { Answer, Call } from './call.ts'
import { exitOfAnswer, warningOfAnswer } from './effect.ts'
import { readErrorBody } from './envelope.ts'
import { KEY_USED, refusalOf } from './refusal.ts'
import type { WireAnswer } from './transport-port.ts'

/** How all attempts of one intent ended. */
export type Ended =
  | {
      readonly kind: 'answer'
      readonly answer: WireAnswer
      readonly requestId: string | undefined
      readonly note?: string
      readonly warning?: string
    }
  | { readonly kind: 'refused'; readonly answer: WireAnswer; readonly requestId: string | undefined }
  | { readonly kind: 'rate-limited'; readonly answer: WireAnswer; readonly requestId: string | undefined }
  /** The service failed, and nothing was done. */
  | { readonly kind: 'server-fault'; readonly last: Attempted }
  | { readonly kind: 'not-connected'; readonly last: Attempted }
  | { readonly kind: 'unknown'; readonly last: Attempted | undefined }
  | { readonly kind: 'interrupted'; readonly error: InterruptedError }

export function answerOrThrow(
  call: Call,
  ended: Ended,
  operationId: string | undefined,
  idempotencyKey: string | undefined,
): Answer {
  const { operation } = call
  const ids = { operation: operation.id, operationId, idempotencyKey }
  switch (ended.kind) {
    case 'answer': {
      const json = jsonOrUndefined(ended.answer.body)
      const exitCode = exitOfAnswer(operation.id, ended.answer.status, call.body?.value, json)
      if (exitCode === EXIT.outcomeUnknown)
        throw unknownOutcome(
          call,
          undefined,
          ids,
          `the processor never answered the service (GATEWAY_TIMEOUT)${paymentWords(json)}`,
        )
      const { status, body: text } = ended.answer
      // A page of HTML in place of what was asked for: a proxy or another server has answered. `pay api` takes what comes.
      if (json === undefined && operation.risk === 'read' && operation.id !== 'api')
        throw new PayError(
          'unusable_answer',
          EXIT.serverFault,
          `The answer ${text.trim() === '' ? 'is empty' : 'is not JSON'}`,
          {
            ...ids,
            httpStatus: status,
            description: readErrorBody(text).description,
            outcome: 'none',
            retryable: true,
          },
        )
      return {
        status,
        text,
        json,
        requestId: ended.requestId,
        exitCode,
        operationId,
        idempotencyKey,
        note: ended.note,
        warning: ended.warning ?? warningOfAnswer(operation.id, call.body?.value, json),
      }
    }
    case 'refused':
    case 'rate-limited': {
      const body = readErrorBody(ended.answer.body)
      const refusal = refusalOf(ended.answer.status, body.errorId, call.params['id'] !== undefined)
      const said = {
        ...ids,
        httpStatus: ended.answer.status,
        errorId: body.errorId,
        description: body.description,
        diagnosticsId: body.diagnosticsId ?? ended.requestId,
        validationErrors: body.validationErrors,
        hint: body.recoverySuggestion,
        outcome: 'none',
        retryable: ended.kind === 'rate-limited',
        retryAfter: ended.answer.headers['retry-after'],
      } as const
      // The key is the ticket's own, and this was its first sending: somebody else has used the ticket.
      if (call.ticket !== undefined && KEY_USED.some((id) => id === body.errorId))
        throw new AlreadyDoneError(TICKET_USED, { ...said, paymentId: body.paymentId ?? call.params['id'] })
      throw new PayError(refusal.code, refusal.exitCode, refusal.message, said)
    }
    case 'server-fault':
      throw new PayError('server_error', EXIT.serverFault, faultWords(ended.last), {
        ...ids,
        ...facts(ended.last),
        outcome: 'none',
        retryable: true,
      })
    case 'not-connected': {
      const own = ownErrorOf(ended.last)
      // A service on this machine that could not even begin says more than that it was not reached.
      if (own !== undefined) throw own
      throw new PayError('not_connected', EXIT.notConnected, `Nothing was sent: ${reasonWords(ended.last)}`, {
        ...ids,
        outcome: 'none',
        retryable: true,
        cause: ended.last.kind === 'failure' ? ended.last.failure : undefined,
      })
    }
    case 'unknown':
      throw unknownOutcome(
        call,
        ended.last,
        ids,
        ended.last === undefined ? 'no usable answer came' : reasonWords(ended.last),
      )
    case 'interrupted':
      throw ended.error
  }
}

const TICKET_USED =
  'Already done for this ticket: the service has processed it before, and this call did nothing'

const ownErrorOf = (last: Attempted): PayError | undefined =>
  last.kind === 'failure' && last.failure.cause instanceof PayError ? last.failure.cause : undefined

/** The id of a payment that was made and is not printed: without it nobody could look. */
function paymentWords(payment: unknown): string {
  if (typeof payment !== 'object' || payment === null || !('id' in payment)) return ''
  return typeof payment.id === 'string' ? `: payment ${payment.id}` : ''
}

function unknownOutcome(
  call: Call,
  last: Attempted | undefined,
  ids: { operation: string; operationId: string | undefined; idempotencyKey: string | undefined },
  why: string,
): PayError {
  return new PayError(
    'outcome_unknown',
    EXIT.outcomeUnknown,
    `Outcome unknown: ${call.operation.id} was sent, and ${why}`,
    {
      ...ids,
      ...(last === undefined ? {} : facts(last)),
      outcome: 'unknown',
      retryable: false,
    },
  )
}

function facts(last: Attempted) {
  if (last.kind === 'failure') return { cause: last.failure }
  const body = readErrorBody(last.answer.body)
  return {
    httpStatus: last.answer.status,
    errorId: body.errorId,
    description: body.description,
    diagnosticsId: body.diagnosticsId ?? last.requestId,
    retryAfter: last.answer.headers['retry-after'],
  }
}

const faultWords = (last: Attempted): string =>
  last.kind === 'answer'
    ? `The service failed (${last.answer.status})`
    : `The service gave no usable answer: ${last.failure.message}`
const reasonWords = (last: Attempted): string =>
  last.kind === 'answer' ? `the service answered ${last.answer.status}` : last.failure.message

function jsonOrUndefined(text: string): unknown {
  try {
    return parseJson(text, { duplicateKeys: 'last' })
  } catch {
    return undefined
  }
}
