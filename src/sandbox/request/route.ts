import { findRoute, RETIRED_ROUTES } from '../../api/table.ts'
import type { RouteMatch } from '../../api/table.ts'
import { Problem, invalid } from '../problem.ts'
import type { ServiceRequest } from './service-request.ts'

export interface RoutedRequest extends RouteMatch {
  readonly url: Address
}

/**
 * Finds the operation. `authenticate` throws for a caller who must not learn that an operation is retired.
 * @throws {Problem} if no operation has this path and method
 */
export function findOperation(
  request: ServiceRequest,
  url: Address,
  authenticate: (request: ServiceRequest) => void,
): RoutedRequest {
  const { method } = request
  refuseRetired(request, url.pathname, authenticate)
  const { match, allowed } = findRoute(method, url.pathname)
  if (match !== undefined) return { url, ...match }
  if (allowed.length === 0) throw new Problem('NotFound', `There is nothing at ${url.pathname}.`)
  throw methodNotAllowed(url.pathname, method, allowed)
}

/** Refuses a retired operation (spec 9.3). */
function refuseRetired(
  request: ServiceRequest,
  path: string,
  authenticate: (request: ServiceRequest) => void,
): void {
  const retired = RETIRED_ROUTES.find((row) => row.path === path.replace(/\/$/, ''))
  if (retired === undefined) return
  const { method } = request
  if (retired.method !== method) throw methodNotAllowed(path, method, [retired.method])
  authenticate(request)
  throw new Problem('VersionRetired', `Version 1 is retired: ${method} ${path} is not available.`, {
    recoverySuggestion: `Use ${retired.replacedBy}.`,
  })
}

export const methodNotAllowed = (path: string, method: string, allowed: readonly string[]) =>
  new Problem('MethodNotAllowed', `${path} allows ${allowed.join(', ')}, not ${method}.`, { allow: allowed })

export interface Address {
  /** The path as sent: percent-encoded, with its dots. */
  readonly pathname: string
  readonly query: string
}

/**
 * Reads a path with a query, or an absolute URL (RFC 9112 section 3.2). Resolves nothing: `..` may be an id.
 * @throws {Problem} if it is neither
 */
export function readUrl(url: string): Address {
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '')
  const [, pathname = '', query = ''] = /^(\/[^?#]*)(?:\?([^#]*))?/.exec(path) ?? []
  if (pathname === '') throw new Problem('NotFound', 'This address does not belong to the service.')
  return { pathname, query }
}

/** Reads a query, whose lists can be comma-separated or repeated parameters. */
export function readQuery({ query }: Address): Readonly<Record<string, string>> {
  if (query === '') return {}
  refuseBadEncoding(query)
  const values = new URLSearchParams(query)
  return Object.fromEntries([...values.keys()].map((name) => [name, values.getAll(name).join(',')]))
}

/** Refuses invalid encoding, which `URLSearchParams` silently accepts. */
function refuseBadEncoding(query: string): void {
  try {
    decodeURIComponent(query)
  } catch {
    throw invalid([{ path: '$', description: `is not percent-encoded UTF-8: ${query.slice(0, 50)}` }])
  }
}
