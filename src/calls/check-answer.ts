import { hasKnownField } from '../api/unknown-fields.ts'
import { parseJson } from '../json/json.ts'
import type { Call, CallOperation } from './call.ts'
import { isEnvelope } from './api-error.ts'
import type { HttpResponse } from '../http/transport-port.ts'
import { isRecord } from '../is-record.ts'

/** What a response is checked against. */
export interface ExpectedAnswer {
  readonly operation: Pick<CallOperation, 'risk' | 'response' | 'echoes' | 'notFinished'>
  /** The target's id, when the response must repeat it. */
  readonly id: string | undefined
}

export type CheckedCall = Pick<Call, 'operation' | 'params' | 'body' | 'isShownOnly'>

/** What the response to a call must match: the id from the path, or else from the body. */
export function expectedAnswerOf({ operation, params, body, isShownOnly }: CheckedCall): ExpectedAnswer {
  const { echoes } = operation
  if (echoes === undefined || isShownOnly === true) return { operation, id: undefined }
  return { operation, id: params[echoes] ?? idIn(body?.value, echoes) }
}

/** A warning for a response that is shown although it is about another resource. */
export function warnAboutOtherResource({ operation, params, body, isShownOnly }: CheckedCall, json: unknown) {
  if (isShownOnly !== true || operation.echoes === undefined) return undefined
  const { id } = expectedAnswerOf({ operation, params, body })
  const named = idIn(json, operation.echoes)
  return named === undefined || id === undefined || named === id
    ? undefined
    : `The service responded about ${named} instead of ${id}.`
}

/**
 * Why a response is unusable, as a clause that follows "the response"; undefined when it is usable.
 *
 * The one place that decides this, for every client and for imports. A transport rejects only responses that end before
 * their declared length. But a response without a length ends where its connection does, and any intermediary can
 * respond in place of the service. So a 2xx settles a write only if its body is one whole JSON object about the target.
 */
export function findAnswerFault({ operation, id }: ExpectedAnswer, answer: HttpResponse): string | undefined {
  const { status, body } = answer
  const isSuccess = status >= 200 && status < 300
  const isWrite = operation.risk !== 'read'
  // These statuses mean the same regardless of the body.
  if (status === 429 || status >= 500) return undefined
  if (hasAmbiguousEnd(answer)) return 'has contradictory length headers'
  if (!isSuccess) return isCut(answer) ? CUT : undefined
  const json = jsonIn(body)
  if (isWrite && operation.response === undefined) return faultOfUnknownPath(answer, json)
  if (!isRecord(json)) {
    if (isCut(answer)) return CUT
    return isWrite ? faultOfKind(body, json) : undefined
  }
  if (operation.echoes !== undefined && id !== undefined) {
    const named = idIn(json, operation.echoes)
    if (named !== undefined) return named === id ? undefined : `is about ${named} instead of ${id}`
    if ((json[operation.echoes] ?? null) !== null) return `has no readable ${operation.echoes}`
  }
  if (isWrite && status === 202 && operation.notFinished !== undefined)
    return isEnvelope(body) ? undefined : 'does not say why the payment is not finished'
  if (!isWrite || operation.response === undefined || hasKnownField(operation.response, json))
    return undefined
  if (isError(json)) return 'is an error despite its status'
  // Other responses may be empty objects, such as a session whose fields were all cleared.
  const mustHaveFields = operation.echoes !== undefined || operation.risk === 'money'
  return mustHaveFields ? 'contains none of the expected fields' : undefined
}

const isError = ({ error, errorId }: Readonly<Record<string, unknown>>): boolean =>
  (error ?? errorId ?? undefined) !== undefined

const CUT = 'is cut short in the middle of its JSON'

/** A path that is not in the table may return any JSON, or nothing at all with a 204. */
function faultOfUnknownPath(answer: HttpResponse, json: unknown): string | undefined {
  if (answer.status === 204 || (typeof json === 'object' && json !== null)) return undefined
  return isCut(answer) ? CUT : faultOfKind(answer.body, json)
}

function faultOfKind(body: string, json: unknown): string {
  if (json !== undefined) return 'is not a JSON object'
  if (body.trim() === '') return 'is empty'
  return /^\s*</.test(body) ? 'is a web page instead of JSON' : 'is not complete JSON'
}

/** Two lengths, or an unknown transfer coding: intermediaries may disagree about where the body ends (RFC 9112, 6.3). */
function hasAmbiguousEnd({ headers }: HttpResponse): boolean {
  const [length, coding] = [headers['content-length'], headers['transfer-encoding']]
  if (coding !== undefined) return length !== undefined || coding.toLowerCase() !== 'chunked'
  return length !== undefined && !/^\d+$/.test(length)
}

function isCut({ isUnframed, headers, body }: HttpResponse): boolean {
  if (isUnframed !== true) return false
  const isPromised = /\bjson\b/i.test(headers['content-type'] ?? '')
  // A body that begins like JSON must also end like JSON, regardless of its content type.
  return (isPromised || /^\s*[[{]/.test(body)) && jsonIn(body) === undefined
}

/** Also undefined for null, which some services use for "none". */
function idIn(value: unknown, name: string): string | undefined {
  const id = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined
  return typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint' ? String(id) : undefined
}

function jsonIn(text: string): unknown {
  try {
    return parseJson(text, { duplicateKeys: 'last' })
  } catch {
    return undefined
  }
}
