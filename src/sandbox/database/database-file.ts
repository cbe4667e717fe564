import { closeSync, existsSync, openSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateFolder } from '../../private-folder.ts'
import { identityOf } from '../../store/file-identity.ts'
import { lockFileInTurn } from '../../store/file-lock.ts'
import { databaseOn, numberIn } from '../../store/database.ts'
import type { Database } from '../../store/database.ts'
import { loadSqlite } from '../../store/sqlite.ts'
import type { OpenConnection, SqliteConnection } from '../../store/sqlite.ts'
import { busy, errorsOf, newer, notSandboxDatabase, older, toDatabaseError } from './database-error.ts'
import { CREATE_TABLES, TABLES_VERSION } from './tables.ts'

const FILE = 'sandbox.db'
/** Page cache. With a million records, the index of their ids alone exceeds SQLite's default of 2 MB. */
const CACHE_KIB = 64 * 1024
/** How many pages the write-ahead log holds before a checkpoint: 16 MB, because every checkpoint waits for the disk. */
const CHECKPOINT_PAGES = 4000
const LOG_SUFFIXES = ['-wal', '-shm'] as const
/** Opening can lock the file briefly, for example to recover a log after a kill. */
const OPENING_TIMEOUT_MS = 100

/** An open database that knows whether it is still the one in its folder. */
export interface OpenDatabase {
  readonly path: string
  readonly database: Database
  /** False if the file was removed or replaced: anything written to it would be lost. */
  isCurrent(): boolean
}

/** Opens the database in a folder, and creates both if they are missing; without a folder, creates one in memory. */
export function openDatabase(
  folder: string | undefined,
  connect: OpenConnection = loadSqlite(),
): OpenDatabase {
  const path = folder === undefined ? ':memory:' : join(folder, FILE)
  try {
    if (folder !== undefined) makePrivateFolder(folder)
    // SQLite gives its log files the mode of the main file.
    if (folder !== undefined && !existsSync(path)) closeSync(openSync(path, 'a', 0o600))
    const identity = identityOf(path)
    const database = databaseOn(connectTo(path, connect), errorsOf(path))
    return { path, database, isCurrent: () => identityOf(path) === identity }
  } catch (error) {
    throw toDatabaseError(error, path)
  }
}

/** Which file the database of a folder is. */
export const databaseIdentity = (folder: string): string | undefined => identityOf(join(folder, FILE))

/** Moves an unusable database aside, with its log. `identity`: which one. Another process may have done so. */
export function setAside(folder: string, kind: string, identity: string | undefined): void {
  const path = join(folder, FILE)
  let release: (() => void) | undefined
  try {
    release = lockFileInTurn(`${path}.lock`)
    if (release === undefined) throw busy(path)
    if (identityOf(path) !== identity) return
    let number = 1
    while (existsSync(`${path}.${kind}-${number}`)) number += 1
    const aside = `${path}.${kind}-${number}`
    // The log first: a new database must never be opened with another one's log.
    for (const suffix of [...LOG_SUFFIXES, '']) {
      if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix)
    }
  } catch (error) {
    throw toDatabaseError(error, path)
  } finally {
    release?.()
  }
}

function connectTo(path: string, connect: OpenConnection): SqliteConnection {
  const connection = connect(path)
  try {
    connection.exec(`PRAGMA busy_timeout = ${OPENING_TIMEOUT_MS}; PRAGMA synchronous = FULL`)
    connection.exec(`PRAGMA cache_size = ${-CACHE_KIB}; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    if (versionOf(connection) === 0) create(connection, path)
    const version = versionOf(connection)
    if (version > TABLES_VERSION) throw newer(path)
    if (version < TABLES_VERSION) throw older(path)
    // From here on, groups do the waiting: SQLite would block the event loop.
    connection.exec('PRAGMA busy_timeout = 0')
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

/** Another process may do the same at this moment. */
function create(connection: SqliteConnection, path: string): void {
  const hasTables = numberIn(connection.prepare('SELECT count(*) AS n FROM sqlite_schema').get(), 'n') > 0
  // The version last: tables that were created since it was first read come with theirs.
  if (hasTables && versionOf(connection) === 0) throw notSandboxDatabase(path)
  connection.exec('PRAGMA journal_mode = WAL; BEGIN IMMEDIATE')
  if (versionOf(connection) === 0) connection.exec(CREATE_TABLES)
  connection.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)')
}

const versionOf = (connection: SqliteConnection): number =>
  numberIn(connection.prepare('PRAGMA user_version').get(), 'user_version')
