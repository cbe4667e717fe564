import { closeSync, existsSync, fsyncSync, openSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { lazySchema, z } from '../../api/schema.ts'
import { writeWhole } from '../../bulk/keep/row-files.ts'
import { textAt } from '../../bulk/keep/text-at.ts'
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
 * The outcomes of a plan's rows on this machine. The ledger proves what was done; the journal adds the rows that were never
 * sent. Losing its last lines in a power cut is harmless: those rows are compared with their payments again.
 */
export interface Journal {
  /** The latest outcome of each row in earlier runs. */
  readonly results: ReadonlyMap<number, RowResult>
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

/** Opens the journal of a plan, or creates it, and records that the plan was begun. That is durable when it returns. */
export function openJournal(folder: string, begun: BegunPlan): Journal {
  const path = pathIn(folder, begun.planId)
  const text = textAt(path)
  const results = resultsIn(text)
  const handle = openSync(path, 'a', 0o600)
  // A crash may have cut the last line short.
  let pending = text === '' || text.endsWith('\n') ? '' : '\n'
  let isScheduled = false
  let failure: unknown
  let isOpen = true

  const flush = () => {
    isScheduled = false
    const lines = pending
    pending = ''
    if (isOpen && lines !== '') writeWhole(handle, lines)
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
    fsyncSync(handle)
  }
  pending += `${JSON.stringify({ type: 'begun', ...begun })}\n`
  sync()
  syncPath(folder)
  return {
    results,
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
        closeSync(handle)
      }
    },
  }
}

/** The latest outcome of each row, as {@link Journal.results}. */
export const readResults = (folder: string, planId: string): ReadonlyMap<number, RowResult> =>
  resultsIn(textAt(pathIn(folder, planId)))

function resultsIn(text: string): Map<number, RowResult> {
  const results = new Map<number, RowResult>()
  for (const line of linesOf(text)) if (line.type === 'row') results.set(line.row, resultOf(line))
  return results
}

/** The progress of a plan on this machine. */
export interface BatchProgress extends BegunPlan {
  readonly done: number
  readonly skipped: number
  readonly failed: number
  readonly unknown: number
}

/** Undefined if the plan was never applied on this machine. */
export function readProgress(folder: string, planId: string): BatchProgress | undefined {
  let begun: BegunPlan | undefined
  const outcomes = new Map<number, RowResult['outcome']>()
  for (const line of linesOf(textAt(pathIn(folder, planId)))) {
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
    z.looseObject({
      type: z.literal('begun'),
      planId: z.string(),
      plan: z.string(),
      operation: z.enum(BATCH_OPERATIONS),
      createdAt: z.string(),
      ready: z.number(),
    }),
    z.looseObject({
      type: z.literal('row'),
      row: z.number(),
      outcome: z.enum(ROW_OUTCOMES),
      errorId: z.optional(z.string()),
      message: z.optional(z.string()),
    }),
  ]),
)

/** Skips a line that was cut short. */
function* linesOf(text: string) {
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start)
    const line = text.slice(start, end === -1 ? undefined : end)
    start += line.length + 1
    const read = journalLine().safeParse(parsed(line))
    if (read.success) yield read.data
  }
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
