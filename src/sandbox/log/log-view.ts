import { matchesPattern, readPattern } from '../faults/pattern.ts'
import { lazySchema, z } from '../../api/schema.ts'
import { asGiven, field, readFields, textField, wholeNumber } from '../request/fields.ts'
import { MAX_LOGGED_REQUESTS } from './logged-request.ts'
import type { Store } from '../database/store.ts'
import type { LoggedRequest } from './logged-request.ts'

/** The part of the log to show. */
export interface LogView {
  readonly limit: number
  /** The pattern of a method and a path, as for faults. */
  readonly on: string | undefined
  /** The id in `payment` of a logged request. */
  readonly payment?: string | undefined
}

/**
 * Reads which part of the log to show.
 * @throws {Problem} that names everything wrong
 */
export function readLogView(given: Readonly<Partial<Record<string, string>>>, defaultLimit: number): LogView {
  const { limit = defaultLimit, on, payment } = readFields(logView, given)
  return { limit, on, payment }
}

const logView = lazySchema(() =>
  z.strictObject({
    limit: wholeNumber(1, MAX_LOGGED_REQUESTS),
    on: field(readPattern),
    payment: textField(asGiven),
  }),
)

/** The requests to show, newest first. */
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
