import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { recordText } from '../../../src/ledger/files/record-text.ts'
import type { StoredRecord } from '../../../src/ledger/files/record.ts'
import { DONE, ONCE, REFUND, createLedgerBench, refundOf } from '../ledger-bench.ts'
import { endedAt, historyOf, idsIn } from './history-bench.ts'

describe('months', () => {
  test('a record is in the file of the month in which it ended', async () => {
    const bench = createLedgerBench()
    bench.clock.now = new Date('2026-01-31T23:59:59.999Z')
    const { ledger } = bench.process()
    const intent = await ledger.begin(REFUND, ONCE)
    bench.waitMs(1)
    await intent.settle(DONE)
    expect(readdirSync(bench.folder).toSorted()).toEqual(['history-2026-02.ndjson', 'open'])
    expect((await ledger.list({})).records).toMatchObject([
      { createdAt: '2026-01-31T23:59:59.999Z', updatedAt: '2026-02-01T00:00:00.000Z' },
    ])
    // Just done, and in another month's file than now.
    bench.waitMs(60_000)
    await expect(ledger.begin(REFUND, ONCE)).rejects.toMatchObject({ code: 'duplicate' })
  })

  test('a record from the last minutes of a month is found in the first minutes of the next', async () => {
    const bench = createLedgerBench()
    bench.clock.now = new Date('2025-12-31T23:58:00.000Z')
    const { ledger } = bench.process()
    await (await ledger.begin(REFUND, ONCE)).settle(DONE)
    bench.waitMs(5 * 60_000)
    await (await ledger.begin(refundOf('p2'), ONCE)).settle(DONE)
    await expect(ledger.begin(REFUND, ONCE)).rejects.toMatchObject({ code: 'duplicate' })
  })

  test('are read newest first', async () => {
    const bench = createLedgerBench()
    const history = historyOf(bench)
    for (const month of ['2026-02', '2025-12', '2026-10', '2026-09'])
      await history.append(endedAt(`${month}-05T00:00:00.000Z`, `op-${month}`))
    expect(await idsIn(history)).toEqual(['op-2026-10', 'op-2026-09', 'op-2026-02', 'op-2025-12'])
  })

  test.each([
    'history-2026-3.ndjson',
    'history-2026-03.ndjson.bak',
    'history.ndjson',
    'xhistory-2026-03.ndjson',
  ])('are not read from other files: %s', async (name) => {
    const bench = createLedgerBench()
    const history = historyOf(bench)
    writeFileSync(join(bench.folder, name), `${recordText(endedAt('2026-03-01T00:00:00.000Z', 'op-1'))}\n`)
    expect(await idsIn(history)).toEqual([])
  })

  test('of two lines with one id, the last one counts', async () => {
    const bench = createLedgerBench()
    const history = historyOf(bench)
    await history.append(endedAt('2026-02-01T00:00:00.000Z', 'op-1', { state: 'rejected' }))
    await history.append(endedAt('2026-03-01T00:00:00.000Z', 'op-1', { note: 'later' }))
    expect(await history.find('op-1')).toMatchObject({ state: 'confirmed', note: 'later' })
    expect(await idsIn(history)).toEqual(['op-1'])
  })
})

describe('the latest record', () => {
  const since = new Date('2026-03-01T12:00:00.000Z')
  const fits = (record: StoredRecord) => record.target === 'p7'
  const p7 = { target: 'p7' }

  test('is found behind more lines than the first read covers', async () => {
    const bench = createLedgerBench()
    const history = historyOf(bench)
    await history.append(endedAt('2026-03-01T12:00:00.000Z', 'op-0', p7))
    for (let number = 1; number < 200; number += 1)
      await history.append(endedAt('2026-03-01T12:00:01.000Z', `op-${number}`))
    expect((await history.latest(since, fits)).record).toMatchObject({ id: 'op-0' })
    expect((await history.latest(new Date('2026-03-01T12:00:02.000Z'), fits)).record).toBeUndefined()
  })

  test('is found behind a line longer than the first read', async () => {
    const bench = createLedgerBench()
    const history = historyOf(bench)
    await history.append(endedAt('2026-03-01T12:00:00.000Z', 'op-0', p7))
    await history.append(endedAt('2026-03-01T12:00:01.000Z', 'op-1', { note: 'é'.repeat(40_000) }))
    expect((await history.latest(since, fits)).record).toMatchObject({ id: 'op-0' })
  })

  test('of several is the last', async () => {
    const bench = createLedgerBench()
    const history = historyOf(bench)
    for (const id of ['op-1', 'op-2']) await history.append(endedAt('2026-03-01T12:00:00.000Z', id, p7))
    expect((await history.latest(since, fits)).record).toMatchObject({ id: 'op-2' })
  })

  test('is found when the clock was temporarily set back after it', async () => {
    const bench = createLedgerBench()
    const history = historyOf(bench)
    await history.append(endedAt('2026-03-01T12:00:05.000Z', 'op-1', p7))
    await history.append(endedAt('2026-03-01T08:00:00.000Z', 'op-2'))
    expect((await history.latest(since, fits)).record).toMatchObject({ id: 'op-1' })
  })

  test('is found when its time is in the future', async () => {
    const bench = createLedgerBench()
    const history = historyOf(bench)
    await history.append(endedAt('2027-05-01T00:00:00.000Z', 'op-1', p7))
    expect((await history.latest(since, fits)).record).toMatchObject({ id: 'op-1' })
  })

  test('is undefined without a history', async () => {
    const bench = createLedgerBench()
    expect((await historyOf(bench).latest(since, fits)).record).toBeUndefined()
    expect(await historyOf(bench).find('op-1')).toBeUndefined()
  })
})

test('a record that ended before it began, after a clock change, is stored and read back', async () => {
  const bench = createLedgerBench()
  const { ledger } = bench.process()
  const intent = await ledger.begin(REFUND, ONCE)
  bench.waitMs(-3 * 24 * 3_600_000)
  await intent.settle(DONE)
  expect((await ledger.list({})).records).toMatchObject([
    { createdAt: '2026-03-01T12:00:00.000Z', updatedAt: '2026-02-26T12:00:00.000Z' },
  ])
  await expect(ledger.begin(REFUND, ONCE)).rejects.toMatchObject({ code: 'duplicate' })
})
