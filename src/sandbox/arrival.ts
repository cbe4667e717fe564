import { admit, findOperation, readUrl } from './gate.ts'
import type { Admitted, Routed, ServiceRequest } from './gate.ts'
import { Problem } from './problem.ts'

/** A request once all that needs no data is known of it. */
export interface Arrival {
  readonly request: ServiceRequest
  readonly requestId: string
  readonly pathname: string
  readonly routed: Routed | undefined
  /** What it may do, or why it is refused at the door. */
  readonly admitted: Admitted | Problem
}

export function readArrival(request: ServiceRequest, requestId: string): Arrival {
  let [pathname, routed]: [string, Routed | undefined] = ['', undefined]
  try {
    const url = readUrl(request.url)
    pathname = url.pathname
    routed = findOperation(request, url)
    return { request, requestId, pathname, routed, admitted: admit(routed, request) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { request, requestId, pathname, routed, admitted: error }
  }
}

/** Whether it asks for a change, and is let in. */
export const isWrite = ({ admitted }: Arrival): boolean =>
  !(admitted instanceof Problem) && admitted.operation.risk !== 'read'
