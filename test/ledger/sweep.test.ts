import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { OpenIntent } from '../../src/intent.ts'
import { parseRecord, recordText } from '../../src/ledger/record.ts'
import { AGAIN, DONE, ONCE, REFUND, createLedgerBench, refundOf } from './ledger-bench.ts'
import type { LedgerBench } from './ledger-bench.ts'

/** A record that is open, of a process that lives, and where it is. */
async function openRecord(bench: LedgerBench) {
  const owner = bench.process()
  const { id } = await owner.ledger.begin(REFUND, ONCE)
  const [file = ''] = bench.openNames()
  return { id, name: file.replace('.json', ''), path: join(bench.folder, 'open', file), owner }
}

const put = (bench: LedgerBench, name: string, text: string) => {
  mkdirSync(join(bench.folder, 'open'), { recursive: true })
  writeFileSync(join(bench.folder, 'open', name), text)
}

describe('what a crash has left', () => {
  test.each([
    ['cut short', '{"id":"op-9","oper', 1],
    ['empty', '', 1],
  ])('before a record was complete is removed and told of: %s', async (_, text, cutShort) => {
    const bench = createLedgerBench()
    put(bench, 'new-999-op-9', text)
    expect((await bench.process().ledger.list({})).cutShort).toBe(cutShort)
    expect(bench.openNames()).toEqual([])
    expect((await bench.process().ledger.list({})).cutShort).toBe(0)
  })

  test('when a record was complete and had no name yet is removed: nothing was sent for it', async () => {
    const bench = createLedgerBench()
    const { path, owner } = await openRecord(bench)
    put(bench, 'new-999-op-9', readFileSync(path, 'utf8').replaceAll('op-1', 'op-9'))
    expect((await owner.ledger.list({})).cutShort).toBe(0)
    bench.kill(owner)
    expect((await bench.process().ledger.list({})).cutShort).toBe(1)
    expect(bench.openNames()).toHaveLength(1)
  })

  test('when a record had got its name is no second record', async () => {
    const bench = createLedgerBench()
    const { id, path, owner } = await openRecord(bench)
    put(bench, `new-${owner.owner.pid}-${id}`, readFileSync(path, 'utf8'))
    bench.kill(owner)
    const listing = await bench.process().ledger.list({})
    expect(listing).toMatchObject({ cutShort: 0, records: [{ id, state: 'in-doubt' }] })
    expect(bench.openNames()).toHaveLength(1)
  })

  test.each(['next-999-op-1', 'turn-999-op-1.1'])(
    'of a later step is removed and is no record: %s',
    async (name) => {
      const bench = createLedgerBench()
      const { id } = await openRecord(bench)
      put(bench, name, '{"pid":99')
      expect(await bench.process().ledger.list({})).toMatchObject({ cutShort: 0, records: [{ id }] })
      expect(bench.openNames()).toHaveLength(1)
    },
  )

  test('of this process’s number is removed at once: what it writes itself is whole', async () => {
    const bench = createLedgerBench()
    put(bench, 'new-7-op-9', '{"id"')
    expect((await bench.process({ pid: 7 }).ledger.list({})).cutShort).toBe(1)
  })

  test('of a number that is another’s now, and complete, is removed by its start', async () => {
    const bench = createLedgerBench()
    const { path, owner } = await openRecord(bench)
    put(bench, `new-${owner.owner.pid}-op-9`, readFileSync(path, 'utf8').replaceAll('op-1', 'op-9'))
    bench.kill(owner)
    bench.process({ pid: owner.owner.pid })
    expect((await bench.process().ledger.list({})).cutShort).toBe(1)
  })

  test.each(['new-1001-op-9', 'new-1001-op-1', 'next-1001-op-1', 'turn-1001-op-1.2'])(
    'is not what a living process is writing: %s',
    async (name) => {
      const bench = createLedgerBench()
      await openRecord(bench)
      put(bench, name, '{"id":"op')
      expect((await bench.process().ledger.list({})).cutShort).toBe(0)
      expect(bench.openNames()).toHaveLength(2)
    },
  )

  test('is looked at only, where that is asked', async () => {
    const bench = createLedgerBench()
    put(bench, 'new-999-op-9', '')
    await bench.process().ledger.list({ isLook: true })
    expect(bench.openNames()).toEqual(['new-999-op-9'])
  })

  test.each([
    'notes.txt',
    'new-op-9',
    'new--',
    'x.json.bak',
    '.DS_Store',
    'a.b.c',
    'x.damaged',
    'x.json.damaged',
  ])('is nothing that somebody else has put there: %s', async (name) => {
    const bench = createLedgerBench()
    put(bench, name, 'mine')
    expect(await bench.process().ledger.list({})).toMatchObject({
      cutShort: 0,
      records: [],
      damaged: { files: [], lines: 0 },
    })
    expect(bench.openNames()).toEqual([name])
  })
})

describe('a turn', () => {
  const ownerText = (pid: number, startedAt: string) => JSON.stringify({ pid, startedAt, machine: 'desk' })

  test.each([
    ['whose record has ended', ownerText(999, 'boot-9')],
    ['whose words a power cut has taken', ''],
  ])('of a dead process %s is cleared away', async (_, text) => {
    const bench = createLedgerBench()
    const { id, name, owner } = await openRecord(bench)
    put(bench, `${name}.${id}.1`, text)
    bench.kill(owner)
    const open = await bench.process().ledger.reopen(id)
    await open.settle(DONE)
    put(bench, `${name}.${id}.1`, text)
    await bench.process().ledger.list({})
    expect(bench.openNames()).toEqual([])
  })

  test('at a record that was there before this one is cleared away', async () => {
    const bench = createLedgerBench()
    const { name } = await openRecord(bench)
    put(bench, `${name}.op-0.3`, ownerText(999, 'boot-9'))
    await bench.process().ledger.list({})
    expect(bench.openNames()).toEqual([`${name}.json`])
  })

  test('at a record that is open stays, its process dead or alive', async () => {
    const bench = createLedgerBench()
    const { id, name } = await openRecord(bench)
    put(bench, `${name}.${id}.1`, ownerText(999, 'boot-9'))
    await bench.process().ledger.list({})
    expect(bench.openNames()).toHaveLength(2)
  })

  test('of a living process stays, whatever became of the record', async () => {
    const bench = createLedgerBench()
    const { owner } = bench.process()
    put(bench, 'aa.op-0.1', JSON.stringify(owner))
    await bench.process().ledger.list({})
    expect(bench.openNames()).toEqual(['aa.op-0.1'])
  })

  test('of another machine stays: nothing can be asked of it', async () => {
    const bench = createLedgerBench()
    put(bench, 'aa.op-0.1', JSON.stringify({ pid: 999, startedAt: 'x', machine: 'far' }))
    await bench.process().ledger.list({})
    expect(bench.openNames()).toHaveLength(1)
  })

  test('at a record that cannot be read stays', async () => {
    const bench = createLedgerBench()
    put(bench, 'aa.json', '{"id":"op-0"')
    put(bench, 'aa.op-0.1', ownerText(999, 'boot-9'))
    await bench.process().ledger.list({})
    expect(bench.openNames()).toHaveLength(2)
  })
})

describe('a damaged record', () => {
  test.each([
    ['cut short', '{"id":"op-1","operation":"payment.re'],
    ['empty', ''],
    ['a list', '[]'],
    ['without its target', '{"id":"op-1"}'],
    ['nothing but zeros, as after a power cut', '\0'.repeat(400)],
  ])('is set aside by a person, and its target is free: %s', async (_, text) => {
    const bench = createLedgerBench()
    const { name, path, owner } = await openRecord(bench)
    writeFileSync(path, text)
    expect(await owner.ledger.find(name)).toMatchObject({ kind: 'damaged', path })
    const to = await owner.ledger.setAside(name)
    expect(readFileSync(to, 'utf8')).toBe(text)
    expect(await owner.ledger.list({})).toMatchObject({ damaged: { files: [] } })
    await owner.ledger.begin(REFUND, AGAIN)
  })

  test('does not take the place of one that was set aside before', async () => {
    const bench = createLedgerBench()
    const { name, path, owner } = await openRecord(bench)
    const kept: string[] = []
    for (const text of ['first', 'second', 'third']) {
      writeFileSync(path, text)
      kept.push(await owner.ledger.setAside(name))
    }
    expect(kept.map((to) => readFileSync(to, 'utf8'))).toEqual(['first', 'second', 'third'])
  })

  test('that is none, as when its place is taken by another, stays where it is', async () => {
    const bench = createLedgerBench()
    const { id, name, owner } = await openRecord(bench)
    await expect(owner.ledger.setAside(name)).rejects.toMatchObject({ code: 'no_such_operation' })
    expect((await owner.ledger.list({})).records).toMatchObject([{ id }])
  })

  test('that was made whole by another in between is put back, and stays its owner’s', async () => {
    const bench = createLedgerBench()
    const { name, path, owner } = await openRecord(bench)
    writeFileSync(path, 'damaged')
    let begun: OpenIntent | undefined
    const { ledger } = bench.process({
      disk: {
        ...bench.disk,
        rename: async (from, to) => {
          await owner.ledger.setAside(name)
          begun = await owner.ledger.begin(REFUND, AGAIN)
          await bench.disk.rename(from, to)
        },
      },
    })
    await expect(ledger.setAside(name)).rejects.toMatchObject({ code: 'no_such_operation' })
    expect(await begun?.isOurs()).toBe(true)
    expect(bench.openNames()).toEqual([`${name}.json`, `${name}.json.damaged`])
  })

  test('that was about to be set aside by a process that died is there again, beside a newer one', async () => {
    const bench = createLedgerBench()
    const { name, path, owner } = await openRecord(bench)
    const aside = (pid: number) => join(bench.folder, 'open', `aside-${pid}-${name}.0a1b2c3d`)
    renameSync(path, aside(999))
    expect(await bench.process().ledger.list({})).toMatchObject({ records: [{ id: 'op-1' }] })
    renameSync(path, aside(999))
    const { id } = await owner.ledger.begin(REFUND, AGAIN)
    const { records } = await bench.process().ledger.list({})
    expect(records.map((record) => record.id).toSorted()).toEqual(['op-1', id])
    expect(bench.openNames()).toEqual([`${name}-2.json`, `${name}.json`])
    renameSync(path, aside(owner.owner.pid))
    await bench.process().ledger.list({})
    expect(bench.openNames()).toContain(`aside-${owner.owner.pid}-${name}.0a1b2c3d`)
  })

  test('hides none of the others, and neither does a folder of such a name', async () => {
    const bench = createLedgerBench()
    const { id, owner } = await openRecord(bench)
    await owner.ledger.begin(refundOf('p2'), ONCE)
    put(bench, 'bb.json', 'x')
    mkdirSync(join(bench.folder, 'open', 'cc.json'))
    const { records, damaged } = await bench.process().ledger.list({})
    expect(records.map((record) => record.id)).toContain(id)
    expect(records).toHaveLength(2)
    expect(damaged.files.map(({ name }) => name).toSorted()).toEqual(['bb', 'cc'])
  })
})

describe('a record of a newer version', () => {
  test('with fields that are not known here keeps them all the way into the history', async () => {
    const bench = createLedgerBench()
    const { id, path, owner } = await openRecord(bench)
    const record = parseRecord(readFileSync(path, 'utf8'))
    writeFileSync(path, JSON.stringify({ ...record, seal: { of: 'wax' } }))
    bench.kill(owner)
    const open = await bench.process().ledger.reopen(id)
    await open.settle({ state: 'in-doubt', exitCode: undefined })
    expect(readFileSync(path, 'utf8')).toContain('"seal":{"of":"wax"}')
    await (await bench.process().ledger.reopen(id)).settle(DONE)
    expect(bench.lines()[0]).toContain('"seal":{"of":"wax"}')
    expect((await bench.process().ledger.list({})).records).toMatchObject([{ id, state: 'confirmed' }])
  })

  test('in a state that is not known here blocks its target, is reported, and is never lost', async () => {
    const bench = createLedgerBench()
    const { name, path, owner } = await openRecord(bench)
    const record = parseRecord(readFileSync(path, 'utf8'))
    if (record === undefined) throw new Error('no record')
    const text = recordText(record).replace('"sending"', '"waiting-for-approval"')
    writeFileSync(path, text)
    await expect(owner.ledger.begin(REFUND, AGAIN)).rejects.toMatchObject({
      code: 'ledger_damaged',
      exitCode: 6,
    })
    expect((await owner.ledger.list({})).damaged.files).toMatchObject([{ name }])
    expect(readFileSync(await owner.ledger.setAside(name), 'utf8')).toBe(text)
  })
})

test('a folder that nobody may write to is told of, and nothing is begun', async () => {
  const bench = createLedgerBench()
  mkdirSync(bench.folder, { recursive: true })
  writeFileSync(join(bench.folder, 'open'), 'a file')
  chmodSync(join(bench.folder, 'open'), 0o600)
  await expect(bench.process().ledger.begin(REFUND, ONCE)).rejects.toMatchObject({
    code: 'ledger_unusable',
    exitCode: 2,
    details: { outcome: 'none' },
  })
})
