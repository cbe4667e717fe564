import { findRoute, RETIRED_ROUTES } from '../../api/table.ts'
import { problemResponse, successResponse } from '../answers/response.ts'
import type { ServiceResponse } from '../answers/response.ts'
import { methodsOfControl } from '../controls/control-routes.ts'
import { checkControlKey } from '../request/api-key.ts'
import { methodNotAllowed } from '../request/route.ts'
import { readBody } from '../request/body.ts'
import { readUrl } from '../request/address.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import { invalid, Problem } from '../problem.ts'
import { isRecord } from '../../is-record.ts'

/** Who a server is, told to those that look for it. */
export interface ServerIdentity {
  readonly id: string
  readonly pid: number
  readonly startedAt: string
  readonly url: string
}

export interface ServerRouteParts {
  readonly identity: ServerIdentity
  /** What else is told of it, such as its folder. */
  readonly about: Readonly<Record<string, unknown>>
  readonly newId: () => string
  readonly onStop: () => void
}

/** What is about the server, not about its data. */
const OWN_METHODS: Readonly<Record<string, string>> = { '/sandbox/status': 'GET', '/sandbox/stop': 'POST' }

/** Before anything else is known of a request: most are for the service. */
const BEGINNING_OF_OWN = '/sandbox/st'

/** Answers what the server answers by itself; undefined for what goes on to the sandbox. */
export function answerServerRoute(
  parts: ServerRouteParts,
  request: ServiceRequest,
): ServiceResponse | undefined {
  if (request.method !== 'OPTIONS' && !request.url.includes(BEGINNING_OF_OWN)) return undefined
  const requestId = parts.newId()
  try {
    const path = request.url === '*' ? '*' : readUrl(request.url).pathname.replace(/(?<=.)\/$/, '')
    if (request.method === 'OPTIONS') return options(path, requestId)
    const method = OWN_METHODS[path]
    if (method === undefined) return undefined
    if (request.method !== method) throw methodNotAllowed(path, request.method, [method])
    checkControlKey(request.headers['x-api-key'])
    const { identity, about } = parts
    if (method === 'POST') stop(parts, request)
    return successResponse(JSON.stringify({ server: identity, ...about }), requestId)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return problemResponse(error, requestId)
  }
}

function options(path: string, requestId: string): ServiceResponse {
  const methods = path === '*' ? EVERY_METHOD : methodsAt(path)
  if (methods.length === 0) throw new Problem('NotFound', `There is nothing at ${path}.`)
  return { status: 204, headers: { allow: allowHeader(methods), 'x-request-id': requestId }, body: '' }
}

const EVERY_METHOD = ['GET', 'POST', 'PATCH', 'DELETE'] as const

function methodsAt(path: string): readonly string[] {
  const own = OWN_METHODS[path]
  const retired = RETIRED_ROUTES.filter((row) => row.path === path).map(({ method }) => method)
  return [
    ...(own === undefined ? [] : [own]),
    ...retired,
    ...methodsOfControl(path),
    ...findRoute('', path).allowed,
  ]
}

/** HEAD goes wherever GET does, and OPTIONS everywhere. */
export const allowHeader = (methods: readonly string[]): string =>
  [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')

function stop({ identity, onStop }: ServerRouteParts, request: ServiceRequest): void {
  const body = readBody(request)
  const id = isRecord(body) ? body['id'] : undefined
  // A port may have gone to another server since the caller last looked.
  if (id !== identity.id)
    throw invalid([{ path: '$.id', description: 'must be the id that GET /sandbox/status tells' }])
  onStop()
}
