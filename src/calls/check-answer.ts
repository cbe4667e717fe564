import { hasKnownField } from '../api/unknown-fields.ts'
import { parseJson } from '../json/json.ts'
import type { Call, CallOperation } from './call.ts'
import { isEnvelope } from './api-error.ts'
import type { HttpResponse } from '../http/transport-port.ts'
import { isRecord } from '../is-record.ts'

/** What an answer is held against. */
export interface Asked {
  readonly operation: Pick<CallOperation, 'risk' | 'response' | 'echoes' | 'notFinished'>
  /** Of the target, where the answer repeats it. */
  readonly id: string | undefined
}

export type Judged = Pick<Call, 'operation' | 'params' | 'body' | 'isShownOnly'>

/** The id that the answer to a call has to repeat: as it stands in the path, or else in the body. */
export function askedOf({ operation, params, body, isShownOnly }: Judged): Asked {
  const { echoes } = operation
  if (echoes === undefined || isShownOnly === true) return { operation, id: undefined }
  return { operation, id: params[echoes] ?? idIn(body?.value, echoes) }
}

/** What to say beside an answer that is shown although it is about another resource. */
export function warningOfOther({ operation, params, body, isShownOnly }: Judged, json: unknown) {
  if (isShownOnly !== true || operation.echoes === undefined) return undefined
  const { id } = askedOf({ operation, params, body })
  const named = idIn(json, operation.echoes)
  return named === undefined || id === undefined || named === id
    ? undefined
    : `The service answered about ${named} in place of ${id}.`
}

/**
 * Why an answer that has come does not count as one; a clause that goes on from "the answer". Undefined where it counts.
 *
 * The one place that decides this, for every client and for imports: a transport rejects what it has seen end too early
 * by the answer's own account, and resolves with the rest. But an answer without a length ends wherever its connection
 * does, and anybody on the way can answer in place of the service. So a 2xx ends a write only if its body is one whole
 * JSON object that is about the target.
 */
export function faultOfAnswer({ operation, id }: Asked, answer: HttpResponse): string | undefined {
  const { status, body } = answer
  const isSuccess = status >= 200 && status < 300
  const isWrite = operation.risk !== 'read'
  // They say all by their status.
  if (status === 429 || status >= 500) return undefined
  if (isEndUnclear(answer)) return 'says in two ways where it ends'
  if (!isSuccess) return isCut(answer) ? CUT : undefined
  const json = jsonIn(body)
  if (isWrite && operation.response === undefined) return faultOfUnknownPath(answer, json)
  if (!isRecord(json)) {
    if (isCut(answer)) return CUT
    return isWrite ? faultOfKind(body, json) : undefined
  }
  if (operation.echoes !== undefined && id !== undefined) {
    const named = idIn(json, operation.echoes)
    if (named !== undefined) return named === id ? undefined : `is about ${named} in place of ${id}`
    if ((json[operation.echoes] ?? null) !== null) return `names no ${operation.echoes} that can be read`
  }
  if (isWrite && status === 202 && operation.notFinished !== undefined)
    return isEnvelope(body) ? undefined : 'does not say why it is not finished'
  if (!isWrite || operation.response === undefined || hasKnownField(operation.response, json))
    return undefined
  if (isError(json)) return 'is an error in place of an answer'
  // Others may be empty, as a session is from which everything was cleared.
  const saysMore = operation.echoes !== undefined || operation.risk === 'money'
  return saysMore ? 'has nothing in it that was asked for' : undefined
}

const isError = ({ error, errorId }: Readonly<Record<string, unknown>>): boolean =>
  (error ?? errorId ?? undefined) !== undefined

const CUT = 'stops in the middle of its JSON'

/** A path that no table knows may answer in its own way, and with nothing at all where its status says so. */
function faultOfUnknownPath(answer: HttpResponse, json: unknown): string | undefined {
  if (answer.status === 204 || (typeof json === 'object' && json !== null)) return undefined
  return isCut(answer) ? CUT : faultOfKind(answer.body, json)
}

function faultOfKind(body: string, json: unknown): string {
  if (json !== undefined) return 'is no JSON object'
  if (body.trim() === '') return 'is empty'
  return /^\s*</.test(body) ? 'is a web page in place of JSON' : 'is no whole JSON'
}

/** Two lengths, or a coding that is none: every reader on the way may have found another end (RFC 9112, 6.3). */
function isEndUnclear({ headers }: HttpResponse): boolean {
  const [length, coding] = [headers['content-length'], headers['transfer-encoding']]
  if (coding !== undefined) return length !== undefined || coding.toLowerCase() !== 'chunked'
  return length !== undefined && !/^\d+$/.test(length)
}

function isCut({ isUnframed, headers, body }: HttpResponse): boolean {
  if (isUnframed !== true) return false
  const isPromised = /\bjson\b/i.test(headers['content-type'] ?? '')
  // It begins as JSON does: then it ends so too, whatever its type is said to be.
  return (isPromised || /^\s*[[{]/.test(body)) && jsonIn(body) === undefined
}

/** undefined for null too, by which some services say that there is none. */
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
