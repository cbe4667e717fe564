import { Problem } from '../problem.ts'
import { readUrl } from '../request/address.ts'
import { findKey, readBearerToken } from '../request/api-key.ts'
import { shownNames } from '../request/ignored-fields.ts'
import { findOperation } from '../request/route.ts'
import type { RoutedRequest } from '../request/route.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import { admit, readInput } from './admission.ts'
import type { AdmittedRequest } from './admission.ts'
import { notForClients, readClientInput } from './client-requests.ts'
import { authenticateCheckout } from '../domain/checkout/checkout-access.ts'
import type { SandboxContext } from '../domain/store/context.ts'

/** A request after every check that needs no data. */
export interface CheckedRequest {
  readonly request: ServiceRequest
  readonly requestId: string
  readonly pathname: string
  readonly routed: RoutedRequest | undefined
  /** The request, or why it is refused. */
  readonly admitted: AdmittedRequest | Problem
  /** Names of the fields that were dropped because the served version doesn't know them; limited to what fits in a header. */
  readonly ignored: readonly string[]
}

/** Reads a routed request and admits it. */
type Admit = (routed: RoutedRequest) => {
  readonly ignored: readonly string[]
  readonly admit: () => AdmittedRequest
}

export const checkRequest = (request: ServiceRequest, requestId: string): CheckedRequest =>
  check(request, requestId, {
    authenticate: () => findKey(request.headers['x-api-key']),
    read: (routed) => {
      const { raw, ignored } = readInput(routed, request)
      return { ignored, admit: () => admit(routed, raw, request) }
    },
  })

/** Needs the data, so it runs inside the transaction. */
export function checkClientRequest(
  request: ServiceRequest,
  requestId: string,
  context: SandboxContext,
): CheckedRequest {
  const authenticate = () => authenticateCheckout(readBearerToken(request), context)
  return check(request, requestId, {
    authenticate: () => {
      authenticate()
      throw notForClients()
    },
    read: (routed) => readClientInput(routed, request, authenticate(), context),
  })
}

interface Caller {
  /** Throws unless the caller is known. */
  readonly authenticate: () => void
  readonly read: Admit
}

function check(request: ServiceRequest, requestId: string, { authenticate, read }: Caller): CheckedRequest {
  let [pathname, routed]: [string, RoutedRequest | undefined] = ['', undefined]
  let ignored: readonly string[] = []
  try {
    const url = readUrl(request.url)
    pathname = url.pathname
    routed = findOperation(request, url, authenticate)
    const known = read(routed)
    ignored = shownNames(known.ignored)
    return { request, requestId, pathname, routed, ignored, admitted: known.admit() }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { request, requestId, pathname, routed, ignored, admitted: error }
  }
}

/** Whether the request is admitted and may change data. */
export const isWrite = ({ admitted }: CheckedRequest): boolean =>
  !(admitted instanceof Problem) && admitted.operation.risk !== 'read'
