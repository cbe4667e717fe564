import { linkSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { AGAIN, DONE, ONCE, REFUND, UNKNOWN, createLedgerBench } from '../ledger-bench.ts'
import { HOUR_MS, orphan, slow } from '../reopen-bench.ts'

describe('a released takeover', () => {
  test('between two readings is not continued: the next takeover reads the record again', async () => {
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

  test('that another process has taken is not continued by one that judged the previous owner', async () => {
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

  test('leaves no takeover file that could not be verified', async () => {
    const bench = createLedgerBench()
    const id = await orphan(bench)
    const before = bench.openNames()
    const broken = new Error('the disk is gone')
    const { ledger } = bench.process({ disk: { ...bench.disk, sync: async () => Promise.reject(broken) } })
    await expect(ledger.reopen(id)).rejects.toBe(broken)
    expect(bench.openNames()).toEqual(before)
  })
})

describe('a running process that was judged dead', () => {
  test('on another machine does not overwrite what was begun since', async () => {
    const bench = createLedgerBench()
    const far = bench.process({ machine: 'far' })
    const lost = await far.ledger.begin(REFUND, ONCE)
    bench.waitMs(2 * HOUR_MS)
    await (await bench.process().ledger.reopen(lost.id)).settle(DONE)
    const next = await bench.process().ledger.begin(REFUND, AGAIN)
    await expect(lost.settle(UNKNOWN)).rejects.toThrow('recorded the operation as confirmed')
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

describe('leftovers of an earlier process with the same number', () => {
  test('do not prevent a takeover', async () => {
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

describe('a takeover file', () => {
  test.each(['', '{"pid":7', JSON.stringify({ pid: 7, machine: 'desk' })])(
    'whose text has changed may still be working: no process continues, and a person checks (%j)',
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

  test('is synced before it gets its name, so no power cut empties it', async () => {
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

  test('of an earlier record on the same target does not count', async () => {
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
