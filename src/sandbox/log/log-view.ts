import { matchesPattern, readPattern } from '../faults/pattern.ts'
import { asGiven, fieldReader, wholeNumber } from '../request/field-reader.ts'
import { MAX_LOGGED_REQUESTS } from './logged-request.ts'
import type { Store } from '../database/store.ts'
import type { LoggedRequest } from './logged-request.ts'

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
export function readLogView(given: Readonly<Partial<Record<string, string>>>, defaultLimit: number): LogView {
  const { read, finish } = fieldReader(given)
  const limit = read('limit', ...wholeNumber(1, MAX_LOGGED_REQUESTS)) ?? defaultLimit
  const view = { limit, on: read('on', readPattern), payment: read('payment', asGiven) }
  finish()
  return view
}

/** Newest first. */
export function viewLog(
  requests: Pick<Store['requests'], 'list'>,
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
