import { exchange } from '../../page/exchange.ts'
import { readAnswer } from './answer.ts'
import type { Client } from './answer.ts'

const TIMEOUT_MS = 30_000

/** Sends requests to the sandbox that serves this page, with the client token in a header only. */
export function createClient(clientToken: string): Client {
  return {
    send: async (method, path, { body, idempotencyKey } = {}) => {
      try {
        const { status, text, retryAfter } = await exchange({
          method,
          url: path,
          headers: {
            authorization: `Bearer ${clientToken}`,
            ...(idempotencyKey === undefined ? {} : { 'x-idempotency-key': idempotencyKey }),
          },
          body: body === undefined ? undefined : JSON.stringify(body),
          signal: AbortSignal.timeout(TIMEOUT_MS),
        })
        return readAnswer(status, text, retryAfter)
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
