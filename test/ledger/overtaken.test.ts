import { describe, expect, test } from 'vitest'
import type { BeginOptions, Intent } from '../../src/ledger/port.ts'
import { ORDER, REFUND, SESSION_UPDATE, createLedgerBench, refundOf } from './ledger-bench.ts'
import type { LedgerBench, SimulatedProcess } from './ledger-bench.ts'

const ADJUSTMENT: Intent = {
  ...REFUND,
  operation: 'payment.adjust',
  idempotencyKey: undefined,
  fingerprint: 'adjustment to 500',
  before: { sha256: 'aa', status: 'AUTHORIZED' },
}
/** A write without a target keeps out no other one. */
const NOTHING: Intent = { ...REFUND, target: undefined }
const AGAIN = { mayRepeat: true, isTicket: false } as const
const DONE = { state: 'confirmed', exitCode: 0 } as const

describe('a write that was read for', () => {
  test('is not begun when another one on its target has ended since', async () => {
    const bench = createLedgerBench()
    const seenAt = bench.clock.now.toISOString()
    bench.waitMs(5)
    await (await bench.process().ledger.begin(REFUND, AGAIN)).settle(DONE)
    bench.waitMs(5)
    await expect(bench.process().ledger.begin(ADJUSTMENT, { ...AGAIN, seenAt })).rejects.toMatchObject({
      code: 'overtaken',
      exitCode: 6,
      details: { outcome: 'none', operation: 'payment.refund' },
    })
    expect(bench.openNames()).toEqual([])
  })

  test('is begun when that one had ended before, was rejected, or was on another target', async () => {
    const bench = createLedgerBench()
    const { ledger } = bench.process()
    await (await ledger.begin(REFUND, AGAIN)).settle(DONE)
    bench.waitMs(5)
    const seenAt = bench.clock.now.toISOString()
    await (await ledger.begin(refundOf('p2'), AGAIN)).settle(DONE)
    await (await ledger.begin(REFUND, AGAIN)).settle({ state: 'rejected', exitCode: 3 })
    await expect(ledger.begin(ADJUSTMENT, { ...AGAIN, seenAt })).resolves.toMatchObject({ isInDoubt: false })
  })

  test('is known to be overtaken after a kill in the middle: it was never sent', async () => {
    const bench = createLedgerBench()
    const seenAt = bench.clock.now.toISOString()
    bench.waitMs(5)
    const first = await bench.process().ledger.begin(REFUND, AGAIN)
    await first.settle(DONE)
    await killedBeforeItLooked(bench, ADJUSTMENT, { ...AGAIN, seenAt })
    const { ledger } = bench.process()
    const [record] = (await ledger.list({ onlyOpen: true })).records
    const reopened = await ledger.reopen(record?.id ?? '')
    expect(reopened.stoppedBy).toMatchObject({ code: 'overtaken' })
  })
})

describe('what came later does not say that one was never sent', () => {
  /** The record of a process that was killed somewhere after it had looked. */
  async function killed(bench: LedgerBench, intent: Intent, options: BeginOptions): Promise<string> {
    const process = bench.process()
    const { id } = await process.ledger.begin(intent, options)
    bench.kill(process)
    return id
  }

  test.each<[string, Intent, Intent, BeginOptions]>([
    ['of another key', ORDER, { ...ORDER, account: 'account-2' }, AGAIN],
    ['for the same ticket', NOTHING, NOTHING, { mayRepeat: false, isTicket: true }],
  ])('%s', async (_, intent, later, options) => {
    const bench = createLedgerBench()
    const seenAt = bench.clock.now.toISOString()
    bench.waitMs(5)
    const id = await killed(bench, intent, { ...options, seenAt })
    bench.waitMs(5)
    await (await bench.process().ledger.begin(later, options)).settle(DONE)
    expect((await bench.process().ledger.reopen(id)).stoppedBy).toBeUndefined()
  })

  test.each<[string, Intent, Intent, BeginOptions]>([
    ['of another key', ORDER, { ...ORDER, account: 'account-2' }, AGAIN],
    ['for the same ticket', NOTHING, NOTHING, { mayRepeat: false, isTicket: true }],
  ])('but what came before does: %s', async (_, intent, earlier, options) => {
    const bench = createLedgerBench()
    const seenAt = bench.clock.now.toISOString()
    bench.waitMs(5)
    await (await bench.process().ledger.begin(earlier, options)).settle(DONE)
    bench.waitMs(5)
    await killedBeforeItLooked(bench, intent, { ...options, seenAt })
    const { ledger } = bench.process()
    const [record] = (await ledger.list({ onlyOpen: true })).records
    expect((await ledger.reopen(record?.id ?? '')).stoppedBy).toMatchObject({ exitCode: 6 })
  })

  test('by a clock that was set back, where one had kept the other out', async () => {
    const bench = createLedgerBench()
    bench.waitMs(5 * 60_000)
    await (await bench.process().ledger.begin(REFUND, AGAIN)).settle(DONE)
    bench.waitMs(-5 * 60_000)
    await killedBeforeItLooked(bench, REFUND, { mayRepeat: false, isTicket: false })
    const { ledger } = bench.process()
    const [record] = (await ledger.list({ onlyOpen: true })).records
    expect((await ledger.reopen(record?.id ?? '')).stoppedBy).toMatchObject({ code: 'duplicate' })
  })
})

test('a harmless write that an equal one took up is not called never sent', async () => {
  const bench = createLedgerBench()
  await (await bench.process().ledger.begin(SESSION_UPDATE, AGAIN)).settle(DONE)
  await killedBeforeItLooked(bench, SESSION_UPDATE, { mayRepeat: false, isTicket: false })
  const second = bench.process()
  const taken = await second.ledger.begin(SESSION_UPDATE, AGAIN)
  bench.kill(second)
  expect(await bench.process().ledger.reopen(taken.id)).toMatchObject({
    record: { state: 'sending' },
    stoppedBy: undefined,
  })
})

/** Killed between its claim and its look at what has ended. */
async function killedBeforeItLooked(
  bench: LedgerBench,
  intent: Intent,
  options: BeginOptions,
): Promise<void> {
  const killed = await new Promise<SimulatedProcess>((reached) => {
    const looking = bench.process({
      disk: {
        ...bench.disk,
        size: async (path) => {
          const hasClaimed = bench.openNames().some((name) => name.endsWith('.json'))
          if (!path.includes('history-') || !hasClaimed) return bench.disk.size(path)
          reached(looking)
          return new Promise(() => {})
        },
      },
    })
    void looking.ledger.begin(intent, options)
  })
  bench.kill(killed)
}
