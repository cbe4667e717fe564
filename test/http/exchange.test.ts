import { expect, test } from 'vitest'
import { exchange } from '../../src/http/exchange.ts'
import type { Handler } from '../../src/http/exchange.ts'
import type { WireRequest } from '../../src/http/transport-port.ts'

const REQUEST: WireRequest = { method: 'POST', url: 'https://api.example.com/x', headers: {}, body: '{}' }

/** What the exchange does with the controller of one start. */
function start(handler: Handler): { readonly aborts: number } {
  const seen = { aborts: 0 }
  handler.onRequestStart({
    abort: () => {
      seen.aborts += 1
    },
  })
  return seen
}

test('keeps a request from being written a second time, whatever the client below does', async () => {
  const starts: { readonly aborts: number }[] = []
  const ended = exchange(
    (handler) => {
      starts.push(start(handler), start(handler))
      handler.onResponseStart({ abort: () => {} }, 200, {})
      handler.onResponseEnd()
    },
    REQUEST,
    { timeoutMs: 20_000 },
  )
  expect(await ended).toMatchObject({ status: 200 })
  expect(starts.map(({ aborts }) => aborts)).toEqual([0, 1])
})

test('keeps a request from being written after it was given up', async () => {
  const handlers: Handler[] = []
  const abort = new AbortController()
  const ended = exchange((handler) => handlers.push(handler), REQUEST, {
    timeoutMs: 20_000,
    signal: abort.signal,
  })
  abort.abort()
  await expect(ended).rejects.toMatchObject({ reason: 'aborted', sent: false })
  expect(handlers.map((handler) => start(handler).aborts)).toEqual([1])
})

test('an error counts as unsent before the start, and as sent after it', async () => {
  const error = Object.assign(new Error('reset'), { code: 'ECONNRESET' })
  const before = exchange((handler) => handler.onResponseError(undefined, error), REQUEST, {
    timeoutMs: 20_000,
  })
  await expect(before).rejects.toMatchObject({ reason: 'refused', sent: false, cause: error })
  const after = exchange(
    (handler) => {
      start(handler)
      handler.onResponseError(undefined, error)
    },
    REQUEST,
    { timeoutMs: 20_000 },
  )
  await expect(after).rejects.toMatchObject({ reason: 'cut', sent: true, cause: error })
})
