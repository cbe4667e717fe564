import { admit, findOperation, readInput, readUrl } from './admission.ts'
import type { Admitted, Routed, ServiceRequest } from './admission.ts'
import { shownNames } from './request/ignored-fields.ts'
import { Problem } from './problem.ts'

/** A request once all that needs no data is known of it. */
export interface Arrival {
  readonly request: ServiceRequest
  readonly requestId: string
  readonly pathname: string
  readonly routed: Routed | undefined
  /** What it may do, or why it is refused at the door. */
  readonly admitted: Admitted | Problem
  /** What the served version does not know, and was left out: as many names as are shown. */
  readonly ignored: readonly string[]
}

export function readArrival(request: ServiceRequest, requestId: string): Arrival {
  let [pathname, routed]: [string, Routed | undefined] = ['', undefined]
  let ignored: readonly string[] = []
  try {
    const url = readUrl(request.url)
    pathname = url.pathname
    routed = findOperation(request, url)
    const known = readInput(routed, request)
    ignored = shownNames(known.ignored)
    return { request, requestId, pathname, routed, ignored, admitted: admit(routed, known.raw, request) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { request, requestId, pathname, routed, ignored, admitted: error }
  }
}

/** Whether it asks for a change, and is let in. */
export const isWrite = ({ admitted }: Arrival): boolean =>
  !(admitted instanceof Problem) && admitted.operation.risk !== 'read'
