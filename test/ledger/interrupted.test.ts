import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PayError, UsageError } from '../../src/errors.ts'
import type { BeginOptions } from '../../src/ledger/port.ts'
import type { Disk } from '../../src/ledger/files/disk.ts'
import { parseRecord } from '../../src/ledger/files/record-text.ts'
import { AGAIN, DONE, ONCE, REFUND, REFUSED, TICKET, UNKNOWN, createLedgerBench } from './ledger-bench.ts'
import type { LedgerBench } from './ledger-bench.ts'

/** Every call of a disk in turn, counted from 1. */
function tripping(
  disk: Disk,
  trip: (call: number, name: keyof Disk, work: () => Promise<unknown>) => void,
): Disk {
  let calls = 0
  const through =
    <Parts extends readonly unknown[], Result>(
      name: keyof Disk,
      work: (...parts: Parts) => Promise<Result>,
    ) =>
    async (...parts: Parts): Promise<Result> => {
      calls += 1
      let result: Promise<Result> | undefined
      trip(calls, name, () => (result ??= work(...parts)))
      return (result ??= work(...parts))
    }
  return {
    makeFolder: through('makeFolder', disk.makeFolder),
    names: through('names', disk.names),
    read: through('read', disk.read),
    size: through('size', disk.size),
    modifiedAt: through('modifiedAt', disk.modifiedAt),
    write: through('write', disk.write),
    append: through('append', disk.append),
    sync: through('sync', disk.sync),
    link: through('link', disk.link),
    rename: through('rename', disk.rename),
    remove: through('remove', disk.remove),
  }
}

const FULL = new UsageError('The ledger cannot be used: full (ENOSPC)', { code: 'ledger_unusable' })

/** The n-th call fails, and what comes after it works again. */
const failingAt = (disk: Disk, at: number): Disk =>
  tripping(disk, (call) => {
    if (call === at) throw FULL
  })

/** From the n-th call on there is no process any more. */
const dyingAt = (disk: Disk, at: number): Disk =>
  tripping(disk, (call) => {
    if (call >= at) throw new Error('killed')
  })

const SETTLEMENTS = { confirmed: DONE, rejected: REFUSED, 'in doubt': UNKNOWN } as const

/** How many calls a write makes when nothing is wrong. */
async function callsOf(
  settlement: (typeof SETTLEMENTS)[keyof typeof SETTLEMENTS],
): Promise<{ begin: number; all: number }> {
  const bench = createLedgerBench()
  let calls = 0
  const disk = tripping(bench.disk, (call) => {
    calls = call
  })
  const intent = await bench.process({ disk }).ledger.begin(REFUND, ONCE)
  const begin = calls
  await intent.settle(settlement)
  return { begin, all: calls }
}

/** Everything the next process can find out, and whether the target can be used in the end. */
async function lookAfterwards(bench: LedgerBench) {
  const { ledger } = bench.process()
  const { records, damaged } = await ledger.list({})
  expect(damaged).toEqual({ files: [], lines: 0, histories: [] })
  for (const { id, state } of records) if (state === 'in-doubt') await (await ledger.reopen(id)).settle(DONE)
  await (await ledger.begin({ ...REFUND, fingerprint: 'another' }, ONCE)).settle(DONE)
  await ledger.list({})
  expect(bench.openNames()).toEqual([])
  return records
}

describe.each(Object.entries(SETTLEMENTS))(
  'a write that ends %s, killed at any call of the disk',
  (_, settlement) => {
    test('is in the ledger as it was, or was never begun', async () => {
      const { begin, all } = await callsOf(settlement)
      for (let at = 1; at <= all; at += 1) {
        const bench = createLedgerBench()
        const dead = bench.process({ disk: dyingAt(bench.disk, at) })
        let hasBegun = false
        let isTold = false
        try {
          const intent = await dead.ledger.begin(REFUND, ONCE)
          hasBegun = true
          await intent.settle(settlement)
          isTold = true
        } catch {
          // Nobody is there to hear of it.
        }
        bench.kill(dead)
        expect(hasBegun).toBe(at > begin)
        const records = await lookAfterwards(bench)
        const states = records.map(({ state }) => state)
        if (isTold) expect(states).toEqual([settlement.state])
        else if (hasBegun) expect(['in-doubt', settlement.state]).toContain(states[0])
        expect(records.length).toBeLessThanOrEqual(1)
      }
      expect(all).toBeGreaterThan(begin)
    })
  },
)

describe.each(Object.entries(SETTLEMENTS))(
  'a write that ends %s, on a disk that fails once',
  (_, settlement) => {
    test('begins or claims nothing, and its end is told or is found later', async () => {
      const { begin, all } = await callsOf(settlement)
      for (let at = 1; at <= all; at += 1) {
        const bench = createLedgerBench()
        const faulty = bench.process({ disk: failingAt(bench.disk, at) })
        const begun = await faulty.ledger.begin(REFUND, ONCE).catch((error: unknown) => {
          expect(error).toBe(FULL)
          return undefined
        })
        if (begun === undefined) {
          expect(at).toBeLessThanOrEqual(begin)
          expect((await faulty.ledger.list({})).records, `call ${at}`).toEqual([])
        } else {
          const isTold = await begun.settle(settlement).then(
            () => true,
            () => false,
          )
          bench.kill(faulty)
          const [record] = (await bench.process().ledger.list({})).records
          // What was not done is forgotten rather than left for somebody to send.
          const untold = settlement.state === 'rejected' ? [undefined, 'in-doubt'] : ['in-doubt']
          expect([settlement.state, ...(isTold ? [] : untold)]).toContain(record?.state)
        }
        bench.kill(faulty)
        await lookAfterwards(bench)
      }
    })
  },
)

describe.each(['killed', 'failing'] as const)('finding out, %s at any call of the disk', (kind) => {
  test.each(Object.entries(SETTLEMENTS))(
    'and then %s: the record is kept until its end is',
    async (_, settlement) => {
      let isWhole = false
      for (let at = 1; !isWhole; at += 1) {
        const bench = createLedgerBench()
        const dead = bench.process()
        const { id } = await dead.ledger.begin(REFUND, ONCE)
        bench.kill(dead)
        const disk = kind === 'killed' ? dyingAt(bench.disk, at) : failingAt(bench.disk, at)
        const finder = bench.process({ disk })
        isWhole = await finder.ledger
          .reopen(id)
          .then((open) => open.settle(settlement))
          .then(
            () => true,
            () => false,
          )
        bench.kill(finder)
        const records = (await bench.process().ledger.list({})).records
        expect(records, `call ${at}`).toHaveLength(1)
        expect([settlement.state, 'in-doubt']).toContain(records[0]?.state)
        await lookAfterwards(bench)
        expect(at).toBeLessThan(60)
      }
    },
  )
})

describe('one that would have been refused, killed before that was found out', () => {
  /** Dies as soon as it has claimed the target: its record has the name of an open one. */
  async function claimOnly(bench: LedgerBench, options: BeginOptions): Promise<string> {
    let renames = 0
    const dying = bench.process({
      disk: tripping(bench.disk, (_, name) => {
        if (renames === 2) throw new Error('killed')
        if (name === 'rename') renames += 1
      }),
    })
    await expect(dying.ledger.begin(REFUND, options)).rejects.toThrow('killed')
    bench.kill(dying)
    const [record] = (await bench.process().ledger.list({ onlyOpen: true })).records
    expect(record).toMatchObject({ state: 'in-doubt' })
    return record?.id ?? ''
  }

  test.each([
    ['the same, just before', ONCE, 'duplicate', 'the same write was done'],
    ['the same ticket, long ago', TICKET, 'already_done', 'lready done for this ticket'],
  ] as const)('is not sent by whoever clears it up: %s', async (_, options, code, words) => {
    const bench = createLedgerBench()
    await (await bench.process().ledger.begin(REFUND, options)).settle(DONE)
    if (options.isTicket) bench.waitMs(90 * 24 * 3_600_000)
    const open = await bench.process().ledger.reopen(await claimOnly(bench, options))
    expect(open.stoppedBy).toBeInstanceOf(PayError)
    expect(open.stoppedBy).toMatchObject({ code, exitCode: 6 })
    expect(open.stoppedBy?.message).toContain(words)
  })

  test.each([ONCE, TICKET])('was stopped by nothing where nothing like it was done', async (options) => {
    const bench = createLedgerBench()
    const open = await bench.process().ledger.reopen(await claimOnly(bench, options))
    expect(open.stoppedBy).toBeUndefined()
    await open.settle(UNKNOWN)
    expect(readFileSync(join(bench.folder, 'open', bench.openNames()[0] ?? ''), 'utf8')).not.toContain(
      'unasked',
    )
  })

  test('is let go of when the history cannot be read', async () => {
    const bench = createLedgerBench()
    await (await bench.process().ledger.begin(REFUND, ONCE)).settle(DONE)
    const id = await claimOnly(bench, ONCE)
    const disk = tripping(bench.disk, (_, name) => {
      if (name === 'size') throw FULL
    })
    await expect(bench.process({ disk }).ledger.reopen(id)).rejects.toBe(FULL)
    expect((await bench.process().ledger.reopen(id)).stoppedBy).toMatchObject({ code: 'duplicate' })
  })

  test('needs no looking back where a person has said that it is wanted again', async () => {
    const bench = createLedgerBench()
    await (await bench.process().ledger.begin(REFUND, ONCE)).settle(DONE)
    const dead = bench.process()
    const { id } = await dead.ledger.begin(REFUND, AGAIN)
    bench.kill(dead)
    expect((await bench.process().ledger.reopen(id)).stoppedBy).toBeUndefined()
  })
})

describe('what cannot be finished', () => {
  const noSpace = async () => Promise.reject(FULL)

  test('of a write that was not done, leaves nothing for anybody to send', async () => {
    const bench = createLedgerBench()
    const { ledger } = bench.process({ disk: { ...bench.disk, append: noSpace } })
    const intent = await ledger.begin(REFUND, ONCE)
    await expect(intent.settle(REFUSED)).rejects.toBe(FULL)
    expect(bench.openNames()).toEqual([])
    expect(await intent.isOurs()).toBe(false)
  })

  test.each([DONE, UNKNOWN])('of a write that may have been done, stays open: $state', async (settlement) => {
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
  })

  test('of what is cleared up, stays open: somebody has to find out again', async () => {
    const bench = createLedgerBench()
    await (await bench.process().ledger.begin(REFUND, ONCE)).settle(UNKNOWN)
    const { ledger } = bench.process({ disk: { ...bench.disk, append: noSpace } })
    await expect((await ledger.reopen('op-1')).settle(REFUSED)).rejects.toBe(FULL)
    expect((await bench.process().ledger.list({ onlyOpen: true })).records).toHaveLength(1)
  })

  test.each(['claim', 'json'])(
    'of a step that was done and failed all the same, leaves nothing, or goes on: .%s',
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
        // Where the answer was lost, it is there: that is all that counts.
        await (await ledger.begin(REFUND, ONCE)).settle(DONE)
        expect(bench.lines()).toHaveLength(1)
      } else await expect(ledger.begin(REFUND, ONCE)).rejects.toBe(FULL)
      expect(bench.openNames()).toEqual([])
    },
  )
})

test('an ending is recorded before its file is removed, and both only once', async () => {
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

test('a claim is synced, then announced, then looked for others, then named, then its name is synced', async () => {
  const bench = createLedgerBench()
  const steps: string[] = []
  await bench.process().ledger.begin({ ...REFUND, target: undefined }, ONCE)
  const disk = tripping(bench.disk, (_, name) => steps.push(name))
  await bench.process({ disk }).ledger.begin(REFUND, AGAIN)
  expect(steps).toEqual(['size', 'names', 'write', 'sync', 'rename', 'names', 'names', 'rename', 'sync'])
})
