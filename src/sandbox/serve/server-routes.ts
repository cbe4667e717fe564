import { problemResponse, successResponse } from '../answers/response.ts'
import type { ServiceResponse } from '../answers/response.ts'
import { checkControlKey, usesClientToken } from '../request/api-key.ts'
import { methodNotAllowed, readUrl } from '../request/route.ts'
import { readBody } from '../request/body.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import { invalid, Problem } from '../problem.ts'
import type { OneTimeLinks } from './one-time-links.ts'
import { isRecord } from '../../json/is-record.ts'

/** Identifies a server to programs that look for it. */
export interface ServerIdentity {
  readonly id: string
  readonly pid: number
  readonly startedAt: string
  readonly url: string
}

export interface ServerRouteParts {
  readonly identity: ServerIdentity
  /** Further facts to show, such as the server's folder. */
  readonly about: Readonly<Record<string, unknown>>
  readonly newId: () => string
  readonly onStop: () => void
  readonly links: OneTimeLinks
}

/** Routes about the server rather than its data. */
const SERVER_METHODS: Readonly<Record<string, string>> = {
  '/sandbox/health': 'GET',
  '/sandbox/status': 'GET',
  '/sandbox/stop': 'POST',
  '/sandbox/open': 'POST',
}

const HEALTH = '/sandbox/health'
const OPEN = '/sandbox/open'
const ONE_TIME = '/open/'

/** A quick test for these routes, because most requests are for the service. */
const SERVER_ROUTE = /\/(?:sandbox\/(?:he|st|op)|open\/)/

/** Answers requests to the server itself; returns undefined for requests to the sandbox. */
export function answerServerRoute(
  parts: ServerRouteParts,
  request: ServiceRequest,
): ServiceResponse | undefined {
  if (!SERVER_ROUTE.test(request.url)) return undefined
  // The sandbox knows client tokens, and refuses them here.
  if (usesClientToken(request)) return undefined
  const requestId = parts.newId()
  try {
    const path = readUrl(request.url).pathname.replace(/(?<=.)\/$/, '')
    if (path.startsWith(ONE_TIME)) return redirect(parts, request.method, path, requestId)
    const method = SERVER_METHODS[path]
    if (method === undefined) return undefined
    if (request.method !== method) throw methodNotAllowed(path, request.method, [method])
    // Probes of containers have no key.
    if (path === HEALTH) return successResponse('{"status":"ok"}', requestId)
    checkControlKey(request.headers['x-api-key'])
    const { identity, about, links } = parts
    if (path === OPEN)
      return successResponse(JSON.stringify({ path: links.create(readClientToken(request)) }), requestId)
    if (method === 'POST') stop(parts, request)
    return successResponse(JSON.stringify({ server: identity, ...about }), requestId)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return problemResponse(error, requestId)
  }
}

function redirect(
  { links }: ServerRouteParts,
  method: string,
  path: string,
  requestId: string,
): ServiceResponse {
  if (method !== 'GET') throw methodNotAllowed('/open', method, ['GET'])
  const location = links.follow(path)
  if (location === undefined)
    throw new Problem('NotFound', 'This link has been used, or is older than a minute.', {
      recoverySuggestion: 'Run `pay sandbox open` again.',
    })
  return {
    status: 303,
    headers: { location, 'cache-control': 'no-store', 'x-request-id': requestId },
    body: '',
  }
}

function readClientToken(request: ServiceRequest): string {
  const body = readBody(request)
  const clientToken = isRecord(body) ? body['clientToken'] : undefined
  if (typeof clientToken === 'string' && clientToken !== '') return clientToken
  throw invalid([{ path: '$.clientToken', description: 'must be the clientToken of a client session' }])
}

function stop({ identity, onStop }: ServerRouteParts, request: ServiceRequest): void {
  const body = readBody(request)
  const id = isRecord(body) ? body['id'] : undefined
  // Another server may have taken over the port since the caller looked.
  if (id !== identity.id)
    throw invalid([{ path: '$.id', description: 'must be the id from GET /sandbox/status' }])
  onStop()
}
