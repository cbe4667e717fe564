import { describe, expect, test } from 'vitest'
import { AGAIN, DONE, ONCE, REFUND, REFUSED, TICKET, createLedgerBench, refundOf } from './ledger-bench.ts'

const MINUTE_MS = 60_000

describe('a write that was just done', () => {
  test.each([
    ['0 minutes', 0, true],
    ['ten minutes', 10 * MINUTE_MS, true],
    ['a little more', 10 * MINUTE_MS + 1, false],
  ])('%s ago blocks an equal write only within ten minutes: %#', async (_, ms, isRefused) => {
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
      expect(await bench.open()).toEqual([])
    } else await second
  })

  test.each([
    ['said to be wanted again', {}, AGAIN, DONE],
    ['of another amount', { fingerprint: 'refund of 501' }, ONCE, DONE],
    ['on another target', { target: { kind: 'payment', name: 'p2' } }, ONCE, DONE],
    ['of another service', { baseUrl: 'https://other.example.com' }, ONCE, DONE],
    ['that was refused', {}, ONCE, REFUSED],
    ['that was declined', {}, ONCE, { state: 'confirmed', exitCode: 13 }],
  ] as const)('does not block an equal write %s', async (_, more, options, settlement) => {
    const bench = createLedgerBench()
    const { ledger } = bench.process()
    await (await ledger.begin(REFUND, ONCE)).settle(settlement)
    await ledger.begin({ ...REFUND, idempotencyKey: 'key-2', ...more }, options)
    expect(await bench.open()).toHaveLength(1)
  })

  test('blocks the process that waited for it', async () => {
    const bench = createLedgerBench()
    const first = await bench.process().ledger.begin(REFUND, ONCE)
    await expect(bench.process().ledger.begin(REFUND, ONCE)).rejects.toMatchObject({ code: 'in_progress' })
    await first.settle(DONE)
    await expect(bench.process().ledger.begin(REFUND, ONCE)).rejects.toMatchObject({ code: 'duplicate' })
  })
})

describe('a ticket', () => {
  const withKey = { ...REFUND, idempotencyKey: 'of-ticket-7' }

  test('cannot be used again, however long ago it was used', async () => {
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
    expect(await bench.open()).toEqual([])
  })

  test('can be used again after a refusal', async () => {
    const bench = createLedgerBench()
    await (await bench.process().ledger.begin(withKey, TICKET)).settle(REFUSED)
    await bench.process().ledger.begin(withKey, TICKET)
  })

  test('makes an equal write count as another one', async () => {
    const bench = createLedgerBench()
    await (await bench.process().ledger.begin(REFUND, ONCE)).settle(DONE)
    await bench.process().ledger.begin(withKey, TICKET)
  })
})
