import { describe, expect, test } from 'vitest'
import type { Intent } from '../../src/intent.ts'
import { REFUND, createLedgerBench, refundOf } from './ledger-bench.ts'
import type { SimulatedProcess } from './ledger-bench.ts'

const ADJUSTMENT: Intent = {
  ...REFUND,
  operation: 'payment.adjust',
  idempotencyKey: undefined,
  likeness: 'adjustment to 500',
  before: { sha256: 'aa', status: 'AUTHORIZED' },
}
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
    // Killed between its claim and its look at what has ended.
    const killed = await new Promise<SimulatedProcess>((reached) => {
      const looking = bench.process({
        disk: {
          ...bench.disk,
          size: async (path) => {
            if (!path.includes('history-')) return bench.disk.size(path)
            reached(looking)
            return new Promise(() => {})
          },
        },
      })
      void looking.ledger.begin(ADJUSTMENT, { ...AGAIN, seenAt })
    })
    bench.kill(killed)
    const { ledger } = bench.process()
    const [record] = (await ledger.list({ onlyOpen: true })).records
    const reopened = await ledger.reopen(record?.id ?? '')
    expect(reopened.stoppedBy).toMatchObject({ code: 'overtaken' })
  })
})
