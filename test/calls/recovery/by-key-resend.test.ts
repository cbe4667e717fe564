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

  describe('that the service refuses, while the first may be on its way', () => {
    const justNow = { createdAt: NOW, underWayAt: NOW }

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

  describe('with a key that may have expired', () => {
    test.each([
      ['another API key', { account: 'another' }],
      ['a clock that is behind', aged(-HOUR_MS)],
      ['its age', aged(24 * HOUR_MS)],
    ])('is not sent where one like it is there: %s', async (_, more) => {
      const intent = storedRefund(more)
      const date = intent.createdAt.toISOString()
      const run = await runResolve(intent, {
        read: () => json(200, { ...settled(1_000, 300), transactions: [refundEntry(date)] }),
      })
      expect(run.resolution).toMatchObject({ kind: 'confirmed', exitCode: 0 })
      expect(run.writes).toEqual([])
    })

    test('is not sent before the first has had its time to arrive', async () => {
      const intent = storedRefund({ account: 'another', createdAt: NOW, underWayAt: NOW })
      const run = await runResolve(intent, {
        read: (_, index) =>
          index === 0
            ? absent
            : json(200, { ...settled(1_000, 300), transactions: [refundEntry(NOW.toISOString())] }),
      })
      expect(run.waits).toEqual([10_000])
      expect(run).toMatchObject({ writes: [], resolution: { kind: 'confirmed' } })
    })

    test('of a payment that this API key does not see says nothing', async () => {
      const run = await runResolve(storedRefund({ account: 'another' }), {
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
