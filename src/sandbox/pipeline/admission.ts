import type { Operation } from '../../api/operation.ts'
import { isRecord } from '../../json/is-record.ts'
import { stringifyJson } from '../../json/json.ts'
import { sha256Base64url } from '../../files/sha256.ts'
import type { ControlContext, LongWork } from '../controls/control.ts'
import type { ClientSession } from '../domain/context.ts'
import { ENDPOINTS } from '../handlers/endpoints.ts'
import { invalid } from '../problem.ts'
import { readQuery } from '../request/address.ts'
import { checkKey } from '../request/api-key.ts'
import { readBody } from '../request/body.ts'
import type { RawInput } from '../request/endpoint.ts'
import { withoutIgnored } from '../request/ignored-fields.ts'
import type { KnownInput } from '../request/ignored-fields.ts'
import type { RoutedRequest } from '../request/route.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import { isStorable, UNSTORABLE } from '../request/validation.ts'
import { readVersion } from '../request/versions.ts'
import type { ApiVersion } from '../request/versions.ts'

/** What the pipeline needs to know of an operation or a control. */
export type RequestedOperation = Pick<
  Operation,
  'id' | 'risk' | 'countsRefusals' | 'creates' | 'ownId' | 'echoes'
>

/** A request that has passed every check that needs no data. */
export interface AdmittedRequest {
  readonly operation: RequestedOperation
  readonly params: Readonly<Record<string, string>>
  readonly version: ApiVersion
  readonly idempotencyKey: string | undefined
  /** Covers operation, target and parsed body: two calls with one key are the same call if the hashes match. */
  readonly requestHash: () => string
  readonly run: (context: ControlContext) => unknown
  /** Runs in place of `run`, without a transaction. */
  readonly runOutside?: (work: LongWork) => Promise<unknown>
  /** Who calls, if not an API key. */
  readonly clientSession?: ClientSession | undefined
}

/** Checks API key, scope, version and the form of the body, in this order. */
export function readInput({ url, operation, params }: RoutedRequest, request: ServiceRequest): KnownInput {
  checkKey(request.headers['x-api-key'], operation.scope)
  return readRaw({ url, operation, params }, request)
}

/** Checks the version and the form of the body, in this order. */
export function readRaw({ url, operation, params }: RoutedRequest, request: ServiceRequest): KnownInput {
  const header = request.headers['x-api-version']
  const version = readVersion(header)
  const raw: RawInput = { params, query: readQuery(url), body: readBody(request), version }
  return withoutIgnored(operation, raw, header)
}

/** Checks the values in the path, body and query. */
export function admit(
  { operation, params }: RoutedRequest,
  raw: RawInput,
  request: ServiceRequest,
): AdmittedRequest {
  const { version } = raw
  checkParams(params)
  const run = ENDPOINTS[operation.id].accept(raw)
  const idempotencyKey = operation.idempotencyKey ? readIdempotencyKey(request.headers) : undefined
  const requestHash = () =>
    sha256Base64url(stringifyJson([operation.id, params, withSortedKeys(raw.body ?? {})]))
  return { operation, params, version, idempotencyKey, requestHash, run }
}

function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys)
  if (!isRecord(value)) return value
  const names = Object.keys(value).toSorted()
  return Object.fromEntries(names.map((name) => [name, withSortedKeys(value[name])]))
}

function checkParams(params: Readonly<Record<string, string>>): void {
  const bad = Object.keys(params).filter((name) => !isStorable(params[name] ?? ''))
  if (bad.length > 0) throw invalid(bad.map((name) => ({ path: `$.${name}`, description: UNSTORABLE })))
}

function readIdempotencyKey(headers: Readonly<Record<string, string>>): string | undefined {
  const key = headers['x-idempotency-key']
  if (key === undefined || (key !== '' && isStorable(key))) return key
  throw invalid([{ path: '$.X-Idempotency-Key', description: 'must be a non-empty string' }])
}
