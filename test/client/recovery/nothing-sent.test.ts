import { describe, expect, test } from 'vitest'
import { whyNotOurs } from '../../../src/client/calls/unrecorded.ts'
import { lost } from '../../support/scripted-call.ts'
import { absent, refundEntry, settled, shown } from './by-key-cases.ts'
import { json } from '../../support/simulated-service.ts'
import { runResolve, storedRefund } from './resolve-bench.ts'
import type { ResolveParts } from './resolve-bench.ts'

/** Each message that says that nothing was sent: where it is true, and where sending makes another of it. */
const words = async (intent: ReturnType<typeof storedRefund>, parts: ResolveParts) => {
  const { resolution, writes } = await runResolve(intent, parts)
  return { words: resolution.words, sent: writes.length }
}

const stopped = (): AbortController => {
  const stop = new AbortController()
  stop.abort('SIGINT')
  return stop
}

describe('that nothing was sent is said of a refund in doubt', () => {
  const unclear = json(200, {
    ...settled(1000, 400),
    transactions: [refundEntry('2026-03-01T00:00:00Z', { amount: 100 })],
  })

  test.each<[string, ReturnType<typeof storedRefund>, ResolveParts, string]>([
    ['that the payment shows', storedRefund(), { read: () => shown }, 'Nothing was sent.'],
    [
      'that the payment may show',
      storedRefund(),
      { read: () => unclear },
      'The payment may show it already, so nothing was sent.',
    ],
    [
      'that is not confirmed',
      storedRefund(),
      { read: () => absent, confirmSend: false },
      'Not confirmed: nothing was sent.',
    ],
    [
      'whose process stood still for too long',
      storedRefund({ isLeased: () => false }),
      { read: () => absent },
      'Nothing was sent: this process stood still for too long.',
    ],
    [
      'whose process is interrupted before it sends',
      storedRefund(),
      { read: () => absent, stop: stopped() },
      'Interrupted: nothing was sent.',
    ],
  ])('%s', async (_, intent, parts, says) => {
    expect(await words(intent, parts)).toEqual({ words: expect.stringContaining(says), sent: 0 })
  })

  test.each<[string, ResolveParts]>([
    ['and done', { read: () => absent, write: () => shown }],
    ['without an answer', { read: () => absent, write: () => lost }],
    ['though the payment may show it', { read: () => unclear, write: () => shown, resends: true }],
  ])('and not of one that is sent again, %s', async (_, parts) => {
    const said = await words(storedRefund(), parts)
    expect(said.sent).toBe(1)
    expect(said.words).not.toMatch(/nothing was sent/i)
  })
})

test.each([
  ['gone', 'The ledger has no record of it any more (ledger.db): nothing was sent.'],
  ['ended', 'Another process has ended it meanwhile: nothing was sent.'],
  ['taken', 'Another process has taken it over: nothing was sent.'],
] as const)(
  'a write that was taken over and whose record is %s is not sent, and says why',
  async (standing, says) => {
    expect(await whyNotOurs({ place: 'ledger.db', standing: async () => standing })).toBe(says)
    const run = await words(storedRefund({ standing: async () => standing, fence: async () => false }), {
      read: () => absent,
    })
    expect(run).toEqual({ words: says, sent: 0 })
  },
)
