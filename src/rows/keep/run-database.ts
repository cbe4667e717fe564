import { accessSync, closeSync, constants, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { PayError } from '../../errors.ts'
import { databaseOn, numberIn, textIn } from '../../store/database.ts'
import type { Database } from '../../store/database.ts'
import { faultOf, isSqliteError } from '../../store/fault.ts'
import { loadSqlite } from '../../store/sqlite.ts'
import type { SqliteConnection } from '../../store/sqlite.ts'
import { fallbackOn, systemCode } from '../../files/system-code.ts'
import { unusableBecause, unusableFile, usingFile } from '../file-errors.ts'
import { destinationAt } from './output-files.ts'
import { sha256 } from '../../files/sha256.ts'

/** The version of the tables of imports and batches. */
const VERSION = 2
/** How long to wait for another process, which reads the run, or makes it durable. */
const PATIENCE_MS = 5000
/** Some builds of SQLite sync less by default, and macOS syncs to the disk only if it is asked to. */
const SYNCED = 'PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON'
/** Makes the error for a damaged file. `why` completes "FILE …". */
export type Damaged = (why: string) => PayError

/**
 * Opens the SQLite file of a run. If it is missing or empty, creates it and its tables and calls `fill`, as one step. A commit survives a kill; a durable
 * one survives a power cut too.
 * @throws what `damaged` returns, or `unwritable_file`; the database's methods too
 */
export function openRunDatabase(
  path: string,
  damaged: Damaged,
  createTables: string,
  fill: (database: Database) => void = () => undefined,
): { readonly database: Database; readonly isFresh: boolean } {
  usingFile(path, 'written', () => {
    // SQLite syncs the folder with its first commit.
    if (destinationAt(path) === 'free') closeSync(openSync(path, 'ax', 0o600))
  })
  const { connection, database, version } = connectTo(path, damaged)
  try {
    database.get('PRAGMA journal_mode = WAL')
    connection.exec(SYNCED)
    if (version === 0)
      database.transaction(() => {
        connection.exec(`${createTables}; PRAGMA user_version = ${VERSION}`)
        fill(database)
      })
    else if (!database.isSound()) throw damaged(NOT_WRITTEN)
    // One that can only be read is found out before a row is sent.
    database.transaction(() => connection.exec(`PRAGMA user_version = ${VERSION}`))
    return { database: { ...database, close: () => closeWhole(database) }, isFresh: version === 0 }
  } catch (error) {
    database.close()
    throw errorsAt(path, damaged)(error)
  }
}

/**
 * Reads one state of a run that another process may be working on: changes nothing, and blocks no other process. Undefined if there is
 * none yet.
 * @throws as {@link openRunDatabase}
 */
export function readRunDatabase<T>(
  path: string,
  damaged: Damaged,
  read: (database: Database) => T,
): T | undefined {
  if (usingFile(path, 'read', () => destinationAt(path)) === 'free') return undefined
  const { database, version } = connectTo(path, damaged)
  try {
    if (version === 0) return undefined
    return database.reading(() => {
      if (!database.isSound()) throw damaged(NOT_WRITTEN)
      return read(database)
    })
  } finally {
    database.close()
  }
}

function connectTo(path: string, damaged: Damaged) {
  const connection = loadSqlite()(path)
  const database = databaseOn(connection, {
    explain: errorsAt(path, damaged),
    isFailure: isSqliteError,
    rolledBack: (cause) => new Error('SQLite has rolled back', { cause }),
  })
  try {
    connection.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}`)
    const version = numberIn(database.get('PRAGMA user_version'), 'user_version')
    if (version !== VERSION && version !== 0) throw damaged('was written by another version of pay')
    return { connection, database, version }
  } catch (error) {
    database.close()
    throw error
  }
}

/** Syncs everything, and leaves nothing in the log: on Node 20, SQLite keeps a closed database open until its statements are collected. */
function closeWhole(database: Database): void {
  try {
    database.get('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // The disk is full, for example: the log is read again when the file is opened.
  }
  database.close()
}

export const NOT_WRITTEN = 'is not what was written'

/** A checksum that detects damage, not deliberate changes. */
export const checksumOf = (text: string): string => sha256(text).slice(0, 32)

/**
 * Forgets a run, whatever state it is in. A commit does that: the files go as far as the system allows. Windows removes no file
 * that is open, and on Node 20 SQLite keeps a closed database open.
 * @throws {UsageError} `unwritable_file` if the run is damaged and its file can't be removed
 */
export function removeRunDatabase(path: string, remove: (path: string) => void = rmSync): void {
  const isForgotten = emptied(path)
  try {
    // The log goes after its database: it may hold the commit.
    for (const suffix of ['', '-wal', '-shm']) fallbackOn('ENOENT', undefined, () => remove(path + suffix))
  } catch (error) {
    if (!isForgotten) throw unusableBecause(path, 'written', systemCode(error) ?? String(error), error)
  }
}

/** Removes every table in one commit, which leaves the database as if it had just been created. Returns whether that was possible. */
function emptied(path: string): boolean {
  let isEmpty = false
  let connection: SqliteConnection | undefined
  try {
    if (destinationAt(path) === 'free') return true
    connection = loadSqlite()(path)
    connection.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}; ${SYNCED}; BEGIN IMMEDIATE`)
    const tables = connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
    for (const table of tables) connection.exec(`DROP TABLE "${textIn(table, 'name')}"`)
    connection.exec('PRAGMA user_version = 0; COMMIT')
    isEmpty = true
    // A process that still reads the run isn't waited for.
    connection.exec('PRAGMA busy_timeout = 0; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // Unless the commit has failed, only space is lost.
  } finally {
    connection?.close()
  }
  return isEmpty
}

const IS_LOCKED = { why: 'another process keeps it locked', hint: 'Wait for it, or end it.' }

const errorsAt =
  (path: string, damaged: Damaged) =>
  (error: unknown): unknown => {
    if (error instanceof PayError) return error
    const fault = faultOf(error)
    if (fault === 'damaged' || fault === 'inconsistent') return damaged(NOT_WRITTEN)
    if (fault === 'locked') return unusableFile(path, 'written', IS_LOCKED, error)
    // SQLite doesn't write a file whose header asks for a later version of SQLite.
    if (fault === 'EROFS' && isWritable(path) && isWritable(dirname(path))) return damaged(NOT_WRITTEN)
    return fault === undefined ? error : unusableBecause(path, 'written', fault, error)
  }

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}
