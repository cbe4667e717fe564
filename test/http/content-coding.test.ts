import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { decodeContent } from '../../src/http/content-coding.ts'
import { InFlightRequests } from '../../src/http/in-flight-requests.ts'
import { TransportFailure } from '../../src/http/transport-port.ts'
import type { HttpResponse, HttpRequest } from '../../src/http/transport-port.ts'

/** An answer that came whole and is not decoded yet has left the service long ago: whatever happens now, it was sent. */

const REQUEST: HttpRequest = { method: 'POST', url: 'http://127.0.0.1:1/x', headers: {}, body: '{}' }
const BODY = gzipSync('{"id":"pay-1"}')

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const failureOf = (sending: Promise<HttpResponse>): Promise<unknown> =>
  sending.then(
    () => undefined,
    (error: unknown) => error,
  )

let nowMs = 0

/** Up to the last byte of the answer, which is being decoded from then on. */
function received(options: { readonly signal?: AbortSignal } = {}): Promise<HttpResponse> {
  const inFlight = new InFlightRequests(() => nowMs)
  return inFlight.run(REQUEST, { timeoutMs: 1_000, ...options }, (pending) => {
    const controller = { abort: () => {} }
    pending.onRequestStart(controller)
    pending.onResponseStart(controller, 200, { 'content-encoding': 'gzip' })
    pending.onResponseData(controller, BODY)
    pending.onResponseEnd()
  })
}

test('a time limit that is reached while it is decoded counts as sent', async () => {
  const failure = failureOf(received())
  nowMs += 1_000
  vi.advanceTimersByTime(1_000)
  expect(await failure).toMatchObject({ reason: 'timeout', sent: true })
})

test('being given up while it is decoded counts as sent', async () => {
  const abort = new AbortController()
  const failure = failureOf(received({ signal: abort.signal }))
  abort.abort()
  expect(await failure).toMatchObject({ reason: 'aborted', sent: true })
})

test('in time, it is the answer', async () => {
  expect((await received()).body).toBe('{"id":"pay-1"}')
})

test.each([
  ['cut', BODY.subarray(0, -3), 'gzip', 1_000],
  ['something else', Buffer.from('{"id":"pay-1"}'), 'gzip', 1_000],
  ['of a coding that nobody knows', BODY, 'zstd-of-mine', 1_000],
  ['coded again and again', BODY, 'gzip, gzip, gzip, gzip', 1_000],
  ['too large', gzipSync('0'.repeat(5_000)), 'gzip', 1_000],
])('what cannot be decoded counts as sent: %s', async (_, body, coding, limit) => {
  const failure = await decodeContent(body, coding, limit).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(TransportFailure)
  expect(failure).toMatchObject({ sent: true })
})
