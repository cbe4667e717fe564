import { describe, expect, test } from 'vitest'
import { AGAIN, DONE, ONCE, REFUND, REFUSED, TICKET, createLedgerBench, refundOf } from './ledger-bench.ts'

const MINUTE_MS = 60_000

describe('what was done just now', () => {
  test.each([
    ['0 minutes', 0, true],
    ['ten minutes', 10 * MINUTE_MS, true],
    ['a little more', 10 * MINUTE_MS + 1, false],
  ])('%s ago stands in the way of the same: %#', async (_, ms, isRefused) => {
    const bench = createLedgerBench()
    const { ledger } = bench.process()
    const first = await ledger.begin(REFUND, ONCE)
    await first.settle(DONE)
    bench.waitMs(ms)
    const second = ledger.begin({ ...REFUND, idempotencyKey: 'key-2' }, ONCE)
    if (isRefused) {
      await expect(second).rejects.toMatchObject({
        code: 'duplicate',
        exitCode: 6,
        details: { outcome: 'none', operationId: first.id },
      })
      expect(bench.openNames()).toEqual([])
    } else await second
  })

  test.each([
    ['said to be wanted again', {}, AGAIN, DONE],
    ['of another amount', { fingerprint: 'refund of 501' }, ONCE, DONE],
    ['on another target', { target: { kind: 'payment', name: 'p2' } }, ONCE, DONE],
    ['of another service', { baseUrl: 'https://other.example.com' }, ONCE, DONE],
    ['that was refused', {}, ONCE, REFUSED],
    ['that was declined', {}, ONCE, { state: 'confirmed', exitCode: 13 }],
  ] as const)('is in nobody’s way: %s', async (_, more, options, settlement) => {
    const bench = createLedgerBench()
    const { ledger } = bench.process()
    await (await ledger.begin(REFUND, ONCE)).settle(settlement)
    await ledger.begin({ ...REFUND, idempotencyKey: 'key-2', ...more }, options)
    expect(bench.openNames()).toHaveLength(1)
  })

  test('by another process is seen by the one that waited for it', async () => {
    const bench = createLedgerBench()
    const first = await bench.process().ledger.begin(REFUND, ONCE)
    await expect(bench.process().ledger.begin(REFUND, ONCE)).rejects.toMatchObject({ code: 'in_progress' })
    await first.settle(DONE)
    await expect(bench.process().ledger.begin(REFUND, ONCE)).rejects.toMatchObject({ code: 'duplicate' })
  })
})

describe('a ticket', () => {
  const withKey = { ...REFUND, idempotencyKey: 'of-ticket-7' }

  test('that was used is used, however long ago', async () => {
    const bench = createLedgerBench()
    await (await bench.process().ledger.begin(withKey, TICKET)).settle(DONE)
    bench.waitMs(400 * 24 * 60 * MINUTE_MS)
    for (let count = 0; count < 30; count += 1)
      await (await bench.process().ledger.begin(refundOf(`other-${count}`), AGAIN)).settle(DONE)
    await expect(bench.process().ledger.begin(withKey, TICKET)).rejects.toMatchObject({
      code: 'already_done',
      exitCode: 6,
      details: { outcome: 'none' },
    })
    expect(bench.openNames()).toEqual([])
  })

  test('whose call was refused is free', async () => {
    const bench = createLedgerBench()
    await (await bench.process().ledger.begin(withKey, TICKET)).settle(REFUSED)
    await bench.process().ledger.begin(withKey, TICKET)
  })

  test('of one’s own says that this is another write', async () => {
    const bench = createLedgerBench()
    await (await bench.process().ledger.begin(REFUND, ONCE)).settle(DONE)
    await bench.process().ledger.begin(withKey, TICKET)
  })
})
