import { parseJson } from '../../json/json.ts'
import { Problem } from '../problem.ts'
import { checkSize, MAX_BODY_BYTES } from './body-limits.ts'
import type { ServiceRequest } from './service-request.ts'

/** The error for a longer body that isn't JSON names no line: finding it takes many times as long as parsing. */
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
  try {
    checkSize(body)
    if (body.length > LONG_BODY && !isJson(body)) throw new Problem('MalformedJson', 'The body is not JSON.')
    return parseJson(body, { integers: 'by-value' }) ?? undefined
  } catch (error) {
    if (error instanceof Problem) throw error
    throw new Problem('MalformedJson', error instanceof Error ? error.message : 'The body is not JSON.')
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text)
    return true
  } catch {
    return false
  }
}
