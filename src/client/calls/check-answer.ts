import { hasKnownField } from '../../api/unknown-fields.ts'
import { jsonOrUndefined } from '../../json/json.ts'
import { isKeyGivenTwice } from '../../json/reformat.ts'
import type { Call, CallOperation } from './call.ts'
import { isEnvelope } from './api-error.ts'
import { saysNothingOfEffect } from './retry.ts'
import type { HttpResponse } from '../http/transport-port.ts'
import { isRecord } from '../../json/is-record.ts'

/** What a response is checked against. */
interface ExpectedAnswer {
  readonly operation: Pick<CallOperation, 'risk' | 'response' | 'echoes' | 'ownId' | 'notFinished'>
  /** The target's ID. The response to a read must repeat it; to a write, it may leave it out. */
  readonly id: string | undefined
}

export type CheckedCall = Pick<Call, 'operation' | 'params' | 'body'>

/** What the response to a call must match: the ID from the path, or else from the body. */
export function expectedAnswerOf({ operation, params, body }: CheckedCall): ExpectedAnswer {
  const { echoes } = operation
  return {
    operation,
    id: echoes === undefined ? undefined : (params[echoes] ?? idIn(body?.value, echoes)),
  }
}

/**
 * Why a response is unusable, as a clause that follows "the response"; undefined when it is usable.
 *
 * The one place that decides this, for every client and for imports. A transport rejects only responses that end before
 * their declared length. But a response without a length ends where its connection does, and any intermediary can
 * respond in place of the service. So a 2xx settles a write, or answers a read of one resource, only if its body is one
 * whole JSON object about the target.
 */
export function findAnswerFault({ operation, id }: ExpectedAnswer, answer: HttpResponse): string | undefined {
  const { status, body } = answer
  const isSuccess = status >= 200 && status < 300
  const isWrite = operation.risk !== 'read'
  // These statuses mean the same regardless of the body.
  if (status === 429 || saysNothingOfEffect(status)) return undefined
  if (hasAmbiguousEnd(answer)) return AMBIGUOUS_END
  if (!isSuccess) return isCut(answer) ? CUT : undefined
  const json = jsonOrUndefined(body)
  if (isWrite && operation.response === undefined) return faultOfUnknownPath(answer, json)
  const isAboutOne = isWrite || id !== undefined
  if (!isRecord(json)) {
    if (isCut(answer)) return CUT
    return isAboutOne ? faultOfKind(body, json) : undefined
  }
  return isAboutOne ? faultOfObject({ operation, id }, answer, json) : undefined
}

type Fields = Readonly<Record<string, unknown>>

function faultOfObject(
  { operation, id }: ExpectedAnswer,
  { status, body }: HttpResponse,
  json: Fields,
): string | undefined {
  const { echoes, ownId, response, risk, notFinished } = operation
  const idField = echoes ?? ownId
  if (idField !== undefined && isKeyGivenTwice(body, idField)) return `names its ${idField} twice`
  const named = echoes === undefined || id === undefined ? undefined : idIn(json, echoes)
  if (named !== undefined && named !== id) return `is about ${named} instead of ${id}`
  if (named === undefined && id !== undefined && (json[echoes ?? ''] ?? null) !== null)
    return `has no readable ${echoes}`
  const hasField = (fields: Fields) => response !== undefined && hasKnownField(response, fields)
  if (status === 202 && notFinished !== undefined)
    return named !== undefined || isEnvelope(body)
      ? undefined
      : 'does not say why the payment is not finished'
  if (isError(json)) {
    const { [idField ?? '']: _id, ...others } = json
    if (!hasField(others)) return 'is an error despite its status'
  }
  if (named !== undefined) return undefined
  if (risk === 'read') return `does not name its ${echoes}`
  // Other responses may be empty objects, such as a session whose fields were all cleared.
  const mustHaveFields = echoes !== undefined || risk === 'money'
  return mustHaveFields && !hasField(json) ? 'contains none of the expected fields' : undefined
}

const isError = ({ error, errorId }: Fields): boolean => (error ?? errorId ?? undefined) !== undefined

const CUT = 'is cut short in the middle of its JSON'
const AMBIGUOUS_END = 'has contradictory length headers'

/** Whether a fault means that part of the response is missing, not that the response is a wrong one. */
export const isIncomplete = (fault: string): boolean => fault === CUT || fault === AMBIGUOUS_END

/** The fault of a response from a path that is not in the table. Such a path may return any JSON, or nothing at all with a 204. */
function faultOfUnknownPath(answer: HttpResponse, json: unknown): string | undefined {
  if (isRecord(json) && isError(json) && Object.keys(json).length === 1)
    return 'is an error despite its status'
  if (answer.status === 204 || (typeof json === 'object' && json !== null)) return undefined
  return isCut(answer) ? CUT : faultOfKind(answer.body, json)
}

function faultOfKind(body: string, json: unknown): string {
  if (json !== undefined) return 'is not a JSON object'
  if (body.trim() === '') return 'is empty'
  return /^\s*</.test(body) ? 'is a web page instead of JSON' : 'is not complete JSON'
}

/**
 * Whether it has two lengths or an unknown transfer coding: then intermediaries may disagree about where the body ends (RFC
 * 9112, 6.3).
 */
function hasAmbiguousEnd({ headers }: HttpResponse): boolean {
  const [length, coding] = [headers['content-length'], headers['transfer-encoding']]
  if (coding !== undefined) return length !== undefined || coding.toLowerCase() !== 'chunked'
  return length !== undefined && !/^\d+$/.test(length)
}

function isCut({ isUnframed, headers, body }: HttpResponse): boolean {
  if (isUnframed !== true) return false
  const isPromised = /\bjson\b/i.test(headers['content-type'] ?? '')
  // A body that begins like JSON must also end like JSON, regardless of its content type.
  return (isPromised || /^\s*[[{]/.test(body)) && jsonOrUndefined(body) === undefined
}

/** The ID in a field; undefined also for null, which some services use for "none". */
function idIn(value: unknown, name: string): string | undefined {
  const id = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined
  return typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint' ? String(id) : undefined
}
