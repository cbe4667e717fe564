import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateFolder } from '../../files/private-folder.ts'
import { identityOf } from '../../files/file-identity.ts'
import { databaseOn, numberIn, textIn } from '../../store/database.ts'
import type { Database } from '../../store/database.ts'
import { loadSqlite } from '../../store/sqlite.ts'
import type { OpenConnection, SqliteConnection } from '../../store/sqlite.ts'
import { fallbackOn } from '../../files/system-code.ts'
import { lastNumber, successorOf } from '../../files/successors.ts'
import { errorsOf, newer, notSandboxDatabase, older, toDatabaseError } from './database-error.ts'
import { CREATE_TABLES, TABLES_VERSION } from './tables.ts'

const FILE = 'sandbox.db'
/** The page cache. With a million records, the index of their ids alone exceeds SQLite's default of 2 MB. */
const CACHE_KIB = 64 * 1024
/** How many pages the write-ahead log holds before a checkpoint: 16 MB, because every checkpoint waits for the disk. */
const CHECKPOINT_PAGES = 4000
/** How long opening waits for a lock. Another process may hold it briefly, for example to recover a log after a kill. */
const OPENING_TIMEOUT_MS = 100

/** An open database that knows whether it is still the one in its folder. */
export interface OpenDatabase {
  readonly path: string
  readonly database: Database
  /** Whether the file is still in use. Anything written to one that was removed, replaced or given up would be lost. */
  isCurrent(): boolean
}

/** The number of the database in use, among those that were begun in a folder. */
export const lastIn = (folder: string): number => lastNumber(join(folder, FILE))

const fileIn = (folder: string, number = lastIn(folder)): string => successorOf(join(folder, FILE), number)

/** Opens the database in a folder, and creates both if they are missing; without a folder, creates one in memory. */
export function openDatabase(
  folder: string | undefined,
  connect: OpenConnection = loadSqlite(),
): OpenDatabase {
  const path = folder === undefined ? ':memory:' : fileIn(folder)
  try {
    if (folder !== undefined) makePrivateFolder(folder)
    // SQLite gives its log files the mode of the main file.
    if (folder !== undefined && !existsSync(path)) closeSync(openSync(path, 'a', 0o600))
    const identity = identityOf(path)
    const database = databaseOn(connectTo(path, connect), errorsOf(path))
    const isLast = () => folder === undefined || fileIn(folder) === path
    return { path, database, isCurrent: () => identityOf(path) === identity && isLast() }
  } catch (error) {
    throw toDatabaseError(error, path)
  }
}

/**
 * The identity that tells the data of a folder from those before a reset; undefined for data of earlier versions, and for
 * none. Reads only, without the lock of a transaction.
 */
export function identityIn(folder: string): string | undefined {
  if (!existsSync(fileIn(folder))) return undefined
  const { database } = openDatabase(folder)
  try {
    return textIn(database.get("SELECT value FROM settings WHERE name = 'identity'"), 'value')
  } finally {
    database.close()
  }
}

/**
 * Begins a new database in place of an unusable one, unless another process has done so. The old one keeps its name: a process
 * that closes it removes its log by name, and would remove that of a new one with the same name.
 */
export function beginAfter(folder: string, unusable: number): void {
  const path = fileIn(folder, unusable + 1)
  try {
    fallbackOn('EEXIST', undefined, () => closeSync(openSync(path, 'wx', 0o600)))
  } catch (error) {
    throw toDatabaseError(error, path)
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

/** Creates the tables. Another process may do the same at this moment. */
function create(connection: SqliteConnection, path: string): void {
  const hasTables = numberIn(connection.prepare('SELECT count(*) AS n FROM sqlite_schema').get(), 'n') > 0
  // Read the version last: tables that were created since the first reading come with theirs.
  if (hasTables && versionOf(connection) === 0) throw notSandboxDatabase(path)
  connection.exec('PRAGMA journal_mode = WAL; BEGIN IMMEDIATE')
  if (versionOf(connection) === 0) {
    connection.exec(CREATE_TABLES)
    connection.prepare(`INSERT INTO settings VALUES ('identity', ?)`).run(randomUUID())
  }
  connection.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)')
}

const versionOf = (connection: SqliteConnection): number =>
  numberIn(connection.prepare('PRAGMA user_version').get(), 'user_version')
