import type { ServiceResponse } from '../../../src/sandbox/answers/response.ts'
import type { Json, Service } from '../service.ts'

/** Returns the response with its delivery fault. */
export const send = (
  service: Service,
  method: string,
  url: string,
  body?: Json,
  key = 'k-1',
): Promise<ServiceResponse> =>
  service.sandbox.handle({
    method,
    url,
    headers: { 'x-api-key': 'sandbox_all', 'x-idempotency-key': key },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
