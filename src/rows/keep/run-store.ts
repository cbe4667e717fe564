import { createHash } from 'node:crypto'
import type { Hash } from 'node:crypto'
import { numberIn, textIn } from '../../store/database.ts'
import type { Database, Row } from '../../store/database.ts'
import type { PayError } from '../../errors.ts'
import type { LeftOutCount } from '../left-out.ts'
import type { SavedWarnings } from '../map/row-warnings.ts'
import type { Place } from '../read/csv.ts'
import type { SavedForms } from '../read/evidence.ts'
import { CREATED_AT_KEPT, OUTCOMES } from '../row-outcome.ts'
import type { Outcome, RowOutcome } from '../row-outcome.ts'
import { MAX_PROBLEM_ROWS, NO_COUNTS, problemRowOf } from './counts.ts'
import type { Counts, ProblemRow } from './counts.ts'
import { repeatsIn } from './repeats.ts'
import type { Repeats } from './repeats.ts'
import type { InputDigest } from './input-hash.ts'
import { runDamaged } from './run-damaged.ts'
import { NOT_WRITTEN, checksumOf, openRunDatabase, removeRunDatabase } from './run-database.ts'

/** The part of the input that was read: bytes, their hash, and the rows in them. */
export interface SeenInput extends InputDigest {
  readonly rows: number
}

/** A place in the input before which every row of the run has an outcome, and what else those rows leave behind. */
export interface Mark {
  /** The number of rows before it. */
  readonly rows: number
  readonly end: Place
  readonly leftOut: readonly LeftOutCount[]
  readonly warnings: SavedWarnings
  readonly forms: SavedForms
}

/** A row that has an outcome. */
export interface DoneRow extends RowOutcome {
  readonly row: number
  /** The line where the row begins in the decompressed input. */
  readonly line: number
  readonly id: string
  /** The line for the rejects if the row failed. */
  readonly reject: string | undefined
}

/** The rows whose records keep another `createdAt`, and the first two of them. */
export interface KeptTimes {
  readonly count: number
  readonly first: readonly DoneRow[]
}

/**
 * The memory of a run about its rows: one SQLite file. It survives a kill. A power cut may lose the latest outcomes; their rows
 * are then sent again, which must be safe.
 */
export interface RunStore {
  readonly path: string
  /** Whether no earlier run has left anything. */
  readonly isFresh: boolean
  /** The counts of the rows that are saved as done so far, by outcome. */
  readonly counts: Counts
  /** The input that earlier runs have read. */
  readonly seen: SeenInput
  /** The place from which the run need read rows: the bytes before it are those that earlier runs have read. */
  readonly mark: Mark | undefined
  /** The time that earlier runs took. */
  readonly seconds: number
  /** The IDs of the rows from `first` to `last` that have an outcome. */
  readonly doneBetween: (first: number, last: number) => ReadonlyMap<number, string>
  /** Whether an earlier run may have sent the row without getting a response. */
  readonly maybeSent: (row: number) => boolean
  /** Notes that a row may be sent. Call it before that. */
  readonly noteSent: (row: number) => void
  /** Notes how far the input was read. Call it before the rows up to there are sent. */
  readonly noteRead: (seen: SeenInput) => void
  readonly noteDone: (row: DoneRow) => void
  /** Notes a later such place. Call it after {@link RunStore.noteDone} of every row before it. */
  readonly noteMark: (mark: Mark) => void
  /** Ends the run, once no row is in flight. `inDoubt`: rows without a response that may have been applied. */
  readonly end: (inDoubt: readonly number[], seconds: number) => void
  /** The rows with an outcome, in the order of the input, a part at a time. */
  readonly rows: () => Generator<readonly DoneRow[]>
  /** The first rows that have no record with their fields. */
  readonly problemRows: () => readonly ProblemRow[]
  readonly repeats: () => Repeats
  readonly keptTimes: () => KeptTimes
  readonly close: () => void
  /** Closes and removes the store, once the run is over. */
  readonly remove: () => void
}

export interface RunStoreOptions {
  readonly path: string
  /** The name of what is sent where: the store of another run is refused. */
  readonly name: string
  /**
   * Whether {@link RunStore.noteSent} survives a power cut. Needed if the run treats an existing record differently depending
   * on whether the run itself may have created it.
   */
  readonly isSentSynced: boolean
}

/** How many rows are noted as sent in one transaction; one for each would cost too much. */
const SENT_BATCH = 32
/** The number of rows that are read at a time: a row that failed may have a megabyte. */
const PART = 100

/**
 * Opens the store that earlier runs have left, or begins one.
 * @throws {PayError} `run_damaged`, or `unwritable_file`; the methods too
 */
export function openRunStore({ path, name, isSentSynced }: RunStoreOptions): RunStore {
  const { database, isFresh } = openRunTables(path, name)
  try {
    return storeOn(database, { path, name, isSentSynced, isFresh })
  } catch (error) {
    database.close()
    throw error
  }
}

function storeOn(
  database: Database,
  { path, name, isSentSynced, isFresh }: RunStoreOptions & { readonly isFresh: boolean },
): RunStore {
  const memory = readMemory(database)
  const counts = countsIn(database)
  const lastDone = numberIn(database.get('SELECT max(row) AS last FROM rows'), 'last')
  if (memory === undefined || counts?.rows !== memory.done || lastDone > memory.seen.rows)
    throw damaged(path, NOT_WRITTEN)
  if (memory.name !== name) throw damaged(path, 'is about another run')
  const doubts = new Set(memory.doubts)
  const { mark } = memory
  let hash = hashOfRows(database, mark?.rows ?? 0)
  if (mark !== undefined && hash.copy().digest('hex') !== mark.hash) throw damaged(path, NOT_WRITTEN)

  let reached: Mark | undefined
  let pending: DoneRow[] = []
  let now: Memory = memory
  let isScheduled = false
  let isOpen = true
  let failure: unknown

  const save = (next: Memory, isDurable = false): void => {
    const saved = { ...next, done: next.done + pending.length }
    const hashed = reached && hash.copy()
    database.transaction(
      () => {
        for (const {
          row,
          line,
          id,
          outcome,
          errorId = null,
          message = null,
          retries,
          reject = null,
        } of pending)
          database.run(INSERT_ROW, row, line, id, outcome, errorId, message, retries, reject)
        if (reached !== undefined && hashed !== undefined) {
          hashed.update(textOfRows(database, next.mark?.rows ?? 0, reached.rows))
          saved.mark = { ...reached, hash: hashed.copy().digest('hex') }
        }
        writeMemory(database, saved)
      },
      { isDurable },
    )
    for (const { outcome, retries } of pending) {
      counts.rows += 1
      counts[outcome] += 1
      counts.retries += retries
    }
    pending = []
    if (hashed !== undefined) hash = hashed
    reached = undefined
    now = saved
  }
  // Nothing awaits this write, so the next call throws its error.
  const saveLater = (): void => {
    isScheduled = false
    if (pending.length === 0 || !isOpen) return
    try {
      save(now)
    } catch (error) {
      failure = error
    }
  }
  const close = (): void => {
    if (isOpen) database.close()
    isOpen = false
  }
  return {
    path,
    isFresh,
    counts,
    seen: memory.seen,
    mark,
    seconds: memory.seconds,
    doneBetween: (first, last) =>
      new Map(
        database
          .all('SELECT row, id FROM rows WHERE row BETWEEN ? AND ?', first, last)
          .map((row) => [numberIn(row, 'row'), textIn(row, 'id') ?? '']),
      ),
    maybeSent: (row) => row <= memory.sentTo || doubts.has(row),
    noteSent: (row) => {
      // Before the row is sent: a row that was sent must never count as unsent.
      if (row > now.sentTo) save({ ...now, sentTo: row + SENT_BATCH }, isSentSynced)
    },
    noteRead: (seen) => {
      now = { ...now, seen }
    },
    noteDone: (row) => {
      if (failure !== undefined) throw failure
      pending.push(row)
      // One transaction for all responses of one turn of the event loop.
      if (isScheduled) return
      isScheduled = true
      setImmediate(saveLater)
    },
    noteMark: (later) => {
      reached = later
    },
    end: (inDoubt, seconds) =>
      save(
        {
          ...now,
          sentTo: memory.sentTo,
          doubts: [...new Set([...doubts, ...inDoubt])],
          seconds: memory.seconds + seconds,
        },
        true,
      ),
    rows: () => rowsIn(database),
    problemRows: () =>
      database
        .all(
          `SELECT * FROM rows WHERE outcome NOT IN ('created', 'updated') ORDER BY row LIMIT ${MAX_PROBLEM_ROWS}`,
        )
        .map(doneRowOf)
        .map((row) => problemRowOf(row, row)),
    repeats: () => repeatsIn(database),
    keptTimes: () => {
      const where = `WHERE outcome = 'updated' AND error_id = '${CREATED_AT_KEPT}'`
      return {
        count: numberIn(database.get(`SELECT count(*) AS rows FROM rows ${where}`), 'rows'),
        first: database.all(`SELECT * FROM rows ${where} ORDER BY row LIMIT 2`).map(doneRowOf),
      }
    },
    close,
    remove: () => {
      close()
      removeRunDatabase(path)
    },
  }
}

const INSERT_ROW = 'INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?)'

/** All that is saved of the rows after `before` up to `last`. */
const textOfRows = (database: Database, before: number, last: number): string =>
  textIn(
    database.get(
      `SELECT group_concat(json_array(row, line, id, outcome, error_id, message, retries, reject), '') AS text
        FROM (SELECT * FROM rows WHERE row > ? AND row <= ? ORDER BY row)`,
      before,
      last,
    ),
    'text',
  ) ?? ''

function hashOfRows(database: Database, last: number): Hash {
  const hash = createHash('sha256')
  for (let row = 0; row < last; row += PART)
    hash.update(textOfRows(database, row, Math.min(row + PART, last)))
  return hash
}

const outcomeIn = (row: Row): Outcome | undefined => OUTCOMES.find((one) => one === textIn(row, 'outcome'))

/** The counts in the rows; undefined if there is another outcome. */
function countsIn(database: Database): { -readonly [K in keyof Counts]: number } | undefined {
  const counts = { ...NO_COUNTS }
  for (const group of database.all(
    'SELECT outcome, count(*) AS rows, sum(retries) AS retries FROM rows GROUP BY outcome',
  )) {
    const outcome = outcomeIn(group)
    if (outcome === undefined) return undefined
    counts[outcome] = numberIn(group, 'rows')
    counts.rows += numberIn(group, 'rows')
    counts.retries += numberIn(group, 'retries')
  }
  return counts
}

function* rowsIn(database: Database): Generator<readonly DoneRow[]> {
  for (let after: number | undefined = 0; after !== undefined;) {
    const rows: readonly DoneRow[] = database
      .all(`SELECT * FROM rows WHERE row > ? ORDER BY row LIMIT ${PART}`, after)
      .map(doneRowOf)
    if (rows.length > 0) yield rows
    after = rows.at(-1)?.row
  }
}

const doneRowOf = (row: Row): DoneRow => ({
  row: numberIn(row, 'row'),
  line: numberIn(row, 'line'),
  id: textIn(row, 'id') ?? '',
  outcome: outcomeIn(row) ?? 'unknown',
  errorId: textIn(row, 'error_id'),
  message: textIn(row, 'message'),
  retries: numberIn(row, 'retries'),
  reject: textIn(row, 'reject'),
})

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
interface Memory {
  readonly name: string
  readonly seen: SeenInput
  /** With a hash of all that is saved of the rows up to there. */
  readonly mark?: Mark & { readonly hash: string }
  /** The number of rows that have an outcome. */
  readonly done: number
  /** The row up to which those without an outcome may have been sent. */
  readonly sentTo: number
  readonly doubts: readonly number[]
  readonly seconds: number
}

/** The file of a run. */
const openRunTables = (path: string, name: string): ReturnType<typeof openRunDatabase> =>
  openRunDatabase(
    path,
    (why) => damaged(path, why),
    CREATE_TABLES,
    (database) => {
      const seen = { bytes: 0, hash: '', rows: 0 }
      writeMemory(database, { name, seen, done: 0, sentTo: 0, doubts: [], seconds: 0 })
    },
  )

const writeMemory = (database: Database, memory: Memory): void => {
  const text = JSON.stringify(memory)
  database.run('UPDATE run SET memory = ?, checksum = ?', text, checksumOf(text))
}

/** Reads the memory; undefined if it isn't what was written. */
function readMemory(database: Database): Memory | undefined {
  const run = database.get('SELECT memory, checksum FROM run')
  const text = textIn(run, 'memory') ?? ''
  if (textIn(run, 'checksum') !== checksumOf(text)) return undefined
  const memory: Memory = JSON.parse(text)
  return memory
}

/** The error for a damaged run. `why` completes "FILE …". */
export const damaged = (path: string, why: string): PayError =>
  runDamaged(path, why, 'Start over with --restart. That sends every row again.')
