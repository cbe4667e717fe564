import { exceedsLimit } from '../../bulk/send/failure-limit.ts'
import type { FailureLimit } from '../../bulk/send/failure-limit.ts'
import { KeyedQueue } from '../../bulk/send/keyed-queue.ts'
import { serviceFailing } from '../../bulk/send/run-errors.ts'
import { EXIT, PayError } from '../../errors.ts'
import { applyRow, findDoneElsewhere } from './apply-row.ts'
import { findKnownRows } from './known-rows.ts'
import type { Difference } from './difference.ts'
import type { VisitWrites } from './known-rows.ts'
import type { PlanIdentity, ReadyRow } from './ready-row.ts'
import { RowLeft, RunStopped } from './row-ports.ts'
import type { RowResult } from './row-result.ts'
import { settleOpen } from './settle-open.ts'
import type { SettlePorts } from './settle-open.ts'

export interface ApplyOptions extends SettlePorts {
  readonly plan: PlanIdentity
  /** In the order of the file. */
  readonly rows: readonly ReadyRow[]
  /** What earlier runs on this machine have noted. */
  readonly journal: ReadonlyMap<number, RowResult>
  readonly note: (row: number, result: RowResult) => void
  readonly visitWrites: VisitWrites
  /** How many rows may be under way at once. */
  readonly concurrency: number
  readonly maxFailures: FailureLimit | undefined
  /** Once aborted, no row is begun; those under way end first. */
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
  readonly ended: PayError | 'halted' | 'too-many-failures' | undefined
  /** Whether this run has ended no row. */
  readonly isBlank: boolean
}

/** After this many consecutive rows that reached no service, stop. */
const MAX_UNCONNECTED = 6
/** After this many consecutive rows with an unknown outcome, stop: more would only add doubts. */
const MAX_CONSECUTIVE_UNKNOWN = 20

/**
 * Does the rows of a plan that are not over: settles what an earlier run has left open, then begins the others. Rows of one
 * payment run in the order of the file, different payments at once.
 */
export async function applyRows(options: ApplyOptions): Promise<Applied> {
  const { plan, rows, stop } = options
  const known = await findKnownRows(rows, options.keyOf, options.journal, options.visitWrites)
  const results = new Map(known.over)
  // The last run was killed before it could note them.
  for (const [row, result] of known.over)
    if (options.journal.get(row)?.outcome !== result.outcome) options.note(row, result)
  /** What this plan has moved, by payment. */
  const moved = new Map<string, number>()
  const addMoved = ({ paymentId, amount = 0 }: ReadyRow) =>
    moved.set(paymentId, (moved.get(paymentId) ?? 0) + amount)
  for (const row of rows) if (results.get(row.row)?.outcome === 'done') addMoved(row)
  /** Payments with a row in doubt: nothing else is sent to them. */
  const doubtful = new Set<string>()
  /** Rows that an earlier run has begun, until their outcome is known. */
  const unsettled = new Set(known.open.map(({ row }) => row.row))
  const queue = new KeyedQueue()
  let [ended, isBlank]: [Applied['ended'], boolean] = [undefined, true]
  let [underWay, failed, unknown, answered] = [0, 0, 0, 0]
  let [unconnected, consecutiveUnknown] = [0, 0]
  let onFree: (() => void) | undefined

  const isHalted = () => ended !== undefined || stop.aborted
  const finish = (row: ReadyRow, result: RowResult) => {
    results.set(row.row, result)
    unsettled.delete(row.row)
    options.note(row.row, result)
    answered += 1
    if (result.outcome === 'done') addMoved(row)
    isBlank = false
    if (result.outcome === 'failed') failed += 1
    if (result.outcome === 'unknown') {
      unknown += 1
      doubtful.add(row.paymentId)
    }
    consecutiveUnknown = result.outcome === 'unknown' ? consecutiveUnknown + 1 : 0
    if (consecutiveUnknown > MAX_CONSECUTIVE_UNKNOWN) ended ??= serviceFailing(consecutiveUnknown)
    const isProblem = result.outcome === 'failed' || result.outcome === 'unknown'
    if (
      isProblem &&
      exceedsLimit(options.maxFailures, { answered, answeredFailedOrUnknown: failed + unknown })
    )
      ended ??= 'too-many-failures'
    options.onProgress({ rows: results.size, failed, unknown })
  }
  let byPayment: ReadonlyMap<string, readonly ReadyRow[]> | undefined
  /** The rows of a payment that may be done yet. Grouped only once a payment is not as planned. */
  const unfinishedOn = (paymentId: string): readonly ReadyRow[] => {
    byPayment ??= groupByPayment(rows)
    return (
      byPayment.get(paymentId)?.filter(({ row }) => (results.get(row)?.outcome ?? 'failed') === 'failed') ??
      []
    )
  }
  /** Finishes rows of a payment that another machine has processed. Returns whether it has done any. */
  const hasFoundElsewhere = async (
    paymentId: string,
    among: readonly ReadyRow[],
    difference: Difference,
  ): Promise<boolean> => {
    const ownAmount = moved.get(paymentId) ?? 0
    const found = await findDoneElsewhere(options, plan, among, difference, ownAmount)
    for (const [row, result] of found) finish(row, result)
    return [...found.values()].some(({ outcome }) => outcome === 'done')
  }
  /** Repeats a row of which nothing was sent, as long as it makes sense. */
  const resultOf = async (row: ReadyRow): Promise<RowResult> => {
    for (;;) {
      if (isHalted() || doubtful.has(row.paymentId)) throw new RowLeft()
      try {
        const ended = await applyRow(options, plan, row, moved.get(row.paymentId) ?? 0)
        unconnected = 0
        if (!('seen' in ended)) return ended
        const hasFound = await hasFoundElsewhere(row.paymentId, unfinishedOn(row.paymentId), ended)
        const own = results.get(row.row)
        if (own !== undefined) return own
        if (hasFound || doubtful.has(row.paymentId)) continue
        return { outcome: 'skipped', message: options.clean(`The payment changed: ${ended.words}`) }
      } catch (error) {
        if (!(error instanceof PayError)) throw error
        if (error.code === 'rate_limited') continue
        unconnected += 1
        if (unconnected > MAX_UNCONNECTED) throw new RunStopped(error)
      }
    }
  }
  const guarded = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof RowLeft)) ended ??= errorOf(error)
    }
    underWay -= 1
    onFree?.()
  }
  const add = async (row: ReadyRow, work: () => Promise<void>): Promise<void> => {
    while (underWay >= options.concurrency && !isHalted())
      await new Promise<void>((resolve) => {
        onFree = resolve
      })
    if (isHalted()) return
    underWay += 1
    queue.add(row.paymentId, () => guarded(work))
  }

  for (const open of known.open)
    await add(open.row, async () => {
      const { row } = open
      for (;;) {
        if (isHalted()) throw new RowLeft()
        const ended = await settleOpen(options, plan, open, moved.get(row.paymentId) ?? 0)
        if (ended === undefined) return void unsettled.delete(row.row)
        if (!('seen' in ended)) return finish(row, ended)
        const others = unfinishedOn(row.paymentId).filter((other) => other !== row)
        if (await hasFoundElsewhere(row.paymentId, others, ended)) continue
        const message = options.clean(`Not sent again, because the payment changed: ${ended.words}`)
        return finish(row, { outcome: 'unknown', message })
      }
    })
  await queue.whenIdle()
  for (const row of rows) {
    if (isHalted()) break
    if (results.has(row.row)) continue
    await add(row, async () => {
      if (doubtful.has(row.paymentId) || results.has(row.row)) return
      const result = await resultOf(row)
      if (!results.has(row.row)) finish(row, result)
    })
  }
  await queue.whenIdle()
  for (const row of unsettled) results.set(row, { outcome: 'unknown', message: 'Not settled yet' })
  if (ended === undefined && stop.aborted && rows.some(({ row }) => !results.has(row))) ended = 'halted'
  return { results, ended, isBlank }
}

function groupByPayment(rows: readonly ReadyRow[]): ReadonlyMap<string, readonly ReadyRow[]> {
  const groups = new Map<string, ReadyRow[]>()
  for (const row of rows) {
    const group = groups.get(row.paymentId)
    if (group === undefined) groups.set(row.paymentId, [row])
    else group.push(row)
  }
  return groups
}

function errorOf(error: unknown): PayError {
  if (error instanceof RunStopped) return error.error
  if (error instanceof PayError) return error
  const message = error instanceof Error ? error.message : String(error)
  return new PayError('internal', EXIT.internal, `Unexpected error: ${message}`, { cause: error })
}
