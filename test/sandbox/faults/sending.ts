import type { ServiceResponse } from '../../../src/sandbox/answers/response.ts'
import type { NewFault } from '../../../src/sandbox/faults/fault.ts'
import type { Json, Service } from '../service.ts'

export const addFault = (service: Service, fault: Partial<NewFault>) =>
  service.sandbox.faults.add({ on: '* /**', do: 'drop-before', rate: 1, seed: 7, skip: 0, ...fault })

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
