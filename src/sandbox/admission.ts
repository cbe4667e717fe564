import { findRoute, RETIRED_ROUTES } from '../api/table.ts'
import type { RouteMatch } from '../api/table.ts'
import { parseJson, stringifyJson } from '../json/json.ts'
import { checkSize, MAX_BODY_BYTES } from './request/body-limits.ts'
import type { RawInput } from './request/endpoint.ts'
import { withoutUnknown } from './request/ignored-fields.ts'
import type { Known } from './request/ignored-fields.ts'
import { ENDPOINTS } from './handlers/endpoints.ts'
import { hashOf } from './domain/hash.ts'
import { invalid, Problem } from './problem.ts'
import { SANDBOX_KEYS } from './domain/accounts.ts'
import type { SandboxKey } from './domain/accounts.ts'
import { isStorable } from './request/validation.ts'
import { isLater, readVersion } from './request/versions.ts'
import type { ApiVersion } from './request/versions.ts'
import type { World } from './domain/world.ts'

/** The shape of a request on the wire; header names are lower case. */
export interface ServiceRequest {
  readonly method: string
  /** Absolute, or a path. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** Why the body is missing. Reported after the checks that come before the body. */
  readonly unreadable?: Problem
}

export interface Routed extends RouteMatch {
  readonly url: Address
}

/** A request that has passed every check that needs no data. */
export interface Admitted {
  readonly operation: RouteMatch['operation']
  readonly params: Readonly<Record<string, string>>
  readonly version: ApiVersion
  readonly idempotencyKey: string | undefined
  /** Of operation, target and body: whether two calls with one key are the same call. */
  readonly requestHash: () => string
  readonly run: (world: World) => unknown
}

export interface Address {
  /** As it was sent: still encoded, with its dots. */
  readonly pathname: string
  readonly query: string
}

/** A path with its query, or an absolute address (RFC 9112 section 3.2). Nothing is resolved: `..` may be an id. */
export function readUrl(url: string): Address {
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '')
  const [, pathname = '', query = ''] = /^(\/[^?#]*)(?:\?([^#]*))?/.exec(path) ?? []
  if (pathname === '') throw new Problem('NotFound', 'The address is not one of this service.')
  return { pathname, query }
}

/** The first check. */
export function findOperation({ method, headers }: ServiceRequest, url: Address): Routed {
  refuseRetired(method, url.pathname, headers['x-api-key'])
  return { url, ...route(method, url.pathname) }
}

/** Then key, scope, version and the form of the body, in this order. */
export function readInput({ url, operation, params }: Routed, request: ServiceRequest): Known {
  checkKey(request.headers['x-api-key'], operation.scope)
  const header = request.headers['x-api-version']
  const version = readVersion(header)
  const raw: RawInput = { params, query: readQuery(url), body: readBody(request), version }
  return isLater(header) ? withoutUnknown(operation, raw) : { raw, ignored: [] }
}

/** Then what the body and the query say. */
export function admit({ operation, params }: Routed, raw: RawInput, request: ServiceRequest): Admitted {
  const { version } = raw
  checkParams(params)
  const run = ENDPOINTS[operation.id].accept(raw)
  const idempotencyKey = operation.idempotencyKey ? readIdempotencyKey(request.headers) : undefined
  const requestHash = () => hashOf(stringifyJson([operation.id, params, raw.body ?? {}]))
  return { operation, params, version, idempotencyKey, requestHash, run }
}

/** Spec 9.3. */
function refuseRetired(method: string, path: string, key: string | undefined): void {
  const retired = RETIRED_ROUTES.find((row) => row.path === path.replace(/\/$/, ''))
  if (retired === undefined) return
  if (retired.method !== method) throw notAllowed(path, method, [retired.method])
  findKey(key)
  throw new Problem('VersionRetired', `Version 1 is retired: ${method} ${path} is no longer served.`, {
    recoverySuggestion: `Use ${retired.replacedBy}.`,
  })
}

export const notAllowed = (path: string, method: string, allowed: readonly string[]) =>
  new Problem('MethodNotAllowed', `${path} takes ${allowed.join(', ')}, not ${method}.`, { allow: allowed })

function route(method: string, path: string): RouteMatch {
  const { match, allowed } = findRoute(method, path)
  if (match !== undefined) return match
  if (allowed.length === 0) throw new Problem('NotFound', `There is nothing at ${path}.`)
  throw notAllowed(path, method, allowed)
}

function checkKey(key: string | undefined, scope: string): void {
  const { scopes } = findKey(key)
  if (!scopes.includes(scope)) throw new Problem('Forbidden', `The API key does not have the scope ${scope}.`)
}

function findKey(key: string | undefined): SandboxKey {
  const known = SANDBOX_KEYS.find((row) => row.key === key)
  if (known === undefined) {
    throw new Problem(
      'Unauthorized',
      key === undefined ? 'There is no X-API-KEY.' : 'The API key is not known.',
      {
        recoverySuggestion: 'Send one of the keys that `pay sandbox start` printed in X-API-KEY.',
      },
    )
  }
  return known
}

/** The key that may do everything may do this too. */
const CONTROL_KEY = 'sandbox_all'

export function checkControlKey(key: string | undefined): void {
  if (findKey(key).key !== CONTROL_KEY)
    throw new Problem('Forbidden', `The controls of the sandbox take the key ${CONTROL_KEY} alone.`)
}

/** Lists come by comma or by repetition. */
export function readQuery({ query }: Address): Readonly<Record<string, string>> {
  if (query === '') return {}
  refuseBadEncoding(query)
  const values = new URLSearchParams(query)
  return Object.fromEntries([...values.keys()].map((name) => [name, values.getAll(name).join(',')]))
}

/** `URLSearchParams` reads on over what is wrong. */
function refuseBadEncoding(query: string): void {
  try {
    decodeURIComponent(query)
  } catch {
    throw invalid([{ path: '$', description: `is not percent-encoded UTF-8: ${query.slice(0, 50)}` }])
  }
}

/** The error for a longer body that isn't JSON names no line: finding it takes many times as long as parsing. */
const LONG_BODY = 64 * 1024

function isJson(text: string): boolean {
  try {
    JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text)
    return true
  } catch {
    return false
  }
}

export function readBody({ headers, body, unreadable }: ServiceRequest): unknown {
  if (unreadable !== undefined) throw unreadable
  if (body === undefined || body.trim() === '') return undefined
  if (Buffer.byteLength(body) > MAX_BODY_BYTES)
    throw new Problem('PayloadTooLarge', 'The body is larger than 1 MB.')
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type !== undefined && type !== 'application/json' && !type.endsWith('+json'))
    throw new Problem('UnsupportedMediaType', `The body is ${type}, not application/json.`)
  try {
    checkSize(body)
    if (body.length > LONG_BODY && !isJson(body)) throw new Problem('MalformedJson', 'The body is not JSON.')
    return parseJson(body, { integers: 'by-value' }) ?? undefined
  } catch (error) {
    if (error instanceof Problem) throw error
    throw new Problem('MalformedJson', error instanceof Error ? error.message : 'The body is not JSON.')
  }
}

function checkParams(params: Readonly<Record<string, string>>): void {
  const bad = Object.keys(params).filter((name) => !isStorable(params[name] ?? ''))
  if (bad.length > 0)
    throw invalid(
      bad.map((name) => ({ path: `$.${name}`, description: 'holds a NUL or half a surrogate pair' })),
    )
}

function readIdempotencyKey(headers: Readonly<Record<string, string>>): string | undefined {
  const key = headers['x-idempotency-key']
  if (key === undefined || (key !== '' && isStorable(key))) return key
  throw invalid([{ path: '$.X-Idempotency-Key', description: 'must be a string that is not empty' }])
}
