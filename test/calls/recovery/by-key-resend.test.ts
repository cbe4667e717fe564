import { describe, expect, test } from 'vitest'
import { lost } from '../../support/scripted-call.ts'
import type { Scripted } from '../../support/scripted-call.ts'
import { json, refusal } from '../../support/simulated-service.ts'
import { HOUR_MS, NOW, aged, storedRefund, runResolve } from './resolve-bench.ts'
import type { ResolveParts } from './resolve-bench.ts'
import { AMBIGUOUS, DATE, IN_DOUBT, absent, refundEntry, settled, shown } from './by-key-cases.ts'

describe('a refund in doubt that is sent again', () => {
  describe('that was sent again and answered', () => {
    const twice = json(200, { ...settled(1_000, 600), transactions: [refundEntry(DATE), refundEntry(DATE)] })
    const resent = (after: Scripted, more: Partial<ResolveParts> = {}) =>
      runResolve(storedRefund(), {
        read: (_, index) => (index === 0 ? absent : after),
        write: () => shown,
        ...more,
      })

    test('is done once when the payment shows it once', async () => {
      const { resolution, reads } = await resent(shown)
      expect(resolution).toMatchObject({ kind: 'confirmed', exitCode: 0 })
      expect(resolution.words).toBe('It was sent again with the same idempotency key. It is done, once.')
      expect(reads).toHaveLength(2)
    })

    test('stays in doubt where the payment does not show it', async () => {
      const { resolution } = await resent(absent)
      expect(resolution).toMatchObject(AMBIGUOUS)
      expect(resolution.words).toContain('the payment does not show it')
    })

    test('stays in doubt where the payment shows it twice: the key was not known for what it is', async () => {
      const { resolution } = await resent(twice)
      expect(resolution).toMatchObject(AMBIGUOUS)
      expect(resolution.words).toContain('may have been done twice')
      // Without the list, the sum shows it too.
      const sums = await resent(json(200, settled(1_000, 600)), {
        read: (_, index) => json(200, settled(1_000, index === 0 ? 0 : 600)),
      })
      expect(sums.resolution).toMatchObject(AMBIGUOUS)
    })

    test('is done in addition to one like it that was there before', async () => {
      const before = json(200, {
        ...settled(1_000, 600),
        transactions: [refundEntry(DATE), refundEntry(DATE)],
      })
      const after = json(200, {
        ...settled(1_000, 900),
        transactions: [refundEntry(DATE), refundEntry(DATE), refundEntry(DATE)],
      })
      const run = await resent(after, { read: (_, index) => (index === 0 ? before : after) })
      expect(run.resolution).toMatchObject({ kind: 'confirmed', exitCode: 0 })
    })

    test('is done where the payment cannot be read back, and says so', async () => {
      for (const after of [json(500, {}), lost, json(200, { id: 'pay-2' })]) {
        const { resolution } = await resent(after)
        expect(resolution).toMatchObject({ kind: 'confirmed', exitCode: 0 })
        expect(resolution.words).toContain('could not be read back')
        expect(resolution.words).not.toContain('once')
      }
    })
  })

  test('is recorded as sent again before it is, unless nothing is sent', async () => {
    const events: string[] = []
    const intent = storedRefund({
      fence: async () => {
        events.push('recorded')
        return true
      },
    })
    const write = () => {
      events.push('sent')
      return shown
    }
    await runResolve(intent, { read: () => absent, write, confirmSend: false })
    expect(events).toEqual([])
    await runResolve(intent, { read: (_, index) => (index === 0 ? absent : shown), write })
    expect(events).toEqual(['recorded', 'sent'])
  })

  describe('that the service refuses, while the first may be on its way', () => {
    const justNow = { createdAt: NOW, underWayAt: NOW, lastAttemptAt: NOW }

    test('does not count as undone before that has had time to arrive', async () => {
      const run = await runResolve(storedRefund(justNow), {
        read: (_, index) => (index < 2 ? absent : shown),
        write: () => refusal(422, 'UnprocessableRefundAmount'),
      })
      expect(run.waits).toEqual([10_000])
      expect(run.resolution).toMatchObject(AMBIGUOUS)
    })

    test('is undone when it is not there even then', async () => {
      const run = await runResolve(storedRefund(justNow), {
        read: () => absent,
        write: () => refusal(422, 'UnprocessableRefundAmount'),
      })
      expect(run.waits).toEqual([10_000])
      expect(run.resolution).toMatchObject({ kind: 'rejected', exitCode: 3 })
    })

    test('stays in doubt without waiting for that', async () => {
      const stop = new AbortController()
      const run = await runResolve(storedRefund(justNow), {
        read: () => absent,
        write: () => {
          stop.abort('SIGINT')
          return refusal(422, 'UnprocessableRefundAmount')
        },
        stop,
      })
      expect(run.resolution).toMatchObject(IN_DOUBT)
    })
  })

  describe('after someone has made an equal one', () => {
    const sentAt = new Date(NOW.getTime() - HOUR_MS)
    const intent = (more = {}) => storedRefund({ ...aged(HOUR_MS), lastAttemptAt: sentAt, ...more })
    const paymentWith = (afterMs: number, more = {}, headers = {}) => ({
      ...json(200, {
        ...settled(1_000, 300),
        transactions: [refundEntry(new Date(sentAt.getTime() + afterMs).toISOString(), more)],
      }),
      headers,
    })
    const resolve = (payment: Scripted, parts: Partial<ResolveParts> = {}, more = {}) =>
      runResolve(intent(more), { read: () => payment, write: () => payment, ...parts })

    test.each([
      ['in test mode', 10_001, {}],
      ['in live mode', 5 * 60_000 + 1, { mode: 'live' }],
    ])('is not sent: %s', async (_, afterMs, more) => {
      const run = await resolve(paymentWith(afterMs), {}, more)
      expect(run.resolution).toMatchObject(IN_DOUBT)
      expect(run.resolution.words).toContain('someone probably made in its place')
      expect(run.resolution.words).toContain('pay ops resolve op-1 --resend')
      expect(run).toMatchObject({ writes: [], questions: 0 })
    })

    test.each([
      ['in test mode, within the settle delay', paymentWith(10_000), {}],
      ['in live mode, within the settle delay', paymentWith(5 * 60_000), { mode: 'live' }],
      ['before it was sent', paymentWith(-1_000), {}],
      ['of another amount', paymentWith(HOUR_MS / 2, { amount: 301 }), {}],
      ['that failed', paymentWith(HOUR_MS / 2, { processorStatus: 'FAILED' }), {}],
    ])('is sent if that was made %s', async (_, payment, more) => {
      const run = await resolve(payment, {}, more)
      expect(run.resolution).toMatchObject({ kind: 'confirmed' })
      expect(run).toMatchObject({ questions: 1 })
      expect(run.writes).toHaveLength(1)
    })

    test('is not sent if it takes all that is left, whatever the other took', async () => {
      const more = { amount: undefined, request: { params: { id: 'pay-1' }, body: undefined } }
      const run = await resolve(paymentWith(HOUR_MS / 2, { amount: 5 }), {}, more)
      expect(run).toMatchObject({ writes: [], resolution: IN_DOUBT })
    })

    test('goes by the clock of the service', async () => {
      const date = (ms: number) => ({ date: new Date(NOW.getTime() + ms).toUTCString() })
      const ahead = await resolve(paymentWith(2 * HOUR_MS, {}, date(2 * HOUR_MS)))
      expect(ahead.writes).toHaveLength(1)
      const behind = await resolve(paymentWith(-HOUR_MS, {}, date(-2 * HOUR_MS)))
      expect(behind).toMatchObject({ writes: [], resolution: IN_DOUBT })
    })

    test('is sent all the same when a person asks for it and confirms', async () => {
      const payment = paymentWith(HOUR_MS / 2)
      const asked = { sendsDespiteRemedy: true }
      const refused = await resolve(payment, { ...asked, confirmSend: false })
      expect(refused).toMatchObject({ writes: [], questions: 1, resolution: IN_DOUBT })
      const run = await resolve(payment, asked)
      expect(run.resolution).toMatchObject({ kind: 'confirmed', exitCode: 0 })
      expect(run.writes).toHaveLength(1)
    })
  })

  describe('with a key that may have expired', () => {
    test.each([
      ['another API key', { apiKeyId: 'another' }],
      ['a clock that is behind', aged(-HOUR_MS)],
      ['its age', aged(24 * HOUR_MS)],
    ])('is not sent, and stays in doubt where one like it is there: %s', async (_, more) => {
      const intent = storedRefund(more)
      const date = intent.createdAt.toISOString()
      const run = await runResolve(intent, {
        read: () => json(200, { ...settled(1_000, 300), transactions: [refundEntry(date)] }),
      })
      expect(run.resolution).toMatchObject(AMBIGUOUS)
      expect(run).toMatchObject({ writes: [], questions: 0 })
    })

    test('is not undone before the first has had its time to arrive', async () => {
      const intent = storedRefund({
        apiKeyId: 'another',
        createdAt: NOW,
        underWayAt: NOW,
        lastAttemptAt: NOW,
      })
      const run = await runResolve(intent, {
        read: (_, index) =>
          index === 0
            ? absent
            : json(200, { ...settled(1_000, 300), transactions: [refundEntry(NOW.toISOString())] }),
      })
      expect(run.waits).toEqual([10_000])
      expect(run).toMatchObject({ writes: [], resolution: AMBIGUOUS })
    })

    test('of a payment that this API key does not see says nothing', async () => {
      const run = await runResolve(storedRefund({ apiKeyId: 'another' }), {
        read: () => refusal(400, 'PaymentError'),
      })
      expect(run.resolution).toMatchObject(IN_DOUBT)
    })

    test('is not sent if it expired during the attempts', async () => {
      const intent = storedRefund(aged(23 * HOUR_MS - 1_000))
      const run = await runResolve(intent, {
        read: () => absent,
        write: () => json(503, {}),
        maxRetries: 3,
      })
      // The first wait is short; with a long one asked for, the key is too old for a second attempt.
      expect(run.writes.length).toBeGreaterThan(0)
      const slow = await runResolve(intent, {
        read: () => absent,
        write: () => ({ status: 503, headers: { 'retry-after': '60' }, body: '' }),
        maxRetries: 3,
      })
      expect(slow.writes).toHaveLength(1)
      expect(slow.resolution).toMatchObject(IN_DOUBT)
    })
  })
})
