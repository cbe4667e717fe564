import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  checksumOf,
  NOT_WRITTEN,
  openRunDatabase,
  readRunDatabase,
  removeRunDatabase,
} from '../../keep/run-database.ts'
import { runDamaged } from '../../keep/run-damaged.ts'
import type { PayError } from '../../../errors.ts'
import { numberIn, textIn } from '../../../store/database.ts'
import type { Database, Row } from '../../../store/database.ts'
import type { BatchOperation, CurrencyTotal } from '../plan.ts'
import { createTotals } from '../file/tally.ts'
import type { ReadyRow } from './ready-row.ts'
import { ROW_OUTCOMES } from './row-result.ts'
import type { RowOutcome, RowResult } from './row-result.ts'

/** The plan that a run is about. */
export interface BegunPlan {
  readonly planId: string
  /** The absolute path that the plan was last applied from. */
  readonly plan: string
  readonly operation: BatchOperation
  /** The time of planning, ISO 8601 in UTC. */
  readonly createdAt: string
  readonly ready: number
}

/** A ready row of the plan, and its outcome if it has one. */
export interface RunRow {
  readonly row: ReadyRow
  readonly result?: RowResult | undefined
}

/**
 * The notes of a plan's runs on this machine about its rows, a table in a file of its own. What was done is the ledger's
 * word; this adds the rows that were never sent. Losing its latest rows in a power cut is harmless: they are compared with their
 * payments again.
 */
export interface RunRows {
  /** The rows after one row up to another. */
  readonly between: (after: number, last: number) => readonly RunRow[]
  readonly ofPayment: (paymentId: string) => readonly RunRow[]
  readonly resultOf: (row: number) => RowResult | undefined
  /** The first rows whose outcome isn't `done`. */
  readonly problems: (limit: number) => readonly RunRow[]
  readonly counts: () => RunCounts
  /** Replaces what is known of the row. Survives a kill. */
  readonly note: (row: ReadyRow, result: RowResult | undefined) => void
  readonly noteAll: (rows: readonly RunRow[]) => void
  /** The error for a run that contradicts the plan or the ledger; `why` completes "FILE …". */
  readonly damaged: (why: string) => Error
  /** Makes everything noted durable. */
  readonly close: () => void
}

/** The rows of a run that have an outcome. */
export interface RunCounts extends Readonly<Record<RowOutcome, number>> {
  /** The rows that are done, by currency. */
  readonly totals: readonly CurrencyTotal[]
}

export const NO_COUNTS: RunCounts = { done: 0, skipped: 0, failed: 0, unknown: 0, totals: [] }

/** The folder of the runs and locks of plans. */
export const batchesFolder = (stateFolder: string): string => join(stateFolder, 'batches')

const SUFFIX = '.db'
const pathIn = (folder: string, planId: string): string => join(folder, `${planId}${SUFFIX}`)

export const isBegun = (folder: string, planId: string): boolean => existsSync(pathIn(folder, planId))

export const CREATE_TABLES = `
  CREATE TABLE begun(plan TEXT NOT NULL, checksum TEXT NOT NULL) STRICT;
  CREATE TABLE rows(
    row INTEGER NOT NULL PRIMARY KEY, payment TEXT NOT NULL, planned TEXT NOT NULL, outcome TEXT, result TEXT, checksum TEXT NOT NULL
  ) STRICT;
  CREATE INDEX by_payment ON rows(payment)
`

/** The number of rows that are read at a time. */
const PART = 1_000
/** The number of payments whose rows are kept: more than are in progress at the same time. */
const MAX_PAYMENTS = 512

/**
 * Opens the run of a plan, or creates it, and records that the plan was begun. That is durable when it returns. `isRestarted`:
 * forgets what earlier runs have noted.
 * @throws {PayError} `run_damaged` for anything that no run of this plan wrote; the methods too
 */
export function openRunRows(folder: string, begun: BegunPlan, { isRestarted = false } = {}): RunRows {
  const path = pathIn(folder, begun.planId)
  if (isRestarted) removeRunDatabase(path)
  const { database } = openRunDatabase(path, (why) => damagedAt(path, why), CREATE_TABLES)
  try {
    refuseOther(path, begun, begunIn(database, path))
    database.transaction(() => {
      const text = JSON.stringify(begun)
      database.run('DELETE FROM begun')
      database.run('INSERT INTO begun VALUES (?, ?)', text, checksumOf(text))
    })
    return rowsOn(database, path)
  } catch (error) {
    database.close()
    throw error
  }
}

export function rowsOn(database: Database, path: string): RunRows {
  const all = (which: string, ...values: readonly (string | number)[]): readonly RunRow[] =>
    database.all(`SELECT * FROM rows WHERE ${which}`, ...values).map((row) => readRow(row, path))
  /** The rows of the last payments, so that those of one with many rows aren't read for each of them. */
  const payments = new Map<string, Map<number, RunRow>>()
  const noteAll = (rows: readonly RunRow[]): void => {
    database.transaction(
      () => {
        for (const { row, result } of rows) {
          const planned = JSON.stringify(row)
          const outcome = result?.outcome ?? null
          const text = result === undefined ? null : JSON.stringify(result)
          const checksum = checksumOf(JSON.stringify([row.row, planned, outcome, text]))
          database.run(INSERT_ROW, row.row, row.paymentId, planned, outcome, text, checksum)
        }
      },
      // Closing syncs them.
      { isDurable: false },
    )
    for (const one of rows) payments.get(one.row.paymentId)?.set(one.row.row, one)
  }
  const ofPayment = (paymentId: string): readonly RunRow[] => {
    const found =
      payments.get(paymentId) ??
      new Map(all('payment = ? ORDER BY row', paymentId).map((one) => [one.row.row, one]))
    payments.set(paymentId, found)
    const [oldest] = payments.size > MAX_PAYMENTS ? payments.keys() : []
    if (oldest !== undefined) payments.delete(oldest)
    return [...found.values()]
  }
  return {
    between: (after, last) => all('row > ? AND row <= ? ORDER BY row', after, last),
    ofPayment,
    resultOf: (row) => all('row = ?', row)[0]?.result,
    problems: (limit) => all(`outcome <> 'done' ORDER BY row LIMIT ?`, limit),
    counts: () => countsIn((after) => all(`row > ? ORDER BY row LIMIT ${PART}`, after)),
    note: (row, result) => noteAll([{ row, result }]),
    noteAll,
    damaged: (why) => damagedAt(path, why),
    close: () => database.close(),
  }
}

const INSERT_ROW = 'INSERT OR REPLACE INTO rows VALUES (?, ?, ?, ?, ?, ?)'

function readRow(read: Row, path: string): RunRow {
  const [number, planned, text] = [
    numberIn(read, 'row'),
    textIn(read, 'planned') ?? '',
    textIn(read, 'result'),
  ]
  const outcome = textIn(read, 'outcome')
  const isKnown = outcome === undefined || ROW_OUTCOMES.some((one) => one === outcome)
  const written = JSON.stringify([number, planned, outcome ?? null, text ?? null])
  if (!isKnown || textIn(read, 'checksum') !== checksumOf(written))
    throw damagedAt(path, `is not what was written about row ${number}`)
  const row: ReadyRow = JSON.parse(planned)
  const result: RowResult | undefined = text === undefined ? undefined : JSON.parse(text)
  return { row, result }
}

function countsIn(partAfter: (row: number) => readonly RunRow[]): RunCounts {
  const counts = { done: 0, skipped: 0, failed: 0, unknown: 0 }
  const totals = createTotals()
  for (let part = partAfter(0); part.length > 0; part = partAfter(part.at(-1)?.row.row ?? 0))
    for (const { row, result } of part) {
      if (result === undefined) continue
      counts[result.outcome] += 1
      if (result.outcome === 'done') totals.add(row.amount, row.currencyCode)
    }
  return { ...counts, totals: totals.all() }
}

/** The plan of a run; undefined if a crash came before it was recorded. */
function begunIn(database: Database, path: string): BegunPlan | undefined {
  const begun = database.get('SELECT plan, checksum FROM begun')
  const text = textIn(begun, 'plan') ?? ''
  if (begun === undefined) return undefined
  if (textIn(begun, 'checksum') !== checksumOf(text)) throw damagedAt(path, NOT_WRITTEN)
  const plan: BegunPlan = JSON.parse(text)
  return plan
}

function refuseOther(path: string, wanted: BegunPlan, begun: BegunPlan | undefined): void {
  const isSame = (['planId', 'operation', 'createdAt', 'ready'] as const).every(
    (name) => begun === undefined || wanted[name] === begun[name],
  )
  if (!isSame) throw damagedAt(path, 'belongs to another plan')
}

const damagedAt = (path: string, why: string): PayError =>
  runDamaged(
    path,
    why,
    'pay batch apply PLAN --restart forgets it: rows that the ledger has as done stay done, and the others are compared with their payments again.',
  )

/** The progress of a plan on this machine. */
export interface BatchProgress extends BegunPlan, RunCounts {}

/**
 * Reads the progress of a plan; undefined if it was never applied on this machine.
 * @throws {PayError} `run_damaged`, also for a run of another plan than `wanted`
 */
export function readProgress(folder: string, planId: string, wanted?: BegunPlan): BatchProgress | undefined {
  const path = pathIn(folder, planId)
  return readRunDatabase(
    path,
    (why) => damagedAt(path, why),
    (database) => {
      const begun = begunIn(database, path)
      if (begun === undefined) return undefined
      if (wanted !== undefined) refuseOther(path, wanted, begun)
      return { ...begun, ...rowsOn(database, path).counts() }
    },
  )
}

/** The IDs of the plans that were applied on this machine. */
export function begunPlans(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith(SUFFIX))
    .map((name) => name.slice(0, -SUFFIX.length))
}
