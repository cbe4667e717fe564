import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { loadSqlite } from '../../../src/store/sqlite.ts'
import type { SqliteConnection } from '../../../src/store/sqlite.ts'
import { setTimeout as setTimeoutPromise } from 'node:timers/promises'
import { fileStore, ledgerPath } from '../../../src/client/ledger/ledger-file.ts'
import { FILE_VERSION } from '../../../src/client/ledger/tables.ts'
import { AGAIN, DONE, ONCE, REFUND, UNKNOWN, createLedgerBench, refundOf } from './ledger-bench.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pay-ledger-'))
  onTestFinished(() => {
    chmodSync(folder, 0o700)
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

const UNUSABLE = { code: 'ledger_unusable', exitCode: 2, details: { outcome: 'none' } }
/** Root may read and write everything. */
const isRoot = process.getuid?.() === 0

describe('the file', () => {
  test('is made with the first write, for its owner only', async () => {
    const folder = join(newFolder(), 'state')
    const store = fileStore(ledgerPath(folder), setTimeoutPromise)
    const { ledger } = createLedgerBench({ folder }).process({ store })
    expect((await ledger.list({})).records).toEqual([])
    await ledger.preflight(REFUND, ONCE)
    expect(existsSync(folder)).toBe(false)
    await ledger.begin(REFUND, ONCE)
    expect(readdirSync(folder).toSorted()).toEqual(['ledger.db', 'ledger.db-journal'])
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  test('is synced to the disk, where a system does so only if it is asked to', async () => {
    const folder = newFolder()
    const opened: SqliteConnection[] = []
    const store = fileStore(ledgerPath(folder), setTimeoutPromise, undefined, (path) => {
      const connection = loadSqlite()(path)
      opened.push(connection)
      return connection
    })
    await createLedgerBench({ folder }).process({ store }).ledger.begin(REFUND, ONCE)
    expect(opened.map((each) => each.prepare('PRAGMA fullfsync').get())).toEqual([{ fullfsync: 1 }])
  })

  test('left empty by a crash is filled by the next process', async () => {
    const folder = newFolder()
    writeFileSync(ledgerPath(folder), '')
    const { ledger } = createLedgerBench({ folder }).process()
    expect((await ledger.list({})).records).toEqual([])
    await ledger.begin(REFUND, ONCE)
  })

  test.each([
    [
      'no database',
      (path: string) => writeFileSync(path, 'no database, but long enough to be read as a header'.repeat(20)),
    ],
    ['zeros', (path: string) => writeFileSync(path, Buffer.alloc(8192))],
  ])('that is %s refuses every write and says how to set it aside', async (_, spoil) => {
    const folder = newFolder()
    spoil(ledgerPath(folder))
    const { ledger } = createLedgerBench({ folder }).process()
    await expect(ledger.begin(REFUND, AGAIN)).rejects.toMatchObject({
      code: 'ledger_damaged',
      exitCode: 6,
      details: { outcome: 'none', next: ['pay ops abandon --damaged-ledger'] },
    })
    await expect(ledger.list({})).rejects.toMatchObject({ code: 'ledger_damaged' })
  })

  test.each([
    { version: FILE_VERSION + 1, code: 'ledger_newer', exitCode: 2 },
    { version: 1, code: 'ledger_old', exitCode: 6 },
  ])('of another version is refused: $code', async ({ version, code, exitCode }) => {
    const bench = createLedgerBench()
    await bench.process().ledger.begin(REFUND, ONCE)
    const connection = loadSqlite()(ledgerPath(bench.folder))
    connection.exec(`PRAGMA user_version = ${version}`)
    connection.close()
    await expect(bench.process().ledger.begin(refundOf('p2'), ONCE)).rejects.toMatchObject({ code, exitCode })
    await expect(bench.process().ledger.list({})).rejects.toMatchObject({ code, exitCode })
  })

  test('of version 2 is read as it is, and brought to this one by the next write; what is open blocks', async () => {
    const bench = createLedgerBench()
    await (await bench.process().ledger.begin(REFUND, ONCE)).settle(UNKNOWN)
    const connection = loadSqlite()(ledgerPath(bench.folder))
    onTestFinished(() => connection.close())
    const version = () => connection.prepare('PRAGMA user_version').get()
    connection.exec('PRAGMA user_version = 2')
    expect((await bench.process().ledger.list({})).records).toMatchObject([{ state: 'in-doubt' }])
    expect(version()).toEqual({ user_version: 2 })
    await expect(bench.process().ledger.begin(REFUND, AGAIN)).rejects.toMatchObject({ code: 'open_intent' })
    expect(version()).toEqual({ user_version: FILE_VERSION })
  })

  test('is never a symbolic link', async () => {
    const [folder, elsewhere] = [newFolder(), newFolder()]
    symlinkSync(join(elsewhere, 'ledger.db'), ledgerPath(folder))
    await expect(createLedgerBench({ folder }).process().ledger.begin(REFUND, ONCE)).rejects.toMatchObject(
      UNUSABLE,
    )
    expect(readdirSync(elsewhere)).toEqual([])
  })

  test.skipIf(isRoot)('in a folder without write permission refuses writes, and can be read', async () => {
    const bench = createLedgerBench()
    await (await bench.process().ledger.begin(REFUND, ONCE)).settle(DONE)
    chmodSync(bench.folder, 0o500)
    chmodSync(ledgerPath(bench.folder), 0o400)
    onTestFinished(() => chmodSync(bench.folder, 0o700))
    await expect(bench.process().ledger.begin(refundOf('p2'), ONCE)).rejects.toMatchObject(UNUSABLE)
    expect((await bench.process().ledger.list({})).records).toHaveLength(1)
  })

  test('in the place of its folder is refused', async () => {
    const folder = join(newFolder(), 'state')
    writeFileSync(folder, 'x')
    await expect(createLedgerBench({ folder }).process().ledger.begin(REFUND, ONCE)).rejects.toMatchObject({
      exitCode: 2,
    })
  })

  test.each([
    ['removed', (path: string) => rmSync(path)],
    [
      'replaced by a copy',
      (path: string) => {
        copyFileSync(path, `${path}-copy`)
        renameSync(`${path}-copy`, path)
      },
    ],
  ])('%s under a running process stops it', async (_, replace) => {
    const bench = createLedgerBench()
    const { ledger } = bench.process()
    const intent = await ledger.begin(REFUND, ONCE)
    replace(ledgerPath(bench.folder))
    const replaced = { code: 'ledger_replaced', exitCode: 6, details: { outcome: 'none' } }
    await expect(ledger.begin(refundOf('p2'), ONCE)).rejects.toMatchObject(replaced)
    const other = createLedgerBench({ folder: bench.folder, idsAfter: 10 })
    await other.process().ledger.begin(refundOf('p3'), ONCE)
    expect(await intent.fence().catch(() => false)).toBe(false)
  })
})

test('a ledger that is replaced while it is opened is not written to', async () => {
  const bench = createLedgerBench()
  const path = ledgerPath(bench.folder)
  await bench.process().ledger.begin(REFUND, ONCE)
  const store = fileStore(path, setTimeoutPromise, undefined, (file) => {
    const connection = loadSqlite()(file)
    copyFileSync(path, `${path}-copy`)
    renameSync(`${path}-copy`, path)
    return connection
  })
  await expect(bench.process({ store }).ledger.begin(refundOf('p2'), ONCE)).rejects.toMatchObject({
    code: 'ledger_replaced',
    exitCode: 6,
  })
  expect(await bench.records()).toHaveLength(1)
})

describe('a lock', () => {
  test('of another process is waited for', async () => {
    const bench = createLedgerBench()
    await bench.process().ledger.begin(REFUND, ONCE)
    const connection = loadSqlite()(ledgerPath(bench.folder))
    connection.exec('BEGIN IMMEDIATE')
    setTimeout(() => {
      connection.exec('ROLLBACK')
      connection.close()
    }, 50)
    const store = fileStore(ledgerPath(bench.folder), setTimeoutPromise)
    await bench.process({ store }).ledger.begin(refundOf('p2'), ONCE)
  })

  test('that another program keeps is reported, and nothing is sent', async () => {
    const bench = createLedgerBench()
    const { id } = await bench.process().ledger.begin(REFUND, ONCE)
    const connection = loadSqlite()(ledgerPath(bench.folder))
    onTestFinished(() => connection.close())
    connection.exec('BEGIN IMMEDIATE')
    await expect(bench.process().ledger.begin(refundOf('p2'), ONCE)).rejects.toMatchObject({
      code: 'ledger_busy',
      exitCode: 6,
      details: { outcome: 'none', retryable: true },
    })
    expect((await bench.process().ledger.list({})).records).toMatchObject([{ id }])
  })
})

test('many processes that begin at once on many targets lose nothing', async () => {
  const bench = createLedgerBench()
  const intents = Array.from({ length: 48 }, (_, count) => refundOf(`p${count % 16}`))
  const begun = await Promise.allSettled(intents.map((intent) => bench.process().ledger.begin(intent, AGAIN)))
  const own = begun.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  expect(own).toHaveLength(16)
  await Promise.all(own.map((intent, count) => intent.settle(count % 2 === 0 ? DONE : UNKNOWN)))
  expect(await bench.records()).toHaveLength(16)
  expect(await bench.open()).toHaveLength(8)
  expect((await bench.process().ledger.list({})).damage).toEqual({ records: [], isMiscounted: false })
})
