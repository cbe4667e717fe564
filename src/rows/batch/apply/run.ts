import type { FailureLimit } from '../../send/failure-limit.ts'
import { SLOWED_DOWN } from '../../send/patience.ts'
import type { Patience } from '../../send/patience.ts'
import { doRows } from '../../send/row-loop.ts'
import { PayError } from '../../../errors.ts'
import { applyRow } from './apply-row.ts'
import { byKey, findKnownRows, isOpenFor, movedBy, overBy, settleOpen, undoneBefore } from './known-rows.ts'
import type { OpenRow, SettlePorts, WritesWith } from './known-rows.ts'
import { OPERATIONS } from './ready-row.ts'
import type { PlanIdentity, ReadyRow } from './ready-row.ts'
import { RowLeft } from './row-ports.ts'
import type { RowResult } from './row-result.ts'
import type { RunRow, RunRows } from './run-rows.ts'
import { Tally } from './tally.ts'
import type { RunEnd } from './tally.ts'

export interface ApplyOptions extends SettlePorts {
  readonly plan: PlanIdentity
  /** The rows, in the order of the file. */
  readonly rows: Iterable<ReadyRow>
  readonly ready: number
  /** The notes of earlier runs on this machine, and of this one. */
  readonly runRows: RunRows
  readonly writesWith: WritesWith
  /** How many rows may be in progress at the same time. */
  readonly concurrency: number
  readonly maxFailures: FailureLimit | undefined
  /** The patience of the run. Once it is over, no request is sent. */
  readonly patience: Patience
  /** The signal that stops the run: no row is begun; those in progress end first. */
  readonly stop: AbortSignal
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  readonly onProgress: (progress: ApplyProgress) => void
}

export interface ApplyProgress {
  /** The number of ready rows with an outcome. */
  readonly rows: number
  readonly failed: number
  readonly unknown: number
}

export interface Applied {
  /** Why the run ended before its last row. */
  readonly ended: RunEnd | undefined
  /** Whether no row has ended in this run. */
  readonly isBlank: boolean
  /** The number of payments whose rows are left because another process has begun one of them. */
  readonly busyPayments: number
}

/** How many times to look at rows of another process without seeing it end one. */
const MAX_IDLE_LOOKS = 4
const LOOK_MS = 500

interface Run {
  readonly options: ApplyOptions
  readonly tally: Tally
  /** The number of rows that were over before this run. */
  readonly over: number
  /** The payments with a row that another process has begun: nothing else is sent to them. */
  readonly busy: Set<string>
}

const isHalted = ({ options: { patience, stop }, tally }: Run): boolean =>
  tally.ended !== undefined || patience.over !== undefined || stop.aborted

/**
 * Does the rows of a plan that are not over: settles what an earlier run has left open, then begins the others. Rows of one
 * payment run in the order of the file, different payments in parallel.
 */
export async function applyRows(options: ApplyOptions): Promise<Applied> {
  const { rows, ready, stop } = options
  const { open, over } = await findKnownRows(options)
  const tally = new Tally(ready - over, options.maxFailures)
  const run: Run = { options, tally, over, busy: new Set() }
  await inOrderOfPayment(run, open, ({ row }) => row, settle)
  for (let idle = 0; idle < MAX_IDLE_LOOKS;) {
    const before = tally.answered
    run.busy.clear()
    await inOrderOfPayment(run, rows, (row) => row, begin)
    if (run.busy.size === 0 || isHalted(run)) break
    idle = tally.answered > before ? 0 : idle + 1
    if (idle > 0) await options.sleep(LOOK_MS, stop)
  }
  return {
    ended: tally.ended ?? options.patience.over ?? (stop.aborted && tally.isAnyLeft ? 'halted' : undefined),
    isBlank: tally.answered === 0,
    busyPayments: run.busy.size,
  }
}

/** Does the rows of one payment in order, and those of different payments in parallel, up to the concurrency. */
const inOrderOfPayment = <One>(
  run: Run,
  all: Iterable<One>,
  rowOf: (one: One) => ReadyRow,
  work: (run: Run, one: One) => Promise<void>,
): Promise<void> =>
  doRows({
    rows: [all],
    keyOf: (one) => rowOf(one).paymentId,
    work: async (one) => {
      try {
        await work(run, one)
      } catch (error) {
        if (!(error instanceof RowLeft)) run.tally.stop(error)
      }
    },
    pace: { window: run.options.concurrency, whenReady: () => undefined },
    stop: {
      get aborted() {
        return isHalted(run)
      },
    },
  })

function finish({ options, tally, over }: Run, row: ReadyRow, result: RowResult): void {
  // Count it first: a result that can't be noted is one anyway.
  tally.add(result)
  options.runRows.note(row, result)
  options.patience.noteEnded()
  options.onProgress({ rows: over + tally.answered, failed: tally.failed, unknown: tally.unknown })
}

/** Settles the write that an earlier run has left open. */
async function settle(run: Run, open: OpenRow): Promise<void> {
  const { options } = run
  const { row } = open
  if (isHalted(run)) throw new RowLeft()
  const moved = movedBy(options.runRows.ofPayment(row.paymentId))
  const ended = await settleOpen(options, options.plan, open, moved)
  if (ended === undefined) options.runRows.note(row, undefined)
  else finish(run, row, ended)
}

/** Does a row that has no result yet, unless a row of the same payment is in doubt or in progress elsewhere. */
async function begin(run: Run, row: ReadyRow): Promise<void> {
  const { runRows, patience } = run.options
  const streak = patience.startStreak()
  for (;;) {
    const siblings = runRows.ofPayment(row.paymentId)
    if (siblings.some((one) => one.row.row === row.row && one.result !== undefined)) return
    const isDoubtful = siblings.some(({ result }) => result?.outcome === 'unknown')
    if (isHalted(run) || isDoubtful || run.busy.has(row.paymentId)) throw new RowLeft()
    const ended = await applyOrRetry(run, row, siblings, streak)
    if (ended === 'retry') continue
    return ended === 'held' ? holdBack(run, row, siblings) : finish(run, row, ended)
  }
}

/** Holds back a last capture, which releases the rest: it ends like an earlier one that is not done. */
function holdBack(run: Run, row: ReadyRow, siblings: readonly RunRow[]): void {
  const { row: earlier, result } = undoneBefore(row, siblings) ?? {}
  if (earlier === undefined || (result?.outcome !== 'failed' && result?.outcome !== 'skipped'))
    throw new RowLeft()
  const message = `Not sent: the last capture of a payment would release the amount of row ${earlier.row}, which is not captured`
  finish(run, row, { outcome: result.outcome, message })
}

/** Applies a row. Returns `retry` if nothing was sent, and it is worth trying again. */
async function applyOrRetry(
  run: Run,
  row: ReadyRow,
  siblings: readonly RunRow[],
  streak: ReturnType<Patience['startStreak']>,
): Promise<RowResult | 'held' | 'retry'> {
  const { options } = run
  try {
    return await applyRow(options, options.plan, row, {
      moved: movedBy(siblings),
      mustWait: undoneBefore(row, siblings) !== undefined,
      isNews: (blockedBy) => isNews(run, row, siblings, blockedBy),
    })
  } catch (error) {
    if (!(error instanceof PayError) || error.code !== 'rate_limited') throw error
    // A read ends with a 429 only after its own streak.
    const isRead = error.details.operation !== OPERATIONS[options.plan.operation].id
    return isRead || streak.isTooLong() ? { outcome: 'failed', message: SLOWED_DOWN } : 'retry'
  }
}

/**
 * Whether the ledger knows more about the payment's rows than this run, because another process does them too. Notes what it
 * did. `blockedBy`: the id of the write that was in the way.
 * @throws {RowLeft} if one of them is in progress or in doubt there
 */
async function isNews(
  run: Run,
  row: ReadyRow,
  siblings: readonly RunRow[],
  blockedBy: string | undefined,
): Promise<boolean> {
  const { keyOf, writesWith, runRows } = run.options
  const undone = siblings.filter(({ result }) => result?.outcome !== 'done')
  const found = await writesWith(undone.map((one) => keyOf(one.row)))
  const writes = byKey(found)
  const writesOf = (one: ReadyRow) => writes.get(keyOf(one)) ?? []
  if (undone.some((one) => writesOf(one.row).some((write) => isOpenFor(one.row, write)))) {
    run.busy.add(row.paymentId)
    throw new RowLeft()
  }
  // An open write is no news: it blocks the row again, as another write with the row's ticket does.
  let isAny = found.some(({ id, state }) => id === blockedBy && state !== 'sending' && state !== 'in-doubt')
  for (const { row: one, result: known } of undone) {
    const result = overBy(one, writesOf(one))
    if (result === undefined || result.outcome === known?.outcome) continue
    isAny = true
    if (known === undefined) finish(run, one, result)
    else runRows.note(one, result)
  }
  return isAny
}
