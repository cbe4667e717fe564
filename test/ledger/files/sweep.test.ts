import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { withChecksum } from '../../../src/ledger/files/checksum.ts'
import { parseRecord } from '../../../src/ledger/files/record-text.ts'
import { recordText } from '../../../src/ledger/files/record-text.ts'
import type { StoredRecord } from '../../../src/ledger/files/record.ts'
import { takeoverText } from '../../../src/ledger/files/takeover.ts'
import { AGAIN, DONE, ONCE, REFUND, createLedgerBench, refundOf } from '../ledger-bench.ts'
import type { LedgerBench } from '../ledger-bench.ts'

/** A record that is open, of a process that lives, and where it is. */
async function openRecord(bench: LedgerBench) {
  const owner = bench.process()
  const { id } = await owner.ledger.begin(REFUND, ONCE)
  const [file = ''] = bench.openNames()
  const [target = ''] = file.split('.')
  return { id, target, file, path: join(bench.folder, 'open', file), owner }
}

/** The same record under another id, whole. */
function copyOf(path: string, id: string): string {
  const record = parseRecord(readFileSync(path, 'utf8'))
  if (record === undefined) throw new Error('no record')
  return recordText({ ...record, id })
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
    put(bench, 'new-999-op-9', copyOf(path, 'op-9'))
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
    put(bench, `new-${owner.owner.pid}-op-9`, copyOf(path, 'op-9'))
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
    await bench.process().ledger.list({ isReadOnly: true })
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
  const ownerText = (pid: number, startedAt: string, machine = 'desk') =>
    takeoverText({ pid, startedAt, machine }, new Date('2026-03-01T12:00:00.000Z'))

  test.each([
    ['of a dead process', ownerText(999, 'boot-9')],
    ['that is damaged', 'x'],
  ])('%s is cleared away when its record has ended', async (_, text) => {
    const bench = createLedgerBench()
    const { id, file, owner } = await openRecord(bench)
    bench.kill(owner)
    const open = await bench.process().ledger.reopen(id)
    await open.settle(DONE)
    put(bench, file.replace('.json', '.1'), text)
    await bench.process().ledger.list({})
    expect(bench.openNames()).toEqual([])
  })

  test('at a record that was there before this one is cleared away', async () => {
    const bench = createLedgerBench()
    const { file, target } = await openRecord(bench)
    put(bench, `${target}.op-0.3`, ownerText(999, 'boot-9'))
    await bench.process().ledger.list({})
    expect(bench.openNames()).toEqual([file])
  })

  test('at a record that is open stays, its process dead or alive', async () => {
    const bench = createLedgerBench()
    const { file } = await openRecord(bench)
    put(bench, file.replace('.json', '.1'), ownerText(999, 'boot-9'))
    await bench.process().ledger.list({})
    expect(bench.openNames()).toHaveLength(2)
  })

  test('of a living process stays, whatever became of the record', async () => {
    const bench = createLedgerBench()
    const { owner } = bench.process()
    put(bench, 'aa.op-0.1', ownerText(owner.pid, owner.startedAt ?? ''))
    await bench.process().ledger.list({})
    expect(bench.openNames()).toEqual(['aa.op-0.1'])
  })

  test('of another machine stays: nothing can be asked of it', async () => {
    const bench = createLedgerBench()
    put(bench, 'aa.op-0.1', ownerText(999, 'x', 'far'))
    await bench.process().ledger.list({})
    expect(bench.openNames()).toHaveLength(1)
  })

  test('at a record that cannot be read stays', async () => {
    const bench = createLedgerBench()
    put(bench, 'aa.op-0.json', '{"id":"op-0"')
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
    const { id, path, owner } = await openRecord(bench)
    writeFileSync(path, text)
    expect(await owner.ledger.find(id)).toEqual({ kind: 'damaged', name: id, path })
    const to = await owner.ledger.setAside(id)
    expect(readFileSync(to, 'utf8')).toBe(text)
    expect(await owner.ledger.list({})).toMatchObject({ damaged: { files: [] } })
    await owner.ledger.begin(REFUND, AGAIN)
  })

  test('does not take the place of one that was set aside before', async () => {
    const bench = createLedgerBench()
    const { id, path, owner } = await openRecord(bench)
    const kept: string[] = []
    for (const text of ['first', 'second', 'third']) {
      writeFileSync(path, text)
      kept.push(await owner.ledger.setAside(id))
    }
    expect(kept.map((to) => readFileSync(to, 'utf8'))).toEqual(['first', 'second', 'third'])
  })

  test('that is none, as when its owner has written it anew, stays where it is', async () => {
    const bench = createLedgerBench()
    const { id, owner } = await openRecord(bench)
    await expect(owner.ledger.setAside(id)).rejects.toMatchObject({ code: 'no_such_operation' })
    expect((await owner.ledger.list({})).records).toMatchObject([{ id }])
  })

  test('that its owner writes anew in between is put back, and is in the way all the time', async () => {
    const bench = createLedgerBench()
    const { id, file, path, owner } = await openRecord(bench)
    const whole = readFileSync(path, 'utf8')
    writeFileSync(path, 'damaged')
    let meanwhile: unknown
    const { ledger } = bench.process({
      disk: {
        ...bench.disk,
        rename: async (from, to) => {
          writeFileSync(path, whole)
          await bench.disk.rename(from, to)
          meanwhile = await bench
            .process()
            .ledger.begin(REFUND, AGAIN)
            .catch((error: unknown) => error)
        },
      },
    })
    await expect(ledger.setAside(id)).rejects.toMatchObject({ code: 'no_such_operation' })
    expect(meanwhile).toMatchObject({ code: 'in_progress' })
    expect((await owner.ledger.list({})).records).toMatchObject([{ id, state: 'sending' }])
    expect(bench.openNames()).toEqual([file])
  })

  test('that was about to be set aside by a process that died is still in the way, and can be set aside', async () => {
    const bench = createLedgerBench()
    const { id, path, file, owner } = await openRecord(bench)
    writeFileSync(path, 'damaged')
    const aside = path.replace('.json', '.aside')
    renameSync(path, aside)
    await expect(owner.ledger.begin(REFUND, AGAIN)).rejects.toMatchObject({ code: 'ledger_damaged' })
    expect((await owner.ledger.list({})).damaged.files).toMatchObject([{ name: id, path: aside }])
    expect(await owner.ledger.setAside(id)).toBe(`${path}.damaged`)
    expect(bench.openNames()).toEqual([`${file}.damaged`])
    await owner.ledger.begin(REFUND, AGAIN)
  })

  test('that turns out whole under that name is a record like any other', async () => {
    const bench = createLedgerBench()
    const { id, path, owner } = await openRecord(bench)
    renameSync(path, path.replace('.json', '.aside'))
    bench.kill(owner)
    const { ledger } = bench.process()
    await expect(ledger.begin(REFUND, AGAIN)).rejects.toMatchObject({ code: 'open_intent' })
    await (await ledger.reopen(id)).settle(DONE)
    expect(bench.openNames()).toEqual([])
  })

  test.each(['of another target', 'of another id'])('is one whose name is that %s', async (which) => {
    const bench = createLedgerBench()
    const { id, path, owner } = await openRecord(bench)
    const [from, to] = which === 'of another id' ? [id, 'op-77'] : [/[\da-f]{32}/, 'f'.repeat(32)]
    renameSync(path, path.replace(from, to))
    const { records, damaged } = await owner.ledger.list({})
    expect([records.length, damaged.files.length]).toEqual([0, 1])
  })

  test('keeps its target, though its name is not one of ours', async () => {
    const bench = createLedgerBench()
    const { target, path, owner } = await openRecord(bench)
    renameSync(path, join(bench.folder, 'open', `${target}.json`))
    await expect(owner.ledger.begin(REFUND, AGAIN)).rejects.toMatchObject({ code: 'ledger_damaged' })
    expect((await owner.ledger.list({})).damaged.files).toMatchObject([{ name: target }])
    await owner.ledger.setAside(target)
    await owner.ledger.begin(REFUND, AGAIN)
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
  test.each([
    ['with a field', (record: StoredRecord) => ({ ...record, seal: { of: 'wax' } })],
    ['in a state', (record: StoredRecord) => ({ ...record, state: 'waiting-for-approval' })],
  ])('%s that is not known here blocks its target, is reported, and is never lost', async (_, change) => {
    const bench = createLedgerBench()
    const { id, path, owner } = await openRecord(bench)
    const record = parseRecord(readFileSync(path, 'utf8'))
    if (record === undefined) throw new Error('no record')
    const text = withChecksum(JSON.stringify(change(record)))
    writeFileSync(path, text)
    await expect(owner.ledger.begin(REFUND, AGAIN)).rejects.toMatchObject({
      code: 'ledger_damaged',
      exitCode: 6,
    })
    expect((await owner.ledger.list({})).damaged.files).toMatchObject([{ name: id }])
    expect(readFileSync(await owner.ledger.setAside(id), 'utf8')).toBe(text)
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
