import type { FieldProblem } from '../faults/read-fault.ts'
import { matchesPattern, readPattern } from '../faults/pattern.ts'
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

/** Reads which part of the log to show, or reports every problem. */
export function readLogView(
  given: {
    readonly limit: string | undefined
    readonly on: string | undefined
    readonly payment?: string | undefined
  },
  defaultLimit: number,
): { readonly view: LogView } | { readonly problems: readonly FieldProblem[] } {
  const problems: FieldProblem[] = []
  const limit = given.limit === undefined ? defaultLimit : Number(given.limit)
  if (!/^\d{1,9}$/.test(given.limit ?? '1') || limit < 1 || limit > MAX_LOGGED_REQUESTS)
    problems.push({ field: 'limit', description: `must be a whole number from 1 to ${MAX_LOGGED_REQUESTS}` })
  const pattern = given.on === undefined ? { value: undefined } : readPattern(given.on)
  if ('problem' in pattern) problems.push({ field: 'on', description: pattern.problem })
  return 'problem' in pattern || problems.length > 0
    ? { problems }
    : { view: { limit, on: pattern.value, payment: given.payment } }
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
