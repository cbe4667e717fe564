import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseRecord } from '../../../src/ledger/files/record-text.ts'
import { recordText } from '../../../src/ledger/files/record-text.ts'
import { takeoverText } from '../../../src/ledger/files/takeover.ts'
import { DONE, createLedgerBench } from '../ledger-bench.ts'
import { openRecord, put } from './open-record-bench.ts'

/** The same record under another id, whole. */
function copyOf(path: string, id: string): string {
  const record = parseRecord(readFileSync(path, 'utf8'))
  if (record === undefined) throw new Error('no record')
  return recordText({ ...record, id })
}

describe('a leftover of a crash', () => {
  test.each([
    ['cut short', '{"id":"op-9","oper', 1],
    ['empty', '', 1],
  ])('from an incomplete record is removed and counted: %s', async (_, text, cutShort) => {
    const bench = createLedgerBench()
    put(bench, 'new-999-op-9', text)
    expect((await bench.process().ledger.list({})).cutShort).toBe(cutShort)
    expect(bench.openNames()).toEqual([])
    expect((await bench.process().ledger.list({})).cutShort).toBe(0)
  })

  test('from a complete record without its final name is removed: nothing was sent for it', async () => {
    const bench = createLedgerBench()
    const { path, owner } = await openRecord(bench)
    put(bench, 'new-999-op-9', copyOf(path, 'op-9'))
    expect((await owner.ledger.list({})).cutShort).toBe(0)
    bench.kill(owner)
    expect((await bench.process().ledger.list({})).cutShort).toBe(1)
    expect(bench.openNames()).toHaveLength(1)
  })

  test('with the final name already in place is not a second record', async () => {
    const bench = createLedgerBench()
    const { id, path, owner } = await openRecord(bench)
    put(bench, `new-${owner.owner.pid}-${id}`, readFileSync(path, 'utf8'))
    bench.kill(owner)
    const listing = await bench.process().ledger.list({})
    expect(listing).toMatchObject({ cutShort: 0, records: [{ id, state: 'in-doubt' }] })
    expect(bench.openNames()).toHaveLength(1)
  })

  test.each(['next-999-op-1', 'turn-999-op-1.1'])(
    'of a later step is removed and is not a record: %s',
    async (name) => {
      const bench = createLedgerBench()
      const { id } = await openRecord(bench)
      put(bench, name, '{"pid":99')
      expect(await bench.process().ledger.list({})).toMatchObject({ cutShort: 0, records: [{ id }] })
      expect(bench.openNames()).toHaveLength(1)
    },
  )

  test("with this process's number is removed immediately: its own files are never cut short", async () => {
    const bench = createLedgerBench()
    put(bench, 'new-7-op-9', '{"id"')
    expect((await bench.process({ pid: 7 }).ledger.list({})).cutShort).toBe(1)
  })

  test('with a number that another process has taken is recognized by its start time and removed', async () => {
    const bench = createLedgerBench()
    const { path, owner } = await openRecord(bench)
    put(bench, `new-${owner.owner.pid}-op-9`, copyOf(path, 'op-9'))
    bench.kill(owner)
    bench.process({ pid: owner.owner.pid })
    expect((await bench.process().ledger.list({})).cutShort).toBe(1)
  })

  test.each(['new-1001-op-9', 'new-1001-op-1', 'next-1001-op-1', 'turn-1001-op-1.2'])(
    'is not a file that a running process is writing: %s',
    async (name) => {
      const bench = createLedgerBench()
      await openRecord(bench)
      put(bench, name, '{"id":"op')
      expect((await bench.process().ledger.list({})).cutShort).toBe(0)
      expect(bench.openNames()).toHaveLength(2)
    },
  )

  test('stays when a listing must not change anything', async () => {
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
  ])('is not a file that someone else put there: %s', async (name) => {
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

describe('a takeover file', () => {
  const ownerText = (pid: number, startedAt: string, machine = 'desk') =>
    takeoverText({ pid, startedAt, machine }, new Date('2026-03-01T12:00:00.000Z'))

  test.each([
    ['of a dead process', ownerText(999, 'boot-9')],
    ['that is damaged', 'x'],
  ])('%s is removed once its record has ended', async (_, text) => {
    const bench = createLedgerBench()
    const { id, file, owner } = await openRecord(bench)
    bench.kill(owner)
    const open = await bench.process().ledger.reopen(id)
    await open.settle(DONE)
    put(bench, file.replace('.json', '.1'), text)
    await bench.process().ledger.list({})
    expect(bench.openNames()).toEqual([])
  })

  test('of an earlier record on the same target is removed', async () => {
    const bench = createLedgerBench()
    const { file, target } = await openRecord(bench)
    put(bench, `${target}.op-0.3`, ownerText(999, 'boot-9'))
    await bench.process().ledger.list({})
    expect(bench.openNames()).toEqual([file])
  })

  test('of an open record stays, whether or not its process is running', async () => {
    const bench = createLedgerBench()
    const { file } = await openRecord(bench)
    put(bench, file.replace('.json', '.1'), ownerText(999, 'boot-9'))
    await bench.process().ledger.list({})
    expect(bench.openNames()).toHaveLength(2)
  })

  test('of a running process stays, regardless of the record', async () => {
    const bench = createLedgerBench()
    const { owner } = bench.process()
    put(bench, 'aa.op-0.1', ownerText(owner.pid, owner.startedAt ?? ''))
    await bench.process().ledger.list({})
    expect(bench.openNames()).toEqual(['aa.op-0.1'])
  })

  test('of another machine stays: its processes cannot be checked', async () => {
    const bench = createLedgerBench()
    put(bench, 'aa.op-0.1', ownerText(999, 'x', 'far'))
    await bench.process().ledger.list({})
    expect(bench.openNames()).toHaveLength(1)
  })

  test('of a damaged record stays', async () => {
    const bench = createLedgerBench()
    put(bench, 'aa.op-0.json', '{"id":"op-0"')
    put(bench, 'aa.op-0.1', ownerText(999, 'boot-9'))
    await bench.process().ledger.list({})
    expect(bench.openNames()).toHaveLength(2)
  })
})
