import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { decodeContent } from '../../../src/client/http/content-coding.ts'
import { InFlightRequests } from '../../../src/client/http/in-flight-requests.ts'
import { TransportFailure } from '../../../src/client/http/transport-port.ts'
import type { HttpResponse, HttpRequest } from '../../../src/client/http/transport-port.ts'

/** A response that arrived but is not decoded yet proves that the request was sent, no matter what happens next. */

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

/** Delivers the whole response, whose decoding then begins. */
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

test('a timeout during decoding counts as sent', async () => {
  const failure = failureOf(received())
  nowMs += 1_000
  vi.advanceTimersByTime(1_000)
  expect(await failure).toMatchObject({ reason: 'timeout', sent: true })
})

test('an abort during decoding counts as sent', async () => {
  const abort = new AbortController()
  const failure = failureOf(received({ signal: abort.signal }))
  abort.abort()
  expect(await failure).toMatchObject({ reason: 'aborted', sent: true })
})

test('a response that is decoded in time is returned', async () => {
  expect((await received()).body).toBe('{"id":"pay-1"}')
})

test.each([
  ['cut', BODY.subarray(0, -3), 'gzip', 1_000],
  ['something else', Buffer.from('{"id":"pay-1"}'), 'gzip', 1_000],
  ['of an unknown coding', BODY, 'zstd-of-mine', 1_000],
  ['coded again and again', BODY, 'gzip, gzip, gzip, gzip', 1_000],
  ['too large', gzipSync('0'.repeat(5_000)), 'gzip', 1_000],
])('a response that cannot be decoded counts as sent: %s', async (_, body, coding, limit) => {
  const failure = await decodeContent(body, coding, limit).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(TransportFailure)
  expect(failure).toMatchObject({ sent: true })
})
