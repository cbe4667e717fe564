import { findRoute, RETIRED_ROUTES } from '../../api/table.ts'
import type { RouteMatch } from '../../api/table.ts'
import { Problem } from '../problem.ts'
import type { Address } from './address.ts'
import type { ServiceRequest } from './service-request.ts'

export interface RoutedRequest extends RouteMatch {
  readonly url: Address
}

/**
 * `authenticate` throws for a caller who must not learn that an operation is retired.
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

/** Spec 9.3. */
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
