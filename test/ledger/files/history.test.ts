import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Disk } from '../../../src/ledger/disk/disk.ts'
import { parseRecord } from '../../../src/ledger/files/record-text.ts'
import { recordText } from '../../../src/ledger/files/record-text.ts'
import { AGAIN, DONE, ONCE, REFUND, createLedgerBench, refundOf } from '../ledger-bench.ts'
import type { LedgerBench } from '../ledger-bench.ts'
import { endedAt, historyOf, idsIn } from './history-bench.ts'

const fileOf = (bench: LedgerBench, month = '2026-03') => join(bench.folder, `history-${month}.ndjson`)

describe('a line', () => {
  test('is a single line, regardless of what the record contains', async () => {
    const bench = createLedgerBench()
    const odd = { reason: 'a\nb\r\n\u2028"\\', target: 'é😀\u0000', note: '\ud800' }
    await historyOf(bench).append(endedAt('2026-03-01T00:00:00.000Z', 'op-1', odd))
    expect(bench.lines()).toHaveLength(1)
    expect(await historyOf(bench).find('op-1')).toMatchObject(odd)
  })

  test('is not appended to one that was cut short', async () => {
    const bench = createLedgerBench()
    const history = historyOf(bench)
    await history.append(endedAt('2026-03-01T00:00:00.000Z', 'op-1'))
    appendFileSync(fileOf(bench), '{"id":"op-2","operation":"pay')
    await history.append(endedAt('2026-03-01T00:00:02.000Z', 'op-3'))
    expect(await idsIn(history)).toEqual(['op-3', 'op-1'])
    expect((await history.all(() => true)).damaged).toHaveLength(1)
  })

  test("is written again when another process's line was cut short just before it", async () => {
    const bench = createLedgerBench()
    const disk: Disk = {
      ...bench.disk,
      append: async (path, text) => {
        // Another process's disk is full at this very moment.
        if (text.startsWith('{')) appendFileSync(path, '{"id":"op-2","opera')
        await bench.disk.append(path, text)
      },
    }
    await historyOf(bench).append(endedAt('2026-03-01T00:00:00.000Z', 'op-1'))
    await historyOf(bench, disk).append(endedAt('2026-03-01T00:00:02.000Z', 'op-3'))
    expect(await idsIn(historyOf(bench))).toEqual(['op-3', 'op-1'])
  })

  test('is synced with its file and folder, whichever process created the file', async () => {
    const bench = createLedgerBench()
    const synced: string[] = []
    const disk: Disk = {
      ...bench.disk,
      sync: async (path) => {
        synced.push(path)
      },
    }
    for (const id of ['op-1', 'op-2']) {
      synced.length = 0
      await historyOf(bench, disk).append(endedAt('2026-03-01T00:00:00.000Z', id))
      expect(synced).toEqual([fileOf(bench), bench.folder])
    }
  })

  test('that its writer did not sync is synced by the process that relies on it', async () => {
    const bench = createLedgerBench()
    await historyOf(bench).append(endedAt('2026-03-01T00:00:00.000Z', 'op-1'))
    const synced: string[] = []
    const history = historyOf(bench, { ...bench.disk, sync: async (path) => void synced.push(path) })
    expect(await history.holds('op-1')).toBe(true)
    expect(synced).toEqual([fileOf(bench), bench.folder])
    expect(await history.holds('op-2')).toBe(false)
  })
})

describe('a damaged history', () => {
  test.each([
    ['a torn last line', (whole: string) => whole.slice(0, -40), ['op-2', 'op-1'], 1],
    [
      'a torn line in the middle',
      (whole: string) => whole.replace(/\{"id":"op-2".{60}/, ''),
      ['op-3', 'op-1'],
      1,
    ],
    ['empty', () => '', [], 0],
    ['empty lines', (whole: string) => `\n\n${whole.replaceAll('\n', '\n\n')}`, ['op-3', 'op-2', 'op-1'], 0],
    [
      'zeros at its end, as after a power cut',
      (whole: string) => `${whole}${'\0'.repeat(300)}`,
      ['op-3', 'op-2', 'op-1'],
      1,
    ],
    [
      'a line that is no record',
      (whole: string) => `${whole}{"id":"op-4"}\n[]\n1\n`,
      ['op-3', 'op-2', 'op-1'],
      3,
    ],
    ['no line break at its end', (whole: string) => whole.trimEnd(), ['op-3', 'op-2', 'op-1'], 0],
    ['lines of Windows', (whole: string) => whole.replaceAll('\n', '\r\n'), ['op-3', 'op-2', 'op-1'], 0],
  ])('still returns every intact record: %s', async (_, damage, ids, damagedLines) => {
    const bench = createLedgerBench()
    const history = historyOf(bench)
    for (const id of ['op-1', 'op-2', 'op-3']) await history.append(endedAt('2026-03-01T00:00:00.000Z', id))
    writeFileSync(fileOf(bench), damage(readFileSync(fileOf(bench), 'utf8')))
    const all = await history.all(() => true)
    expect(all.records.map(({ id }) => id)).toEqual(ids)
    expect(all.damaged).toHaveLength(damagedLines)
    for (const id of ids) expect(await history.find(id)).toMatchObject({ id })
    await history.append(endedAt('2026-03-01T00:00:09.000Z', 'op-9'))
    expect(await idsIn(history)).toEqual(['op-9', ...ids])
  })

  test('dates a line in the middle no later than the line after it', async () => {
    const bench = createLedgerBench()
    const history = historyOf(bench)
    await history.append(endedAt('2026-03-01T00:00:00.000Z', 'op-1'))
    appendFileSync(fileOf(bench), '{"id":"op-2","operation":"pay')
    await history.append(endedAt('2026-03-01T00:00:02.000Z', 'op-3'))
    const { damaged } = await history.all(() => true)
    expect(damaged).toMatchObject([{ until: '2026-03-01T00:00:02.000Z' }])
  })

  test('keeps and counts a line with a state of a newer version', async () => {
    const bench = createLedgerBench()
    const history = historyOf(bench)
    const line = recordText(endedAt('2026-03-01T00:00:00.000Z', 'op-1')).replace('"confirmed"', '"reversed"')
    appendFileSync(fileOf(bench), `${line}\n`)
    await history.append(endedAt('2026-03-01T00:00:02.000Z', 'op-2'))
    expect((await history.all(() => true)).damaged).toHaveLength(1)
    expect(readFileSync(fileOf(bench), 'utf8')).toContain(line)
  })

  test('is reported when it is a folder, and nothing is begun', async () => {
    const bench = createLedgerBench()
    mkdirSync(fileOf(bench), { recursive: true })
    const { ledger } = bench.process()
    await expect(ledger.begin(REFUND, ONCE)).rejects.toMatchObject({
      code: 'ledger_unusable',
      exitCode: 2,
      message: expect.stringContaining('history-2026-03.ndjson'),
    })
    expect(bench.openNames()).toEqual([])
  })

  test('leaves a write open whose outcome cannot be recorded', async () => {
    const bench = createLedgerBench()
    const writer = bench.process()
    const intent = await writer.ledger.begin(REFUND, AGAIN)
    mkdirSync(fileOf(bench))
    await expect(intent.settle(DONE)).rejects.toMatchObject({ code: 'ledger_unusable' })
    expect(bench.openNames()).toHaveLength(1)
  })
})

test('lines of other processes are never changed', async () => {
  const bench = createLedgerBench()
  const { ledger } = bench.process()
  for (const name of ['p1', 'p2', 'p3']) await (await ledger.begin(refundOf(name), ONCE)).settle(DONE)
  const before = bench.lines()
  const intent = await ledger.begin(refundOf('p4'), ONCE)
  await intent.settle({ state: 'in-doubt', exitCode: 10 })
  await (await ledger.reopen(intent.id)).abandon('seen')
  expect(bench.lines().slice(0, 3)).toEqual(before)
  expect(bench.lines().map((line) => parseRecord(line)?.target)).toEqual(['p1', 'p2', 'p3', 'p4'])
})
