import { closeSync, existsSync, linkSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { EXIT, PayError } from '../errors.ts'
import { wordDatabaseError } from './database-error.ts'
import { loadSqlite } from './sqlite.ts'
import type { OpenConnection, SqliteConnection, SqliteStatement, SqlValue } from './sqlite.ts'
import { CREATE_TABLES, TABLES, TABLES_VERSION } from './tables.ts'

export type Row = Readonly<Record<string, unknown>>

/** Lives as long as the sandbox: a statement that outlives its collected database crashes the process. */
export interface Database {
  get(sql: string, ...values: SqlValue[]): Row | undefined
  all(sql: string, ...values: SqlValue[]): readonly Row[]
  /** How many rows changed. */
  run(sql: string, ...values: SqlValue[]): number
  /** Takes the write lock first, so that what is read is still true when it is written. */
  transaction<T>(work: () => T): T
  /** Inside a transaction: undoes its own writes alone when the work throws. */
  attempt<T>(work: () => T): T
  /** Throws where a page of the file cannot be read. */
  check(): void
  /** Empties every table. */
  clear(): void
  close(): void
}

const FILE = 'sandbox.db'
const BUSY_TIMEOUT_MS = 15_000

/** Opens the database of a folder, and makes both when they are not there. */
export function openDatabase(folder: string, random: () => number): Database {
  const path = join(folder, FILE)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const connect = loadSqlite()
    if (!existsSync(path)) create(path, connect, random)
    return wrap(connectTo(path, connect), path)
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
    for (const suffix of ['', '-wal', '-shm']) {
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
    place(draft, path)
  } finally {
    rmSync(draft, { force: true })
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

function wrap(connection: SqliteConnection, path: string): Database {
  const statements = new Map<string, SqliteStatement>()

  const guarded = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      throw wordDatabaseError(error, path)
    }
  }
  const prepare = (sql: string): SqliteStatement => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const statement = connection.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
  const nested = <T>(begin: string, commit: string, rollback: string, work: () => T): T => {
    guarded(() => connection.exec(begin))
    try {
      const result = work()
      guarded(() => connection.exec(commit))
      return result
    } catch (error) {
      // SQLite has rolled back by itself after some errors: the first error is the one to tell.
      try {
        connection.exec(rollback)
      } catch {
        throw error
      }
      throw error
    }
  }

  const database: Database = {
    get: (sql, ...values) => guarded(() => asRow(prepare(sql).get(...values))),
    all: (sql, ...values) =>
      guarded(() =>
        prepare(sql)
          .all(...values)
          .filter(isRow),
      ),
    run: (sql, ...values) => guarded(() => Number(prepare(sql).run(...values).changes)),
    transaction: (work) => nested('BEGIN IMMEDIATE', 'COMMIT', 'ROLLBACK', work),
    attempt: (work) =>
      nested('SAVEPOINT attempt', 'RELEASE attempt', 'ROLLBACK TO attempt; RELEASE attempt', work),
    check: () => {
      const [first] = database.all('PRAGMA quick_check(1)')
      if (textIn(first, 'quick_check') !== 'ok') throw damaged(path)
    },
    clear: () => {
      for (const table of TABLES) database.run(`DELETE FROM ${table}`)
    },
    close: () => {
      statements.clear()
      connection.close()
    },
  }
  return database
}

const isRow = (row: unknown): row is Row => typeof row === 'object' && row !== null
const asRow = (row: unknown): Row | undefined => (isRow(row) ? row : undefined)

export function numberIn(row: unknown, column: string): number {
  const value = isRow(row) ? row[column] : undefined
  return typeof value === 'number' ? value : Number(value ?? 0)
}

export function textIn(row: unknown, column: string): string | undefined {
  const value = isRow(row) ? row[column] : undefined
  return typeof value === 'string' ? value : undefined
}

const newer = (path: string) =>
  new PayError('sandbox_newer', EXIT.usage, `${path} was written by a newer version of pay`, {
    hint: 'Update pay, or use another folder. `pay sandbox reset` starts afresh and keeps this file beside the new one.',
    outcome: 'none',
    next: ['pay sandbox reset'],
  })

const notOurs = (path: string) =>
  new PayError('sandbox_damaged', EXIT.usage, `${path} is not a database of the sandbox`, {
    hint: '`pay sandbox reset` starts afresh and keeps this file beside the new one.',
    outcome: 'none',
    next: ['pay sandbox reset'],
  })

const damaged = (path: string) => wordDatabaseError(new Error('database disk image is malformed'), path)
