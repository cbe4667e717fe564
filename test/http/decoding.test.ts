import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { AnswerReader } from '../../src/http/answer-reader.ts'
import { decodeContent } from '../../src/http/content-coding.ts'
import { exchange } from '../../src/http/exchange.ts'
import { Sending } from '../../src/http/sending.ts'
import { TransportFailure } from '../../src/http/transport-port.ts'
import type { WireAnswer, WireRequest } from '../../src/http/transport-port.ts'
import { WireConnection } from '../../src/http/wire-connection.ts'

/** An answer that came whole and is not decoded yet has left the service long ago: whatever happens now, it was sent. */

const REQUEST: WireRequest = { method: 'POST', url: 'http://127.0.0.1:1/x', headers: {}, body: '{}' }
const BODY = gzipSync('{"id":"pay-1"}')

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const failureOf = (sending: Promise<WireAnswer>): Promise<unknown> =>
  sending.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('over undici', () => {
  /** Up to the last byte of the answer, which is being decoded from then on. */
  function received(options: { readonly signal?: AbortSignal } = {}): Promise<WireAnswer> {
    return exchange(
      (handler) => {
        const controller = { abort: () => {} }
        handler.onRequestStart(controller)
        handler.onResponseStart(controller, 200, { 'content-encoding': 'gzip' })
        handler.onResponseData(controller, BODY)
        handler.onResponseEnd()
      },
      REQUEST,
      { timeoutMs: 1_000, ...options },
    )
  }

  test('a time limit that is reached while it is decoded counts as sent', async () => {
    const failure = failureOf(received())
    vi.advanceTimersByTime(1_000)
    expect(await failure).toMatchObject({ reason: 'timeout', sent: true })
  })

  test('being given up while it is decoded counts as sent', async () => {
    const giveUp = new AbortController()
    const failure = failureOf(received({ signal: giveUp.signal }))
    giveUp.abort()
    expect(await failure).toMatchObject({ reason: 'aborted', sent: true })
  })

  test('in time, it is the answer', async () => {
    expect((await received()).body).toBe('{"id":"pay-1"}')
  })
})

describe('over our own client', () => {
  function received(): { readonly sending: Sending; readonly answer: Promise<WireAnswer> } {
    let sending: Sending | undefined
    const answer = new Promise<WireAnswer>((resolve, reject) => {
      sending = new Sending(
        {
          request: REQUEST,
          options: { timeoutMs: 1_000 },
          text: '',
          target: new URL(REQUEST.url),
          deadlineMs: 1_000,
        },
        { resolve, reject, onOver: () => {} },
      )
      sending.writeTo(new WireConnection({ onFree: () => {}, onGone: () => {} }))
      const reader = new AnswerReader()
      reader.begin('POST')
      const head = `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${BODY.length}\r\n\r\n`
      expect(reader.take(Buffer.concat([Buffer.from(head), BODY]))).toBe(true)
      sending.answered(reader)
    })
    if (sending === undefined) throw new Error('nothing is on its way')
    return { sending, answer }
  }

  test('a time limit that is reached while it is decoded counts as sent', async () => {
    const { sending, answer } = received()
    sending.runOut()
    expect(await failureOf(answer)).toMatchObject({ reason: 'timeout', sent: true })
  })

  test('being given up while it is decoded counts as sent', async () => {
    const { sending, answer } = received()
    sending.giveUp()
    expect(await failureOf(answer)).toMatchObject({ reason: 'aborted', sent: true })
  })

  test('the end of its connection while it is decoded is nothing to it', async () => {
    expect((await received().answer).body).toBe('{"id":"pay-1"}')
  })
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
