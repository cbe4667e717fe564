import { isFailedOrUnknown } from '../row-outcome.ts'
import type { RowOutcome } from '../row-outcome.ts'
import { csvLine } from '../read/csv-line.ts'
import type { Place } from '../read/csv.ts'
import { writeCheckpoint } from './checkpoint.ts'
import type { Checkpoint } from './checkpoint.ts'
import { MAX_PROBLEM_ROWS, problemRowOf } from './counts.ts'
import type { Counts, ProblemRow } from './counts.ts'
import type { InputDigest } from './input-hash.ts'
import type { Journal } from './journal.ts'
import type { RowFile } from './row-files.ts'
import { safeCell } from './safe-cell.ts'

/** A row in flight, or one that waits to be reported. */
export interface Entry {
  readonly row: number
  readonly id: string
  readonly cells: readonly string[]
  /** Where the next row begins, which is where a later run can resume. */
  readonly next: Place
  isInDoubt: boolean
  outcome: RowOutcome | undefined
  /** How many rows the mapping leaves out between the previous entry and this one. */
  leftOutBefore?: number
}

export interface ReportOptions {
  readonly run: string
  readonly from: Checkpoint | undefined
  readonly checkpointPath: string
  readonly journal: Journal
  readonly results: RowFile | undefined
  readonly rejects: RowFile | undefined
  /** The line for a row that failed, with the reason. */
  readonly rejectLine: (cells: readonly string[], reason: string) => string
  /** All outcomes of the operation at 0, in the order of the summary. */
  readonly noCounts: Counts
  /** Whether the outcome needs no attention. */
  readonly isSuccess: (outcome: string) => boolean
  /** Makes text safe and masks secrets. */
  readonly clean: (text: string) => string
  readonly now: () => Date
  /** `share`: the part of the input read so far that is done, from 0 to 1. */
  readonly onProgress: (counts: Counts, share: number) => void
}

const CHECKPOINT_MS = 1_000
/**
 * Drops reported entries in batches: removing them one by one would move all others each time, and entries that live long
 * cost the garbage collector more.
 */
const DROP_BATCH = 64

/** Reports rows in the order of the input, not of their responses: results, rejects, counts, checkpoint. */
export class Report {
  readonly #options: ReportOptions
  readonly #startedMs: number
  readonly #queue: Entry[] = []
  #head = 0
  readonly #counts: { -readonly [K in keyof Counts]: Counts[K] }
  #problemRows: readonly ProblemRow[]
  #seen: InputDigest | undefined
  #last: Entry | undefined
  #savedMs: number
  #aheadRows = 0
  #aheadFailedOrUnknown = 0
  #leftOut = 0
  #onReported: (() => void) | undefined

  constructor(options: ReportOptions) {
    this.#options = options
    this.#counts = { ...options.noCounts, ...options.from?.counts }
    this.#problemRows = (options.from?.troubles ?? []).map(({ paymentId, ...rest }) => ({
      ...rest,
      id: paymentId,
    }))
    this.#startedMs = options.now().getTime()
    this.#savedMs = this.#startedMs
  }

  get counts(): Counts {
    const leftOut = (this.#counts['leftOut'] ?? 0) + this.#leftOut
    return leftOut === 0 ? { ...this.#counts } : { ...this.#counts, leftOut }
  }

  get problemRows(): readonly ProblemRow[] {
    return this.#problemRows
  }

  /** Rows with an outcome, including those that are not reported yet. */
  get answered(): number {
    return this.#counts.rows + this.#aheadRows
  }

  /** How many of {@link answered} have failed or are unknown. */
  get answeredFailedOrUnknown(): number {
    return this.#counts.failed + this.#counts.unknown + this.#aheadFailedOrUnknown
  }

  /** Whether no row has an outcome and none may have been applied. */
  get isBlank(): boolean {
    const isUntouched = this.#queue.every(({ outcome, isInDoubt }) => outcome === undefined && !isInDoubt)
    return this.#counts.rows === 0 && this.#options.journal.isFresh && isUntouched
  }

  /** Rows that are not reported yet. */
  get waiting(): number {
    return this.#queue.length - this.#head
  }

  /** Call it when rows up to here are about to be sent. */
  noteRead(seen: InputDigest): void {
    this.#seen = seen
    this.#options.journal.noteRead(seen)
  }

  add(entry: Entry): void {
    if (this.#leftOut > 0) entry.leftOutBefore = this.#leftOut
    this.#leftOut = 0
    this.#queue.push(entry)
  }

  /** Counts a row without an entry. It belongs to the next one, so that a run that resumes before it counts it once. */
  leaveOut(): void {
    this.#leftOut += 1
  }

  finish(entry: Entry, outcome: RowOutcome): void {
    const { journal } = this.#options
    entry.outcome = outcome
    if (!journal.answered.has(entry.row)) journal.noteOutcome(entry, outcome)
    this.#aheadRows += 1
    if (isFailedOrUnknown(outcome)) this.#aheadFailedOrUnknown += 1
    this.#reportDone()
  }

  /** Resolves when a row is reported, or on {@link wake}. */
  whenReported(): Promise<void> {
    return new Promise((resolve) => {
      this.#onReported = resolve
    })
  }

  wake(): void {
    this.#onReported?.()
    this.#onReported = undefined
  }

  /** Writes the checkpoint. `isOver`: no rows are in flight. */
  save(isOver: boolean): void {
    const { from, results, rejects, journal, now } = this.#options
    const seconds = (from?.seconds ?? 0) + (now().getTime() - this.#startedMs) / 1000
    // A checkpoint must not count on lines that a power cut removes.
    for (const file of [results, rejects]) file?.sync()
    if (this.#last !== undefined && this.#seen !== undefined)
      writeCheckpoint(this.#options.checkpointPath, {
        version: 3,
        run: this.#options.run,
        next: this.#last.next,
        row: this.#last.row,
        counts: this.#counts,
        troubles: this.#problemRows.map(({ id, ...rest }) => ({ ...rest, paymentId: id })),
        seen: this.#seen,
        results: results?.path ?? null,
        rejects: rejects?.path ?? null,
        seconds,
      })
    const waiting = this.#queue.slice(this.#head)
    const ahead = waiting.flatMap((entry) =>
      entry.outcome === undefined ? [] : [[entry, entry.outcome] as const],
    )
    const doubts = waiting.filter(({ outcome, isInDoubt }) => outcome === undefined && isInDoubt)
    journal.compact({ ahead, inDoubt: isOver ? doubts : undefined })
    this.#savedMs = now().getTime()
  }

  /**
   * At the end of a run that stopped early, reports rows that were answered after one without an answer. They are not in
   * the checkpoint, so the next run cuts the files back and reports them in order.
   */
  reportAhead(): void {
    for (const entry of this.#queue.slice(this.#head))
      if (entry.outcome !== undefined) this.#reportEntry(entry, entry.outcome)
  }

  #reportDone(): void {
    const before = this.#head
    for (let entry = this.#queue[this.#head]; entry?.outcome !== undefined; entry = this.#queue[this.#head]) {
      this.#reportEntry(entry, entry.outcome)
      this.#last = entry
      this.#head += 1
    }
    if (this.#head === before) return
    if (this.#head >= DROP_BATCH) {
      this.#queue.splice(0, this.#head)
      this.#head = 0
    }
    if (this.#options.now().getTime() - this.#savedMs >= CHECKPOINT_MS) this.save(false)
    this.#options.onProgress(this.#counts, (this.#last?.next.byte ?? 0) / (this.#seen?.bytes ?? 1))
    this.wake()
  }

  #reportEntry(entry: Entry, result: RowOutcome): void {
    const { results, rejects, rejectLine, isSuccess, clean } = this.#options
    const { outcome, errorId = '', message = '' } = result
    results?.add(csvLine([entry.row, safeCell(entry.id, clean), outcome, errorId, message]))
    if (outcome === 'failed') rejects?.add(rejectLine(entry.cells, message === '' ? errorId : message))
    if (entry.leftOutBefore !== undefined)
      this.#counts['leftOut'] = (this.#counts['leftOut'] ?? 0) + entry.leftOutBefore
    this.#counts.rows += 1
    this.#counts[outcome] = (this.#counts[outcome] ?? 0) + 1
    this.#counts.retries += result.retries
    if (!isSuccess(outcome) && this.#problemRows.length < MAX_PROBLEM_ROWS)
      this.#problemRows = [...this.#problemRows, problemRowOf(entry, result)]
    this.#aheadRows -= 1
    if (isFailedOrUnknown(result)) this.#aheadFailedOrUnknown -= 1
  }
}
