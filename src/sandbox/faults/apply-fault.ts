import type { ServiceResponse } from '../answers/response.ts'
import type { FaultEffect } from './fault.ts'
import { isRecord } from '../../is-record.ts'

/** What faults need of the service. */
export interface FaultActions {
  /** Does what the request asks. */
  readonly process: () => ServiceResponse
  readonly refuse: (
    status: number,
    words: string,
    headers: Readonly<Record<string, string>>,
  ) => ServiceResponse
}

const NO_ANSWER = { status: 0, headers: {}, body: '' } as const

/** What a request that meets a fault comes to. Whether it is processed at all is the fault's most important half. */
export function applyFault(effect: FaultEffect, { process, refuse }: FaultActions): ServiceResponse {
  switch (effect.kind) {
    case 'refuse':
      return { ...NO_ANSWER, deliveryFault: { kind: 'refused' } }
    case 'hang':
      return { ...NO_ANSWER, deliveryFault: { kind: 'no-response' } }
    case 'drop-before':
      return { ...NO_ANSWER, deliveryFault: { kind: 'dropped' } }
    case 'status':
      return refuse(effect.status, `A fault of the sandbox: status ${effect.status}.`, {})
    case '429':
      return refuse(429, 'A fault of the sandbox: too many requests.', { 'retry-after': effect.retryAfter })
    case 'delay':
      return { ...process(), deliveryFault: { kind: 'delayed', ms: effect.ms } }
    case 'drop-after':
      return { ...process(), deliveryFault: { kind: 'dropped' } }
    case 'truncate':
      return { ...process(), deliveryFault: { kind: 'truncated' } }
    case 'malformed':
      return malformed(process())
    case 'html':
      return page(process())
    case 'partial':
      return partial(process())
  }
}

const malformed = (reply: ServiceResponse): ServiceResponse => ({ ...reply, body: reply.body.slice(0, -1) })

const PAGE = '<!doctype html>\n<title>502 Bad Gateway</title>\n<h1>502 Bad Gateway</h1>\n'

const page = ({ headers }: ServiceResponse): ServiceResponse => ({
  status: 502,
  headers: { ...headers, 'content-type': 'text/html' },
  body: PAGE,
})

/** Every field may be absent (spec 2.1). */
function partial(reply: ServiceResponse): ServiceResponse {
  const body: unknown = JSON.parse(reply.body)
  return { ...reply, body: JSON.stringify(identityOf(body)) }
}

const ID_FIELDS = ['id', 'clientToken', 'paymentId', 'token', 'errorId'] as const

function identityOf(value: unknown): unknown {
  if (!isRecord(value)) return value
  const kept = ID_FIELDS.filter((name) => value[name] !== undefined).map((name) => [name, value[name]])
  for (const name of ['data', 'error']) {
    const inner = value[name]
    if (Array.isArray(inner)) kept.push([name, inner.map(identityOf)])
    else if (isRecord(inner)) kept.push([name, identityOf(inner)])
  }
  return Object.fromEntries(kept)
}
