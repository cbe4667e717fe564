import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { checksumOf, NOT_WRITTEN, openRunDatabase, removeRunDatabase } from '../../bulk/keep/run-database.ts'
import { runDamaged } from '../../bulk/keep/run-damaged.ts'
import type { PayError } from '../../errors.ts'
import { textIn, numberIn } from '../../store/database.ts'
import type { Database } from '../../store/database.ts'
import type { BatchOperation } from '../plan.ts'
import { DONE, ROW_OUTCOMES } from './row-result.ts'
import type { RowResult } from './row-result.ts'

/** The plan that a journal is about. */
export interface BegunPlan {
  readonly planId: string
  /** The absolute path that it was last applied from. */
  readonly plan: string
  readonly operation: BatchOperation
  /** When it was planned; ISO 8601, UTC. */
  readonly createdAt: string
  readonly ready: number
}

/**
 * The outcomes of a plan's rows on this machine, a note: what was done is the ledger's word. The journal adds the rows that
 * were never sent. Losing its latest rows in a power cut is harmless: they are compared with their payments again.
 */
export interface Journal {
  readonly note: (row: number, result: RowResult) => void
  /** Makes everything noted durable. */
  readonly close: () => void
}

/** The folder of the journals and locks of plans. */
export const batchesFolder = (stateFolder: string): string => join(stateFolder, 'batches')

const SUFFIX = '.db'
const pathIn = (folder: string, planId: string): string => join(folder, `${planId}${SUFFIX}`)

export const isBegun = (folder: string, planId: string): boolean => existsSync(pathIn(folder, planId))

/** What the journal of a plan must agree with. */
export type JournalOwner = Omit<BegunPlan, 'plan'>

const CREATE_TABLES = `
  CREATE TABLE begun(plan TEXT NOT NULL, checksum TEXT NOT NULL) STRICT;
  CREATE TABLE rows(
    row INTEGER NOT NULL PRIMARY KEY, outcome TEXT NOT NULL, error_id TEXT, message TEXT, is_moved INTEGER NOT NULL, checksum TEXT NOT NULL
  ) STRICT
`

const open = (path: string): Database =>
  openRunDatabase(path, (why) => damagedAt(path, why), CREATE_TABLES).database

/**
 * Opens the journal of a plan, or creates it, and records that the plan was begun. That is durable when it returns.
 * `isRestarted`: forgets what earlier runs have noted.
 */
export function openJournal(folder: string, begun: BegunPlan, { isRestarted = false } = {}): Journal {
  const path = pathIn(folder, begun.planId)
  if (isRestarted) removeRunDatabase(path)
  const database = open(path)
  let pending: (readonly [row: number, result: RowResult])[] = []
  let isScheduled = false
  let failure: unknown
  let isOpen = true

  const save = (): void => {
    database.transaction(
      () => {
        for (const [row, { outcome, errorId = null, message = null, isMoved }] of pending) {
          const values = [row, outcome, errorId, message, isMoved === true ? 1 : 0] as const
          const checksum = checksumOf(JSON.stringify(values))
          database.run('INSERT OR REPLACE INTO rows VALUES (?, ?, ?, ?, ?, ?)', ...values, checksum)
        }
      },
      // Closing syncs them.
      { isDurable: false },
    )
    pending = []
  }
  // Nothing awaits this write, so the next call throws its error.
  const saveLater = (): void => {
    isScheduled = false
    if (!isOpen) return
    try {
      save()
    } catch (error) {
      failure = error
    }
  }
  database.transaction(() => {
    const text = JSON.stringify(begun)
    database.run('DELETE FROM begun')
    database.run('INSERT INTO begun VALUES (?, ?)', text, checksumOf(text))
  })
  return {
    note: (row, result) => {
      if (failure !== undefined) throw failure
      pending.push([row, result])
      if (isScheduled) return
      isScheduled = true
      setImmediate(saveLater)
    },
    close: () => {
      isOpen = false
      try {
        save()
      } finally {
        database.close()
      }
    },
  }
}

interface ReadJournal {
  /** undefined if a crash came before it was recorded. */
  readonly begun: BegunPlan | undefined
  readonly results: ReadonlyMap<number, RowResult>
}

function readJournal(path: string): ReadJournal {
  if (!existsSync(path)) return { begun: undefined, results: new Map() }
  const database = open(path)
  try {
    const begun = database.get('SELECT plan, checksum FROM begun')
    const text = textIn(begun, 'plan') ?? ''
    if (begun !== undefined && textIn(begun, 'checksum') !== checksumOf(text))
      throw damagedAt(path, NOT_WRITTEN)
    const plan: BegunPlan | undefined = begun === undefined ? undefined : JSON.parse(text)
    const results = new Map<number, RowResult>()
    for (const read of database.all('SELECT * FROM rows ORDER BY row')) {
      const [row, errorId, message] = [
        numberIn(read, 'row'),
        textIn(read, 'error_id'),
        textIn(read, 'message'),
      ]
      const outcome = ROW_OUTCOMES.find((one) => one === textIn(read, 'outcome'))
      const isMoved = numberIn(read, 'is_moved')
      const written = JSON.stringify([row, outcome, errorId ?? null, message ?? null, isMoved])
      if (outcome === undefined || textIn(read, 'checksum') !== checksumOf(written))
        throw damagedAt(path, `is not what was written about row ${row}`)
      // Nearly every row: one object for all of them.
      const isPlain = outcome === 'done' && message === undefined && errorId === undefined
      results.set(
        row,
        isPlain ? DONE : { outcome, errorId, message, ...(isMoved === 1 ? { isMoved: true } : {}) },
      )
    }
    return { begun: plan, results }
  } finally {
    database.close()
  }
}

/**
 * The latest outcome of each row in earlier runs; none if the plan was never applied.
 * @throws {PayError} `run_damaged` for anything that `openJournal` of this plan didn't write
 */
export function readResults(folder: string, owner: JournalOwner): ReadonlyMap<number, RowResult> {
  const { begun, results } = readJournal(pathIn(folder, owner.planId))
  if (begun !== undefined && !isOwnedBy(owner, begun))
    throw journalDamaged(folder, owner.planId, 'belongs to another plan')
  return results
}

const isOwnedBy = (owner: JournalOwner, begun: JournalOwner): boolean =>
  (['planId', 'operation', 'createdAt', 'ready'] as const).every((name) => owner[name] === begun[name])

const damagedAt = (path: string, why: string): PayError =>
  journalDamaged(dirname(path), basename(path, SUFFIX), why)

/** `why` completes "FILE …". */
export const journalDamaged = (folder: string, planId: string, why: string): PayError =>
  runDamaged(
    pathIn(folder, planId),
    why,
    'pay batch apply PLAN --restart forgets it: rows that the ledger has as done stay done, and the others are compared with their payments again.',
  )

/** The progress of a plan on this machine. */
export interface BatchProgress extends BegunPlan {
  readonly done: number
  readonly skipped: number
  readonly failed: number
  readonly unknown: number
}

/**
 * Undefined if the plan was never applied on this machine.
 * @throws {PayError} `run_damaged`
 */
export function readProgress(folder: string, planId: string): BatchProgress | undefined {
  const { begun, results } = readJournal(pathIn(folder, planId))
  if (begun === undefined) return undefined
  const counts = { done: 0, skipped: 0, failed: 0, unknown: 0 }
  for (const { outcome } of results.values()) counts[outcome] += 1
  return { ...begun, ...counts }
}

/** The IDs of the plans that were applied on this machine. */
export function begunPlans(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith(SUFFIX))
    .map((name) => name.slice(0, -SUFFIX.length))
}
