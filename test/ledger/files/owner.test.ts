import { describe, expect, test } from 'vitest'
import { parseRecord } from '../../../src/ledger/files/record-text.ts'
import { DONE, ONCE, REFUND, REFUSED, UNKNOWN, createLedgerBench } from '../ledger-bench.ts'

const MINUTE_MS = 60_000

/** Two containers of one image share a state folder, a host name and a process number. */
function twoContainers() {
  const bench = createLedgerBench()
  const first = bench.process({ pid: 1, namespace: 'pid:[1]' })
  const second = bench.process({ pid: 1, namespace: 'pid:[2]' })
  return { bench, first, second }
}

describe('a sender in another container with the same host name', () => {
  test('does not count as dead', async () => {
    const { first, second } = twoContainers()
    const { id } = await first.ledger.begin(REFUND, ONCE)
    for (const trial of [second.ledger.reopen(id), second.ledger.begin(REFUND, ONCE)])
      await expect(trial).rejects.toMatchObject({
        code: 'in_progress',
        details: { hint: expect.stringContaining('another container') },
      })
  })

  test('counts as gone after ten minutes, and sends nothing more from then on', async () => {
    const { bench, first, second } = twoContainers()
    const intent = await first.ledger.begin(REFUND, ONCE)
    expect(await intent.isOurs()).toBe(true)
    bench.waitMs(10 * MINUTE_MS)
    const open = await second.ledger.reopen(intent.id)
    expect([await intent.isOurs(), await open.isOurs(), await open.intent.isOurs()]).toEqual([
      false,
      true,
      true,
    ])
    await open.settle(UNKNOWN)
    expect(await intent.isOurs()).toBe(false)
  })

  test('that released the record does not own it once another has taken over', async () => {
    const { bench, first, second } = twoContainers()
    const { id } = await bench.process({ machine: 'gone' }).ledger.begin(REFUND, ONCE)
    bench.waitMs(10 * MINUTE_MS)
    const one = await first.ledger.reopen(id)
    bench.waitMs(10 * MINUTE_MS)
    const other = await second.ledger.reopen(id)
    await one.release()
    expect([await one.isOurs(), await other.isOurs()]).toEqual([false, true])
    await other.release()
    const third = await second.ledger.reopen(id)
    await one.release()
    expect(await third.isOurs()).toBe(true)
  })

  test.each([REFUSED, UNKNOWN])(
    'cannot settle a record that another process has taken over: $state',
    async (settlement) => {
      const { bench, first, second } = twoContainers()
      const intent = await first.ledger.begin(REFUND, ONCE)
      bench.waitMs(10 * MINUTE_MS)
      const open = await second.ledger.reopen(intent.id)
      await expect(intent.settle(settlement)).rejects.toMatchObject({ code: 'in_progress' })
      expect(bench.lines()).toEqual([])
      await open.settle(DONE)
      expect(bench.lines().map(parseRecord)).toMatchObject([{ id: intent.id, state: 'confirmed' }])
    },
  )

  test('that gets its response after all settles the record, once', async () => {
    const { bench, first, second } = twoContainers()
    const intent = await first.ledger.begin(REFUND, ONCE)
    bench.waitMs(10 * MINUTE_MS)
    const open = await second.ledger.reopen(intent.id)
    await intent.settle(DONE)
    expect(await open.isOurs()).toBe(false)
    expect(await open.settle({ state: 'rejected', exitCode: 3 })).toMatchObject({ state: 'confirmed' })
    expect(await open.abandon('looked')).toMatchObject({ state: 'confirmed' })
    expect(bench.lines()).toHaveLength(1)
    expect(bench.openNames()).toEqual([])
  })

  test('does not record a second outcome, and learns of a different first one', async () => {
    const { bench, first, second } = twoContainers()
    const intent = await first.ledger.begin(REFUND, ONCE)
    bench.waitMs(10 * MINUTE_MS)
    await (await second.ledger.reopen(intent.id)).settle(DONE)
    await intent.settle(DONE)
    for (const settlement of [REFUSED, UNKNOWN])
      await expect(intent.settle(settlement)).rejects.toThrow('recorded the operation as confirmed')
    expect(bench.lines()).toHaveLength(1)
  })
})

test('a takeover lasts ten minutes from when it was made, however old the record is', async () => {
  const { bench, first, second } = twoContainers()
  const { id } = await bench.process({ machine: 'gone' }).ledger.begin(REFUND, ONCE)
  bench.waitMs(600 * MINUTE_MS)
  await first.ledger.reopen(id)
  bench.waitMs(10 * MINUTE_MS - 1)
  await expect(second.ledger.reopen(id)).rejects.toMatchObject({ code: 'in_progress' })
  bench.waitMs(1)
  await second.ledger.reopen(id)
})

test('a death in one container does not affect the process with the same number in another', async () => {
  const { bench, first, second } = twoContainers()
  const { id } = await first.ledger.begin(REFUND, ONCE)
  bench.kill(first)
  expect(await second.ledger.find(id)).toMatchObject({ record: { state: 'sending' } })
  // A process in the same container knows at once.
  const beside = bench.process({ namespace: 'pid:[1]' })
  await (await beside.ledger.reopen(id)).settle(DONE)
})
