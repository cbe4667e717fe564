import { readAnswer } from './answer.ts'
import type { Client } from './answer.ts'

const TIMEOUT_MS = 30_000

/** Sends requests to the sandbox that serves this page, with the client token in a header only. */
export function createClient(clientToken: string): Client {
  return {
    send: async (method, path, { body, idempotencyKey } = {}) => {
      try {
        const response = await fetch(path, {
          method,
          headers: {
            authorization: `Bearer ${clientToken}`,
            'x-api-version': '2.1',
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...(idempotencyKey === undefined ? {} : { 'x-idempotency-key': idempotencyKey }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          cache: 'no-store',
          credentials: 'omit',
          referrerPolicy: 'no-referrer',
          signal: AbortSignal.timeout(TIMEOUT_MS),
        })
        return readAnswer(response.status, await response.text(), response.headers.get('retry-after'))
      } catch (error) {
        const isLate = error instanceof DOMException && error.name === 'TimeoutError'
        return {
          kind: 'lost',
          why: isLate ? 'The service took too long to respond.' : 'The connection was lost.',
        }
      }
    },
  }
}
