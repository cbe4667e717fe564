import type { ServiceResponse } from '../answers/response.ts'
import { SANDBOX_KEYS } from '../domain/accounts.ts'
import type { Fault } from '../faults/fault.ts'
import { loggedExchange } from '../log/logged-exchange.ts'
import type { LoggedExchange } from '../log/logged-exchange.ts'
import { loggedPath, MAX_LOGGED_LENGTH } from '../log/logged-path.ts'
import type { LoggedRequest } from '../log/logged-request.ts'
import { redactWords } from '../log/redact.ts'
import { usesClientToken } from '../request/api-key.ts'
import { truncate } from '../problem.ts'
import type { CheckedRequest } from './check-request.ts'
import type { ProcessedRequest } from './process-request.ts'

export interface RequestOutcome {
  readonly response: ServiceResponse
  readonly fault: Fault | undefined
  /** The processed request; undefined if a fault kept it from being processed. */
  readonly processed: ProcessedRequest | undefined
}

/** The entry of a request. `durationMs` is only known for requests whose bodies are kept. */
export function logEntry(
  checked: CheckedRequest,
  at: string,
  { response, fault, processed }: RequestOutcome,
  durationMs: number | undefined,
): LoggedRequest {
  const { request, requestId, pathname, routed, ignored } = checked
  const idempotencyKey = request.headers['x-idempotency-key']
  return {
    at,
    requestId,
    method: truncate(request.method, MAX_LOGGED_LENGTH),
    path: loggedPath(pathname, routed),
    operation: routed?.operation.id,
    payment: paymentOf(checked, processed),
    key: usesClientToken(request) ? CLIENT_TOKEN : nameOfKey(request.headers['x-api-key']),
    idempotencyKey: idempotencyKey === undefined ? undefined : truncate(idempotencyKey, MAX_LOGGED_LENGTH),
    status: isAnswered(response) ? response.status : undefined,
    errorId: processed?.errorId,
    fault: fault?.do,
    applied: processed?.isApplied ?? false,
    ignored: ignored.length === 0 ? undefined : ignored,
    durationMs,
  }
}

/** The headers and bodies of a request. */
export function exchangeOf(
  { request, requestId, pathname, routed }: CheckedRequest,
  response: ServiceResponse,
): LoggedExchange {
  return loggedExchange({
    requestId,
    query: /\?([^#]*)/.exec(request.url)?.[1] ?? '',
    path: loggedPath(pathname, routed),
    pathname,
    request,
    response: isAnswered(response) ? response : undefined,
  })
}

const isAnswered = ({ deliveryFault }: ServiceResponse): boolean =>
  deliveryFault === undefined || deliveryFault.kind === 'delayed' || deliveryFault.kind === 'truncated'

/** The length of the shortest secret: shorter ids, such as those of payments, can't be one. */
const SHORTEST_SECRET = 10

/** The payment of a request; undefined if the path has a token in place of an id. */
function paymentOf({ routed }: CheckedRequest, processed: ProcessedRequest | undefined): string | undefined {
  const id = routed?.params['id'] ?? routed?.params['paymentId'] ?? processed?.paymentId
  if (id === undefined || id.length > MAX_LOGGED_LENGTH) return undefined
  if (routed?.params['id'] === undefined || id.length < SHORTEST_SECRET) return id
  return redactWords(id) === id ? id : undefined
}
/** The words in place of the token, which is a secret. */
const CLIENT_TOKEN = 'client token'

/** The name of a key. An unknown one may be a real key, sent here by mistake: its value isn't logged. */
function nameOfKey(key: string | undefined): string | undefined {
  if (key === undefined) return undefined
  return SANDBOX_KEYS.find((row) => row.key === key)?.key ?? 'unknown'
}
