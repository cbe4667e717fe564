import { Problem } from '../problem.ts'
import { readUrl } from '../request/address.ts'
import type { Address } from '../request/address.ts'
import { findKey } from '../request/api-key.ts'
import type { RawInput } from '../request/endpoint.ts'
import { shownNames } from '../request/ignored-fields.ts'
import type { KnownInput } from '../request/ignored-fields.ts'
import { findOperation } from '../request/route.ts'
import type { RoutedRequest } from '../request/route.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import { admit, readInput } from './admission.ts'
import type { AdmittedRequest } from './admission.ts'
import { admitControl, isForControl } from './admit-control.ts'

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

/** How a caller is checked: one with an API key, or one with a client token. */
export interface Caller {
  /** Throws unless the caller is known. */
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
