import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { syncPath } from '../../files/private-folder.ts'
import { identityOf } from '../../files/file-identity.ts'
import { databaseOn } from '../../store/database.ts'
import type { Database } from '../../store/database.ts'
import { lockFileInTurn } from '../../store/file-lock.ts'
import { loadSqlite } from '../../store/sqlite.ts'
import { patiently } from '../../store/sqlite-store.ts'
import { INSERT, valuesOf } from './entry.ts'
import { DURABLE, errorsOf, missingIn, versionIn } from './ledger-file.ts'
import { tallyOf } from './open-writes.ts'
import { readable, salvage } from './salvage.ts'
import type { Salvage } from './salvage.ts'
import { CREATE_TABLES } from './tables.ts'

/** What can be read of the ledger at this path; undefined if there is none. Changes nothing. */
export function inspectLedger(path: string): Salvage | undefined {
  if (!existsSync(path) || statSync(path).size === 0) return undefined
  const database = openDatabase(path)
  try {
    readable(() => versionIn(database, path))
    return withTables(path, database, (from) => salvage(from, () => true), alone)
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

/**
 * Puts a new ledger with every readable record in the place of the one at this path, which keeps its bytes under another name.
 * At any moment there is one of them at the path. Processes that use the old one send nothing more.
 */
export async function setLedgerAside(
  path: string,
  { now, wait }: { readonly now: Date; readonly wait: (ms: number) => Promise<void> },
): Promise<Salvage & { readonly keptAs: string }> {
  const errors = errorsOf(path)
  const release = lockCopies(path)
  const identity = identityOf(path)
  const database = openDatabase(path)
  try {
    await lock(database, path, wait)
    if (identityOf(path) !== identity) throw errors.replaced()
    const fresh = `${path}.new`
    const found = withTables(path, database, (from) => fill(fresh, from))
    const keptAs = path.replace(/\.db$/, `-damaged-${now.toISOString().replaceAll(/[-:.]/g, '')}.db`)
    // SQLite has applied it to the old file, and must never apply it to the new one.
    rmSync(`${path}-journal`, { force: true })
    syncPath(dirname(path))
    // A link instead of a copy: closing a second handle of the file would release SQLite's lock on it.
    linkSync(path, keptAs)
    renameSync(fresh, path)
    syncPath(dirname(path))
    return { ...found, keptAs }
  } catch (error) {
    throw errors.explain(error)
  } finally {
    database.close()
    release()
  }
}

/** Other processes may inspect a ledger, or set it aside: those that copy it take turns. */
function lockCopies(path: string): () => void {
  const errors = errorsOf(path)
  try {
    const release = lockFileInTurn(`${path}.lock`)
    if (release !== undefined) return release
  } catch (error) {
    throw errors.explain(error)
  }
  throw errors.locked(undefined)
}

function alone<T>(path: string, work: () => T): T {
  const release = lockCopies(path)
  try {
    return work()
  } finally {
    release()
  }
}

const openDatabase = (path: string): Database => databaseOn(loadSqlite()(path), errorsOf(path))

/** Keeps every other process out. Of a file that is no database there is nothing to lock: no process can use it. */
async function lock(database: Database, path: string, wait: (ms: number) => Promise<void>): Promise<void> {
  await patiently(() => readable(() => database.run('BEGIN EXCLUSIVE')), errorsOf(path), wait)
}

/**
 * Reads the database. Its first page alone says where the tables are: if it is destroyed, a copy is read that has the first page
 * of an empty ledger, where they are at the same places.
 */
function withTables(
  path: string,
  database: Database,
  read: (from: Database) => Salvage,
  whileCopied: <T>(path: string, work: () => T) => T = (_, work) => work(),
): Salvage {
  const tables = readable(() => database.all("SELECT name FROM sqlite_schema WHERE name = 'writes'"))
  if (tables?.length === 1) return read(database)
  return whileCopied(path, () => withCopy(path, database, read))
}

/** Reads a copy that has another first page. */
function withCopy(path: string, database: Database, read: (from: Database) => Salvage): Salvage {
  const copy = `${path}.copy`
  const remove = () => {
    for (const old of [copy, `${copy}-journal`]) rmSync(old, { force: true })
  }
  remove()
  try {
    const first = firstPage(copy)
    const pages = Math.floor(statSync(path).size / first.length)
    if (pages < 2) return read(database)
    // The number of pages, in SQLite's header.
    first.writeUInt32BE(pages, 28)
    copyFileSync(path, copy)
    chmodSync(copy, 0o600)
    const file = openSync(copy, 'r+')
    writeSync(file, first, 0, first.length, 0)
    closeSync(file)
    const other = openDatabase(copy)
    try {
      return { ...read(other), isDamaged: true }
    } finally {
      other.close()
    }
  } finally {
    remove()
  }
}

/** Of an empty ledger, made at this path. */
function firstPage(path: string): Buffer {
  closeSync(openSync(path, 'a', 0o600))
  const connection = loadSqlite()(path)
  try {
    connection.exec(CREATE_TABLES)
  } finally {
    connection.close()
  }
  const bytes = readFileSync(path)
  const SIZE_AT = 16
  return bytes.subarray(0, bytes.readUInt16BE(SIZE_AT))
}

/** Makes a ledger of what can be read. */
function fill(path: string, from: Database): Salvage {
  for (const old of [path, `${path}-journal`]) rmSync(old, { force: true })
  closeSync(openSync(path, 'a', 0o600))
  const connection = loadSqlite()(path)
  const database = databaseOn(connection, errorsOf(path))
  try {
    connection.exec(DURABLE)
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
    rmSync(`${path}-journal`, { force: true })
  }
}
