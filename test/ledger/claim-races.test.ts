import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { OpenIntent } from '../../src/ledger/port.ts'
import type { Disk } from '../../src/ledger/files/disk.ts'
import { seededRandom } from '../sandbox/service.ts'
import { AGAIN, DONE, ONCE, ORDER, REFUND, UNKNOWN, createLedgerBench, refundOf } from './ledger-bench.ts'
import type { LedgerBench, ProcessParts } from './ledger-bench.ts'

/** A record whose end is recorded and whose file was left, as by a process that was killed between the two. */
async function leftFile(bench: LedgerBench): Promise<{ readonly path: string; readonly text: string }> {
  const dead = bench.process()
  const intent = await dead.ledger.begin(REFUND, AGAIN)
  const path = join(bench.folder, 'open', bench.openNames()[0] ?? '')
  const text = readFileSync(path, 'utf8')
  await intent.settle(DONE)
  bench.kill(dead)
  writeFileSync(path, text)
  return { path, text }
}

/** A process whose removals of open records wait until the others have done something. */
const slowRemoval = (bench: LedgerBench, meanwhile: () => Promise<void>) => {
  let isFirst = true
  return bench.process({
    disk: {
      ...bench.disk,
      remove: async (path) => {
        if (path.endsWith('.json') && isFirst) {
          isFirst = false
          await meanwhile()
        }
        await bench.disk.remove(path)
      },
    },
  })
}

describe('removing what has ended', () => {
  test('never removes what another process has claimed since it was looked at', async () => {
    const bench = createLedgerBench()
    await leftFile(bench)
    let claimed: OpenIntent | undefined
    const late = slowRemoval(bench, async () => {
      claimed = await bench.process().ledger.begin({ ...REFUND, fingerprint: 'another' }, AGAIN)
    })
    await expect(late.ledger.begin(REFUND, AGAIN)).rejects.toMatchObject({ code: 'in_progress' })
    expect(await claimed?.isOurs()).toBe(true)
    expect((await bench.process().ledger.list({ onlyOpen: true })).records).toMatchObject([
      { id: claimed?.id },
    ])
  })

  test('by the one who ends it never removes what was claimed after it had been ended by another', async () => {
    const bench = createLedgerBench()
    let claimed: OpenIntent | undefined
    const far = slowRemoval(bench, async () => {
      // Its end is recorded, and its file is left: the next one clears that away.
      bench.kill(far)
      claimed = await bench.process().ledger.begin({ ...REFUND, fingerprint: 'another' }, AGAIN)
    })
    await (await far.ledger.begin(REFUND, AGAIN)).settle(DONE)
    expect(await claimed?.isOurs()).toBe(true)
  })

  test('leaves what comes back after a power cut known to be over', async () => {
    const bench = createLedgerBench()
    const { path, text } = await leftFile(bench)
    const next = bench.process()
    const { id } = await next.ledger.begin({ ...REFUND, fingerprint: 'another' }, AGAIN)
    writeFileSync(path, text)
    expect((await bench.process().ledger.list({ onlyOpen: true })).records).toMatchObject([{ id }])
    bench.kill(next)
    await (await bench.process().ledger.reopen(id)).settle(DONE)
    await (await bench.process().ledger.begin(REFUND, AGAIN)).settle(DONE)
    expect(bench.openNames()).toEqual([])
  })

  test('is not undone for good by who writes late: the history tells that it is over', async () => {
    const bench = createLedgerBench()
    const far = bench.process({
      machine: 'far',
      // It has looked, and another ends the record before it writes.
      disk: { ...bench.disk, size: async () => 1, names: bench.disk.names },
    })
    const lost = await far.ledger.begin(REFUND, AGAIN)
    bench.waitMs(600_000)
    const open = await bench.process().ledger.reopen(lost.id)
    await open.release()
    const settling = lost.settle(UNKNOWN)
    await (await bench.process().ledger.reopen(lost.id)).settle(DONE)
    await settling.catch(() => undefined)
    const next = await bench.process().ledger.begin({ ...REFUND, fingerprint: 'another' }, AGAIN)
    expect((await bench.process().ledger.list({ onlyOpen: true })).records).toMatchObject([{ id: next.id }])
  })
})

/** Every call of its disk ends some turns of the event loop later. */
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

describe('claims at once', () => {
  test('of any number one goes on, in whatever order their steps come', async () => {
    for (let seed = 1; seed <= 60; seed += 1) {
      const bench = createLedgerBench()
      const random = seededRandom(seed)
      if (seed % 2 === 0) await leftFile(bench)
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

  test('of which one waits for the other to withdraw: the lesser id goes on', async () => {
    const bench = createLedgerBench()
    const tries = await Promise.allSettled([
      bench.process().ledger.begin(REFUND, AGAIN),
      bench.process().ledger.begin(REFUND, AGAIN),
    ])
    expect(tries.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  })

  test('a claim whose process was killed was never sent: it is in nobody’s way, and is told of', async () => {
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

  test('of a process that only its number tells of is ended on a person’s word', async () => {
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

  test('that slept while it was taken for dead begins anew rather than going on', async () => {
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

  test.each([REFUND, ORDER])('reads no file of other targets: %#', async (intent) => {
    const bench = createLedgerBench()
    for (let count = 0; count < 30; count += 1) {
      await bench.process().ledger.begin(refundOf(`other-${count}`), ONCE)
      await bench.process().ledger.begin({ ...ORDER, target: { kind: 'order', name: `B-${count}` } }, ONCE)
    }
    const { reads, process } = countingReads(bench)
    await process.ledger.begin(intent, ONCE)
    expect(reads).toEqual([])
  })

  test('that is in the way of nothing new writes nothing', async () => {
    const bench = createLedgerBench()
    await (await bench.process().ledger.begin(REFUND, ONCE)).settle(UNKNOWN)
    const refuse = async () => Promise.reject(new Error('written'))
    const { ledger } = bench.process({
      disk: { ...bench.disk, write: refuse, rename: refuse, link: refuse, sync: refuse },
    })
    await expect(ledger.begin(REFUND, AGAIN)).rejects.toMatchObject({ code: 'open_intent' })
  })
})
