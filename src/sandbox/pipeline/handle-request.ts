import { ERROR_STATUS } from '../../api/error-ids.ts'
import { stringifyJson } from '../../json/json.ts'
import { errorResponse, problemResponse, successResponse } from '../answers/response.ts'
import type { ServiceResponse } from '../answers/response.ts'
import { problemOf } from '../controls/control-problem.ts'
import type { LongWork } from '../controls/control.ts'
import type { GroupCommit } from '../database/group-commit.ts'
import type { TransactionContext } from '../database/transactions.ts'
import type { Identifiers } from '../domain/identifiers.ts'
import { EXIT, PayError } from '../../errors.ts'
import { applyFault } from '../faults/apply-fault.ts'
import { parseEffect } from '../faults/read-fault.ts'
import { Problem } from '../problem.ts'
import { usesClientToken } from '../request/api-key.ts'
import { headerOf } from '../request/ignored-fields.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import { isForControl, checkRequest, isWrite } from './check-request.ts'
import type { CheckedRequest } from './check-request.ts'
import { clientCaller } from './client-requests.ts'
import { exchangeOf, logEntry } from './log-entry.ts'
import { processRequest } from './process-request.ts'
import type { RequestOutcome } from './log-entry.ts'
import type { IdempotencyStyle, ProcessedRequest } from './process-request.ts'
import type { Store } from '../database/store.ts'
import type { Fault } from '../faults/fault.ts'
import { matchesPattern } from '../faults/pattern.ts'

export interface ServiceParts {
  readonly commits: GroupCommit<TransactionContext>
  readonly ids: Identifiers
  /** The identity of the data; writes to data of another one are refused. */
  readonly identity?: string | undefined
  readonly idempotency: IdempotencyStyle
  /** The machine's clock. */
  readonly now: () => Date
  /** Says whether to keep the bodies of one more request. */
  readonly mayKeepBodies: () => boolean
  readonly longWork: LongWork
}

/** Checks a request, outside the transaction unless it has a client token, then answers, counts and logs it inside. */
export async function handleRequest(parts: ServiceParts, request: ServiceRequest): Promise<ServiceResponse> {
  const { commits, ids, now, mayKeepBodies, longWork } = parts
  const startedMs = !isForControl(request) && mayKeepBodies() ? now().getTime() : undefined
  const requestId = ids.uuid()
  if (usesClientToken(request))
    return commits.run(
      (context) =>
        dated(
          answer(checkRequest(request, requestId, clientCaller(context)), context, parts, startedMs),
          context,
        ),
      { isDurable: request.method !== 'GET' },
    )
  const checked = checkRequest(request, requestId)
  const { admitted } = checked
  if (!(admitted instanceof Problem) && admitted.runOutside !== undefined)
    return admitted.runOutside(longWork).then(
      (result) => successResponse(stringifyJson(result), requestId),
      (error: unknown) => problemResponse(problemOf(error), requestId),
    )
  return commits.run((context) => dated(answer(checked, context, parts, startedMs), context), {
    isDurable: isWrite(checked),
  })
}

/** Dates a response by the clock of its content, so that a client can compare those dates with its own. */
const dated = (response: ServiceResponse, { now }: TransactionContext): ServiceResponse => ({
  ...response,
  headers: { date: now.toUTCString(), ...response.headers },
})

/** Names the dropped fields in a header. */
function withIgnored(response: ServiceResponse, { ignored }: CheckedRequest): ServiceResponse {
  if (ignored.length === 0) return response
  return { ...response, headers: { ...response.headers, 'x-sandbox-ignored': headerOf(ignored) } }
}

function answer(
  checked: CheckedRequest,
  context: TransactionContext,
  { identity, idempotency, now }: ServiceParts,
  startedMs: number | undefined,
): ServiceResponse {
  const { request, requestId, pathname } = checked
  // A write that was recorded for the payments of before must not meet those that have their IDs now.
  if (identity !== undefined && isWrite(checked) && context.store.settings.identity() !== identity)
    throw emptied()
  // A control isn't logged, and meets no faults.
  if (isForControl(request)) return processRequest(checked, context, idempotency).response
  const fault = context.hasFaults ? matchFault(context.store.faults, request.method, pathname) : undefined
  let processed: ProcessedRequest | undefined
  const process = () => {
    processed = processRequest(checked, context, idempotency)
    return withIgnored(processed.response, checked)
  }
  const refuse = (status: number, description: string, headers: Readonly<Record<string, string>>) =>
    errorResponse({ status, errorId: 'SandboxFault', description, requestId, headers })
  const log = (outcome: RequestOutcome) => {
    const durationMs = startedMs === undefined ? undefined : now().getTime() - startedMs
    context.log.push(logEntry(checked, context.at, outcome, durationMs))
    if (durationMs !== undefined) context.exchanges.push(exchangeOf(checked, outcome.response))
  }
  try {
    const response = fault === undefined ? process() : applyFault(parseEffect(fault.do), { process, refuse })
    log({ response, fault, processed })
    return response
  } catch (error) {
    // A bug in the sandbox, answered with a 5xx: the log has to show the request.
    const response = refuse(ERROR_STATUS.SandboxFailed, 'The sandbox has a bug.', {})
    log({ response, fault, processed: undefined })
    throw error
  }
}

const emptied = (): PayError =>
  new PayError('sandbox_emptied', EXIT.conflict, 'Another process has emptied the sandbox meanwhile', {
    hint: 'Look at the payments that it has now before you repeat the command.',
    outcome: 'none',
  })

/** The fault that a request meets, if any. Counts the request in every matching fault up to that one. */
function matchFault(faults: Store['faults'], method: string, path: string): Fault | undefined {
  for (const fault of faults.list()) {
    if (!matchesPattern(fault.on, method, path)) continue
    const isMet = isDue(fault)
    faults.count(fault.id, isMet)
    if (isMet) return fault
  }
  return undefined
}

function isDue({ matched, fired, skip, times, seed, rate }: Fault): boolean {
  if (matched < skip || (times !== undefined && fired >= times)) return false
  return randomFor(seed, matched) < rate
}

/** A number from 0 up to 1; the same for the same seed and number in every process (mulberry32). */
export function randomFor(seed: number, number: number): number {
  let state = (seed + Math.imul(number + 1, 0x6d2b79f5)) | 0
  state = Math.imul(state ^ (state >>> 15), 1 | state)
  state ^= state + Math.imul(state ^ (state >>> 7), 61 | state)
  return ((state ^ (state >>> 14)) >>> 0) / 2 ** 32
}
