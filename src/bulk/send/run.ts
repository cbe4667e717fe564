import { EXIT, PayError, UsageError } from '../../errors.ts'
import { problemRowOf } from '../keep/counts.ts'
import type { Counts, ProblemRow } from '../keep/counts.ts'
import type { Journal } from '../keep/journal.ts'
import type { NumberedBlock, RecallOptions } from '../keep/recall.ts'
import { Report } from '../keep/report.ts'
import type { Entry, ReportOptions } from '../keep/report.ts'
import type { InputRow, PreparedRow } from '../map/row.ts'
import type { RowOutcome } from '../row-outcome.ts'
import { KeyedQueue } from './keyed-queue.ts'
import { rejectReason } from './row-message.ts'
import { RowAbandoned, RunStopped } from './run-errors.ts'
import type { RowWatch, Send } from './sender.ts'

export interface RunOptions extends ReportOptions, Pick<RecallOptions, 'rowOf' | 'isOurs' | 'onRow'> {
  /** The input after the checkpoint. */
  readonly blocks: AsyncIterable<NumberedBlock>
  readonly send: Send
  /** Resolves when the sender can take another row; undefined if it can now. */
  readonly whenReady?: () => Promise<void> | undefined
  /** How many rows may be in flight or waiting to be reported. */
  readonly window: number
  /** Takes no new rows after an abort. The run itself aborts it when it cannot go on. */
  readonly halt: AbortController
  /** Whether the run stops after a row with this outcome. */
  readonly isTooMany: (outcome: RowOutcome, soFar: Answered) => boolean
  /** The number of rows to send in a trial; undefined for all. */
  readonly maxRows: number | undefined
}

/** How many rows have an outcome, including those of earlier runs, and how many of these have failed or are unknown. */
export interface Answered {
  readonly answered: number
  readonly answeredFailedOrUnknown: number
}

export interface RunResult {
  readonly counts: Counts
  readonly problemRows: readonly ProblemRow[]
  /** Why the run ended before the end of the input. */
  readonly ended: PayError | 'halted' | 'too-many-failures' | 'trial' | undefined
  /** The row that was one failure too many. */
  readonly stoppedBy: ProblemRow | undefined
  /** Whether no row has an outcome and none may have been applied. */
  readonly isBlank: boolean
}

interface Run {
  readonly report: Report
  readonly queue: KeyedQueue
  readonly state: { ended: RunResult['ended']; stoppedBy: ProblemRow | undefined }
}

/** Reads, checks, sends and reports rows as one stream. Before it returns, it waits for the rows in flight. */
export async function runRows(options: RunOptions): Promise<RunResult> {
  const { halt } = options
  const run: Run = {
    report: new Report(options),
    queue: new KeyedQueue(),
    state: { ended: undefined, stoppedBy: undefined },
  }
  const { report, queue, state } = run
  const onHalt = () => report.wake()
  halt.signal.addEventListener('abort', onHalt)
  // After a halt, an error while reading the input doesn't matter.
  const isAtEnd = await readAll(options, run).catch((error: unknown) => {
    if (!halt.signal.aborted) state.ended ??= asPayError(error)
    return false
  })
  await queue.whenIdle()
  halt.signal.removeEventListener('abort', onHalt)
  try {
    report.save(true)
  } catch (error) {
    // The checkpoint that was written last is still valid.
    state.ended ??= asPayError(error)
  }
  // An interrupted trial counts as halted.
  const isCut = state.ended === 'trial' || state.ended === undefined
  const ended = isCut && (report.waiting > 0 || (halt.signal.aborted && !isAtEnd)) ? 'halted' : state.ended
  try {
    report.reportAhead()
  } catch (error) {
    state.ended ??= asPayError(error)
  }
  const { counts, problemRows, isBlank } = report
  return { counts, problemRows, ended: ended ?? state.ended, stoppedBy: state.stoppedBy, isBlank }
}

/** Resolves to true if the end of the input was reached. */
async function readAll(options: RunOptions, run: Run): Promise<boolean> {
  const { halt } = options
  const { report, state } = run
  for await (const { rowsBefore, records, seen, problem } of options.blocks) {
    // The last record may have been cut by the halt.
    if (halt.signal.aborted) return false
    report.noteRead(seen)
    let row = rowsBefore
    for (const { cells, next } of records) {
      row += 1
      const read = options.rowOf(cells)
      if (!options.isOurs(read.id, row)) continue
      if (read.isLeftOut === true) {
        report.leaveOut()
        continue
      }
      if (options.maxRows !== undefined && report.counts.rows + report.waiting >= options.maxRows) {
        state.ended ??= 'trial'
        return false
      }
      options.onRow(read.id, row)
      dispatch(options, run, read, {
        row,
        id: read.id,
        cells: read.cells,
        next,
        isInDoubt: false,
        outcome: undefined,
      })
      while (report.waiting >= options.window && !halt.signal.aborted) await report.whenReported()
      // Don't read ahead of the sender: waiting rows take up memory and burden the garbage collector.
      for (
        let ready = options.whenReady?.();
        ready !== undefined && !halt.signal.aborted;
        ready = options.whenReady?.()
      )
        await ready
      if (halt.signal.aborted) return false
    }
    if (problem !== undefined) {
      state.ended ??= asPayError(problem)
      return false
    }
  }
  return !halt.signal.aborted
}

function dispatch(options: RunOptions, run: Run, { prepared, problems }: InputRow, entry: Entry): void {
  run.report.add(entry)
  const known = options.journal.answered.get(entry.row)
  if (known !== undefined) return finish(options, run, entry, known)
  if (prepared === undefined) {
    const message = rejectReason(problems, options.clean)
    return finish(options, run, entry, { outcome: 'failed', errorId: undefined, message, retries: 0 })
  }
  // In order for rows with the same ID, because the last one in the file must win.
  run.queue.add(entry.id, () => sendRow(options, run, entry, prepared))
}

async function sendRow(options: RunOptions, run: Run, entry: Entry, prepared: PreparedRow): Promise<void> {
  try {
    finish(options, run, entry, await options.send(prepared, new EntryWatch(options.journal, entry)))
  } catch (error) {
    if (!(error instanceof RowAbandoned)) stop(options, run, error)
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

  onStart(): void {
    this.#journal.noteSent(this.#entry)
  }

  onDoubt(): void {
    this.#entry.isInDoubt = true
  }
}

function finish(options: RunOptions, run: Run, entry: Entry, outcome: RowOutcome): void {
  const { report, state } = run
  try {
    report.finish(entry, outcome)
  } catch (error) {
    stop(options, run, error)
    return
  }
  if (!options.isTooMany(outcome, report)) return
  state.stoppedBy ??= problemRowOf(entry, outcome)
  stop(options, run, 'too-many-failures')
}

function stop({ halt }: RunOptions, { state }: Run, reason: unknown): void {
  if (state.ended === undefined || state.ended === 'trial')
    state.ended = reason === 'too-many-failures' ? reason : asPayError(reason)
  halt.abort()
}

const TOO_MANY_FILES = 'Too many files are open. Use --concurrency 16, or allow more with ulimit -n.'

function asPayError(error: unknown): PayError {
  if (error instanceof RunStopped) return error.error
  if (error instanceof PayError) return error
  const message = error instanceof Error ? error.message : String(error)
  return error instanceof Error && 'code' in error
    ? new UsageError(`The state of this run cannot be saved: ${message}`, {
        code: 'unwritable_file',
        cause: error,
        ...(error.code === 'EMFILE' ? { hint: TOO_MANY_FILES } : {}),
      })
    : new PayError('internal', EXIT.internal, `Unexpected error: ${message}`, { cause: error })
}
