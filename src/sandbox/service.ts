import { ERROR_STATUS } from '../api/error-ids.ts'
import { refusalOf } from './answers/answer.ts'
import type { Reply } from './answers/answer.ts'
import { isWrite, readArrival } from './arrival.ts'
import type { Arrival } from './arrival.ts'
import { act } from './faults/act.ts'
import { meetFault } from './faults/choose.ts'
import { readEffect } from './faults/effect.ts'
import type { ServiceRequest } from './admission.ts'
import type { Group } from './database/group-commit.ts'
import type { Identifiers } from './domain/identifiers.ts'
import { headerOf } from './request/ignored-fields.ts'
import { logEntry } from './log/log-entry.ts'
import { perform } from './perform.ts'
import type { Done, IdempotencyStyle } from './perform.ts'
import type { TransactionWorld } from './domain/world.ts'

export interface ServiceParts {
  readonly group: Group<TransactionWorld>
  readonly ids: Identifiers
  readonly idempotency: IdempotencyStyle
}

/** One request: read outside the transaction; answered, counted and logged in it. */
export function serve({ group, ids, idempotency }: ServiceParts, request: ServiceRequest): Promise<Reply> {
  const arrival = readArrival(request, ids.uuid())
  return group.run((world) => answer(arrival, world, idempotency), { isDurable: isWrite(arrival) })
}

/** Names the fields that were left out. */
function withIgnored(reply: Reply, { ignored }: Arrival): Reply {
  if (ignored.length === 0) return reply
  return { ...reply, headers: { ...reply.headers, 'x-sandbox-ignored': headerOf(ignored) } }
}

function answer(arrival: Arrival, world: TransactionWorld, idempotency: IdempotencyStyle): Reply {
  const { request, requestId, pathname } = arrival
  const fault = world.hasFaults ? meetFault(world.store.faults, request.method, pathname) : undefined
  let done: Done | undefined
  const process = () => {
    done = perform(arrival, world, idempotency)
    return withIgnored(done.reply, arrival)
  }
  const refuse = (status: number, words: string, headers: Readonly<Record<string, string>>) =>
    refusalOf({ status, errorId: 'SandboxFault', description: words, requestId, headers })
  try {
    const reply = fault === undefined ? process() : act(readEffect(fault.do), { process, refuse })
    world.log.push(logEntry(arrival, world.at, { reply, fault, done }))
    return reply
  } catch (error) {
    // A bug of the sandbox, answered with a 5xx: the log has to show the request.
    const reply = refuse(ERROR_STATUS.SandboxFailed, 'A defect of the sandbox.', {})
    world.log.push(logEntry(arrival, world.at, { reply, fault, done: undefined }))
    throw error
  }
}
