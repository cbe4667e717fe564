import { stringifyJson } from '../json/json.ts'
import { refusal, refusalOf, success } from './answer.ts'
import type { Reply } from './answer.ts'
import { act } from './faults/act.ts'
import { meetFault } from './faults/choose.ts'
import { readEffect } from './faults/effect.ts'
import type { Fault } from './faults/fault.ts'
import { admit, findOperation, readUrl } from './gate.ts'
import type { Admitted, Routed, ServiceRequest } from './gate.ts'
import type { Group } from './group.ts'
import type { Identifiers } from './identifiers.ts'
import { refuseUsedKey, replayOf } from './idempotency.ts'
import type { IdempotencyStyle } from './idempotency.ts'
import { loggedPath } from './log/logged-path.ts'
import type { LoggedRequest } from './log/logged-request.ts'
import { Problem } from './problem.ts'
import { SANDBOX_KEYS } from './scenarios.ts'
import { isRecord } from './store/document.ts'
import { inVersion } from './versions.ts'
import type { TurnWorld } from './world.ts'

export interface ServiceParts {
  readonly group: Group<TurnWorld>
  readonly ids: Identifiers
  readonly idempotency: IdempotencyStyle
}

/** A request once all that needs no data is known of it. */
interface Arrival {
  readonly request: ServiceRequest
  readonly requestId: string
  readonly pathname: string
  readonly routed: Routed | undefined
  /** What it may do, or why it is refused at the door. */
  readonly admitted: Admitted | Problem
}

/** One request: read outside the transaction, then answered, counted and logged in it. */
export function serve({ group, ids, idempotency }: ServiceParts, request: ServiceRequest): Promise<Reply> {
  const arrival = read(request, ids.uuid())
  const { admitted } = arrival
  const isDurable = !(admitted instanceof Problem) && admitted.operation.risk !== 'read'
  return group.run((world) => answer(arrival, world, idempotency), { isDurable })
}

function read(request: ServiceRequest, requestId: string): Arrival {
  let [pathname, routed]: [string, Routed | undefined] = ['', undefined]
  try {
    const url = readUrl(request.url)
    pathname = url.pathname
    routed = findOperation(request, url)
    return { request, requestId, pathname, routed, admitted: admit(routed, request) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { request, requestId, pathname, routed, admitted: error }
  }
}

function answer(arrival: Arrival, world: TurnWorld, idempotency: IdempotencyStyle): Reply {
  const { request, requestId, pathname } = arrival
  const fault = world.hasFaults ? meetFault(world.store.faults, request.method, pathname) : undefined
  let done: Done | undefined
  const process = () => {
    done = perform(arrival, world, idempotency)
    return done.reply
  }
  const refuse = (status: number, words: string, headers: Readonly<Record<string, string>>) =>
    refusalOf({ status, errorId: 'SandboxFault', description: words, requestId, headers })
  const reply = fault === undefined ? process() : act(readEffect(fault.do), { process, refuse })
  world.log.push(logged(arrival, world, { reply, fault, done }))
  return reply
}

/** What came of processing a request. */
interface Done {
  readonly reply: Reply
  readonly errorId?: string
  readonly isApplied: boolean
}

function perform(arrival: Arrival, world: TurnWorld, idempotency: IdempotencyStyle): Done {
  const { admitted, requestId, routed } = arrival
  try {
    if (admitted instanceof Problem) throw admitted
    const { result, isReplay } = world.attempt(() => run(admitted, world, idempotency))
    const reply = success(stringifyJson(inVersion(admitted.version, result)), requestId)
    if (isReplay)
      return {
        reply: { ...reply, headers: { ...reply.headers, 'idempotent-replayed': 'true' } },
        isApplied: false,
      }
    return { reply, isApplied: admitted.operation.risk !== 'read' }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (!(admitted instanceof Problem)) countFailure(admitted, error, world)
    return { reply: refusal(error, requestId, routed?.operation), errorId: error.errorId, isApplied: false }
  }
}

function run(admitted: Admitted, world: TurnWorld, idempotency: IdempotencyStyle) {
  const { operation, idempotencyKey: key } = admitted
  const used = key === undefined ? undefined : world.store.idempotencyKeys.find(key)
  if (used !== undefined) {
    const replay = idempotency === 'replay' ? replayOf(used, admitted, world) : undefined
    if (replay === undefined) throw refuseUsedKey(used, world)
    return { result: replay, isReplay: true }
  }
  const result = admitted.run(world)
  if (key !== undefined) {
    const used = { operation: operation.id, paymentId: idOf(result), requestHash: admitted.requestHash() }
    world.store.idempotencyKeys.insert(key, used)
  }
  return { result, isReplay: false }
}

/** Operations of which a payment takes a hundred refused calls, and no more calls after that. */
const COUNTED: ReadonlySet<string> = new Set([
  'payment.capture',
  'payment.cancel',
  'payment.refund',
  'payment.adjust',
])

function countFailure({ operation, params }: Admitted, { errorId }: Problem, { store }: TurnWorld): void {
  if (COUNTED.has(operation.id) && errorId !== 'IdempotencyKeyAlreadyExists')
    store.payments.countFailure(params['id'] ?? '')
}

const idOf = (result: unknown): string =>
  isRecord(result) && typeof result['id'] === 'string' ? result['id'] : ''

interface Outcome {
  readonly reply: Reply
  readonly fault: Fault | undefined
  readonly done: Done | undefined
}

function logged(arrival: Arrival, world: TurnWorld, { reply, fault, done }: Outcome): LoggedRequest {
  const { request, requestId, pathname, routed } = arrival
  const key = request.headers['x-api-key']
  const isAnswered = reply.mishap === undefined || ['late', 'truncated'].includes(reply.mishap.kind)
  return {
    at: world.at,
    requestId,
    method: request.method,
    path: loggedPath(pathname, routed),
    operation: routed?.operation.id,
    key: key === undefined ? undefined : (SANDBOX_KEYS.find((row) => row.key === key)?.key ?? 'unknown'),
    idempotencyKey: request.headers['x-idempotency-key'],
    status: isAnswered ? reply.status : undefined,
    errorId: done?.errorId,
    fault: fault?.do,
    applied: done?.isApplied ?? false,
  }
}
