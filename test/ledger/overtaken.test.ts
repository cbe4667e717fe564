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
/** A write without a target blocks no other. */
const NOTHING: Intent = { ...REFUND, target: undefined }
const AGAIN = { mayRepeat: true, isTicket: false } as const
const DONE = { state: 'confirmed', exitCode: 0 } as const

describe('a write based on a reading of its target', () => {
  test('is not begun when another write on its target has ended since', async () => {
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

  test('is begun when the other write had ended before, was rejected, or has another target', async () => {
    const bench = createLedgerBench()
    const { ledger } = bench.process()
    await (await ledger.begin(REFUND, AGAIN)).settle(DONE)
    bench.waitMs(5)
    const seenAt = bench.clock.now.toISOString()
    await (await ledger.begin(refundOf('p2'), AGAIN)).settle(DONE)
    await (await ledger.begin(REFUND, AGAIN)).settle({ state: 'rejected', exitCode: 3 })
    await expect(ledger.begin(ADJUSTMENT, { ...AGAIN, seenAt })).resolves.toMatchObject({ isInDoubt: false })
  })

  test('is known to be overtaken, and never sent, after a kill in between', async () => {
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

describe('a later write does not prove that this one was never sent', () => {
  /** The record of a process that was killed after its checks. */
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
  ])('but an earlier one does: %s', async (_, intent, earlier, options) => {
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

  test('even when the clock was set back and one had blocked the other', async () => {
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

test('a safe write that an equal one continued does not count as never sent', async () => {
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

/** Kills the process between its claim and its check of the history. */
async function killedBeforeItLooked(
  bench: LedgerBench,
  intent: Intent,
  options: BeginOptions,
): Promise<void> {
  const killed = await new Promise<SimulatedProcess>((reached) => {
    const looking = bench.process({
      disk: {
        ...bench.disk,
        readBackwards: async function* (path) {
          const hasClaimed = bench.openNames().some((name) => name.endsWith('.json'))
          if (!hasClaimed) return yield* bench.disk.readBackwards(path)
          reached(looking)
          await new Promise(() => {})
        },
      },
    })
    void looking.ledger.begin(intent, options)
  })
  bench.kill(killed)
}
