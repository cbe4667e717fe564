import { problemResponse } from '../../../src/sandbox/answers/response.ts'
import type { ServiceResponse } from '../../../src/sandbox/answers/response.ts'
import type { ServiceRequest } from '../../../src/sandbox/request/service-request.ts'
import type { Sandbox } from '../../../src/sandbox/sandbox.ts'

/** A sandbox that records requests and echoes them; like the service, it refuses a body that couldn't be read. */
export function echoing(): Pick<Sandbox, 'handle'> & { readonly asked: ServiceRequest[] } {
  const asked: ServiceRequest[] = []
  return {
    asked,
    handle: async (request): Promise<ServiceResponse> => {
      const { method, url, body, unreadable } = request
      asked.push(request)
      if (unreadable !== undefined) return problemResponse(unreadable, `r-${asked.length}`)
      return {
        status: 200,
        headers: { 'content-type': 'application/json', 'x-request-id': `r-${asked.length}` },
        body: JSON.stringify({ method, url, body }),
      }
    },
  }
}
