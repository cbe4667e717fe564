import { exceedsLimit } from '../../bulk/send/failure-limit.ts'
import type { FailureLimit } from '../../bulk/send/failure-limit.ts'
import { serviceFailing } from '../../bulk/send/run-errors.ts'
import { RunStopped } from '../../bulk/send/run-errors.ts'
import { EXIT, PayError } from '../../errors.ts'
import type { KnownRows } from './known-rows.ts'
import type { ReadyRow } from './ready-row.ts'
import type { RowResult } from './row-result.ts'

/** Why a run ended before its last row. */
export type RunEnd = PayError | 'halted' | 'too-many-failures'

/** After this many consecutive rows with an unknown outcome, stop: more would only add doubts. */
const MAX_CONSECUTIVE_UNKNOWN = 20

interface TallyOptions {
  readonly rows: Iterable<ReadyRow>
  readonly maxFailures: FailureLimit | undefined
  readonly note: (row: number, result: RowResult) => void
}

/** The outcomes of the rows so far, and what follows for those that are left. */
export class Tally {
  /** By row. */
  readonly results: Map<number, RowResult>
  ended: RunEnd | undefined
  /** Whether no row has ended in this run. */
  isBlank = true
  failed = 0
  unknown = 0
  readonly #options: TallyOptions
  /** What the rows of this plan have moved, by payment. */
  readonly #moved = new Map<string, number>()
  /** Payments with a row in doubt: nothing else is sent to them. */
  readonly #doubtful = new Set<string>()
  /** Rows that an earlier run has begun, until their outcome is known. */
  readonly #unsettled: Map<number, ReadyRow>
  /** Captures that another row follows, by payment. */
  #continued: ReadonlyMap<string, readonly ReadyRow[]> | undefined
  /** The rows that this run has to end. */
  readonly #toEnd: number
  #answered = 0
  #consecutiveUnknown = 0

  constructor(options: TallyOptions, { over, open }: KnownRows) {
    this.#options = options
    this.results = over
    this.#unsettled = new Map(open.map(({ row }) => [row.row, row]))
    let rows = 0
    for (const row of options.rows) {
      rows += 1
      if (over.get(row.row)?.outcome === 'done') this.#addMoved(row)
    }
    this.#toEnd = rows - over.size
  }

  finish(row: ReadyRow, result: RowResult): void {
    const { outcome } = result
    this.results.set(row.row, result)
    this.#unsettled.delete(row.row)
    this.isBlank = false
    this.#options.note(row.row, result)
    this.#answered += 1
    if (outcome === 'done' && result.isIncluded !== true) this.#addMoved(row)
    if (outcome === 'failed') this.failed += 1
    if (outcome === 'unknown') {
      this.unknown += 1
      this.#doubtful.add(row.paymentId)
    }
    this.#consecutiveUnknown = outcome === 'unknown' ? this.#consecutiveUnknown + 1 : 0
    if (this.#consecutiveUnknown > MAX_CONSECUTIVE_UNKNOWN)
      this.ended ??= serviceFailing(this.#consecutiveUnknown)
    const answered = { answered: this.#answered, answeredFailedOrUnknown: this.failed + this.unknown }
    const isProblem = outcome === 'failed' || outcome === 'unknown'
    const { maxFailures } = this.#options
    if (isProblem && exceedsLimit(maxFailures, answered, this.#toEnd)) this.ended ??= 'too-many-failures'
  }

  /** An earlier run's write of the row was not done: the row is begun like any other. */
  reopen(row: ReadyRow): void {
    this.#unsettled.delete(row.row)
  }

  /** Blocks the payments whose open writes could not be settled. */
  blockUnsettled(): void {
    for (const { paymentId } of this.#unsettled.values()) this.#doubtful.add(paymentId)
  }

  /** The rows whose open writes could not be settled are in doubt, too. */
  endUnsettled(): void {
    for (const row of this.#unsettled.keys())
      this.results.set(row, { outcome: 'unknown', message: 'Not settled yet' })
  }

  stop(error: unknown): void {
    this.ended ??= errorOf(error)
  }

  isDoubtful({ paymentId }: ReadyRow): boolean {
    return this.#doubtful.has(paymentId)
  }

  /** What the rows of this plan have moved on the row's payment, in minor units. */
  movedOn({ paymentId }: ReadyRow): number {
    return this.#moved.get(paymentId) ?? 0
  }

  /** Before the last capture of a payment: an earlier one that is not done. */
  undoneBefore({ paymentId, continues }: ReadyRow): ReadyRow | undefined {
    if (continues === true) return undefined
    this.#continued ??= groupByPayment(continued(this.#options.rows))
    return this.#continued.get(paymentId)?.find(({ row }) => this.results.get(row)?.outcome !== 'done')
  }

  #addMoved(row: ReadyRow): void {
    this.#moved.set(row.paymentId, this.movedOn(row) + (row.amount ?? 0))
  }
}

function* continued(rows: Iterable<ReadyRow>): Iterable<ReadyRow> {
  for (const row of rows) if (row.continues === true) yield row
}

function groupByPayment(rows: Iterable<ReadyRow>): ReadonlyMap<string, readonly ReadyRow[]> {
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
