import type { Reply } from '../../../src/sandbox/answers/answer.ts'

/** Sandboxes that say what a test tells them. */

export const OK: Reply = {
  status: 200,
  headers: { 'content-type': 'application/json', 'x-request-id': 'r' },
  body: '{}',
}

export const answering = (body = '{}') => ({ handle: async (): Promise<Reply> => ({ ...OK, body }) })

/** Answers each request when it is told to go. */
export function waiting() {
  const open: (() => void)[] = []
  return {
    open,
    handle: () => new Promise<Reply>((resolve) => open.push(() => resolve(OK))),
  }
}
