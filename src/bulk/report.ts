import { writeCheckpoint } from './checkpoint.ts'
import type { Checkpoint } from './checkpoint.ts'
import { NO_COUNTS, counted } from './counts.ts'
import type { Counts } from './counts.ts'
import { csvLine } from './csv-line.ts'
import type { Journal } from './journal.ts'
import type { RowFile } from './row-files.ts'
import type { RowOutcome } from './sender.ts'

/** Where a row stands: from here the input can be read on. */
export interface Place {
  readonly blockByte: number
  readonly blockLine: number
  readonly rowsOfBlock: number
  readonly before: string
}

/** A row on its way. */
export interface Entry {
  readonly row: number
  readonly paymentId: string
  readonly cells: readonly string[]
  readonly place: Place
  outcome: RowOutcome | undefined
}

export interface ReportOptions {
  readonly run: string
  readonly from: Checkpoint | undefined
  readonly checkpointPath: string
  readonly journal: Journal
  readonly results: RowFile | undefined
  readonly rejects: RowFile | undefined
  readonly now: () => Date
  /** The place is in bytes of the input. */
  readonly onProgress: (counts: Counts) => void
}

const CHECKPOINT_MS = 1_000
/** Entries that are told of are let go in larger pieces: shifting one by one would move all others each time. */
const TOLD_AT_ONCE = 1_024

/** Rows are answered in any order, and told of in the file's: results, rejects, counts, and the checkpoint behind them. */
export class Report {
  readonly #options: ReportOptions
  readonly #startedMs: number
  readonly #queue: Entry[] = []
  #head = 0
  #counts: Counts
  #last: Entry | undefined
  #savedMs: number
  #whenTold: (() => void) | undefined

  constructor(options: ReportOptions) {
    this.#options = options
    this.#counts = options.from?.counts ?? NO_COUNTS
    this.#startedMs = options.now().getTime()
    this.#savedMs = this.#startedMs
  }

  get counts(): Counts {
    return this.#counts
  }

  /** Rows that are not told of yet. */
  get waiting(): number {
    return this.#queue.length - this.#head
  }

  add(entry: Entry): void {
    this.#queue.push(entry)
  }

  finish(entry: Entry, outcome: RowOutcome): void {
    const { journal } = this.#options
    entry.outcome = outcome
    if (!journal.answered.has(entry.row)) journal.answer(entry.row, outcome)
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

  /** `inDoubtUpTo`: rows up to that one may be done without our knowing; what the journal says unless told. */
  save(inDoubtUpTo?: number): void {
    const { from, results, rejects, journal, now } = this.#options
    if (this.#last === undefined) return
    writeCheckpoint(this.#options.checkpointPath, {
      version: 1,
      run: this.#options.run,
      ...this.#last.place,
      row: this.#last.row,
      resultsBytes: results?.sync() ?? 0,
      rejectsBytes: rejects?.sync() ?? 0,
      counts: this.#counts,
      results: results?.path ?? null,
      rejects: rejects?.path ?? null,
      seconds: (from?.seconds ?? 0) + (now().getTime() - this.#startedMs) / 1000,
    })
    const ahead = this.#queue
      .slice(this.#head)
      .flatMap(({ row, outcome }) => (outcome === undefined ? [] : [[row, outcome] as const]))
    journal.startAnew(ahead, inDoubtUpTo)
    this.#savedMs = now().getTime()
  }

  #tell(): void {
    const before = this.#head
    for (let entry = this.#queue[this.#head]; entry?.outcome !== undefined; entry = this.#queue[this.#head]) {
      this.#head += 1
      this.#tellOf(entry, entry.outcome)
    }
    if (this.#head === before) return
    if (this.#head >= TOLD_AT_ONCE) {
      this.#queue.splice(0, this.#head)
      this.#head = 0
    }
    if (this.#options.now().getTime() - this.#savedMs >= CHECKPOINT_MS) this.save()
    this.#options.onProgress(this.#counts)
    this.lookAgain()
  }

  #tellOf(entry: Entry, { outcome, errorId = '', message = '', retries }: RowOutcome): void {
    const { results, rejects } = this.#options
    this.#counts = counted(this.#counts, outcome, retries)
    this.#last = entry
    results?.add(csvLine([entry.row, entry.paymentId, outcome, errorId, message]))
    if (outcome === 'failed') rejects?.add(csvLine([...entry.cells, message === '' ? errorId : message]))
  }
}
