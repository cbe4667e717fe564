import type { PayError } from '../../errors.ts'
import { problemRowOf } from '../keep/counts.ts'
import type { Counts, ProblemRow } from '../keep/counts.ts'
import type { NumberedBlock, RecallOptions, Recalled } from '../keep/recall.ts'
import type { RunStore } from '../keep/run-store.ts'
import type { InputRow, PreparedRow } from '../map/row.ts'
import type { RowOutcome } from '../row-outcome.ts'
import { KeyedQueue } from './keyed-queue.ts'
import { rejectReason } from './row-message.ts'
import { RowAbandoned, asPayError } from './run-errors.ts'

/** The facts about a row that the sender and the run tell each other. */
interface RowWatch {
  /** Whether an earlier run may have sent the row without getting a response. */
  readonly maybeSent: boolean
  /** Called when an attempt may have been done without a response. */
  readonly onDoubt: () => void
}

/**
 * Sends a row until it has an outcome.
 * @throws {RowAbandoned} if the run was stopped first; {@link RunStopped} if no row can be sent
 */
export type Send = (row: PreparedRow, watch: RowWatch) => Promise<RowOutcome>

export interface RunOptions extends Recalled, Pick<RecallOptions, 'rowOf' | 'isOurs' | 'leftOut'> {
  readonly store: RunStore
  readonly send: Send
  /** Resolves when the sender can take another row; undefined if it can now. */
  readonly whenReady?: () => Promise<void> | undefined
  /** How many rows may be in flight. */
  readonly window: number
  /** The abort after which no new rows are taken. The run itself aborts when it cannot go on. */
  readonly halt: AbortController
  /** Whether the run stops after a row with this outcome. */
  readonly isTooMany: (outcome: RowOutcome, soFar: Answered) => boolean
  /** The number of rows to send in a trial; undefined for all. */
  readonly maxRows: number | undefined
  /** The line for a row that failed, with the reason. */
  readonly rejectLine: (cells: readonly string[], reason: string) => string
  /** Makes text safe and masks secrets. */
  readonly clean: (text: string) => string
  readonly now: () => Date
  /** Called with the progress. `share`: the part of the input read so far that is done, from 0 to 1. */
  readonly onProgress: (counts: Counts, share: number) => void
}

/** The number of rows with an outcome, including those of earlier runs, and of those that have failed or are unknown. */
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

/** A row in flight. */
interface Entry {
  readonly row: number
  readonly line: number
  readonly id: string
  readonly cells: readonly string[]
  /** The byte where the row ends in the input. */
  readonly endByte: number
  isInDoubt: boolean
}

interface Run {
  readonly queue: KeyedQueue
  readonly inFlight: Set<Entry>
  readonly counts: { -readonly [K in keyof Counts]: Counts[K] }
  readBytes: number
  ended: RunResult['ended']
  stoppedBy: ProblemRow | undefined
  onDone: () => void
}

/** Reads, checks, sends and remembers rows as one stream. Before it returns, it waits for the rows in flight. */
export async function runRows(options: RunOptions): Promise<RunResult> {
  const { halt, store, now } = options
  const startedMs = now().getTime()
  const run: Run = {
    queue: new KeyedQueue(),
    inFlight: new Set(),
    counts: { ...store.counts },
    readBytes: 1,
    ended: undefined,
    stoppedBy: undefined,
    onDone: () => undefined,
  }
  const { queue, inFlight, counts } = run
  const onHalt = () => run.onDone()
  halt.signal.addEventListener('abort', onHalt)
  // After a halt, an error while reading the input doesn't matter.
  const isAtEnd = await readAll(options, run).catch((error: unknown) => {
    if (!halt.signal.aborted) run.ended ??= asPayError(error)
    return false
  })
  await queue.whenIdle()
  halt.signal.removeEventListener('abort', onHalt)
  const doubts = [...inFlight].filter(({ isInDoubt }) => isInDoubt).map(({ row }) => row)
  const isBlank = counts.rows === 0 && store.isFresh && doubts.length === 0
  let problemRows: readonly ProblemRow[] = []
  try {
    store.end(doubts, (now().getTime() - startedMs) / 1000)
    problemRows = store.problemRows()
  } catch (error) {
    // What was saved last is still valid; the other rows are sent again.
    Object.assign(counts, store.counts)
    run.ended ??= asPayError(error)
  }
  // An interrupted trial counts as halted.
  const isCut = run.ended === 'trial' || run.ended === undefined
  const ended = isCut && (inFlight.size > 0 || (halt.signal.aborted && !isAtEnd)) ? 'halted' : run.ended
  return { counts, problemRows, ended, stoppedBy: run.stoppedBy, isBlank }
}

/** Resolves to true if the end of the input was reached. */
async function readAll(options: RunOptions, run: Run): Promise<boolean> {
  for await (const block of options.blocks) {
    // The last record may have been cut by the halt.
    if (options.halt.signal.aborted) return false
    run.readBytes = block.seen.bytes
    options.store.noteRead(block.seen)
    if (!(await takeAll(options, run, block))) return false
    if (block.problem !== undefined) {
      run.ended ??= asPayError(block.problem)
      return false
    }
  }
  return !options.halt.signal.aborted
}

/** Resolves to false if no more rows are to be taken. */
async function takeAll(options: RunOptions, run: Run, { records, rowAt }: NumberedBlock): Promise<boolean> {
  const { halt } = options
  const { counts, inFlight } = run
  for (const [index, { cells, line, next }] of records.entries()) {
    const row = rowAt(index)
    const read = options.rowOf(cells)
    if (!options.isOurs(read.id, row)) continue
    if (read.leftOut !== undefined) {
      options.leftOut.note(read.leftOut)
      continue
    }
    if (options.maxRows !== undefined && counts.rows + inFlight.size >= options.maxRows) {
      run.ended ??= 'trial'
      return false
    }
    dispatch(options, run, read, {
      row,
      line,
      id: read.id,
      cells: read.cells,
      endByte: next.byte,
      isInDoubt: false,
    })
    while (inFlight.size >= options.window && !halt.signal.aborted) await whenDone(run)
    // Don't read ahead of the sender: waiting rows take up memory and burden the garbage collector.
    for (
      let ready = options.whenReady?.();
      ready !== undefined && !halt.signal.aborted;
      ready = options.whenReady?.()
    )
      await ready
    if (halt.signal.aborted) return false
  }
  return true
}

/** Resolves when a row is done, or on a halt. */
const whenDone = (run: Run): Promise<void> =>
  new Promise((resolve) => {
    run.onDone = resolve
  })

function dispatch(options: RunOptions, run: Run, { prepared, problems }: InputRow, entry: Entry): void {
  run.inFlight.add(entry)
  if (prepared === undefined) {
    const message = rejectReason(problems, options.clean)
    return finish(options, run, entry, { outcome: 'failed', errorId: undefined, message, retries: 0 })
  }
  // In order for rows with the same ID, because the last one in the file must win.
  run.queue.add(entry.id, () => sendRow(options, run, entry, prepared))
}

async function sendRow(options: RunOptions, run: Run, entry: Entry, prepared: PreparedRow): Promise<void> {
  try {
    const { store, halt } = options
    if (halt.signal.aborted) return
    const maybeSent = store.maybeSent(entry.row)
    store.noteSent(entry.row)
    const onDoubt = () => {
      entry.isInDoubt = true
    }
    finish(options, run, entry, await options.send(prepared, { maybeSent, onDoubt }))
  } catch (error) {
    if (!(error instanceof RowAbandoned)) stop(options, run, error)
  }
}

function finish(options: RunOptions, run: Run, entry: Entry, result: RowOutcome): void {
  const { counts, inFlight } = run
  const { outcome, errorId = '', message = errorId } = result
  try {
    const reject = outcome === 'failed' ? options.rejectLine(entry.cells, message) : undefined
    options.store.noteDone({ row: entry.row, line: entry.line, id: entry.id, ...result, reject })
  } catch (error) {
    // Nothing says that it is done, so another run sends it again.
    if (outcome !== 'failed' && outcome !== 'skipped') entry.isInDoubt = true
    stop(options, run, error)
    return
  }
  inFlight.delete(entry)
  counts.rows += 1
  counts[outcome] += 1
  counts.retries += result.retries
  options.onProgress(counts, entry.endByte / run.readBytes)
  run.onDone()
  const soFar = { answered: counts.rows, answeredFailedOrUnknown: counts.failed + counts.unknown }
  if (!options.isTooMany(result, soFar)) return
  run.stoppedBy ??= problemRowOf(entry, result)
  stop(options, run, 'too-many-failures')
}

function stop({ halt }: RunOptions, run: Run, reason: unknown): void {
  if (run.ended === undefined || run.ended === 'trial')
    run.ended = reason === 'too-many-failures' ? reason : asPayError(reason)
  halt.abort()
}
