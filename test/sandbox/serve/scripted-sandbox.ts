import type { ServiceResponse } from '../../../src/sandbox/answers/response.ts'

/** Sandboxes that answer as a test says. */

export const OK: ServiceResponse = {
  status: 200,
  headers: { 'content-type': 'application/json', 'x-request-id': 'r' },
  body: '{}',
}

export const answering = (body = '{}') => ({
  handle: async (): Promise<ServiceResponse> => ({ ...OK, body }),
})

/** Answers each request when the test says so. */
export function waiting() {
  const open: (() => void)[] = []
  return { open, handle: () => new Promise<ServiceResponse>((resolve) => open.push(() => resolve(OK))) }
}
