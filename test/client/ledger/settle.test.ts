import { describe, expect, test } from 'vitest'
import { DONE, ONCE, REFUND, REFUSED, UNKNOWN, createLedgerBench } from './ledger-bench.ts'
import type { LedgerBench } from './ledger-bench.ts'
import { FULL, tripping } from './faulty-store.ts'

/** A process whose commits fail `times` times once `fails` is set. */
function failing(bench: LedgerBench, times: number) {
  const faults = { left: 0, begin: () => (faults.left = times) }
  const store = tripping(bench.store(), (_, name) => {
    if (name !== 'commit' || faults.left === 0) return
    faults.left -= 1
    throw FULL
  })
  return { faults, ...bench.process({ store }) }
}

describe('a failure to record an outcome', () => {
  test.each([DONE, REFUSED, UNKNOWN])('is made up for by a second try: $state', async (settlement) => {
    const bench = createLedgerBench()
    const { faults, ledger } = failing(bench, 1)
    const intent = await ledger.begin(REFUND, ONCE)
    faults.begin()
    await intent.settle(settlement)
    expect(await bench.records()).toMatchObject([settlement])
  })

  test.each([DONE, REFUSED, UNKNOWN])('twice leaves the write open: $state', async (settlement) => {
    const bench = createLedgerBench()
    const { faults, ledger } = failing(bench, 2)
    const intent = await ledger.begin(REFUND, ONCE)
    faults.begin()
    await expect(intent.settle(settlement)).rejects.toBe(FULL)
    expect(await bench.open()).toHaveLength(1)
    expect(await intent.standing()).toBe('ours')
  })

  test('during a resolve leaves the write open', async () => {
    const bench = createLedgerBench()
    await (await bench.process().ledger.begin(REFUND, ONCE)).settle(UNKNOWN)
    const { faults, ledger } = failing(bench, 2)
    const open = await ledger.reopen('op-1')
    faults.begin()
    await expect(open.settle(REFUSED)).rejects.toBe(FULL)
    expect(await bench.open()).toHaveLength(1)
  })
})

describe('a write that another process has taken over', () => {
  async function takenOver() {
    const bench = createLedgerBench()
    const first = bench.process()
    const intent = await first.ledger.begin(REFUND, ONCE)
    // As when its process number could not be seen for a moment.
    bench.kill(first)
    return { bench, intent, open: await bench.process().ledger.reopen(intent.id) }
  }

  test('is not sent again by the first one', async () => {
    const { intent, open } = await takenOver()
    expect(await intent.standing()).toBe('taken')
    expect(await intent.fence()).toBe(false)
    expect(await open.fence()).toBe(true)
  })

  test('keeps a success that the first one has seen after all', async () => {
    const { bench, intent, open } = await takenOver()
    await intent.settle(DONE)
    expect(await open.fence()).toBe(false)
    expect(await open.settle(REFUSED)).toMatchObject({ state: 'confirmed' })
    expect(await bench.records()).toMatchObject([DONE])
  })

  test.each([REFUSED, UNKNOWN])('takes nothing else from the first one: $state', async (settlement) => {
    const { bench, intent, open } = await takenOver()
    await expect(intent.settle(settlement)).rejects.toMatchObject({ code: 'in_progress' })
    await open.settle(DONE)
    await expect(intent.settle(settlement)).rejects.toMatchObject({ exitCode: 6 })
    expect(await bench.records()).toMatchObject([DONE])
  })

  test('and ended otherwise says so', async () => {
    const { intent, open } = await takenOver()
    await open.settle(REFUSED)
    await expect(intent.settle(DONE)).rejects.toMatchObject({ code: 'overtaken' })
  })
})

test('the fence leaves the time of the last attempt behind', async () => {
  const bench = createLedgerBench()
  const first = bench.process()
  const intent = await first.ledger.begin(REFUND, ONCE)
  bench.waitMs(60_000)
  const at = bench.clock.now
  expect(await intent.fence()).toBe(true)
  bench.kill(first)
  bench.waitMs(60_000)
  const { last } = (await bench.process().ledger.reopen(intent.id)).timing()
  expect(last.wallMs).toBe(at.getTime())
})
