import { getEventListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import type { ResponseHandler } from '../../../src/client/http/pending-request.ts'
import { InFlightRequests } from '../../../src/client/http/in-flight-requests.ts'
import { TransportFailure } from '../../../src/client/http/transport-port.ts'
import type { SendOptions, HttpRequest } from '../../../src/client/http/transport-port.ts'

const REQUEST: HttpRequest = { method: 'POST', url: 'https://api.example.com/x', headers: {}, body: '{}' }

const pending = (dispatch: (handler: ResponseHandler) => void, request: HttpRequest, options: SendOptions) =>
  new InFlightRequests(() => performance.now()).run(request, options, dispatch)

/** Starts the request; counts how often it is aborted. */
function start(handler: ResponseHandler): { readonly aborts: number } {
  const seen = { aborts: 0 }
  handler.onRequestStart({
    abort: () => {
      seen.aborts += 1
    },
  })
  return seen
}

test('writes a request only once, even if the HTTP client starts it twice', async () => {
  const starts: { readonly aborts: number }[] = []
  const ended = pending(
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

test('does not write a request that was aborted', async () => {
  const handlers: ResponseHandler[] = []
  const abort = new AbortController()
  const ended = pending((handler) => handlers.push(handler), REQUEST, {
    timeoutMs: 20_000,
    signal: abort.signal,
  })
  abort.abort()
  await expect(ended).rejects.toMatchObject({ reason: 'aborted', sent: false })
  expect(handlers.map((handler) => start(handler).aborts)).toEqual([1])
})

test('an error counts as unsent before the start, and as sent after it', async () => {
  const error = Object.assign(new Error('reset'), { code: 'ECONNRESET' })
  const before = pending((handler) => handler.onResponseError(undefined, error), REQUEST, {
    timeoutMs: 20_000,
  })
  await expect(before).rejects.toMatchObject({ reason: 'refused', sent: false, cause: error })
  const after = pending(
    (handler) => {
      start(handler)
      handler.onResponseError(undefined, error)
    },
    REQUEST,
    { timeoutMs: 20_000 },
  )
  await expect(after).rejects.toMatchObject({ reason: 'cut', sent: true, cause: error })
})

test('an HTTP client that throws leaves no timers or listeners, and has sent nothing unless it had started', async () => {
  const fault = new TypeError('invalid header')
  const stop = new AbortController()
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  const send = (dispatch: (handler: ResponseHandler) => void) =>
    pending(dispatch, REQUEST, { timeoutMs: 20_000, signal: stop.signal, signalBeforeSent: stop.signal })
  const unsent = send(() => {
    throw fault
  })
  await expect(unsent).rejects.toMatchObject({ sent: false, cause: fault })
  const starts: { readonly aborts: number }[] = []
  const sent = send((handler) => {
    starts.push(start(handler))
    throw fault
  })
  await expect(sent).rejects.toMatchObject({ sent: true, cause: fault })
  expect(starts).toEqual([{ aborts: 1 }])
  expect(timers()).toBe(before)
  expect(getEventListeners(stop.signal, 'abort')).toEqual([])
})

test('signalBeforeSent stops a request that is not written, and does not affect one that is', async () => {
  const [early, late] = [new AbortController(), new AbortController()]
  const handlers: ResponseHandler[] = []
  const send = (signalBeforeSent: AbortSignal) =>
    pending((handler) => handlers.push(handler), REQUEST, { timeoutMs: 20_000, signalBeforeSent })
  const unsent = send(early.signal)
  early.abort()
  await expect(unsent).rejects.toMatchObject({ reason: 'aborted', sent: false })
  expect(handlers.map((handler) => start(handler).aborts)).toEqual([1])

  const sent = send(late.signal)
  const handler = handlers.at(-1)
  if (handler !== undefined) start(handler)
  late.abort()
  handler?.onResponseStart({ abort: () => {} }, 200, {})
  handler?.onResponseEnd()
  expect(await sent).toMatchObject({ status: 200 })

  await expect(send(early.signal)).rejects.toMatchObject({ reason: 'aborted', sent: false })
  expect(handlers).toHaveLength(2)
})

describe('signalBeforeSent', () => {
  test('aborts a waiting request', async () => {
    const handlers: ResponseHandler[] = []
    const stop = new AbortController()
    const ended = pending((handler) => handlers.push(handler), REQUEST, {
      timeoutMs: 20_000,
      signalBeforeSent: stop.signal,
    })
    stop.abort()
    await expect(ended).rejects.toMatchObject({ reason: 'aborted', sent: false })
    expect(handlers.map((handler) => start(handler).aborts)).toEqual([1])
  })

  test('keeps a request from reaching the HTTP client when it was already aborted', async () => {
    const handlers: ResponseHandler[] = []
    const options = { timeoutMs: 20_000, signalBeforeSent: AbortSignal.abort() }
    const ended = pending((handler) => handlers.push(handler), REQUEST, options)
    await expect(ended).rejects.toMatchObject({ reason: 'aborted', sent: false })
    expect(handlers).toEqual([])
  })

  test('does not abort a request that is in flight', async () => {
    const stop = new AbortController()
    const ended = pending(
      (handler) => {
        start(handler)
        stop.abort()
        handler.onResponseStart({ abort: () => {} }, 200, {})
        handler.onResponseEnd()
      },
      REQUEST,
      { timeoutMs: 20_000, signalBeforeSent: stop.signal },
    )
    expect(await ended).toMatchObject({ status: 200 })
  })
})

test('a started request counts as sent, even if its failure says otherwise', async () => {
  const failed = pending(
    (handler) => {
      start(handler)
      handler.onResponseError(undefined, new TransportFailure('refused', false, 'refused the connection'))
    },
    REQUEST,
    { timeoutMs: 20_000 },
  )
  await expect(failed).rejects.toMatchObject({ reason: 'refused', sent: true })
})

test('the first terminal event counts: an error beats a later end, and an end a later error', async () => {
  const error = Object.assign(new Error('reset'), { code: 'ECONNRESET' })
  const steps = (first: (handler: ResponseHandler) => void, then: (handler: ResponseHandler) => void) =>
    pending(
      (handler) => {
        start(handler)
        handler.onResponseStart(undefined, 200, {})
        first(handler)
        then(handler)
      },
      REQUEST,
      { timeoutMs: 20_000 },
    )
  const fail = (handler: ResponseHandler) => handler.onResponseError(undefined, error)
  const end = (handler: ResponseHandler) => handler.onResponseEnd()
  await expect(steps(fail, end)).rejects.toMatchObject({ reason: 'cut', sent: true })
  expect(await steps(end, fail)).toMatchObject({ status: 200 })
})

test('a timeout beyond the range of timers is long, not immediate', async () => {
  const ended = pending(
    (handler) => {
      start(handler)
      // An overflowed timer would fire after 1 ms, before this one.
      setTimeout(() => {
        handler.onResponseStart({ abort: () => {} }, 200, {})
        handler.onResponseEnd()
      }, 20)
    },
    REQUEST,
    { timeoutMs: 2 ** 40 },
  )
  expect(await ended).toMatchObject({ status: 200 })
})

test('requests that end in any order leave the others in flight, and only those are aborted', async () => {
  const handlers: ResponseHandler[] = []
  const abort = new AbortController()
  const inFlight = new InFlightRequests(() => performance.now())
  const options = { timeoutMs: 20_000, signal: abort.signal }
  const ended = ['first', 'middle', 'last', 'later'].map((name) =>
    inFlight
      .run(REQUEST, options, (handler) => handlers.push(handler))
      .then(() => `${name} answered`)
      .catch((error: unknown) => `${name} ${error instanceof TransportFailure ? error.reason : 'lost'}`),
  )
  for (const handler of handlers) start(handler)
  for (const at of [0, 3]) {
    handlers[at]?.onResponseStart({ abort: () => {} }, 200, {})
    handlers[at]?.onResponseEnd()
  }
  abort.abort()
  expect(await Promise.all(ended)).toEqual([
    'first answered',
    'middle aborted',
    'last aborted',
    'later answered',
  ])
  expect(getEventListeners(abort.signal, 'abort')).toEqual([])
})
