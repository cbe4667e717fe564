import { EXIT, PayError, UsageError } from '../../errors.ts'
import { problemRowOf } from '../keep/counts.ts'
import type { Counts, ProblemRow } from '../keep/counts.ts'
import { InputHash, verifiedChunks } from '../keep/input-hash.ts'
import type { InputDigest } from '../keep/input-hash.ts'
import type { Journal } from '../keep/journal.ts'
import { KeyedQueue } from './keyed-queue.ts'
import type { PreparedRow, RowProblem } from '../map/row-reader.ts'
import type { Reading } from '../read/table.ts'
import { Report } from '../keep/report.ts'
import type { Entry, ReportOptions } from '../keep/report.ts'
import { rejectReason } from './row-message.ts'
import { RowAbandoned, RunStopped } from './run-errors.ts'
import type { RowOutcome, RowWatch, Send } from '../row-outcome.ts'

/** A record of the input as read: what can be sent, or why not, and how it came. */
export interface ReadRow {
  /** The paymentId as it stands there, if only to know whose row it is. */
  readonly paymentId: string
  readonly prepared: PreparedRow | undefined
  readonly problems: readonly RowProblem[]
  /** For the rejects. */
  readonly cells: readonly string[]
}

export interface RunOptions extends ReportOptions, Pick<Reading, 'start' | 'records' | 'rowOf'> {
  /** The whole input. */
  readonly chunks: AsyncIterable<Uint8Array>
  readonly isOurs: (paymentId: string, row: number) => boolean
  /** Called for every row of ours that is read, in order. */
  readonly onRow: (paymentId: string, row: number) => void
  readonly send: Send
  /** Resolves when it is worth to hand on a further row; undefined for at once. */
  readonly room?: () => Promise<void> | undefined
  /** Rows that may be handed out beyond the oldest that is not answered. */
  readonly window: number
  /** Takes no new rows from then on; the run itself ends so when it cannot go on. */
  readonly halt: AbortController
  /** Ends the run when so many have failed. */
  readonly isTooMany: (soFar: { readonly rows: number; readonly bad: number }) => boolean
  /** Rows to send at most, for a trial; undefined for all. */
  readonly most: number | undefined
  readonly clean: (text: string) => string
}

export interface RunResult {
  readonly counts: Counts
  readonly troubles: readonly ProblemRow[]
  /** Why it ended before the end of the input. */
  readonly ended: PayError | 'halted' | 'too-many-failures' | 'trial' | undefined
  /** The row that was one failure too many. */
  readonly stoppedBy: ProblemRow | undefined
  /** No row is answered, and none may have been done. */
  readonly isBlank: boolean
}

interface Parts {
  readonly report: Report
  readonly lanes: KeyedQueue
  readonly state: { why: RunResult['ended']; stoppedBy: ProblemRow | undefined }
}

/** Read, check, send, report: one stream. What is under way when it ends is waited for. */
export async function runRows(options: RunOptions): Promise<RunResult> {
  const { halt } = options
  const parts: Parts = {
    report: new Report(options),
    lanes: new KeyedQueue(),
    state: { why: undefined, stoppedBy: undefined },
  }
  const { report, lanes, state } = parts
  const onHalt = () => report.lookAgain()
  halt.signal.addEventListener('abort', onHalt)
  // What breaks off because nobody wants more is no damage of the input.
  const isAtEnd = await readAll(options, parts).catch((error: unknown) => {
    if (!halt.signal.aborted) state.why ??= asPayError(error)
    return false
  })
  await lanes.idle()
  halt.signal.removeEventListener('abort', onHalt)
  try {
    report.save(true)
  } catch (error) {
    // What was written last still holds.
    state.why ??= asPayError(error)
  }
  // A trial that was cut short is none.
  const isCut = state.why === 'trial' || state.why === undefined
  const ended = isCut && (report.waiting > 0 || (halt.signal.aborted && !isAtEnd)) ? 'halted' : state.why
  try {
    report.reportAhead()
  } catch (error) {
    state.why ??= asPayError(error)
  }
  const { counts, troubles, isBlank } = report
  return { counts, troubles, ended: ended ?? state.why, stoppedBy: state.stoppedBy, isBlank }
}

/** True when the end of the input was reached. */
async function readAll(options: RunOptions, parts: Parts): Promise<boolean> {
  const { from, journal, start, halt } = options
  const { report, state } = parts
  const place = from?.next ?? start
  const proof = new InputHash(start.byte)
  const seen = furthest(from?.seen, journal.seen)
  const chunks = verifiedChunks(options.chunks, place.byte, { proof, startByte: start.byte, seen })
  let row = from?.row ?? 0
  for await (const { bytes, startByte, records, problem } of options.records(chunks, place)) {
    // A record that was cut by the end is none.
    if (halt.signal.aborted) return false
    proof.take(bytes, startByte)
    report.see(proof.seen)
    for (const { cells, next } of records) {
      row += 1
      const read = options.rowOf(cells)
      if (!options.isOurs(read.paymentId, row)) continue
      if (options.most !== undefined && report.counts.rows + report.waiting >= options.most) {
        state.why ??= 'trial'
        return false
      }
      options.onRow(read.paymentId, row)
      handOn(options, parts, read, {
        row,
        paymentId: read.paymentId,
        cells: read.cells,
        next,
        isInDoubt: false,
        outcome: undefined,
      })
      while (report.waiting >= options.window && !halt.signal.aborted) await report.told()
      // Rows that only wait would cost memory, and the more time to keep the longer they wait.
      for (let room = options.room?.(); room !== undefined && !halt.signal.aborted; room = options.room?.())
        await room
      if (halt.signal.aborted) return false
    }
    if (problem !== undefined) {
      state.why ??= asPayError(problem)
      return false
    }
  }
  return !halt.signal.aborted
}

function handOn(options: RunOptions, parts: Parts, read: ReadRow, entry: Entry): void {
  const { journal, clean } = options
  const { prepared } = read
  parts.report.add(entry)
  const known = journal.answered.get(entry.row)
  if (known !== undefined) return finish(options, parts, entry, known)
  if (prepared === undefined) {
    const message = rejectReason(read.problems, clean)
    return finish(options, parts, entry, { outcome: 'failed', errorId: undefined, message, retries: 0 })
  }
  // Rows of one paymentId one after another: the last one in the file is what stays.
  parts.lanes.add(entry.paymentId, () => sendRow(options, parts, entry, prepared))
}

async function sendRow(
  options: RunOptions,
  parts: Parts,
  entry: Entry,
  prepared: PreparedRow,
): Promise<void> {
  try {
    finish(options, parts, entry, await options.send(prepared, new EntryWatch(options.journal, entry)))
  } catch (error) {
    if (!(error instanceof RowAbandoned)) end(options, parts, error)
  }
}

class EntryWatch implements RowWatch {
  readonly maybeSent: boolean
  readonly #journal: Journal
  readonly #entry: Entry

  constructor(journal: Journal, entry: Entry) {
    this.maybeSent = journal.maybeSent(entry.row)
    this.#journal = journal
    this.#entry = entry
  }

  starts(): void {
    this.#journal.start(this.#entry.row)
  }

  isInDoubt(): void {
    this.#entry.isInDoubt = true
  }
}

function finish(options: RunOptions, parts: Parts, entry: Entry, outcome: RowOutcome): void {
  const { report } = parts
  try {
    report.finish(entry, outcome)
  } catch (error) {
    end(options, parts, error)
    return
  }
  if (outcome.outcome === 'created' || !options.isTooMany(report.soFar)) return
  parts.state.stoppedBy ??= problemRowOf(entry, outcome)
  end(options, parts, 'too-many-failures')
}

function end({ halt }: RunOptions, { state }: Parts, why: unknown): void {
  if (state.why === undefined || state.why === 'trial')
    state.why = why === 'too-many-failures' ? why : asPayError(why)
  halt.abort()
}

const furthest = (one: InputDigest | undefined, other: InputDigest | undefined): InputDigest | undefined =>
  (other?.bytes ?? -1) > (one?.bytes ?? -1) ? other : one

const FEWER_FILES = 'Too many files are open. Use --concurrency 16, or allow more with ulimit -n.'

function asPayError(error: unknown): PayError {
  if (error instanceof RunStopped) return error.error
  if (error instanceof PayError) return error
  const message = error instanceof Error ? error.message : String(error)
  return error instanceof Error && 'code' in error
    ? new UsageError(`The state of the import cannot be kept: ${message}`, {
        code: 'unwritable_file',
        cause: error,
        ...(error.code === 'EMFILE' ? { hint: FEWER_FILES } : {}),
      })
    : new PayError('internal', EXIT.internal, `Unexpected error: ${message}`, { cause: error })
}
