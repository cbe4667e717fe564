import { linkSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isAtWork } from '../../src/ledger/files/owner.ts'
import type { Owner, Processes } from '../../src/ledger/files/owner.ts'
import { parseRecord } from '../../src/ledger/files/record-text.ts'
import { AGAIN, DONE, ONCE, REFUND, UNKNOWN, createLedgerBench } from './ledger-bench.ts'
import type { LedgerBench, SimulatedProcess } from './ledger-bench.ts'

const HOUR_MS = 3_600_000

/** A record whose process has died, and its id. */
async function orphan(bench: LedgerBench, dead = bench.process()): Promise<string> {
  const { id } = await dead.ledger.begin(REFUND, ONCE)
  bench.kill(dead)
  return id
}

/** A process that looks, and goes on only when another has come in between. */
function slow(bench: LedgerBench, meanwhile: () => Promise<void>): SimulatedProcess {
  let isFirst = true
  return bench.process({
    disk: {
      ...bench.disk,
      link: async (from, to) => {
        if (isFirst) {
          isFirst = false
          await meanwhile()
        }
        return bench.disk.link(from, to)
      },
    },
  })
}

describe('an intent is taken in hand', () => {
  test('when its process died, with all that is needed to send it again', async () => {
    const bench = createLedgerBench()
    const id = await orphan(bench)
    const open = await bench.process().ledger.reopen(id)
    expect(open.intent).toMatchObject({
      id,
      operation: 'payment.refund',
      target: REFUND.target,
      amount: 500,
      idempotencyKey: 'key-1',
      request: { params: { id: 'p1' }, body: '{"amount":500}' },
      createdAt: new Date('2026-03-01T12:00:00.000Z'),
    })
    await open.settle({ ...DONE, note: 'found out' })
    expect(bench.openNames()).toEqual([])
    expect(bench.lines().map(parseRecord)).toMatchObject([{ id, state: 'confirmed', note: 'found out' }])
  })

  test('when it was left in doubt, though its process lives', async () => {
    const bench = createLedgerBench()
    const intent = await bench.process().ledger.begin(REFUND, ONCE)
    await intent.settle(UNKNOWN)
    await (await bench.process().ledger.reopen(intent.id)).settle(DONE)
    expect(bench.openNames()).toEqual([])
  })

  test('by one of many that try at once', async () => {
    const bench = createLedgerBench()
    const id = await orphan(bench)
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => bench.process().ledger.reopen(id)))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of tries)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'in_progress', exitCode: 6 })
  })

  test('by nobody while its process is at work', async () => {
    const bench = createLedgerBench()
    const { id } = await bench.process().ledger.begin(REFUND, ONCE)
    await expect(bench.process().ledger.reopen(id)).rejects.toMatchObject({ code: 'in_progress' })
    expect((await bench.process().ledger.list({})).records).toMatchObject([{ id, state: 'sending' }])
  })

  test('by nobody else while somebody finds out about it', async () => {
    const bench = createLedgerBench()
    const id = await orphan(bench)
    await bench.process().ledger.reopen(id)
    await expect(bench.process().ledger.reopen(id)).rejects.toMatchObject({ code: 'in_progress' })
    await expect(bench.process().ledger.begin(REFUND, AGAIN)).rejects.toMatchObject({ code: 'in_progress' })
    expect((await bench.process().ledger.list({})).records).toMatchObject([{ state: 'sending' }])
  })

  test('once more when the one who found out died as well, any number of times', async () => {
    const bench = createLedgerBench()
    const id = await orphan(bench)
    for (let turn = 1; turn < 5; turn += 1) {
      const next = bench.process()
      await next.ledger.reopen(id)
      expect(bench.openNames().filter((name) => /\.\d+$/.test(name))).toHaveLength(turn)
      bench.kill(next)
    }
    await (await bench.process().ledger.reopen(id)).settle(DONE)
    expect(bench.openNames()).toEqual([])
  })

  test('and let go of: it is as it was, and the next may try', async () => {
    const bench = createLedgerBench()
    const id = await orphan(bench)
    const before = bench.openNames()
    await (await bench.process().ledger.reopen(id)).release()
    expect(bench.openNames()).toEqual(before)
    await bench.process().ledger.reopen(id)
  })

  test('and left in doubt: what was found out is kept, and the next may try', async () => {
    const bench = createLedgerBench()
    const id = await orphan(bench)
    const open = await bench.process().ledger.reopen(id)
    await open.settle({ state: 'in-doubt', exitCode: undefined, note: 'look at it' })
    expect(bench.openNames()).toHaveLength(1)
    const next = await bench.process().ledger.reopen(id)
    expect(next.record).toMatchObject({ state: 'in-doubt', note: 'look at it', request: REFUND.request })
    await next.abandon('seen')
    expect(bench.openNames()).toEqual([])
    expect(bench.lines().map(parseRecord)).toMatchObject([{ id, state: 'abandoned' }])
  })

  test('by its first signs, where no other begins so', async () => {
    const bench = createLedgerBench()
    const id = await orphan(bench)
    expect((await bench.process().ledger.reopen(id.slice(0, 3))).id).toBe(id)
  })

  test('not by signs that several begin with, nor by an id that nobody has', async () => {
    const bench = createLedgerBench()
    await orphan(bench)
    const other = bench.process()
    await other.ledger.begin({ ...REFUND, target: undefined }, ONCE)
    bench.kill(other)
    await expect(bench.process().ledger.reopen('op-')).rejects.toMatchObject({ exitCode: 2 })
    await expect(bench.process().ledger.reopen('nobody')).rejects.toMatchObject({
      code: 'no_such_operation',
      exitCode: 5,
    })
  })
})

describe('what was seen too early', () => {
  test('is not taken over when it has ended meanwhile', async () => {
    const bench = createLedgerBench()
    const id = await orphan(bench)
    const { ledger } = slow(bench, async () => {
      await (await bench.process().ledger.reopen(id)).settle(DONE)
    })
    await expect(ledger.reopen(id)).rejects.toMatchObject({ code: 'no_such_operation' })
    expect(bench.openNames()).toEqual([])
    expect(bench.lines()).toHaveLength(1)
  })

  test('is not taken over when the target is another’s by now', async () => {
    const bench = createLedgerBench()
    const id = await orphan(bench)
    const { ledger } = slow(bench, async () => {
      await (await bench.process().ledger.reopen(id)).settle(DONE)
      await bench.process().ledger.begin(REFUND, AGAIN)
    })
    await expect(ledger.reopen(id)).rejects.toMatchObject({ code: 'no_such_operation' })
    expect(bench.openNames()).toHaveLength(1)
  })

  test('is not taken over while another is at it', async () => {
    const bench = createLedgerBench()
    const id = await orphan(bench)
    const { ledger } = slow(bench, async () => void (await bench.process().ledger.reopen(id)))
    await expect(ledger.reopen(id)).rejects.toMatchObject({ code: 'in_progress' })
  })

  test('and left in doubt by another meanwhile is taken as it is now', async () => {
    const bench = createLedgerBench()
    const id = await orphan(bench)
    const { ledger } = slow(bench, async () => {
      const open = await bench.process().ledger.reopen(id)
      await open.settle({ state: 'in-doubt', exitCode: undefined, note: 'newer' })
    })
    expect((await ledger.reopen(id)).record).toMatchObject({ state: 'in-doubt', note: 'newer' })
  })
})

describe('a turn that was let go of', () => {
  test('between two looks is nobody’s to follow: the next is read as it is then', async () => {
    const bench = createLedgerBench()
    const id = await orphan(bench)
    const holder = await bench.process().ledger.reopen(id)
    let hasLetGo = false
    const { ledger } = bench.process({
      disk: {
        ...bench.disk,
        read: async (path, fromByte) => {
          if (path.endsWith(`.${id}.1`) && !hasLetGo) {
            hasLetGo = true
            await holder.release()
          }
          return bench.disk.read(path, fromByte)
        },
      },
    })
    await ledger.reopen(id)
    // Not the second turn of something that has no first.
    expect(bench.openNames().filter((name) => !name.endsWith('.json'))).toEqual([
      expect.stringMatching(/\.1$/),
    ])
  })

  test('and taken by another is followed by nobody who had judged the one before', async () => {
    const bench = createLedgerBench()
    const id = await orphan(bench, bench.process({ machine: 'far' }))
    const far = await bench.process({ machine: 'far' }).ledger.reopen(id)
    bench.waitMs(2 * HOUR_MS)
    const faster = bench.process()
    let owner: Awaited<ReturnType<typeof faster.ledger.reopen>> | undefined
    const { ledger } = slow(bench, async () => {
      await far.release()
      owner = await faster.ledger.reopen(id)
    })
    await expect(ledger.reopen(id)).rejects.toMatchObject({ code: 'in_progress' })
    expect(await owner?.isOurs()).toBe(true)
    expect(bench.openNames()).toHaveLength(2)
  })

  test('leaves nothing of a turn that could not be made sure of', async () => {
    const bench = createLedgerBench()
    const id = await orphan(bench)
    const before = bench.openNames()
    const broken = new Error('the disk is gone')
    const { ledger } = bench.process({ disk: { ...bench.disk, sync: async () => Promise.reject(broken) } })
    await expect(ledger.reopen(id)).rejects.toBe(broken)
    expect(bench.openNames()).toEqual(before)
  })
})

describe('one that was taken for dead and was not', () => {
  test('on another machine does not write over what was begun since', async () => {
    const bench = createLedgerBench()
    const far = bench.process({ machine: 'far' })
    const lost = await far.ledger.begin(REFUND, ONCE)
    bench.waitMs(2 * HOUR_MS)
    await (await bench.process().ledger.reopen(lost.id)).settle(DONE)
    const next = await bench.process().ledger.begin(REFUND, AGAIN)
    await expect(lost.settle(UNKNOWN)).rejects.toThrow('recorded it as confirmed')
    expect((await bench.process().ledger.list({ onlyOpen: true })).records).toMatchObject([{ id: next.id }])
  })

  test('on another machine does not remove what was begun since', async () => {
    const bench = createLedgerBench()
    const far = bench.process({ machine: 'far' })
    const lost = await far.ledger.begin(REFUND, ONCE)
    bench.waitMs(2 * HOUR_MS)
    await (await bench.process().ledger.reopen(lost.id)).settle(DONE)
    const next = await bench.process().ledger.begin(REFUND, AGAIN)
    await lost.settle(DONE)
    expect((await bench.process().ledger.list({ onlyOpen: true })).records).toMatchObject([{ id: next.id }])
  })
})

describe('leftovers of a process that had this number before', () => {
  test('do not keep it from taking over', async () => {
    const bench = createLedgerBench()
    const id = await orphan(bench)
    const before = bench.process({ pid: 7, disk: { ...bench.disk, remove: async () => {} } })
    await before.ledger.reopen(id)
    bench.kill(before)
    writeFileSync(join(bench.folder, 'open', `turn-7-${id}.2`), '')
    writeFileSync(join(bench.folder, 'open', `next-7-${id}`), 'cut')
    const again = bench.process({ pid: 7 })
    await (await again.ledger.reopen(id)).settle(UNKNOWN)
    bench.kill(again)
    await bench.process().ledger.list({})
    expect(bench.openNames().filter((name) => !name.endsWith('.json'))).toEqual([])
  })
})

describe('a turn', () => {
  test.each(['', '{"pid":7', JSON.stringify({ pid: 7, machine: 'desk' })])(
    'whose words are not those that were written may be at work: nobody goes on, and a person looks (%j)',
    async (words) => {
      const bench = createLedgerBench()
      const id = await orphan(bench)
      const [name = ''] = bench.openNames()
      writeFileSync(join(bench.folder, 'open', name.replace('.json', '.1')), words)
      const { ledger } = bench.process()
      for (const running of [ledger.reopen(id), ledger.begin(REFUND, AGAIN)])
        await expect(running).rejects.toMatchObject({ code: 'ledger_damaged', exitCode: 6 })
      await ledger.setAside(id)
      await (await ledger.begin(REFUND, AGAIN)).settle(DONE)
      await ledger.list({})
      expect(bench.openNames()).toEqual([`${name}.damaged`])
    },
  )

  test('is synced before it is one: no power cut takes its words', async () => {
    const bench = createLedgerBench()
    const id = await orphan(bench)
    const steps: string[] = []
    const { ledger } = bench.process({
      disk: {
        ...bench.disk,
        sync: async (path) => void steps.push(`sync ${path.replace(/.*\//, '').slice(0, 5)}`),
        link: async (from, to) => {
          steps.push('link')
          return bench.disk.link(from, to)
        },
      },
    })
    await ledger.reopen(id)
    expect(steps).toEqual(['sync turn-', 'link', 'sync open'])
  })

  test('at an earlier record of that target is none at this one', async () => {
    const bench = createLedgerBench()
    const id = await orphan(bench)
    const [name = ''] = bench.openNames()
    const turn = join(bench.folder, 'open', `${name.split('.')[0] ?? ''}.op-other.1`)
    writeFileSync(turn, JSON.stringify(bench.process().owner))
    await bench.process().ledger.reopen(id)
    linkSync(turn, `${turn}0`)
    expect(readFileSync(turn, 'utf8')).toContain('"pid"')
  })
})

describe('whether a process is at work', () => {
  const here: Owner = { pid: 7, startedAt: 'boot-1', machine: 'desk' }
  const world = (isAlive: boolean, startOf: string | undefined): Processes => ({
    own: () => ({ pid: 1, startedAt: 'boot-0', machine: 'desk' }),
    isAlive: () => isAlive,
    startOf: () => startOf,
  })

  test.each<[string, Owner, Processes, boolean]>([
    ['alive', here, world(true, 'boot-1'), true],
    ['dead', here, world(false, undefined), false],
    ['dead, and the start is told all the same', here, world(false, 'boot-1'), false],
    ['another has its number', here, world(true, 'boot-2'), false],
    ['only its number is left', here, world(true, 'ended'), false],
    ['alive, and the machine does not tell its start', here, world(true, undefined), true],
    ['alive, and its start was not recorded', { ...here, startedAt: undefined }, world(true, 'boot-9'), true],
    [
      'dead, and its start was not recorded',
      { ...here, startedAt: undefined },
      world(false, undefined),
      false,
    ],
  ])('%s', (_, owner, processes, expected) => {
    expect(isAtWork(owner, 0, 0, processes)).toBe(expected)
  })

  test.each([
    ['just now', 0, true],
    ['almost ten minutes ago', 600_000 - 1, true],
    ['ten minutes ago', 600_000, false],
    ['by its own clock later than now', -HOUR_MS, true],
  ])('on another machine: by when it was under way, %s', (_, agoMs, expected) => {
    const owner: Owner = { ...here, machine: 'far' }
    // Its number is some process's here, and says nothing.
    expect(isAtWork(owner, 0, agoMs, world(true, 'boot-1'))).toBe(expected)
    expect(isAtWork(owner, 0, agoMs, world(false, undefined))).toBe(expected)
  })

  test('of a record that is in doubt is not asked: its process has let go of it', async () => {
    const bench = createLedgerBench()
    const intent = await bench.process().ledger.begin(REFUND, ONCE)
    await intent.settle(UNKNOWN)
    expect((await bench.process().ledger.list({})).records).toMatchObject([{ state: 'in-doubt' }])
  })

  test('of a machine that does not tell starts is a person’s word, and only that', async () => {
    const bench = createLedgerBench()
    const { id } = await bench.process({ pid: 7, startedAt: undefined }).ledger.begin(REFUND, ONCE)
    const { ledger } = bench.process({ startedAt: undefined })
    await expect(ledger.reopen(id)).rejects.toMatchObject({
      code: 'in_progress',
      details: {
        hint: expect.stringContaining('may be another program’s by now'),
        next: [`pay ops show ${id}`, `pay ops abandon ${id}`],
      },
    })
    expect(await ledger.find(id)).toMatchObject({ owner: { pid: 7 }, isPidOnly: true })
    await (await ledger.reopen(id, { isConfirmedGone: true })).abandon('it is an editor')
    expect(await ledger.find(id)).toMatchObject({ record: { state: 'abandoned' }, isPidOnly: false })
  })

  test.each([{}, { machine: 'far' }, { namespace: 'pid:[2]' }])(
    'is nobody’s word where it is known, or nothing is: %j',
    async (elsewhere) => {
      const bench = createLedgerBench()
      const { id } = await bench.process().ledger.begin(REFUND, ONCE)
      const { ledger } = bench.process(elsewhere)
      expect(await ledger.find(id)).toMatchObject({ record: { state: 'sending' }, isPidOnly: false })
      await expect(ledger.reopen(id, { isConfirmedGone: true })).rejects.toMatchObject({
        code: 'in_progress',
        details: { next: [`pay ops show ${id}`] },
      })
    },
  )

  test.each<[string, { pid: number; startedAt: string | undefined }, string]>([
    ['another start', { pid: 1_001, startedAt: 'boot-x' }, 'in-doubt'],
    ['no start that could be told', { pid: 1_001, startedAt: undefined }, 'sending'],
    ['the same start', { pid: 1_001, startedAt: 'boot-1' }, 'sending'],
  ])('a record’s process number with %s: %s', async (_, again, state) => {
    const bench = createLedgerBench()
    const first = bench.process()
    await first.ledger.begin(REFUND, ONCE)
    bench.kill(first)
    bench.process(again)
    expect((await bench.process().ledger.list({})).records).toMatchObject([{ state }])
  })
})
