import type { FailureLimit } from '../../bulk/send/failure-limit.ts'
import { KeyedQueue } from '../../bulk/send/keyed-queue.ts'
import { SLOWED_DOWN } from '../../bulk/send/patience.ts'
import type { Patience } from '../../bulk/send/patience.ts'
import { PayError, isInterruption } from '../../errors.ts'
import { applyRow } from './apply-row.ts'
import { findKnownRows, resultOfWrite } from './known-rows.ts'
import type { OpenRow, VisitWrites, RecordedWrite } from './known-rows.ts'
import { OPERATIONS } from './ready-row.ts'
import type { PlanIdentity, ReadyRow } from './ready-row.ts'
import { RowLeft } from './row-ports.ts'
import type { RowResult } from './row-result.ts'
import { Tally } from './tally.ts'
import type { RunEnd } from './tally.ts'
import type { ForbidResend } from '../../calls/client-port.ts'
import { differenceOf, differsByRow } from './difference.ts'
import type { RowPorts } from './row-ports.ts'

export interface ApplyOptions extends SettlePorts {
  readonly plan: PlanIdentity
  /** In the order of the file. */
  readonly rows: Iterable<ReadyRow>
  /** What earlier runs on this machine have noted. */
  readonly journal: ReadonlyMap<number, RowResult>
  readonly note: (row: number, result: RowResult) => void
  readonly visitWrites: VisitWrites
  /** The error for a journal that contradicts the plan or the ledger; `why` completes "FILE …". */
  readonly damaged: (why: string) => Error
  /** How many rows may be in progress at the same time. */
  readonly concurrency: number
  readonly maxFailures: FailureLimit | undefined
  /** Once it is over, no request is sent. */
  readonly patience: Patience
  /** Once aborted, no row is begun; those in progress end first. */
  readonly stop: AbortSignal
  readonly onProgress: (progress: ApplyProgress) => void
}

export interface ApplyProgress {
  /** Ready rows with an outcome. */
  readonly rows: number
  readonly failed: number
  readonly unknown: number
}

export interface Applied {
  /** By row; rows without an entry are left. */
  readonly results: ReadonlyMap<number, RowResult>
  /** Why the run ended before its last row. */
  readonly ended: RunEnd | undefined
  /** Whether no row has ended in this run. */
  readonly isBlank: boolean
}

interface Run {
  readonly options: ApplyOptions
  readonly tally: Tally
}

const isHalted = ({ options: { patience, stop }, tally }: Run): boolean =>
  tally.ended !== undefined || patience.over !== undefined || stop.aborted

/**
 * Does the rows of a plan that are not over: settles what an earlier run has left open, then begins the others. Rows of one
 * payment run in the order of the file, different payments in parallel.
 */
export async function applyRows(options: ApplyOptions): Promise<Applied> {
  const { rows, journal, note, stop } = options
  const known = await findKnownRows(rows, options.keyOf, journal, options.visitWrites, options.damaged)
  // The last run was killed before it could note them.
  for (const [row, result] of known.over) if (journal.get(row)?.outcome !== result.outcome) note(row, result)
  const run: Run = { options, tally: new Tally(options, known) }
  const { tally } = run
  const slots = createSlots(run)
  for (const open of known.open) await slots.add(open.row, () => settle(run, open))
  await slots.whenIdle()
  tally.blockUnsettled()
  for (const row of rows) {
    if (isHalted(run)) break
    if (!tally.results.has(row.row)) await slots.add(row, () => begin(run, row))
  }
  await slots.whenIdle()
  tally.endUnsettled()
  const isCut = stop.aborted && isAnyLeft(rows, tally.results)
  return {
    results: tally.results,
    ended: tally.ended ?? options.patience.over ?? (isCut ? 'halted' : undefined),
    isBlank: tally.isBlank,
  }
}

function isAnyLeft(rows: Iterable<ReadyRow>, results: Applied['results']): boolean {
  for (const { row } of rows) if (!results.has(row)) return true
  return false
}

/** Runs work for one payment in order, and for different payments in parallel, up to the concurrency. */
function createSlots(run: Run) {
  const queue = new KeyedQueue()
  let underWay = 0
  let onFree: (() => void) | undefined
  const guarded = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof RowLeft)) run.tally.stop(error)
    }
    underWay -= 1
    onFree?.()
  }
  return {
    add: async (row: ReadyRow, work: () => Promise<void>): Promise<void> => {
      while (underWay >= run.options.concurrency && !isHalted(run))
        await new Promise<void>((resolve) => {
          onFree = resolve
        })
      if (isHalted(run)) return
      underWay += 1
      queue.add(row.paymentId, () => guarded(work))
    },
    whenIdle: () => queue.whenIdle(),
  }
}

function finish({ options, tally }: Run, row: ReadyRow, result: RowResult): void {
  tally.finish(row, result)
  options.patience.noteEnded()
  options.onProgress({ rows: tally.results.size, failed: tally.failed, unknown: tally.unknown })
}

/** Settles the write that an earlier run has left open. */
async function settle(run: Run, open: OpenRow): Promise<void> {
  const { options, tally } = run
  const { row } = open
  if (isHalted(run)) throw new RowLeft()
  const ended = await settleOpen(options, options.plan, open, tally.movedOn(row))
  if (ended === undefined) return tally.reopen(row)
  finish(run, row, ended)
}

/** Does a row, unless a row of the same payment is in doubt. */
async function begin(run: Run, row: ReadyRow): Promise<void> {
  const { tally } = run
  const streak = run.options.patience.startStreak()
  for (;;) {
    if (isHalted(run) || tally.isDoubtful(row)) throw new RowLeft()
    const ended = await applyOrRetry(run, row, streak)
    if (ended === 'retry') continue
    return ended === 'held' ? holdBack(run, row) : finish(run, row, ended)
  }
}

/** A last capture releases the rest of the authorization, so it ends like an earlier one that is not done. */
function holdBack(run: Run, row: ReadyRow): void {
  const { tally } = run
  const earlier = tally.undoneBefore(row)
  const outcome = tally.results.get(earlier?.row ?? 0)?.outcome
  if (earlier === undefined || (outcome !== 'failed' && outcome !== 'skipped')) throw new RowLeft()
  const message = `Not sent: the last capture of a payment would release the amount of row ${earlier.row}, which is not captured`
  finish(run, row, { outcome, message })
}

/** `retry`: nothing was sent, and it is worth trying again. */
async function applyOrRetry(
  run: Run,
  row: ReadyRow,
  streak: ReturnType<Patience['startStreak']>,
): Promise<RowResult | 'held' | 'retry'> {
  const { options, tally } = run
  try {
    const mustWait = tally.undoneBefore(row) !== undefined
    return await applyRow(options, options.plan, row, tally.movedOn(row), mustWait)
  } catch (error) {
    if (!(error instanceof PayError) || error.code !== 'rate_limited') throw error
    // A read ends with a 429 only after its own streak.
    const isRead = error.details.operation !== OPERATIONS[options.plan.operation].id
    return isRead || streak.isTooLong() ? { outcome: 'failed', message: SLOWED_DOWN } : 'retry'
  }
}

interface SettlePorts extends RowPorts {
  readonly settleWrite: SettleWrite
}

/** The ledger's recovery: reads the payment, asks `forbidResend`, and may send the same request with the same key. */
type SettleWrite = (recordId: string, forbidResend: ForbidResend) => Promise<SettledWrite>

/** An open write after the ledger's recovery has tried to find its outcome. */
interface SettledWrite {
  readonly record: RecordedWrite
  /** How the outcome was found, or why it is still unknown. */
  readonly words: string
}

/**
 * Finds the outcome of a row that an earlier run has begun. Resends it only if the payment is as the plan expects, or
 * differs by exactly this row: otherwise someone has changed it. Undefined if it was not done, so that the run begins it again.
 */
async function settleOpen(
  ports: SettlePorts,
  { operation }: PlanIdentity,
  { row, write }: OpenRow,
  ownAmount: number,
): Promise<RowResult | undefined> {
  const forbidResend: ForbidResend = (payment, evidence) => {
    const difference = differenceOf(operation, row, ownAmount, payment)
    if (difference === undefined) return undefined
    // Others may have moved as much as the row would, in other amounts.
    const mayBeRow = evidence !== 'absent' && differsByRow(operation, row, ownAmount, payment)
    return mayBeRow ? undefined : `the payment changed: ${difference}`
  }
  try {
    const { record, words } = await ports.settleWrite(write.id, forbidResend)
    if (record.state === 'confirmed') return resultOfWrite(row, record)
    if (record.state === 'rejected' || record.state === 'abandoned') return undefined
    return { outcome: 'unknown', message: ports.clean(words) }
  } catch (error) {
    if (isInterruption(error)) throw new RowLeft()
    if (!(error instanceof PayError)) throw error
    return { outcome: 'unknown', message: ports.clean(error.message) }
  }
}
