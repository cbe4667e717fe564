import { closeSync, existsSync, linkSync, openSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateFolder } from '../private-folder.ts'
import { newer, notOurs, wordDatabaseError } from './database-error.ts'
import { databaseOn, numberIn } from './database.ts'
import type { Database } from './database.ts'
import { loadSqlite } from './sqlite.ts'
import type { OpenConnection, SqliteConnection } from './sqlite.ts'
import { CREATE_TABLES, TABLES_VERSION } from './tables.ts'

const FILE = 'sandbox.db'
const LOG_SUFFIXES = ['-wal', '-shm'] as const
const BUSY_TIMEOUT_MS = 15_000

/** Opens the database of a folder, and makes both when they are not there. */
export function openDatabase(folder: string, random: () => number): Database {
  const path = join(folder, FILE)
  try {
    makePrivateFolder(folder)
    const connect = loadSqlite()
    if (!existsSync(path)) create(path, connect, random)
    return databaseOn(connectTo(path, connect), path)
  } catch (error) {
    throw wordDatabaseError(error, path)
  }
}

/** Puts a database that cannot be read aside, with its log, so that a new one can begin. Returns where it is now. */
export function setAside(folder: string, kind: 'damaged' | 'newer'): string {
  const path = join(folder, FILE)
  let number = 1
  while (existsSync(`${path}.${kind}-${number}`)) number += 1
  const aside = `${path}.${kind}-${number}`
  try {
    // The log first: a new database must never meet the log of another one.
    for (const suffix of [...LOG_SUFFIXES, '']) {
      if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix)
    }
  } catch (error) {
    throw wordDatabaseError(error, path)
  }
  return aside
}

/** Made whole under another name and then linked into place: nobody ever opens half a database. */
function create(path: string, connect: OpenConnection, random: () => number): void {
  const draft = `${path}.new-${Math.floor(random() * 2 ** 48).toString(36)}`
  // SQLite gives its log files the mode of the main file.
  closeSync(openSync(draft, 'w', 0o600))
  try {
    const connection = connect(draft)
    connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    connection.exec(`BEGIN; ${CREATE_TABLES} COMMIT`)
    connection.close()
    removeStrayLog(path)
    place(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Left behind by somebody who removed the database alone; SQLite would read it into the new one. */
function removeStrayLog(path: string): void {
  for (const suffix of LOG_SUFFIXES) {
    if (existsSync(path + suffix) && !existsSync(path)) rmSync(path + suffix)
  }
}

function place(draft: string, path: string): void {
  try {
    linkSync(draft, path)
  } catch {
    // Another process was first, or the file system has no links.
    if (!existsSync(path)) renameSync(draft, path)
  }
}

function connectTo(path: string, connect: OpenConnection): SqliteConnection {
  const connection = connect(path)
  try {
    connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; PRAGMA synchronous = FULL`)
    const version = numberIn(connection.prepare('PRAGMA user_version').get(), 'user_version')
    if (version === TABLES_VERSION) return connection
    throw version > TABLES_VERSION ? newer(path) : notOurs(path)
  } catch (error) {
    connection.close()
    throw error
  }
}
