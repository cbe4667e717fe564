import { describe, expect, test } from 'vitest'
import { AdaptiveLimiter } from '../../../src/rows/send/adaptive-limiter.ts'
import type { HttpResponse } from '../../../src/client/http/transport-port.ts'
import { answer, refusal, OK, EXISTS, INVALID, BUSY, SLOWER, CUT, createSenderBench } from './sender-bench.ts'
import type { Step } from './sender-bench.ts'

describe('the message of a failure', () => {
  test.each<readonly [string, readonly Step[], string]>([
    ['has the description and every error', [INVALID], 'RequestValidationError!; amount "2500" too large'],
    ['has the text of an HTML page', [BUSY, BUSY, BUSY, BUSY], 'Down'],
    ['has the status if there is nothing else', [answer(400, '')], 'the service responded with 400'],
    ['says what happened to the connection', [CUT, CUT, CUT, CUT], CUT.message],
    ['masks card numbers', [refusal(422, 'X', { description: 'no 4111111111111111' })], 'no [card number]'],
  ])('%s', async (_, script, message) => {
    expect(await createSenderBench(script).run()).toMatchObject({ message })
  })

  test('is cut to 1,000 characters', async () => {
    const errors = Array.from({ length: 500 }, (_, index) => ({ path: `$.f${index}`, description: 'wrong' }))
    const { message } = await createSenderBench([
      refusal(422, 'X', { validationErrors: [{ model: 'M', errors }] }),
    ]).run()
    expect(message?.length).toBeLessThanOrEqual(1_001)
  })
})

describe.each([303, 408, 460, 499])('%i, which says nothing of the effect', (status) => {
  const gateway = answer(status, '<html>Timeout</html>')

  test('is repeated, and a record that exists then is the one of the row', async () => {
    const bench = createSenderBench([gateway, EXISTS, OK])
    expect(await bench.run()).toMatchObject({ outcome: 'updated' })
    expect(await createSenderBench([gateway, EXISTS], { onExists: 'fail' }).run()).toMatchObject({
      outcome: 'unknown',
    })
  })

  test('leaves the row unknown if nothing else comes', async () => {
    const bench = createSenderBench([gateway, gateway, gateway, gateway])
    expect(await bench.run()).toMatchObject({ outcome: 'unknown', retries: 3 })
  })
})

describe('429 and Retry-After', () => {
  test('429 does not count as a retry', async () => {
    const bench = createSenderBench([...Array.from({ length: 20 }, () => SLOWER), BUSY, OK], {
      maxRetries: 1,
    })
    expect(await bench.run()).toMatchObject({ outcome: 'created', retries: 21 })
  })

  test('429 is waited out even after the last retry', async () => {
    const bench = createSenderBench([BUSY, SLOWER, SLOWER, OK], { maxRetries: 1 })
    expect(await bench.run()).toMatchObject({ outcome: 'created', retries: 3 })
  })

  test.each<readonly [string, HttpResponse, number]>([
    ['waits for seconds', SLOWER, 7_000],
    ['waits until a date', answer(429, {}, { 'retry-after': 'Sun, 01 Mar 2026 12:00:09 GMT' }), 9_000],
    ['waits a second without Retry-After', answer(429), 1_000],
    ['waits at least 50 ms', answer(429, {}, { 'retry-after': '0' }), 50],
    ['waits for minutes', answer(429, {}, { 'retry-after': '240' }), 240_000],
    ['waits for seconds after 503', answer(503, {}, { 'retry-after': '4' }), 4_000],
    ['waits for seconds after 408', answer(408, {}, { 'retry-after': '4' }), 4_000],
  ])('%s', async (_, first, waited) => {
    const bench = createSenderBench([first, OK])
    await bench.run()
    expect(bench.waits).toEqual([waited])
    expect(bench.seen.asked).toBe(waited)
  })

  test.each([
    ['429', answer(429, {}, { 'retry-after': '999999999' })],
    ['503', answer(503, {}, { 'retry-after': '999999999' })],
  ])('%s that asks for ages stops every row, without waiting', async (_, first) => {
    const bench = createSenderBench([first, OK])
    await expect(bench.run()).rejects.toMatchObject({ error: { code: 'rate_limited', exitCode: 7 } })
    await expect(bench.run()).rejects.toMatchObject({ error: { code: 'rate_limited' } })
    expect(bench.waits).toEqual([])
    expect(bench.requests).toHaveLength(1)
  })

  test('nothing but 429 stops every row in the end', async () => {
    const bench = createSenderBench(Array.from({ length: 100 }, () => SLOWER))
    await expect(bench.run()).rejects.toMatchObject({ error: { code: 'rate_limited' } })
    expect(bench.waits.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(300_000)
  })

  test.each([
    ['failed', false],
    ['unknown', true],
  ])('a row that gets ten 429s in a row while another ends is %s', async (outcome, maybeSent) => {
    const slower = Array.from({ length: 9 }, () => SLOWER)
    const later = async () => {
      for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve))
      return OK
    }
    const bench = createSenderBench([SLOWER, later, ...slower, OK], { maybeSent })
    const [limited, other] = await Promise.all([bench.run(), bench.run()])
    expect(other).toMatchObject({ outcome: 'created' })
    expect(limited).toMatchObject({
      outcome,
      message: expect.stringContaining('asked to slow down (429) 10 times in a row'),
    })
  })

  test.each([
    ['cut', CUT],
    ['503', BUSY],
    ['408', answer(408)],
    ['499', answer(499)],
  ])('a failed attempt reduces the concurrency: %s', async (_, failed) => {
    const limiter = new AdaptiveLimiter({
      now: () => 0,
      sleep: async () => {},
      concurrency: undefined,
      maxConcurrency: 8,
      rate: undefined,
    })
    await createSenderBench([failed, OK], { limiter }).run()
    expect(limiter.limit).toBe(6)
  })

  test('other rows wait as well', async () => {
    const bench = createSenderBench([SLOWER, OK, OK])
    const first = bench.run()
    await new Promise((resolve) => setImmediate(resolve))
    await Promise.all([first, bench.run()])
    expect(bench.waits).toEqual([7_000])
  })
})

test('reports every attempt with its number', async () => {
  const logs: unknown[] = []
  const bench = createSenderBench([BUSY, EXISTS, OK], { onAttempt: (log) => logs.push(log) })
  await bench.run()
  expect(logs).toMatchObject([
    { attempt: 1, request: { method: 'POST' }, ended: { kind: 'answer', answer: { status: 503 } } },
    { attempt: 2, ended: { answer: { status: 409 } } },
    { attempt: 3, request: { method: 'PATCH' } },
  ])
})
