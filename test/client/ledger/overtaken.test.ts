import { describe, expect, test } from 'vitest'
import type { Write } from '../../../src/client/ledger/port.ts'
import { REFUND, createLedgerBench, refundOf } from './ledger-bench.ts'

const ADJUSTMENT: Write = {
  ...REFUND,
  operation: 'payment.adjust',
  idempotencyKey: undefined,
  fingerprint: 'adjustment to 500',
  before: { sha256: 'aa', status: 'AUTHORIZED' },
}
const AGAIN = { mayRepeat: true, isTicket: false, timeoutMs: 30_000 } as const
const DONE = { state: 'confirmed', exitCode: 0 } as const

describe('a write based on a reading of its target', () => {
  test('is not begun when another write on its target has ended since', async () => {
    const bench = createLedgerBench()
    const knownEnded = await bench.process().ledger.endedOn(ADJUSTMENT)
    await (await bench.process().ledger.begin(REFUND, AGAIN)).settle(DONE)
    // Whatever a clock says meanwhile.
    bench.waitMs(-3_600_000)
    await expect(bench.process().ledger.begin(ADJUSTMENT, { ...AGAIN, knownEnded })).rejects.toMatchObject({
      code: 'overtaken',
      exitCode: 6,
      details: { outcome: 'none', operation: 'payment.refund' },
    })
    expect(await bench.open()).toEqual([])
  })

  test('is begun when the other write had ended before, was rejected, or has another target', async () => {
    const bench = createLedgerBench()
    const { ledger } = bench.process()
    await (await ledger.begin(REFUND, AGAIN)).settle(DONE)
    bench.waitMs(-3_600_000)
    const knownEnded = await ledger.endedOn(ADJUSTMENT)
    await (await ledger.begin(refundOf('p2'), AGAIN)).settle(DONE)
    await (await ledger.begin(REFUND, AGAIN)).settle({ state: 'rejected', exitCode: 3 })
    await expect(ledger.begin(ADJUSTMENT, { ...AGAIN, knownEnded })).resolves.toMatchObject({
      isInDoubt: false,
    })
  })
})
