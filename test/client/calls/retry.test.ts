import { describe, expect, test } from 'vitest'
import { backoffMs, decide } from '../../../src/client/calls/retry.ts'
import type { AttemptEnd, RetryInput } from '../../../src/client/calls/retry.ts'
import type { FailureReason } from '../../../src/client/http/transport-port.ts'

const REPLAYS = ['safe', 'keyed', 'compare', 'look', 'never'] as const

const answer = (status: number, more: { retryAfterMs?: number; provesDone?: boolean } = {}): AttemptEnd => ({
  kind: 'answer',
  status,
  retryAfterMs: more.retryAfterMs,
  provesDone: more.provesDone ?? false,
})
const failure = (
  sent: boolean,
  reason: FailureReason | 'wrong' = sent ? 'timeout' : 'refused',
): AttemptEnd => ({ kind: 'failure', sent, reason })
const verdictOf = (end: AttemptEnd, more: Partial<RetryInput> = {}) =>
  decide({
    replay: 'keyed',
    risk: 'money',
    attempt: 0,
    maxRetries: 3,
    inDoubt: false,
    random: 0.5,
    end,
    ...more,
  })

describe('the verdict on a write', () => {
  test.each(REPLAYS)('a complete 2xx ends a %s one, in doubt or not', (replay) => {
    for (const status of [200, 201, 202, 204, 299])
      for (const inDoubt of [true, false])
        expect(verdictOf(answer(status), { replay, inDoubt })).toEqual({ kind: 'accept' })
  })

  test.each(REPLAYS)(
    'a 3xx or 4xx is a definite no to a %s one that is not in doubt, even 409 for its key',
    (replay) => {
      for (const status of [300, 302, 307, 308, 399, 400, 401, 403, 404, 409, 410, 422, 498])
        for (const provesDone of [true, false])
          expect(verdictOf(answer(status, { provesDone }), { replay })).toEqual({ kind: 'refused' })
    },
  )

  test.each([303, 408, 460, 499])('%i says nothing about its effect, no matter who responds', (status) => {
    const end = answer(status)
    for (const inDoubt of [true, false]) {
      expect(verdictOf(end, { inDoubt })).toMatchObject({ kind: 'retry', inDoubt: true })
      expect(verdictOf(end, { inDoubt, attempt: 3 })).toEqual({ kind: 'unknown' })
      expect(verdictOf(end, { inDoubt, replay: 'never' })).toEqual({ kind: 'unknown' })
      for (const replay of ['compare', 'look'] as const)
        expect(verdictOf(end, { inDoubt, replay })).toMatchObject({ kind: 'check-target' })
    }
    expect(verdictOf(end, { risk: 'read' })).toMatchObject({ kind: 'retry', inDoubt: false })
    expect(verdictOf(end, { risk: 'read', attempt: 3 })).toEqual({ kind: 'server-fault' })
  })

  test.each(REPLAYS)('a refusal does not end the doubt of a %s one', (replay) => {
    for (const status of [302, 400, 401, 403, 404, 409, 422])
      expect(verdictOf(answer(status), { replay, inDoubt: true })).toEqual({ kind: 'unknown' })
  })

  test('a refusal that proves it done ends the doubt', () => {
    for (const status of [400, 409])
      expect(verdictOf(answer(status, { provesDone: true }), { inDoubt: true })).toEqual({
        kind: 'processed-before',
      })
  })

  test.each(['safe', 'keyed'] as const)(
    'a %s one is sent again after 5xx and lost answers, in doubt',
    (replay) => {
      for (const end of [
        answer(500),
        answer(503),
        answer(599),
        answer(303),
        answer(408),
        answer(460),
        answer(499),
        answer(0),
        answer(101),
        failure(true),
        failure(true, 'too-large'),
        failure(true, 'wrong'),
      ])
        expect(verdictOf(end, { replay })).toEqual({ kind: 'retry', waitMs: 188, inDoubt: true })
    },
  )

  test.each(['compare', 'look'] as const)('a %s one looks before anything else', (replay) => {
    expect(verdictOf(answer(503, { retryAfterMs: 4_000 }), { replay })).toEqual({
      kind: 'check-target',
      waitMs: 4_000,
    })
    for (const end of [failure(true), answer(303), answer(408), answer(460), answer(499)])
      expect(verdictOf(end, { replay })).toEqual({ kind: 'check-target', waitMs: 188 })
    expect(verdictOf(failure(true), { replay, attempt: 3 })).toMatchObject({ kind: 'check-target' })
  })

  test('a compare one in doubt looks again before each resend', () => {
    for (const end of [answer(429), failure(false)])
      expect(verdictOf(end, { replay: 'compare', inDoubt: true })).toMatchObject({ kind: 'check-target' })
  })

  test('a never one is not sent again once it may have left', () => {
    for (const end of [
      answer(500),
      answer(503),
      answer(303),
      answer(408),
      answer(460),
      answer(499),
      answer(0),
      failure(true),
      failure(true, 'cut'),
      failure(true, 'other'),
    ])
      expect(verdictOf(end, { replay: 'never' })).toEqual({ kind: 'unknown' })
  })

  test.each(REPLAYS)(
    'a %s one that was not sent, or answered 429, is sent again and no more in doubt than before',
    (replay) => {
      for (const end of [
        answer(429),
        failure(false),
        failure(false, 'dns'),
        failure(false, 'connect-timeout'),
      ])
        expect(verdictOf(end, { replay })).toEqual({ kind: 'retry', waitMs: 188, inDoubt: false })
    },
  )

  test('a doubt is kept over attempts that were not sent or answered 429', () => {
    for (const end of [answer(429), failure(false)])
      expect(verdictOf(end, { inDoubt: true })).toMatchObject({ kind: 'retry', inDoubt: true })
  })

  test.each(REPLAYS)('a %s one whose retries are used up says what is true', (replay) => {
    const last = { replay, attempt: 3 }
    expect(verdictOf(answer(429), last)).toEqual({ kind: 'rate-limited' })
    expect(verdictOf(failure(false), last)).toEqual({ kind: 'not-connected' })
    expect(verdictOf(answer(429), { ...last, inDoubt: true })).toEqual({ kind: 'unknown' })
    expect(verdictOf(failure(false), { ...last, inDoubt: true })).toEqual({ kind: 'unknown' })
    if (replay === 'safe' || replay === 'keyed')
      expect(verdictOf(answer(503), last)).toEqual({ kind: 'unknown' })
  })

  test('a 429 that asks to wait for more than a minute is not sent again', () => {
    const long = answer(429, { retryAfterMs: 60_001 })
    expect(verdictOf(long, {})).toEqual({ kind: 'rate-limited' })
    expect(verdictOf(long, { inDoubt: true })).toEqual({ kind: 'unknown' })
    expect(verdictOf(answer(503, { retryAfterMs: 60_001 }), {})).toMatchObject({ waitMs: 60_000 })
  })

  test.each(REPLAYS)(
    'a %s one of many that share a pace is sent again until its streak ends, and after nothing else',
    (replay) => {
      const last = { replay, attempt: 3, shared: { endsAt429: false } }
      const ended = { ...last, shared: { endsAt429: true } }
      const long = answer(429, { retryAfterMs: 100_000 })
      for (const inDoubt of [false, true]) {
        expect(verdictOf(long, { ...last, inDoubt })).toEqual({ kind: 'retry', waitMs: 0, inDoubt })
        expect(verdictOf(long, { ...ended, inDoubt }).kind).toBe(inDoubt ? 'unknown' : 'rate-limited')
      }
      expect(verdictOf(failure(false), last)).toEqual({ kind: 'not-connected' })
      for (const end of [answer(503), failure(true)])
        expect(verdictOf(end, last).kind).toBe(
          replay === 'compare' || replay === 'look' ? 'check-target' : 'unknown',
        )
    },
  )

  test.each(['tls', 'proxy'] as const)('a refused %s connection is not tried again', (reason) => {
    expect(verdictOf(failure(false, reason))).toEqual({ kind: 'not-connected' })
    expect(verdictOf(failure(false, reason), { inDoubt: true })).toEqual({ kind: 'unknown' })
  })

  test.each(REPLAYS)('a %s one that was given up is unknown only when it may have left', (replay) => {
    expect(verdictOf(failure(true, 'aborted'), { replay })).toEqual({ kind: 'unknown' })
    expect(verdictOf(failure(false, 'aborted'), { replay })).toEqual({ kind: 'not-connected' })
    expect(verdictOf(failure(false, 'aborted'), { replay, inDoubt: true })).toEqual({ kind: 'unknown' })
  })
})

describe('the verdict on a read', () => {
  const read = { replay: 'safe', risk: 'read' } as const

  test('it is repeated after everything that may pass, and never in doubt', () => {
    for (const end of [
      answer(500),
      answer(503),
      answer(303),
      answer(408),
      answer(460),
      answer(499),
      answer(429),
      failure(true),
      failure(true, 'cut'),
      failure(false),
    ])
      expect(verdictOf(end, read)).toEqual({ kind: 'retry', waitMs: 188, inDoubt: false })
  })

  test('in the end it is a fault of the service, a slow-down or no connection, and never unknown', () => {
    const last = { ...read, attempt: 3 }
    for (const end of [answer(500), answer(408), answer(499), answer(303), answer(0), failure(true)])
      expect(verdictOf(end, last)).toEqual({ kind: 'server-fault' })
    expect(verdictOf(answer(429), last)).toEqual({ kind: 'rate-limited' })
    expect(verdictOf(failure(false), last)).toEqual({ kind: 'not-connected' })
    expect(verdictOf(failure(true, 'aborted'), read)).toEqual({ kind: 'not-connected' })
  })

  test('an answer that is too large is not asked for again', () => {
    expect(verdictOf(failure(true, 'too-large'), read)).toEqual({ kind: 'server-fault' })
    expect(verdictOf(failure(true, 'wrong'), read)).toEqual({ kind: 'server-fault' })
  })

  test('a refusal is a refusal', () => {
    for (const status of [301, 400, 401, 404, 422])
      expect(verdictOf(answer(status), read)).toEqual({ kind: 'refused' })
  })
})

describe('the wait before the next attempt', () => {
  test('is what the service asks for', () => {
    for (const waitMs of [0, 2_000, 60_000])
      expect(verdictOf(answer(429, { retryAfterMs: waitMs }))).toMatchObject({ waitMs })
    expect(verdictOf(answer(503, { retryAfterMs: 7_000 }))).toMatchObject({ waitMs: 7_000 })
  })

  test.each([
    [0, 125, 250],
    [1, 250, 500],
    [2, 500, 1_000],
    [4, 2_000, 4_000],
    [5, 4_000, 8_000],
    [40, 4_000, 8_000],
    [2_000, 4_000, 8_000],
  ])('else grows with the attempt, half of it random: %i', (attempt, least, most) => {
    expect(backoffMs(attempt, 0)).toBe(least)
    expect(backoffMs(attempt, 1)).toBe(most)
    expect(backoffMs(attempt, 0.5)).toBe(Math.round((least + most) / 2))
  })
})
