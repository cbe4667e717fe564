import { Problem, invalid } from '../problem.ts'
import { readUrl, readQuery, findOperation } from '../request/route.ts'
import type { Address, RoutedRequest } from '../request/route.ts'
import { findKey, checkKey, checkControlKey } from '../request/api-key.ts'
import type { RawInput } from '../request/endpoint.ts'
import { shownNames, withoutIgnored } from '../request/ignored-fields.ts'
import type { KnownInput } from '../request/ignored-fields.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import type { Operation } from '../../api/operation.ts'
import { isRecord } from '../../json/is-record.ts'
import { stringifyJson } from '../../json/json.ts'
import { sha256Base64url } from '../../files/sha256.ts'
import type { ControlContext, LongWork, ControlInput } from '../controls/control.ts'
import type { ClientSession } from '../domain/context.ts'
import { ENDPOINTS } from '../handlers/endpoints.ts'
import { readBody } from '../request/body.ts'
import { refuseBody, refuseQuery } from '../request/validation.ts'
import { isStorable, UNSTORABLE } from '../../text/storable.ts'
import { readVersion } from '../request/versions.ts'
import type { ApiVersion } from '../request/versions.ts'
import { findControl } from '../controls/controls.ts'
import { problemOf } from '../controls/control-problem.ts'

/** A request after every check that needs no data. */
export interface CheckedRequest {
  readonly request: ServiceRequest
  readonly requestId: string
  readonly pathname: string
  readonly routed: RoutedRequest | undefined
  /** The admitted request, or why it is refused. */
  readonly admitted: AdmittedRequest | Problem
  /** The names of the fields that the served version doesn't know, which were dropped; limited to what fits in a header. */
  readonly ignored: readonly string[]
}

/** The checks of a caller: one with an API key, or one with a client token. */
export interface Caller {
  /** Checks the caller, and throws unless it is known. */
  readonly authenticate: (request: ServiceRequest) => void
  /** Checks what the caller may do, then version and body. */
  readonly read: (routed: RoutedRequest, request: ServiceRequest) => KnownInput
  readonly admit: (routed: RoutedRequest, raw: RawInput, request: ServiceRequest) => AdmittedRequest
  readonly admitControl: (url: Address, request: ServiceRequest) => AdmittedRequest
}

const WITH_KEY: Caller = {
  authenticate: ({ headers }) => void findKey(headers['x-api-key']),
  read: readInput,
  admit,
  admitControl: (url, request) => admitControl(url, request),
}

export function checkRequest(
  request: ServiceRequest,
  requestId: string,
  caller: Caller = WITH_KEY,
): CheckedRequest {
  let [pathname, routed]: [string, RoutedRequest | undefined] = ['', undefined]
  let ignored: readonly string[] = []
  try {
    const url = readUrl(request.url)
    pathname = url.pathname
    if (isForControl(request))
      return { request, requestId, pathname, routed, ignored, admitted: caller.admitControl(url, request) }
    routed = findOperation(request, url, caller.authenticate)
    const known = caller.read(routed, request)
    ignored = shownNames(known.ignored)
    const admitted = caller.admit(routed, known.raw, request)
    return { request, requestId, pathname, routed, ignored, admitted }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { request, requestId, pathname, routed, ignored, admitted: error }
  }
}

/** Whether the request is admitted and may change data. */
export const isWrite = ({ admitted }: CheckedRequest): boolean =>
  !(admitted instanceof Problem) && admitted.operation.risk !== 'read'

/** The facts of an operation or a control that the pipeline needs. */
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
  /** The hash of operation, target and parsed body: two calls with one key are the same call if the hashes match. */
  readonly requestHash: () => string
  readonly run: (context: ControlContext) => unknown
  /** Runs in place of `run`, without a transaction. */
  readonly runOutside?: (work: LongWork) => Promise<unknown>
  /** The session of the caller, if it has no API key. */
  readonly clientSession?: ClientSession | undefined
}

/** Checks API key, scope, version and the form of the body, in this order. */
function readInput({ url, operation, params }: RoutedRequest, request: ServiceRequest): KnownInput {
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

/** A quick test for controls, because most requests aren't for one. */
const BELOW_SANDBOX = /^(?:[a-z]+:\/\/[^/?#]*)?\/sandbox(?=[/?#]|$)/i

export const isForControl = ({ url }: ServiceRequest): boolean => BELOW_SANDBOX.test(url)

/** Finds the control, then checks key, query and body. `sessionToken` has authenticated the request in place of a key. */
export function admitControl(url: Address, request: ServiceRequest, sessionToken?: string): AdmittedRequest {
  const { method, headers } = request
  const isCheckout = sessionToken !== undefined
  const { control, params } = findControl(method, url.pathname, { isCheckout })
  if (!isCheckout) checkControlKey(headers['x-api-key'])
  const query = readQuery(url)
  if (control.reads !== 'query') refuseQuery(query)
  const body = method === 'GET' ? undefined : readBody(request)
  if (control.reads !== 'body') refuseBody(body)
  const input: ControlInput = { params, query, body, sessionToken }
  const admitted = {
    operation: {
      id: control.path,
      risk: method === 'GET' ? 'read' : 'write',
      countsRefusals: false,
      creates: null,
    },
    params,
    version: '2.1',
    idempotencyKey: undefined,
    requestHash: () => '',
  } as const
  if ('runOutside' in control) {
    const { runOutside } = control
    return { ...admitted, run: () => undefined, runOutside: (work) => runOutside(work, input) }
  }
  return { ...admitted, run: (context) => runControl(() => control.run(context, input), context, method) }
}

/** Marks a change, because the log doesn't show it. */
function runControl(run: () => unknown, { store }: ControlContext, method: string): unknown {
  try {
    const result = run()
    if (method !== 'GET') store.settings.markChange()
    return result
  } catch (error) {
    throw problemOf(error)
  }
}
