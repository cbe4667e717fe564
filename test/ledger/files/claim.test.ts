import { describe, expect, test } from 'vitest'
import type { OpenIntent } from '../../../src/ledger/port.ts'
import type { Disk } from '../../../src/ledger/disk/disk.ts'
import { seededRandom } from '../../sandbox/service.ts'
import { AGAIN, DONE, ONCE, ORDER, REFUND, UNKNOWN, createLedgerBench, refundOf } from '../ledger-bench.ts'
import type { LedgerBench, ProcessParts } from '../ledger-bench.ts'
import { leaveEndedFile } from '../ended-file.ts'

/** A disk whose calls each finish some event-loop turns later. */
const jittery = (disk: Disk, random: () => number): Disk => {
  const later = async () => {
    for (let turns = Math.floor(random() * 4); turns > 0; turns -= 1)
      await new Promise((resolve) => setImmediate(resolve))
  }
  const through =
    <Parts extends readonly unknown[], Result>(work: (...parts: Parts) => Promise<Result>) =>
    async (...parts: Parts): Promise<Result> => {
      await later()
      const result = await work(...parts)
      await later()
      return result
    }
  return {
    makeFolder: through(disk.makeFolder),
    names: through(disk.names),
    read: through(disk.read),
    readBackwards: async function* (path) {
      yield* await through(async () => disk.readBackwards(path))()
    },
    size: through(disk.size),
    modifiedAt: through(disk.modifiedAt),
    write: through(disk.write),
    append: through(disk.append),
    sync: through(disk.sync),
    link: through(disk.link),
    rename: through(disk.rename),
    remove: through(disk.remove),
  }
}

describe('simultaneous claims', () => {
  test('let exactly one win, regardless of the order of their steps', async () => {
    for (let seed = 1; seed <= 60; seed += 1) {
      const bench = createLedgerBench()
      const random = seededRandom(seed)
      if (seed % 2 === 0) await leaveEndedFile(bench)
      const parts = (): ProcessParts => ({ disk: jittery(bench.disk, random) })
      const tries = await Promise.allSettled(
        Array.from({ length: 2 + (seed % 3) }, () => bench.process(parts()).ledger.begin(REFUND, AGAIN)),
      )
      const begun = tries.filter(({ status }) => status === 'fulfilled').length
      // Who withdraws may be so slow that the other gives up waiting: then nothing was sent either.
      expect(begun, `seed ${seed}`).toBeLessThanOrEqual(1)
      for (const one of tries)
        if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'in_progress' })
      expect(bench.openNames(), `seed ${seed}`).toHaveLength(begun)
    }
  })

  test('let the one with the lower id continue after the other has withdrawn', async () => {
    const bench = createLedgerBench()
    const tries = await Promise.allSettled([
      bench.process().ledger.begin(REFUND, AGAIN),
      bench.process().ledger.begin(REFUND, AGAIN),
    ])
    expect(tries.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  })

  test('do not block on a claim of a killed process: it was never sent, and is reported', async () => {
    const bench = createLedgerBench()
    const killed = async () => {
      const dead = bench.process({
        disk: {
          ...bench.disk,
          rename: async (from, to) =>
            to.endsWith('.claim') ? bench.disk.rename(from, to) : Promise.reject(new Error('killed')),
          remove: async () => Promise.reject(new Error('killed')),
        },
      })
      await expect(dead.ledger.begin(REFUND, AGAIN)).rejects.toThrow('killed')
      return dead
    }
    const living = await killed()
    expect(bench.openNames()).toEqual([expect.stringMatching(/\.claim$/)])
    const { ledger } = bench.process()
    await expect(ledger.begin(REFUND, AGAIN)).rejects.toMatchObject({ code: 'in_progress' })
    expect((await ledger.list({})).records).toMatchObject([{ state: 'sending' }])
    bench.kill(living)
    expect((await ledger.list({ isReadOnly: true })).records).toEqual([])
    await expect(ledger.reopen('op-1')).rejects.toMatchObject({ code: 'no_such_operation' })
    bench.kill(await killed())
    expect(await ledger.list({})).toMatchObject({ cutShort: 1, records: [] })
    bench.kill(await killed())
    await (await ledger.begin(REFUND, AGAIN)).settle(DONE)
    expect(bench.openNames()).toEqual([])
  })

  test('can be abandoned when only a process number identifies their process', async () => {
    const bench = createLedgerBench()
    const dead = bench.process({
      startedAt: undefined,
      disk: {
        ...bench.disk,
        rename: async (from, to) =>
          to.endsWith('.claim') ? bench.disk.rename(from, to) : Promise.reject(new Error('killed')),
        remove: async () => Promise.reject(new Error('killed')),
      },
    })
    await expect(dead.ledger.begin(REFUND, AGAIN)).rejects.toThrow('killed')
    const { ledger } = bench.process({ startedAt: undefined })
    await expect(ledger.reopen('op-1')).rejects.toMatchObject({ code: 'in_progress' })
    await (await ledger.reopen('op-1', { isConfirmedGone: true })).abandon('it is an editor')
    expect(bench.openNames()).toEqual([])
    await ledger.begin(REFUND, AGAIN)
  })

  test('start over after a sleep during which another process removed the claim', async () => {
    const bench = createLedgerBench()
    let other: OpenIntent | undefined
    const sleeper = bench.process({
      machine: 'far',
      disk: {
        ...bench.disk,
        rename: async (from, to) => {
          if (to.endsWith('.json') && other === undefined) {
            bench.waitMs(600_000)
            other = await bench.process().ledger.begin(REFUND, AGAIN)
          }
          await bench.disk.rename(from, to)
        },
      },
    })
    await expect(sleeper.ledger.begin(REFUND, AGAIN)).rejects.toMatchObject({ code: 'in_progress' })
    expect(await other?.isOurs()).toBe(true)
    expect(bench.openNames()).toHaveLength(1)
  })
})

describe('a claim', () => {
  const countingReads = (bench: LedgerBench) => {
    const reads: string[] = []
    const disk: Disk = {
      ...bench.disk,
      read: async (path, fromByte) => {
        if (path.includes('/open/')) reads.push(path)
        return bench.disk.read(path, fromByte)
      },
    }
    return { reads, process: bench.process({ disk }) }
  }

  test.each([REFUND, ORDER])('reads no files of other targets: %#', async (intent) => {
    const bench = createLedgerBench()
    for (let count = 0; count < 30; count += 1) {
      await bench.process().ledger.begin(refundOf(`other-${count}`), ONCE)
      await bench.process().ledger.begin({ ...ORDER, target: { kind: 'order', name: `B-${count}` } }, ONCE)
    }
    const { reads, process } = countingReads(bench)
    await process.ledger.begin(intent, ONCE)
    expect(reads).toEqual([])
  })

  test('that is refused writes nothing', async () => {
    const bench = createLedgerBench()
    await (await bench.process().ledger.begin(REFUND, ONCE)).settle(UNKNOWN)
    const refuse = async () => Promise.reject(new Error('written'))
    const { ledger } = bench.process({
      disk: { ...bench.disk, write: refuse, rename: refuse, link: refuse, sync: refuse },
    })
    await expect(ledger.begin(REFUND, AGAIN)).rejects.toMatchObject({ code: 'open_intent' })
  })
})
