import { describe, expect, test } from 'vitest'
import { TransportFailure } from '../../../src/client/http/transport-port.ts'
import { lost } from '../../support/scripted-call.ts'
import type { Scripted } from '../../support/scripted-call.ts'
import { json, refusal } from '../../support/simulated-service.ts'
import type { DoubtfulWrite } from '../../../src/client/ledger/port.ts'
import { MACHINE, timed } from '../../support/timing.ts'
import { HOUR_MS, NOW, aged, storedRefund, runResolve } from './resolve-bench.ts'
import type { ResolveParts } from './resolve-bench.ts'
import { DATE, IN_DOUBT, absent, refundEntry, settled, shown } from './by-key-cases.ts'

describe('a refund in doubt that is sent again', () => {
  test('is done once the service says so, whatever the payment shows next', async () => {
    const { resolution, reads } = await runResolve(storedRefund(), { read: () => absent, write: () => shown })
    expect(resolution).toMatchObject({ kind: 'confirmed', exitCode: 0, effectAt: DATE })
    expect(resolution.words).toBe('It was sent again with the same idempotency key. It is done.')
    expect(reads).toHaveLength(1)
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

  describe('that the service refuses', () => {
    const refused = (ageMs: number, mode: 'test' | 'live' = 'test', parts: Partial<ResolveParts> = {}) =>
      runResolve(storedRefund({ ...aged(ageMs), mode }), {
        read: () => absent,
        write: () => refusal(422, 'UnprocessableRefundAmount'),
        ...parts,
      })

    test.each([
      ['test', 60_000],
      ['live', 330_000],
    ] as const)('is not done once none of its attempts may arrive any more: %s', async (mode, ms) => {
      const early = await refused(ms - 1, mode)
      expect(early.resolution).toMatchObject(IN_DOUBT)
      expect(early.resolution.words).toContain('ask again after')
      expect((await refused(ms, mode)).resolution).toMatchObject({
        kind: 'rejected',
        exitCode: 3,
        endedBy: 'absence',
      })
    })

    test('is told as sent, however it ended', async () => {
      expect((await refused(330_000, 'live')).resolution.words).toBe(
        'It was not done: the payment does not show it. It was sent again, and the service refused it: The amount is more than what is left to refund.',
      )
      const early = await refused(1_000, 'live')
      expect(early.resolution.words).toMatch(
        /^It was sent again, and the service refused it: .* yet, and it may/,
      )
    })

    test('and then cannot be reached is told as sent', async () => {
      const { resolution } = await refused(1_000, 'test', {
        maxRetries: 1,
        write: (_, index) =>
          index === 0 ? lost : new TransportFailure('refused', false, 'no program listens'),
      })
      expect(resolution.words).toContain(
        'It was sent again without a usable response, and then no program listens',
      )
    })

    test('after an attempt without an answer stays in doubt: that one may arrive', async () => {
      const run = await refused(HOUR_MS, 'test', {
        maxRetries: 1,
        write: (_, index) => (index === 0 ? lost : refusal(422, 'UnprocessableRefundAmount')),
      })
      expect(run.writes).toHaveLength(2)
      expect(run.resolution).toMatchObject({ kind: 'rejected' })
    })
  })

  describe('while the payment shows an equal one', () => {
    const paymentWith = (more: object = {}): Scripted =>
      json(200, {
        ...settled(1_000, 'processorStatus' in more ? 0 : 300),
        transactions: [refundEntry(DATE, more)],
      })
    const resolve = (payment: Scripted, parts: Partial<ResolveParts> = {}, more = {}) =>
      runResolve(storedRefund(more), { read: () => payment, write: () => payment, ...parts })

    test('is not sent, and counts as confirmed by that one', async () => {
      const run = await resolve(paymentWith())
      expect(run).toMatchObject({ writes: [], questions: 0 })
      expect(run.resolution).toMatchObject({
        kind: 'confirmed',
        exitCode: 0,
        endedBy: 'effect',
        effectAt: DATE,
        words: `The payment shows an equal refund of 2026-03-10 11:59:00 UTC: yours or a colleague's, pay can't tell. Nothing was sent.`,
      })
    })

    test.each([
      ['of another amount', { amount: 301 }],
      ['that failed', { processorStatus: 'FAILED' }],
    ])('is sent if that is one %s', async (_, more) => {
      const run = await resolve(paymentWith(more))
      expect(run.writes).toHaveLength(1)
      expect(run.resolution).toMatchObject({ kind: 'confirmed' })
    })

    test.each([
      ['another API key', { apiKeyId: 'another' }],
      ['its age', aged(24 * HOUR_MS)],
    ])('is confirmed whatever else rules out to send it: %s', async (_, more) => {
      expect(await resolve(paymentWith(), {}, more)).toMatchObject({
        writes: [],
        resolution: { kind: 'confirmed', endedBy: 'effect' },
      })
    })

    test('is sent anyway when a person asks for it and confirms', async () => {
      const refused = await resolve(paymentWith(), { resends: true, confirmSend: false })
      expect(refused).toMatchObject({ writes: [], questions: 1, resolution: IN_DOUBT })
      const run = await resolve(paymentWith(), { resends: true })
      expect(run.resolution).toMatchObject({ kind: 'confirmed', exitCode: 0 })
      expect(run.writes).toHaveLength(1)
    })
  })

  describe('with a key that may mean nothing any more', () => {
    const at = (wallMs: number) => ({ wallMs: NOW.getTime() - wallMs, machine: MACHINE })

    test.each<[string, Partial<DoubtfulWrite>]>([
      ['another API key', { apiKeyId: 'another' }],
      ['its age', aged(24 * HOUR_MS)],
      [
        'its age by one of two clocks',
        timed({ ...at(0), databaseMs: 0 }, { now: { ...at(0), databaseMs: 24 * HOUR_MS } }),
      ],
      ['no clock that knows its age', timed({ wallMs: NOW.getTime(), machine: 'another' }, { now: at(0) })],
      ['an earlier write with its key', timed(at(0), { now: at(0), keySince: [at(24 * HOUR_MS)] })],
    ])('is not sent: %s', async (_, more) => {
      const run = await runResolve(storedRefund(more), { read: () => absent })
      expect(run).toMatchObject({ writes: [], questions: 0 })
    })

    test('counts as not done by its youngest clock alone', async () => {
      // The wall clock was two days behind when it was sent, and has been set right.
      const stepped = timed(
        { ...at(48 * HOUR_MS), boot: 'b', upMs: 0 },
        { now: { ...at(0), boot: 'b', upMs: 5_000 } },
      )
      const run = await runResolve(storedRefund(stepped), { read: () => absent })
      expect(run).toMatchObject({ writes: [], resolution: IN_DOUBT })
      expect(run.resolution.words).toContain('ask again after 2026-03-10 12:00:55 UTC')
    })

    test('never counts as not done without a clock', async () => {
      const run = await runResolve(storedRefund(timed({ wallMs: 0, machine: 'another' }, { now: at(0) })), {
        read: () => absent,
      })
      expect(run).toMatchObject({ writes: [], resolution: IN_DOUBT })
      expect(run.resolution.words).toContain('no clock here tells')
    })

    test('of a payment that this API key does not see says nothing', async () => {
      const run = await runResolve(storedRefund({ apiKeyId: 'another' }), {
        read: () => refusal(400, 'PaymentError'),
      })
      expect(run.resolution).toMatchObject(IN_DOUBT)
    })
  })
})
