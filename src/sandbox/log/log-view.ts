import { isOn, readPattern } from '../faults/pattern.ts'
import type { FieldProblem } from '../faults/read-fault.ts'
import type { Controls } from '../sandbox.ts'
import { REQUESTS_KEPT } from '../database/store/requests.ts'
import type { LoggedRequest } from './logged-request.ts'

/** Which requests of the log are wanted. */
export interface LogView {
  readonly limit: number
  /** Where they went, as faults have it. */
  readonly on: string | undefined
}

/** What is wanted of the log, or all that is wrong with it. */
export function readLogView(
  given: { readonly limit: string | undefined; readonly on: string | undefined },
  defaultLimit: number,
): { readonly view: LogView } | { readonly problems: readonly FieldProblem[] } {
  const problems: FieldProblem[] = []
  const limit = given.limit === undefined ? defaultLimit : Number(given.limit)
  if (!/^\d{1,9}$/.test(given.limit ?? '1') || limit < 1 || limit > REQUESTS_KEPT)
    problems.push({ field: 'limit', description: `must be a whole number from 1 to ${REQUESTS_KEPT}` })
  const pattern = given.on === undefined ? { value: undefined } : readPattern(given.on)
  if ('problem' in pattern) problems.push({ field: 'on', description: pattern.problem })
  return 'problem' in pattern || problems.length > 0 ? { problems } : { view: { limit, on: pattern.value } }
}

/** Newest first. */
export async function viewLog(
  requests: Pick<Controls['requests'], 'list'>,
  { limit, on }: LogView,
): Promise<readonly LoggedRequest[]> {
  if (on === undefined) return requests.list(limit)
  const found: LoggedRequest[] = []
  for (const entry of await requests.list(REQUESTS_KEPT)) {
    if (isOn(on, entry.method, entry.path)) found.push(entry)
    if (found.length === limit) break
  }
  return found
}
