import type { ServiceResponse } from '../answers/response.ts'
import type { FaultEffect } from './fault.ts'
import { isRecord } from '../../json/is-record.ts'

/** The ways in which faults use the service. */
interface FaultActions {
  /** Processes the request. */
  readonly process: () => ServiceResponse
  readonly refuse: (
    status: number,
    description: string,
    headers: Readonly<Record<string, string>>,
  ) => ServiceResponse
}

const NO_RESPONSE = { status: 0, headers: {}, body: '' } as const

/** Answers a request that meets a fault. Only the effects that call `process` apply the request. */
export function applyFault(effect: FaultEffect, { process, refuse }: FaultActions): ServiceResponse {
  switch (effect.kind) {
    case 'refuse':
      return { ...NO_RESPONSE, deliveryFault: { kind: 'refused' } }
    case 'hang':
      return { ...NO_RESPONSE, deliveryFault: { kind: 'no-response' } }
    case 'drop-before':
      return { ...NO_RESPONSE, deliveryFault: { kind: 'dropped' } }
    case 'status':
      return refuse(effect.status, `Sandbox fault: status ${effect.status}.`, {})
    case '429':
      return refuse(429, 'Sandbox fault: too many requests.', { 'retry-after': effect.retryAfter })
    case 'delay':
      return { ...process(), deliveryFault: { kind: 'delayed', ms: effect.ms } }
    case 'drop-after':
      return { ...process(), deliveryFault: { kind: 'dropped' } }
    case 'truncate':
      return { ...process(), deliveryFault: { kind: 'truncated' } }
    case 'malformed':
      return withoutLastCharacter(process())
    case 'html':
      return proxyPage(process())
    case 'partial':
      return idsOnly(process())
  }
}

const withoutLastCharacter = (response: ServiceResponse): ServiceResponse => ({
  ...response,
  body: response.body.slice(0, -1),
})

const PAGE = '<!doctype html>\n<title>502 Bad Gateway</title>\n<h1>502 Bad Gateway</h1>\n'

const proxyPage = ({ headers }: ServiceResponse): ServiceResponse => ({
  status: 502,
  headers: { ...headers, 'content-type': 'text/html' },
  body: PAGE,
})

/** Keeps only ids: every field may be missing (spec 2.1). */
function idsOnly(response: ServiceResponse): ServiceResponse {
  const body: unknown = JSON.parse(response.body)
  return { ...response, body: JSON.stringify(keepIds(body)) }
}

const ID_FIELDS = ['id', 'clientToken', 'paymentId', 'token', 'errorId'] as const

function keepIds(value: unknown): unknown {
  if (!isRecord(value)) return value
  const kept = ID_FIELDS.filter((name) => value[name] !== undefined).map((name) => [name, value[name]])
  for (const name of ['data', 'error']) {
    const inner = value[name]
    if (Array.isArray(inner)) kept.push([name, inner.map(keepIds)])
    else if (isRecord(inner)) kept.push([name, keepIds(inner)])
  }
  return Object.fromEntries(kept)
}
