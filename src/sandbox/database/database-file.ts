import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, linkSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makePrivateFolder } from '../../private-folder.ts'
import { identityOf } from '../../store/file-identity.ts'
import { databaseOn, numberIn } from '../../store/database.ts'
import type { Database } from '../../store/database.ts'
import { loadSqlite } from '../../store/sqlite.ts'
import type { OpenConnection, SqliteConnection } from '../../store/sqlite.ts'
import { errorsOf, newer, notSandboxDatabase, older, toDatabaseError } from './database-error.ts'
import { CREATE_TABLES, TABLES_VERSION } from './tables.ts'

const FILE = 'sandbox.db'
/** Page cache. With a million records, the index of their ids alone exceeds SQLite's default of 2 MB. */
const CACHE_KIB = 64 * 1024
/** How many pages the write-ahead log holds before a checkpoint: 16 MB, because every checkpoint waits for the disk. */
const CHECKPOINT_PAGES = 4000
const LOG_SUFFIXES = ['-wal', '-shm'] as const
/** Opening can lock the file briefly, for example to recover a log after a kill. */
const OPENING_TIMEOUT_MS = 100
const DRAFT_LIFETIME_MS = 60_000

/** An open database that knows whether it is still the one in its folder. */
export interface OpenDatabase {
  readonly path: string
  readonly database: Database
  /** False if the file was removed or replaced: anything written to it would be lost. */
  isCurrent(): boolean
}

/** Opens the database in a folder, and creates both if they are missing; without a folder, creates one in memory. */
export function openDatabase(folder: string | undefined): OpenDatabase {
  if (folder === undefined) return createInMemory()
  const path = join(folder, FILE)
  try {
    makePrivateFolder(folder)
    const connect = loadSqlite()
    if (!existsSync(path)) create(path, connect)
    const identity = identityOf(path)
    const database = databaseOn(connectTo(path, connect), errorsOf(path))
    return { path, database, isCurrent: () => identity !== undefined && identityOf(path) === identity }
  } catch (error) {
    throw toDatabaseError(error, path)
  }
}

function createInMemory(): OpenDatabase {
  const path = ':memory:'
  const connection = loadSqlite()(path)
  connection.exec(`BEGIN; ${CREATE_TABLES} COMMIT`)
  return { path, database: databaseOn(connection, errorsOf(path)), isCurrent: () => true }
}

/** Why a database can't be used. */
export type Unusable = 'damaged' | 'newer' | 'older'

/** Moves an unusable database aside, with its log. Returns its new path. */
export function setAside(folder: string, kind: Unusable): string {
  const path = join(folder, FILE)
  let number = 1
  while (existsSync(`${path}.${kind}-${number}`)) number += 1
  const aside = `${path}.${kind}-${number}`
  try {
    // The log first: a new database must never be opened with another one's log.
    for (const suffix of [...LOG_SUFFIXES, '']) {
      if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix)
    }
  } catch (error) {
    throw toDatabaseError(error, path)
  }
  return aside
}

/** Creates the database under another name and then links it into place, so that no process opens half a database. */
function create(path: string, connect: OpenConnection): void {
  const draft = `${path}.new-${randomUUID()}`
  // SQLite gives its log files the mode of the main file.
  closeSync(openSync(draft, 'w', 0o600))
  try {
    const connection = connect(draft)
    connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    connection.exec(`BEGIN; ${CREATE_TABLES} COMMIT`)
    connection.close()
    removeStrayLog(path)
    removeOldDrafts(draft)
    linkIntoPlace(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
}

/** A killed process leaves its draft. A recent one may belong to a process that is still writing it. */
function removeOldDrafts(ours: string): void {
  const nowMs = statSync(ours).mtimeMs
  const folder = dirname(ours)
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${FILE}.new-`)) continue
    const path = join(folder, name)
    const made = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? nowMs
    if (nowMs - made > DRAFT_LIFETIME_MS) rmSync(path, { force: true })
  }
}

/** If only the database is removed, its log remains; SQLite would read it into the new one. */
function removeStrayLog(path: string): void {
  for (const suffix of LOG_SUFFIXES) {
    if (existsSync(path + suffix) && !existsSync(path)) rmSync(path + suffix)
  }
}

function linkIntoPlace(draft: string, path: string): void {
  try {
    linkSync(draft, path)
  } catch {
    // Another process was first, or the file system has no hard links.
    if (!existsSync(path)) renameSync(draft, path)
  }
}

function connectTo(path: string, connect: OpenConnection): SqliteConnection {
  const connection = connect(path)
  try {
    connection.exec(`PRAGMA busy_timeout = ${OPENING_TIMEOUT_MS}; PRAGMA synchronous = FULL`)
    connection.exec(`PRAGMA cache_size = ${-CACHE_KIB}; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    const version = versionOf(connection)
    if (version > TABLES_VERSION) throw newer(path)
    if (version === 0) throw notSandboxDatabase(path)
    if (version < TABLES_VERSION) throw older(path)
    // From here on, groups do the waiting: SQLite would block the event loop.
    connection.exec('PRAGMA busy_timeout = 0')
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

const versionOf = (connection: SqliteConnection): number =>
  numberIn(connection.prepare('PRAGMA user_version').get(), 'user_version')
