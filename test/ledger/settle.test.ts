import { describe, expect, test } from 'vitest'
import { parseRecord } from '../../src/ledger/files/record-text.ts'
import { AGAIN, DONE, ONCE, REFUND, REFUSED, UNKNOWN, createLedgerBench } from './ledger-bench.ts'
import { FULL, tripping } from './faulty-disk.ts'

describe('a failure to record an outcome', () => {
  const noSpace = async () => Promise.reject(FULL)

  test('of a write that was not done leaves nothing to resolve', async () => {
    const bench = createLedgerBench()
    const { ledger } = bench.process({ disk: { ...bench.disk, append: noSpace } })
    const intent = await ledger.begin(REFUND, ONCE)
    await expect(intent.settle(REFUSED)).rejects.toBe(FULL)
    expect(bench.openNames()).toEqual([])
    expect(await intent.isOurs()).toBe(false)
  })

  test.each([DONE, UNKNOWN])(
    'of a write that may have been done leaves it open: $state',
    async (settlement) => {
      const bench = createLedgerBench()
      let isFull = false
      const { ledger } = bench.process({
        disk: {
          ...bench.disk,
          append: noSpace,
          rename: async (from, to) => (isFull ? noSpace() : bench.disk.rename(from, to)),
        },
      })
      const intent = await ledger.begin(REFUND, ONCE)
      isFull = true
      await expect(intent.settle(settlement)).rejects.toBe(FULL)
      expect(bench.openNames()).toHaveLength(1)
      expect(await intent.isOurs()).toBe(true)
    },
  )

  test('during a resolve leaves the write open', async () => {
    const bench = createLedgerBench()
    await (await bench.process().ledger.begin(REFUND, ONCE)).settle(UNKNOWN)
    const { ledger } = bench.process({ disk: { ...bench.disk, append: noSpace } })
    await expect((await ledger.reopen('op-1')).settle(REFUSED)).rejects.toBe(FULL)
    expect((await bench.process().ledger.list({ onlyOpen: true })).records).toHaveLength(1)
  })

  test.each(['claim', 'json'])(
    'after the step itself succeeded leaves nothing, or goes on: .%s',
    async (ending) => {
      const bench = createLedgerBench()
      const { ledger } = bench.process({
        disk: {
          ...bench.disk,
          rename: async (from, to) => {
            await bench.disk.rename(from, to)
            if (to.endsWith(`.${ending}`)) throw FULL
          },
        },
      })
      if (ending === 'json') {
        // The rename happened although its reply was lost, so the write goes on.
        await (await ledger.begin(REFUND, ONCE)).settle(DONE)
        expect(bench.lines()).toHaveLength(1)
      } else await expect(ledger.begin(REFUND, ONCE)).rejects.toBe(FULL)
      expect(bench.openNames()).toEqual([])
    },
  )
})

test('an outcome is recorded before the open file is removed, each once', async () => {
  const bench = createLedgerBench()
  const steps: string[] = []
  const disk = tripping(bench.disk, (_, name) => steps.push(name))
  const intent = await bench.process({ disk }).ledger.begin(REFUND, AGAIN)
  const before = steps.length
  await intent.settle(DONE)
  const after = steps.slice(before)
  expect(after.filter((name) => name === 'append')).toHaveLength(1)
  expect(after.indexOf('append')).toBeLessThan(after.indexOf('sync'))
  expect(after.lastIndexOf('sync')).toBeLessThan(after.indexOf('remove'))
  expect(bench.lines().map(parseRecord)).toMatchObject([{ id: intent.id }])
})
