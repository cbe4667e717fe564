import { createHash } from 'node:crypto'
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inspectLedger, setLedgerAside } from '../../../src/client/ledger/damaged-file.ts'
import { ledgerPath } from '../../../src/client/ledger/ledger-file.ts'
import { loadSqlite } from '../../../src/store/sqlite.ts'
import { damage, entriesIn, inLedger, putEntry } from '../../support/ledger-rows.ts'
import { AGAIN, createLedgerBench, DONE, ONCE, refundOf, UNKNOWN } from './ledger-bench.ts'
import type { LedgerBench } from './ledger-bench.ts'

const NOW = new Date('2026-03-02T08:00:00.000Z')
const KEPT = 'ledger-damaged-20260302T080000000Z.db'
const PAGE = 4096

/** A ledger with writes that have ended, each on a payment of its own, and the last `open` of them in doubt. */
async function filled(writes: number, open: number): Promise<LedgerBench> {
  const bench = createLedgerBench()
  const { ledger } = bench.process()
  const begun = await Promise.all(
    Array.from({ length: writes }, (_, index) => ledger.begin(refundOf(`p${index + 1}`), ONCE)),
  )
  await Promise.all(begun.map((write, index) => write.settle(index < writes - open ? DONE : UNKNOWN)))
  return bench
}

const setAside = ({ folder }: LedgerBench, rename?: typeof renameSync) =>
  setLedgerAside(ledgerPath(folder), {
    now: NOW,
    ...(rename && { rename }),
    wait: () => new Promise((resolve) => setImmediate(resolve)),
  })

/** As on Windows: nothing replaces the ledger while it is open, and another process writes to it as soon as it can. */
function replacingAfter(write: () => void): typeof renameSync {
  let hasWritten = false
  return (from, to) => {
    if (hasWritten) return renameSync(from, to)
    try {
      write()
      hasWritten = true
    } catch {
      // It is still locked.
    }
    throw Object.assign(new Error('busy'), { code: 'EBUSY' })
  }
}

const hashOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')

const overwrite = (path: string, bytes: number): void =>
  writeFileSync(path, Buffer.concat([Buffer.alloc(bytes, 'x'), readFileSync(path).subarray(bytes)]))

const begin = (bench: LedgerBench, payment: string) => bench.process().ledger.begin(refundOf(payment), AGAIN)

test('a sound ledger is not damaged, and neither is none', async () => {
  const bench = await filled(3, 1)
  expect(inspectLedger(ledgerPath(bench.folder))).toEqual({ isDamaged: false, records: 3, open: 1, lost: [] })
  expect(inspectLedger(join(bench.folder, 'other.db'))).toBeUndefined()
  writeFileSync(join(bench.folder, 'empty.db'), '')
  expect(inspectLedger(join(bench.folder, 'empty.db'))).toBeUndefined()
})

test('every record with the right checksum is carried over, open ones blocking as before; the file keeps its bytes', async () => {
  const bench = await filled(6, 3)
  damage(bench.folder, 'op-2')
  damage(bench.folder, 'op-5')
  const before = hashOf(ledgerPath(bench.folder))
  await expect(begin(bench, 'p9')).rejects.toMatchObject({ code: 'ledger_damaged' })

  const found = { isDamaged: true, records: 4, open: 2, lost: ['op-2', 'op-5'] }
  expect(inspectLedger(ledgerPath(bench.folder))).toEqual(found)
  expect(await setAside(bench)).toEqual({ ...found, keptAs: join(bench.folder, KEPT) })

  expect(hashOf(join(bench.folder, KEPT))).toBe(before)
  expect(statSync(ledgerPath(bench.folder)).mode & 0o777).toBe(0o600)
  expect((await bench.records()).map(({ id }) => id)).toEqual(['op-1', 'op-3', 'op-4', 'op-6'])
  for (const blocked of ['p4', 'p6'])
    await expect(begin(bench, blocked)).rejects.toMatchObject({ code: 'open_intent' })
  for (const free of ['p1', 'p5', 'p9']) await (await begin(bench, free)).settle(DONE)
  expect(inspectLedger(ledgerPath(bench.folder))).toMatchObject({ isDamaged: false, records: 7 })
})

test('where it must be closed to be replaced, it stays if it was written to by then', async () => {
  const bench = await filled(3, 1)
  damage(bench.folder, 'op-2')
  const path = ledgerPath(bench.folder)
  const mark = () => inLedger(bench.folder, (database) => database.run(`UPDATE tally SET marks = 'theirs'`))
  await expect(setAside(bench, replacingAfter(mark))).rejects.toMatchObject({ code: 'ledger_busy' })
  expect(existsSync(join(bench.folder, KEPT))).toBe(false)
  expect(readFileSync(path).includes('theirs')).toBe(true)

  const reading = replacingAfter(() => inLedger(bench.folder, (database) => database.run('BEGIN IMMEDIATE')))
  expect(await setAside(bench, reading)).toMatchObject({ lost: ['op-2'] })
})

test('a lost record of an open write is damage; the rest is carried over', async () => {
  const bench = await filled(3, 2)
  inLedger(bench.folder, (database) => database.run(`DELETE FROM writes WHERE id = 'op-3'`))
  expect(await setAside(bench)).toMatchObject({ isDamaged: true, records: 2, open: 1, lost: [] })
  await expect(begin(bench, 'p2')).rejects.toMatchObject({ code: 'open_intent' })
  await begin(bench, 'p3')
})

test('a destroyed page costs only its own records', async () => {
  const bench = await filled(400, 2)
  const path = ledgerPath(bench.folder)
  const bytes = readFileSync(path)
  // A leaf of the table: its first byte is 13.
  const leaves = Array.from({ length: bytes.length / PAGE - 1 }, (_, index) => index + 1).filter(
    (page) =>
      bytes[page * PAGE] === 13 && bytes.subarray(page * PAGE, (page + 1) * PAGE).includes('"op-200"'),
  )
  expect(leaves).toHaveLength(1)
  bytes.fill(0xff, (leaves[0] ?? 0) * PAGE, ((leaves[0] ?? 0) + 1) * PAGE)
  writeFileSync(path, bytes)
  const { records, open, lost } = await setAside(bench)
  expect(open).toBe(2)
  expect(lost).toContain('op-200')
  expect(lost.length).toBeLessThan(10)
  expect(records + lost.length).toBe(400)
  expect(await bench.records()).toHaveLength(records)
})

test.each([
  ['no database', (path: string) => writeFileSync(path, 'not a database'.repeat(1000))],
  ['cut off', (path: string) => truncateSync(path, 1000)],
  ['without its header', (path: string) => overwrite(path, 16)],
  ['without its first page', (path: string) => overwrite(path, PAGE)],
])('of a file that is %s nothing can be read; the next write begins a new ledger', async (_, spoil) => {
  const bench = await filled(3, 1)
  spoil(ledgerPath(bench.folder))
  const before = hashOf(ledgerPath(bench.folder))
  // A journal of it must not be applied to the new file.
  writeFileSync(`${ledgerPath(bench.folder)}-journal`, 'what another crash has left')
  expect(await setAside(bench)).toMatchObject({ isDamaged: true, records: 0, lost: [] })
  expect(hashOf(join(bench.folder, KEPT))).toBe(before)
  expect(existsSync(`${ledgerPath(bench.folder)}-journal`)).toBe(false)
  await begin(bench, 'p3')
})

test('two processes that set a ledger aside at once leave one new file', async () => {
  const bench = await filled(40, 2)
  inLedger(bench.folder, (database) => database.run('UPDATE tally SET open = 9'))
  const ended = await Promise.allSettled([setAside(bench), setAside(bench)])
  expect(ended).toMatchObject([
    { status: 'fulfilled', value: { records: 40, open: 2 } },
    { status: 'rejected', reason: { code: 'ledger_busy', exitCode: 6 } },
  ])
  expect(readdirSync(bench.folder).toSorted()).toEqual([KEPT, 'ledger.db'])
})

test('a process that uses the old file sends nothing more', async () => {
  const bench = await filled(2, 1)
  const { ledger } = bench.process()
  const write = await ledger.begin(refundOf('p8'), ONCE)
  inLedger(bench.folder, (database) => database.run('UPDATE tally SET open = 9'))
  expect(await setAside(bench)).toMatchObject({ open: 2 })
  await expect(write.fence()).rejects.toMatchObject({ code: 'ledger_replaced', exitCode: 6 })
  await expect(ledger.begin(refundOf('p9'), ONCE)).rejects.toMatchObject({ code: 'ledger_replaced' })
  await expect(begin(bench, 'p8')).rejects.toMatchObject({ exitCode: 6 })
})

test('waits for a process in the middle of a transaction, and gives up after five seconds', async () => {
  const bench = await filled(2, 1)
  const other = loadSqlite()(ledgerPath(bench.folder))
  other.exec('BEGIN IMMEDIATE')
  await expect(setAside(bench)).rejects.toMatchObject({ code: 'ledger_busy', exitCode: 6 })
  other.close()
  expect(readdirSync(bench.folder).filter((name) => !name.endsWith('-journal'))).toEqual(['ledger.db'])
})

test('a file of a newer version is left alone', async () => {
  const bench = await filled(2, 1)
  inLedger(bench.folder, (database) => database.run('PRAGMA user_version = 9'))
  expect(() => inspectLedger(ledgerPath(bench.folder))).toThrow(/newer version/)
})

test('of two open records of one target one is carried over, and blocks it', async () => {
  const bench = await filled(1, 1)
  inLedger(bench.folder, (database) => database.run('DROP INDEX open_target'))
  const [open] = entriesIn(bench.folder)
  if (open === undefined) throw new Error('nothing is open')
  putEntry(bench.folder, { ...open, record: { ...open.record, id: 'op-9' } })
  expect(await setAside(bench)).toMatchObject({ records: 1, open: 1, lost: ['op-9'] })
  await expect(begin(bench, 'p1')).rejects.toMatchObject({ code: 'open_intent' })
})
