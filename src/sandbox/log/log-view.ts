import { matchesPattern, readPattern } from '../faults/pattern.ts'
import { fieldReader, wholeNumber } from '../request/field-reader.ts'
import { MAX_LOGGED_REQUESTS } from './logged-request.ts'
import type { LoggedRequest, RequestLogStore } from './logged-request.ts'

/** Which requests of the log to show. */
export interface LogView {
  readonly limit: number
  /** A method and a path, with the same patterns as faults. */
  readonly on: string | undefined
  /** An id, as `payment` of a logged request shows it. */
  readonly payment?: string | undefined
}

/**
 * Reads which part of the log to show.
 * @throws {Problem} that names everything wrong
 */
export function readLogView(
  given: {
    readonly limit?: string | undefined
    readonly on?: string | undefined
    readonly payment?: string | undefined
  },
  defaultLimit: number,
): LogView {
  const { read, refuse, finish } = fieldReader(given)
  const limit = read('limit', ...wholeNumber(1, MAX_LOGGED_REQUESTS)) ?? defaultLimit
  const pattern = given.on === undefined ? { value: undefined } : readPattern(given.on)
  if ('problem' in pattern) refuse('on', pattern.problem)
  finish()
  return { limit, on: 'value' in pattern ? pattern.value : undefined, payment: given.payment }
}

/** Newest first. */
export function viewLog(
  requests: Pick<RequestLogStore, 'list'>,
  { limit, on, payment }: LogView,
): readonly LoggedRequest[] {
  if (on === undefined) return requests.list(limit, payment)
  const found: LoggedRequest[] = []
  for (const entry of requests.list(MAX_LOGGED_REQUESTS, payment)) {
    if (matchesPattern(on, entry.method, entry.path)) found.push(entry)
    if (found.length === limit) break
  }
  return found
}
