import { createHash } from 'node:crypto'
import { closeSync, existsSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { PayError } from '../../errors.ts'
import { syncPath } from '../../private-folder.ts'
import { databaseOn, numberIn, textIn } from '../../store/database.ts'
import type { Database } from '../../store/database.ts'
import { isDamage, resultCodeOf, systemNameOf } from '../../store/result-codes.ts'
import { loadSqlite } from '../../store/sqlite.ts'
import { unusableBecause, usingFile } from './file-errors.ts'
import type { InputDigest } from './input-hash.ts'
import { runDamaged } from './run-damaged.ts'

/** How much of the input was read: bytes, their hash, and the rows in them. */
export interface SeenInput extends InputDigest {
  readonly rows: number
}

const VERSION = 1
/** `done` is the number of rows, and `checksum` covers everything else in `run`, so that a lost row or a changed figure is noticed. */
const CREATE_TABLES = `
  CREATE TABLE run(memory TEXT NOT NULL, checksum TEXT NOT NULL) STRICT;
  CREATE TABLE rows(
    row INTEGER NOT NULL PRIMARY KEY, id TEXT NOT NULL, outcome TEXT NOT NULL, error_id TEXT, message TEXT,
    retries INTEGER NOT NULL, reject TEXT
  ) STRICT;
  INSERT INTO run VALUES ('', '');
  PRAGMA user_version = ${VERSION};
`

/** What a run remembers besides its rows. */
export interface Memory {
  readonly name: string
  readonly seen: SeenInput
  /** How many rows have an outcome. */
  readonly done: number
  /** Up to this row, rows without an outcome may have been sent. So may these. */
  readonly sentTo: number
  readonly doubts: readonly number[]
  readonly seconds: number
}

/** The file of a run, created if it is missing. */
export function openRunDatabase(
  path: string,
  name: string,
): { readonly database: Database; readonly isFresh: boolean } {
  const explain = errorsAt(path)
  usingFile(path, 'written', () => {
    if (existsSync(path)) return
    closeSync(openSync(path, 'ax', 0o600))
    syncPath(dirname(path))
  })
  const connection = loadSqlite()(path)
  const database = databaseOn(connection, {
    explain,
    isFailure: (error) => resultCodeOf(error) !== undefined,
    rolledBack: (cause) => new Error('SQLite has rolled back', { cause }),
  })
  try {
    const version = numberIn(database.get('PRAGMA user_version'), 'user_version')
    if (version !== VERSION && version !== 0) throw damaged(path, 'was written by another version of pay')
    database.get('PRAGMA journal_mode = WAL')
    // Some builds of SQLite sync less by default.
    connection.exec('PRAGMA synchronous = FULL')
    if (version === 0)
      database.transaction(() => {
        connection.exec(CREATE_TABLES)
        writeMemory(database, {
          name,
          seen: { bytes: 0, hash: '', rows: 0 },
          done: 0,
          sentTo: 0,
          doubts: [],
          seconds: 0,
        })
      })
    else if (!database.isSound()) throw damaged(path, 'is not what was written')
    return { database, isFresh: version === 0 }
  } catch (error) {
    database.close()
    throw explain(error)
  }
}

export const writeMemory = (database: Database, memory: Memory): void => {
  const text = JSON.stringify(memory)
  database.run('UPDATE run SET memory = ?, checksum = ?', text, checksumOf(text))
}

/** undefined if it isn't what was written. */
export function readMemory(database: Database): Memory | undefined {
  const run = database.get('SELECT memory, checksum FROM run')
  const text = textIn(run, 'memory') ?? ''
  if (textIn(run, 'checksum') !== checksumOf(text)) return undefined
  const memory: Memory = JSON.parse(text)
  return memory
}

const checksumOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)

/** Forgets a run, whatever state it is in. No process may have it open. */
export function removeRunStore(path: string): void {
  // The log first: a new database must never be opened with another one's log.
  for (const suffix of ['-wal', '-shm', '']) rmSync(path + suffix, { force: true })
  // Otherwise a power cut could bring the run back, and its rows would count as done.
  syncPath(dirname(path))
}

export const START_OVER = 'Start over with --restart. That sends every row again.'

export const damaged = (path: string, why: string): PayError => runDamaged(path, why, START_OVER)

const errorsAt =
  (path: string) =>
  (error: unknown): unknown => {
    if (error instanceof PayError) return error
    if (isDamage(error)) return damaged(path, 'is not what was written')
    const code = systemNameOf(error)
    return code === undefined ? error : unusableBecause(path, 'written', code, error)
  }
