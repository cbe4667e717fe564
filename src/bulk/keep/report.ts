import { writeCheckpoint } from './checkpoint.ts'
import type { Checkpoint } from './checkpoint.ts'
import { NO_COUNTS, withProblemRow } from './counts.ts'
import type { Counts, ProblemRow } from './counts.ts'
import type { Place } from '../read/csv.ts'
import { csvLine } from '../read/csv-line.ts'
import type { InputDigest } from './input-hash.ts'
import type { Journal } from './journal.ts'
import type { RowFile } from './row-files.ts'
import type { RowOutcome } from '../row-outcome.ts'

/** A row on its way. */
export interface Entry {
  readonly row: number
  readonly paymentId: string
  readonly cells: readonly string[]
  /** Where the row after it begins: from there the input can be read on. */
  readonly next: Place
  isInDoubt: boolean
  outcome: RowOutcome | undefined
}

export interface ReportOptions {
  readonly run: string
  readonly from: Checkpoint | undefined
  readonly checkpointPath: string
  readonly journal: Journal
  readonly results: RowFile | undefined
  readonly rejects: RowFile | undefined
  /** A row that failed, as it came, with the reason. */
  readonly rejectLine: (cells: readonly string[], reason: string) => string
  readonly now: () => Date
  /** `share`: of what was read. */
  readonly onProgress: (counts: Counts, share: number) => void
}

const CHECKPOINT_MS = 1_000
/**
 * Entries that are told of are let go in pieces: shifting one by one would move all others each time, and what is kept for
 * long costs more to clear up.
 */
const TOLD_AT_ONCE = 64

/** Rows are answered in any order, and told of in the file's: results, rejects, counts, and the checkpoint behind them. */
export class Report {
  readonly #options: ReportOptions
  readonly #startedMs: number
  readonly #queue: Entry[] = []
  #head = 0
  readonly #counts: { -readonly [K in keyof Counts]: Counts[K] }
  #troubles: readonly ProblemRow[]
  #seen: InputDigest | undefined
  #last: Entry | undefined
  #savedMs: number
  #aheadRows = 0
  #aheadBad = 0
  #whenTold: (() => void) | undefined

  constructor(options: ReportOptions) {
    this.#options = options
    this.#counts = { ...(options.from?.counts ?? NO_COUNTS) }
    this.#troubles = options.from?.troubles ?? []
    this.#startedMs = options.now().getTime()
    this.#savedMs = this.#startedMs
  }

  get counts(): Counts {
    return { ...this.#counts }
  }

  get troubles(): readonly ProblemRow[] {
    return this.#troubles
  }

  /** Also of rows that are answered and not told of yet. */
  get soFar(): { readonly rows: number; readonly bad: number } {
    const { rows, failed, unknown } = this.#counts
    return { rows: rows + this.#aheadRows, bad: failed + unknown + this.#aheadBad }
  }

  /** Whether nothing is known of any row, and nothing may have been done. */
  get isBlank(): boolean {
    const isUntouched = this.#queue.every(({ outcome, isInDoubt }) => outcome === undefined && !isInDoubt)
    return this.#counts.rows === 0 && this.#options.journal.isFresh && isUntouched
  }

  /** Rows that are not told of yet. */
  get waiting(): number {
    return this.#queue.length - this.#head
  }

  /** All of the input up to here is on its way. */
  see(seen: InputDigest): void {
    this.#seen = seen
    this.#options.journal.see(seen)
  }

  add(entry: Entry): void {
    this.#queue.push(entry)
  }

  finish(entry: Entry, outcome: RowOutcome): void {
    const { journal } = this.#options
    entry.outcome = outcome
    if (!journal.answered.has(entry.row)) journal.answer(entry.row, outcome)
    this.#aheadRows += 1
    this.#aheadBad += badOf(outcome)
    this.#tell()
  }

  /** Resolves when something was told, or when somebody else has a reason to look again. */
  told(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenTold = resolve
    })
  }

  lookAgain(): void {
    this.#whenTold?.()
    this.#whenTold = undefined
  }

  /** `isOver`: nothing is under way any more. */
  save(isOver: boolean): void {
    const { from, results, rejects, journal, now } = this.#options
    const seconds = (from?.seconds ?? 0) + (now().getTime() - this.#startedMs) / 1000
    if (this.#last !== undefined && this.#seen !== undefined)
      writeCheckpoint(this.#options.checkpointPath, {
        version: 2,
        run: this.#options.run,
        next: this.#last.next,
        row: this.#last.row,
        resultsBytes: results?.sync() ?? 0,
        rejectsBytes: rejects?.sync() ?? 0,
        counts: this.#counts,
        troubles: this.#troubles,
        seen: this.#seen,
        results: results?.path ?? null,
        rejects: rejects?.path ?? null,
        seconds,
      })
    const waiting = this.#queue.slice(this.#head)
    const ahead = waiting.flatMap(({ row, outcome }) =>
      outcome === undefined ? [] : [[row, outcome] as const],
    )
    const doubts = waiting.filter(({ outcome, isInDoubt }) => outcome === undefined && isInDoubt)
    journal.startAnew({ ahead, inDoubt: isOver ? doubts.map(({ row }) => row) : undefined })
    this.#savedMs = now().getTime()
  }

  /**
   * At the end of a run that stopped early: rows that are answered beyond one that is not. No checkpoint counts on them, so
   * the next run cuts the files back and reports them in their places.
   */
  reportAhead(): void {
    for (const entry of this.#queue.slice(this.#head))
      if (entry.outcome !== undefined) this.#tellOf(entry, entry.outcome)
  }

  #tell(): void {
    const before = this.#head
    for (let entry = this.#queue[this.#head]; entry?.outcome !== undefined; entry = this.#queue[this.#head]) {
      this.#tellOf(entry, entry.outcome)
      this.#last = entry
      this.#head += 1
    }
    if (this.#head === before) return
    if (this.#head >= TOLD_AT_ONCE) {
      this.#queue.splice(0, this.#head)
      this.#head = 0
    }
    if (this.#options.now().getTime() - this.#savedMs >= CHECKPOINT_MS) this.save(false)
    this.#options.onProgress(this.#counts, (this.#last?.next.byte ?? 0) / (this.#seen?.bytes ?? 1))
    this.lookAgain()
  }

  #tellOf(entry: Entry, outcome: RowOutcome): void {
    const { results, rejects, rejectLine } = this.#options
    const { errorId = '', message = '' } = outcome
    results?.add(csvLine([entry.row, entry.paymentId, outcome.outcome, errorId, message]))
    if (outcome.outcome === 'failed')
      rejects?.add(rejectLine(entry.cells, message === '' ? errorId : message))
    this.#counts.rows += 1
    this.#counts[outcome.outcome] += 1
    this.#counts.retries += outcome.retries
    this.#troubles = withProblemRow(this.#troubles, entry, outcome)
    this.#aheadRows -= 1
    this.#aheadBad -= badOf(outcome)
  }
}

const badOf = ({ outcome }: RowOutcome): number => (outcome === 'failed' || outcome === 'unknown' ? 1 : 0)
