import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { lazySchema, z } from '../../api/schema.ts'
import { runDamaged } from '../../bulk/keep/run-damaged.ts'
import { openStateFile, textAt } from '../../bulk/keep/state-file.ts'
import type { PayError } from '../../errors.ts'
import { syncPath } from '../../private-folder.ts'
import { BATCH_OPERATIONS } from '../plan.ts'
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
 * were never sent. Losing its last lines in a power cut is harmless: those rows are compared with their payments again.
 */
export interface Journal {
  readonly note: (row: number, result: RowResult) => void
  /** Makes everything noted durable. */
  readonly sync: () => void
  readonly close: () => void
}

/** The folder of the journals and locks of plans. */
export const batchesFolder = (stateFolder: string): string => join(stateFolder, 'batches')

const SUFFIX = '.journal'
const pathIn = (folder: string, planId: string): string => join(folder, `${planId}${SUFFIX}`)

export const isBegun = (folder: string, planId: string): boolean => existsSync(pathIn(folder, planId))

/** What the journal of a plan must agree with. */
export type JournalOwner = Omit<BegunPlan, 'plan'>

/**
 * Opens the journal of a plan, or creates it, and records that the plan was begun. That is durable when it returns.
 * `isRestarted`: forgets what earlier runs have noted.
 */
export function openJournal(folder: string, begun: BegunPlan, { isRestarted = false } = {}): Journal {
  const path = pathIn(folder, begun.planId)
  const file = openStateFile(path)
  file.cutTo(isRestarted ? 0 : Buffer.byteLength(wholeLines(textAt(path))))
  let pending = ''
  let isScheduled = false
  let failure: unknown
  let isOpen = true

  const flush = () => {
    isScheduled = false
    const lines = pending
    pending = ''
    if (isOpen && lines !== '') file.append(lines)
  }
  // Nothing awaits this write, so the next call throws its error.
  const flushLater = () => {
    try {
      flush()
    } catch (error) {
      failure = error
    }
  }
  const sync = () => {
    if (failure !== undefined) throw failure
    flush()
    file.sync()
  }
  pending += `${JSON.stringify({ type: 'begun', ...begun })}\n`
  sync()
  syncPath(folder)
  return {
    note: (row, result) => {
      if (failure !== undefined) throw failure
      pending += `${JSON.stringify({ type: 'row', row, ...result })}\n`
      if (isScheduled) return
      isScheduled = true
      setImmediate(flushLater)
    },
    sync,
    close: () => {
      try {
        sync()
      } finally {
        isOpen = false
        file.close()
      }
    },
  }
}

/**
 * The latest outcome of each row in earlier runs; none if the plan was never applied.
 * @throws {PayError} `run_damaged` for a line that `openJournal` of this plan didn't write
 */
export function readResults(folder: string, owner: JournalOwner): ReadonlyMap<number, RowResult> {
  const path = pathIn(folder, owner.planId)
  const results = new Map<number, RowResult>()
  for (const line of linesOf(path))
    if (line.type === 'row') results.set(line.row, resultOf(line))
    else if (!isOwnedBy(owner, line)) throw journalDamaged(folder, owner.planId, 'belongs to another plan')
  return results
}

const isOwnedBy = (owner: JournalOwner, line: JournalOwner): boolean =>
  (['planId', 'operation', 'createdAt', 'ready'] as const).every((name) => owner[name] === line[name])

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
  let begun: BegunPlan | undefined
  const outcomes = new Map<number, RowResult['outcome']>()
  for (const line of linesOf(pathIn(folder, planId))) {
    if (line.type === 'row') outcomes.set(line.row, line.outcome)
    else {
      const { planId: id, plan, operation, createdAt, ready } = line
      begun = { planId: id, plan, operation, createdAt, ready }
    }
  }
  if (begun === undefined) return undefined
  const counts = { done: 0, skipped: 0, failed: 0, unknown: 0 }
  for (const outcome of outcomes.values()) counts[outcome] += 1
  return { ...begun, ...counts }
}

/** The IDs of the plans that were applied on this machine. */
export function begunPlans(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith(SUFFIX))
    .map((name) => name.slice(0, -SUFFIX.length))
}

const journalLine = lazySchema(() =>
  z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('begun'),
      planId: z.string(),
      plan: z.string(),
      operation: z.enum(BATCH_OPERATIONS),
      createdAt: z.string(),
      ready: z.int().check(z.minimum(0)),
    }),
    z.strictObject({
      type: z.literal('row'),
      row: z.int().check(z.minimum(1)),
      outcome: z.enum(ROW_OUTCOMES),
      errorId: z.optional(z.string()),
      message: z.optional(z.string()),
    }),
  ]),
)

/** Leaves out what a crash has damaged; any other line must be whole. */
function* linesOf(path: string) {
  const lines = wholeLines(textAt(path)).split('\n').slice(0, -1)
  for (const [index, line] of lines.entries()) {
    const read = journalLine().safeParse(parsed(line))
    if (!read.success)
      throw journalDamaged(dirname(path), basename(path, SUFFIX), `has an unknown line ${index + 1}`)
    yield read.data
  }
}

/** A crash may have cut the last line short. A power cut may also have left NUL bytes from the first line on that was not synced. */
function wholeLines(text: string): string {
  const [written = ''] = text.split('\0', 1)
  return written.slice(0, written.lastIndexOf('\n') + 1)
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

const resultOf = ({ outcome, errorId, message }: RowResult): RowResult =>
  outcome === 'done' && message === undefined && errorId === undefined ? DONE : { outcome, errorId, message }
