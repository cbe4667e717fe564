import { isRecord } from '../../json/is-record.ts'
import { MAX_DEPTH } from '../../json/json-error.ts'
import { parseJson } from '../../json/json.ts'
import { invalid, Problem } from '../problem.ts'
import { formatPath } from './describe-problems.ts'
import type { ServiceRequest } from './service-request.ts'

/** The limits of a request body. They are checked first, so that no body blocks the service for other clients. */

export const MAX_BODY_BYTES = 1024 * 1024

/** The most values: strings, numbers, lists, objects and so on. An order with 1,000 lines has about 8,000. */
const MAX_BODY_VALUES = 10_000

/** The most entries of one list, such as the lines of an order, or of one object, such as metadata. */
const MAX_ENTRIES = 1_000

/** The longest body whose error names a line: finding the line takes many times as long as parsing. */
const LONG_BODY = 64 * 1024

/**
 * Parses the body; undefined if there is none.
 * @throws {Problem} if it couldn't be received, is too large, or isn't JSON
 */
export function readBody({ headers, body, unreadable }: ServiceRequest): unknown {
  if (unreadable !== undefined) throw unreadable
  if (body === undefined || body.trim() === '') return undefined
  if (Buffer.byteLength(body) > MAX_BODY_BYTES)
    throw new Problem('PayloadTooLarge', 'The body is larger than 1 MB.')
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type !== undefined && type !== 'application/json' && !type.endsWith('+json'))
    throw new Problem('UnsupportedMediaType', `The body is ${type}, not application/json.`)
  // Almost every body is too short to exceed a limit: each value takes at least two characters.
  if (body.length >= MAX_ENTRIES * 2) checkSize(body)
  try {
    return parseJson(body, { integers: 'by-value' }) ?? undefined
  } catch (error) {
    throw new Problem('MalformedJson', error instanceof Error ? error.message : 'The body is not JSON.')
  }
}

/** Counts values with the parser of the engine, which takes far less time than ours. */
function checkSize(text: string): void {
  let values = 0
  const count = (value: unknown, path: readonly (string | number)[]): void => {
    values += 1
    if (values > MAX_BODY_VALUES) throw tooMany([], `${MAX_BODY_VALUES} values in all`)
    const isList = Array.isArray(value)
    if ((!isList && !isRecord(value)) || path.length > MAX_DEPTH) return
    const size = isList ? value.length : Object.keys(value).length
    if (size > MAX_ENTRIES) throw tooMany(path, `${MAX_ENTRIES} ${isList ? 'entries' : 'fields'}`)
    for (const [key, child] of isList ? value.entries() : Object.entries(value)) count(child, [...path, key])
  }
  count(parsed(text), [])
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text)
  } catch {
    if (text.length > LONG_BODY) throw new Problem('MalformedJson', 'The body is not JSON.')
    return undefined
  }
}

const tooMany = (path: readonly (string | number)[], limit: string) =>
  invalid([{ path: formatPath(path), description: `must have at most ${limit}` }])
