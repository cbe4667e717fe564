import { closeSync, existsSync, linkSync, openSync, readSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { PayError } from '../../errors.ts'
import { syncPath } from '../../files/private-folder.ts'
import { isInUse, putInPlace, removeFile } from '../../files/replace-file.ts'
import { identityOf } from '../../files/file-identity.ts'
import { databaseOn, numberIn } from '../../store/database.ts'
import type { Database, Row } from '../../store/database.ts'
import { lockFile } from '../../store/file-lock.ts'
import { loadSqlite } from '../../store/sqlite.ts'
import { patiently } from '../../store/sqlite-store.ts'
import { INSERT, readRow, valuesOf } from './entry.ts'
import type { Entry } from './entry.ts'
import { DURABLE, errorsOf, missingIn, versionIn } from './ledger-file.ts'
import { idOf, isSameTally, tallyOf } from './open-writes.ts'
import type { Tally } from './open-writes.ts'
import { hasEnded } from './record.ts'
import { CREATE_TABLES } from './tables.ts'

/** What can be read of a ledger. */
export interface Salvage {
  readonly isDamaged: boolean
  readonly records: number
  /** How many of them are open. */
  readonly open: number
  /** The IDs of the other records, as far as they can be read. */
  readonly lost: readonly string[]
}

/** What can be read of the ledger at this path; undefined if there is none. Changes nothing. */
export function inspectLedger(path: string): Salvage | undefined {
  if (!existsSync(path) || statSync(path).size === 0) return undefined
  const database = openDatabase(path)
  try {
    readable(() => versionIn(database, path))
    return salvage(database, () => true)
  } finally {
    database.close()
  }
}

/** The tables and unique indexes that the ledger at this path lacks. Changes nothing. */
export function missingAt(path: string): readonly string[] {
  if (!existsSync(path) || statSync(path).size === 0) return []
  const database = openDatabase(path)
  try {
    return readable(() => (versionIn(database, path) === 0 ? [] : missingIn(database))) ?? []
  } finally {
    database.close()
  }
}

interface AsideOptions {
  readonly now: Date
  readonly wait: (ms: number) => Promise<void>
  readonly rename?: Rename
}

/**
 * Puts a new ledger with every readable record in the place of the one at this path, which keeps its bytes under another name.
 * At any moment there is one of them at the path. Processes that use the old one send nothing more.
 */
export async function setLedgerAside(
  path: string,
  { now, wait, rename = renameSync }: AsideOptions,
): Promise<Salvage & { readonly keptAs: string }> {
  const errors = errorsOf(path)
  const release = lockAlone(path)
  const identity = identityOf(path)
  const database = openDatabase(path)
  try {
    await lock(database, path, wait)
    if (identityOf(path) !== identity) throw errors.replaced()
    const fresh = `${path}.new`
    const found = fill(fresh, database)
    const keptAs = path.replace(/\.db$/, `-damaged-${now.toISOString().replaceAll(/[-:.]/g, '')}.db`)
    // SQLite has applied it to the old file, and must never apply it to the new one.
    removeFile(`${path}-journal`)
    syncPath(dirname(path))
    // A link instead of a copy: closing a second handle of the file would release SQLite's lock on it.
    linkSync(path, keptAs)
    try {
      await replaceOpen({ fresh, path, rename }, database)
    } catch (error) {
      removeName(keptAs)
      throw isInUse(error) ? errors.locked(error) : error
    }
    return { ...found, keptAs }
  } catch (error) {
    throw errors.explain(error)
  } finally {
    database.close()
    release()
  }
}

/** Removes a second name of the ledger's file, which is still in use. On Windows, leaves it if another process has the file open. */
function removeName(path: string): void {
  try {
    removeFile(path)
  } catch (error) {
    if (!isInUse(error)) throw error
  }
}

/**
 * Puts the new ledger in the place of the open one, which keeps everyone else out. Windows replaces no file that is open: there
 * this process lets go of it. Another process that has opened it by then prevents it, and so does one that has written to it.
 */
async function replaceOpen(
  { fresh, path, rename }: { readonly fresh: string; readonly path: string; readonly rename: Rename },
  database: Database,
): Promise<void> {
  try {
    return putInPlace(fresh, path, rename)
  } catch (error) {
    if (!isInUse(error)) throw error
  }
  const locked = headOf(path)
  database.close()
  await releaseClosed()
  putInPlace(fresh, path, (from, to) => {
    if (!headOf(path).equals(locked)) throw errorsOf(path).locked(undefined)
    rename(from, to)
  })
}

type Rename = typeof renameSync

/** The first bytes of a database, with the count of its commits. */
const headOf = (path: string): Buffer => {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(100)
    readSync(file, bytes)
    return bytes
  } finally {
    closeSync(file)
  }
}

/** Frees the files of closed databases: on Node 20, SQLite keeps them open until their statements are collected. */
async function releaseClosed(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect()
  // What is collected is freed in a turn of its own.
  await new Promise((resolve) => setImmediate(resolve))
}

/** Locks out everyone else who sets the ledger aside. */
function lockAlone(path: string): () => void {
  const errors = errorsOf(path)
  try {
    const release = lockFile(`${path}.lock`)
    if (release !== undefined) return release
  } catch (error) {
    throw errors.explain(error)
  }
  throw errors.locked(undefined)
}

const openDatabase = (path: string): Database => databaseOn(loadSqlite()(path), errorsOf(path))

/** Keeps every other process out. Of a file that is no database there is nothing to lock: no process can use it. */
async function lock(database: Database, path: string, wait: (ms: number) => Promise<void>): Promise<void> {
  await patiently(() => readable(() => database.run('BEGIN EXCLUSIVE')), errorsOf(path), wait)
}

/** Makes a ledger of what can be read. */
function fill(path: string, from: Database): Salvage {
  for (const old of [path, `${path}-journal`]) removeFile(old)
  closeSync(openSync(path, 'a', 0o600))
  const connection = loadSqlite()(path)
  const database = databaseOn(connection, errorsOf(path))
  try {
    // Nobody reads it before it is whole. Windows couldn't remove a journal file that is open.
    connection.exec(`${DURABLE}; PRAGMA journal_mode = MEMORY`)
    return database.transaction(() => {
      connection.exec(CREATE_TABLES)
      const open: string[] = []
      const found = salvage(from, (entry, isOpen) => {
        const isKept = readable(() => database.run(INSERT, valuesOf(entry))) === 1
        if (isKept && isOpen) open.push(entry.record.id)
        return isKept
      })
      database.run('UPDATE tally SET open = :open, marks = :marks', { ...tallyOf(open) })
      return found
    })
  } finally {
    database.close()
  }
}

/**
 * Reads every record, whatever else is damaged, and offers those whose checksum is right to `keep`, which says whether it
 * could. A page that can't be read costs its own records only: the places of all rows are in the table and in each of its
 * indexes, read from both ends.
 */
function salvage(database: Database, keep: (entry: Entry, isOpen: boolean) => boolean): Salvage {
  const places = new Map<number, string | undefined>()
  for (const source of SOURCES)
    for (const row of readablePart(database, source)) {
      const place = numberIn(row, 'place')
      const id = typeof row['id'] === 'string' ? row['id'] : places.get(place)
      places.set(place, id)
    }
  const open: string[] = []
  const lost: string[] = []
  let records = 0
  for (const [place, name] of [...places].toSorted(([one], [other]) => one - other)) {
    const row = readable(() =>
      database.get('SELECT * FROM writes NOT INDEXED WHERE rowid = :place', { place }),
    )
    const read = row === undefined ? undefined : readRow(row)
    const isOpen = read?.kind === 'entry' && !hasEnded(read.entry.record)
    if (read?.kind !== 'entry' || !keep(read.entry, isOpen)) {
      lost.push(read === undefined ? (name ?? `row ${place}`) : idOf(read))
      continue
    }
    records += 1
    if (isOpen) open.push(read.entry.record.id)
  }
  const isDamaged = lost.length > 0 || !isCounted(database, tallyOf(open)) || !isWhole(database)
  return { isDamaged, records, open: open.length, lost }
}

/** Where the places of rows are found. */
const SOURCES = [
  'SELECT rowid AS place FROM writes NOT INDEXED ORDER BY rowid',
  'SELECT rowid AS place, id FROM writes INDEXED BY sqlite_autoindex_writes_1 ORDER BY id',
  'SELECT rowid AS place FROM writes INDEXED BY by_target ORDER BY target',
].flatMap((source) => [source, `${source} DESC`])

/** The rows up to the first that can't be read. */
function* readablePart(database: Database, source: string): Generator<Row> {
  let offset = 0
  for (let limit = 4096; limit >= 1;) {
    const rows = readable(() => database.all(`${source} LIMIT :limit OFFSET :offset`, { limit, offset }))
    if (rows === undefined) {
      limit = Math.floor(limit / 2)
      continue
    }
    yield* rows
    if (rows.length < limit) return
    offset += rows.length
  }
}

/** The result of the read; undefined if the file is damaged there. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof PayError && error.code === 'ledger_damaged') return undefined
    throw error
  }
}

function isCounted(database: Database, tally: Tally): boolean {
  const row = readable(() => database.get('SELECT open, marks FROM tally'))
  return row !== undefined && isSameTally({ open: numberIn(row, 'open'), marks: String(row['marks']) }, tally)
}

/** Whether nothing is damaged, and nothing is missing that keeps two writes apart. */
const isWhole = (database: Database): boolean =>
  readable(() => database.isSound() && missingIn(database).length === 0) === true
