import { textIn } from '../../store/database.ts'
import type { Database } from '../../store/database.ts'
import type { PayError } from '../../errors.ts'
import type { InputDigest } from './input-hash.ts'
import { checksumOf, openRunDatabase } from './run-database.ts'
import { runDamaged } from './run-damaged.ts'

/** The part of the input that was read: bytes, their hash, and the rows in them. */
export interface SeenInput extends InputDigest {
  readonly rows: number
}

/** `done` is the number of rows, and `checksum` covers everything else in `run`, so that a lost row or a changed figure is noticed. */
const CREATE_TABLES = `
  CREATE TABLE run(memory TEXT NOT NULL, checksum TEXT NOT NULL) STRICT;
  CREATE TABLE rows(
    row INTEGER NOT NULL PRIMARY KEY, line INTEGER NOT NULL, id TEXT NOT NULL, outcome TEXT NOT NULL, error_id TEXT, message TEXT,
    retries INTEGER NOT NULL, reject TEXT
  ) STRICT;
  INSERT INTO run VALUES ('', '')
`

/** The memory of a run besides its rows. */
export interface Memory {
  readonly name: string
  readonly seen: SeenInput
  /** The number of rows that have an outcome. */
  readonly done: number
  /** The row up to which those without an outcome may have been sent. */
  readonly sentTo: number
  readonly doubts: readonly number[]
  readonly seconds: number
}

/** The file of a run. */
export const openRunTables = (path: string, name: string): ReturnType<typeof openRunDatabase> =>
  openRunDatabase(
    path,
    (why) => damaged(path, why),
    CREATE_TABLES,
    (database) => {
      const seen = { bytes: 0, hash: '', rows: 0 }
      writeMemory(database, { name, seen, done: 0, sentTo: 0, doubts: [], seconds: 0 })
    },
  )

export const writeMemory = (database: Database, memory: Memory): void => {
  const text = JSON.stringify(memory)
  database.run('UPDATE run SET memory = ?, checksum = ?', text, checksumOf(text))
}

/** Reads the memory; undefined if it isn't what was written. */
export function readMemory(database: Database): Memory | undefined {
  const run = database.get('SELECT memory, checksum FROM run')
  const text = textIn(run, 'memory') ?? ''
  if (textIn(run, 'checksum') !== checksumOf(text)) return undefined
  const memory: Memory = JSON.parse(text)
  return memory
}

/** The error for a damaged run. `why` completes "FILE …". */
export const damaged = (path: string, why: string): PayError =>
  runDamaged(path, why, 'Start over with --restart. That sends every row again.')
