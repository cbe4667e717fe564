import { SANDBOX_KEYS } from '../domain/accounts.ts'
import type { Reply } from '../answers/answer.ts'
import type { Arrival } from '../arrival.ts'
import type { Fault } from '../faults/fault.ts'
import type { Done } from '../perform.ts'
import { shortened } from '../shortened.ts'
import { LONGEST_LOGGED, loggedPath } from './logged-path.ts'
import type { LoggedRequest } from './logged-request.ts'

export interface Fate {
  readonly reply: Reply
  readonly fault: Fault | undefined
  /** Absent where a fault kept the request from being processed. */
  readonly done: Done | undefined
}

export function logEntry(arrival: Arrival, at: string, { reply, fault, done }: Fate): LoggedRequest {
  const { request, requestId, pathname, routed, ignored } = arrival
  const idempotencyKey = request.headers['x-idempotency-key']
  const isAnswered =
    reply.deliveryFault === undefined || ['late', 'truncated'].includes(reply.deliveryFault.kind)
  return {
    at,
    requestId,
    method: shortened(request.method, LONGEST_LOGGED),
    path: loggedPath(pathname, routed),
    operation: routed?.operation.id,
    key: nameOfKey(request.headers['x-api-key']),
    idempotencyKey: idempotencyKey === undefined ? undefined : shortened(idempotencyKey, LONGEST_LOGGED),
    status: isAnswered ? reply.status : undefined,
    errorId: done?.errorId,
    fault: fault?.do,
    applied: done?.isApplied ?? false,
    ignored: ignored.length === 0 ? undefined : ignored,
  }
}

/** A key that is none of ours may be a real one, sent here by mistake. */
function nameOfKey(key: string | undefined): string | undefined {
  if (key === undefined) return undefined
  return SANDBOX_KEYS.find((row) => row.key === key)?.key ?? 'unknown'
}
