import type { PayError } from '../../errors.ts'
import { problemRowOf } from '../keep/counts.ts'
import type { Counts, ProblemRow } from '../keep/counts.ts'
import type { NumberedBlock, NumberedRow, Recalled } from '../keep/recall.ts'
import type { Mark, RunStore } from '../keep/run-store.ts'
import type { PreparedRow } from '../map/row.ts'
import type { RowOutcome } from '../row-outcome.ts'
import { exceedsLimit } from '../send/failure-limit.ts'
import type { FailureLimit } from '../send/failure-limit.ts'
import { doRows } from '../send/row-loop.ts'
import type { Pace } from '../send/row-loop.ts'
import { rejectReason } from '../send/row-message.ts'
import { RowAbandoned, asPayError } from '../send/run-errors.ts'

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

export interface RunOptions extends Recalled {
  readonly store: RunStore
  readonly send: Send
  readonly pace: Pace
  /** The abort after which no new rows are taken. The run itself aborts when it cannot go on. */
  readonly halt: AbortController
  readonly maxFailures: FailureLimit | undefined
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

/** A part of the input: its end, once all its rows are taken, and how many of those have no outcome yet. */
interface Section {
  mark: Mark | undefined
  left: number
}

/** A row in flight, and its section. */
type Entry = readonly [row: NumberedRow, section: Section]

/** Rows with one ID are sent in order, because the last one in the file must win. */
const keyOf = ([{ read }]: Entry): string => read.id

/** Reads, checks, sends and remembers rows as one stream. Before it returns, it waits for the rows in flight. */
export async function runRows(options: RunOptions): Promise<RunResult> {
  const { halt, store, now, maxRows, clean } = options
  const stop = halt.signal
  const startedMs = now().getTime()
  /** The rows in flight that may have been applied without a response. */
  const doubts = new Set<number>()
  let inFlight = 0
  const counts: { -readonly [K in keyof Counts]: Counts[K] } = { ...store.counts }
  let readBytes = 1
  let isAtEnd = false
  let ended: RunResult['ended']
  let stoppedBy: ProblemRow | undefined
  /** The sections from the first one with a row that has no outcome. */
  const sections: Section[] = []

  const noteMarks = (): void => {
    while (sections[0]?.mark !== undefined && sections[0].left === 0) {
      store.noteMark(sections[0].mark)
      sections.shift()
    }
  }
  const endEarly = (reason: PayError | 'too-many-failures'): void => {
    if (ended === undefined || ended === 'trial') ended = reason
    halt.abort()
  }
  const unreadable = (error: unknown): void => {
    // After a halt, an error while reading the input doesn't matter.
    if (!stop.aborted) ended ??= asPayError(error)
  }

  async function* blocksOfRows(): AsyncGenerator<Iterable<Entry>> {
    try {
      for await (const block of options.blocks) {
        // The last record may have been cut by the halt.
        if (stop.aborted) return
        readBytes = block.seen.bytes
        store.noteRead(block.seen)
        yield entriesOf(block)
        if (ended === 'trial') return
        if (block.problem !== undefined) return unreadable(block.problem)
      }
      isAtEnd = !stop.aborted
    } catch (error) {
      unreadable(error)
    }
  }

  function* entriesOf({ rows, mark }: NumberedBlock): Generator<Entry> {
    const section: Section = { mark: undefined, left: 0 }
    sections.push(section)
    for (const row of rows) {
      if (maxRows !== undefined && counts.rows + inFlight >= maxRows) {
        ended ??= 'trial'
        return
      }
      inFlight += 1
      section.left += 1
      yield [row, section]
    }
    section.mark = mark()
    noteMarks()
  }

  async function work(entry: Entry): Promise<void> {
    if (stop.aborted) return
    const [{ row, read }] = entry
    const { prepared, problems } = read
    try {
      if (prepared === undefined) {
        const message = rejectReason(problems, clean)
        finish(entry, { outcome: 'failed', errorId: undefined, message, retries: 0 })
        return
      }
      const maybeSent = store.maybeSent(row)
      store.noteSent(row)
      const onDoubt = () => {
        doubts.add(row)
      }
      finish(entry, await options.send(prepared, { maybeSent, onDoubt }))
    } catch (error) {
      if (!(error instanceof RowAbandoned)) endEarly(asPayError(error))
    }
  }

  function finish([{ row, line, read, endByte }, section]: Entry, result: RowOutcome): void {
    const { outcome, errorId = '', message = errorId } = result
    try {
      const reject = outcome === 'failed' ? options.rejectLine(read.cells, message) : undefined
      store.noteDone({ row, line, id: read.id, ...result, reject })
    } catch (error) {
      // Nothing says that it is done, so another run sends it again.
      if (outcome !== 'failed' && outcome !== 'skipped') doubts.add(row)
      throw error
    }
    inFlight -= 1
    section.left -= 1
    noteMarks()
    doubts.delete(row)
    counts.rows += 1
    counts[outcome] += 1
    counts.retries += result.retries
    options.onProgress(counts, endByte / readBytes)
    const soFar = { answered: counts.rows, answeredFailedOrUnknown: counts.failed + counts.unknown }
    if (outcome === 'created' || !exceedsLimit(options.maxFailures, soFar)) return
    stoppedBy ??= problemRowOf({ row, line, id: read.id }, result)
    endEarly('too-many-failures')
  }

  await doRows({ rows: blocksOfRows(), keyOf, work, pace: options.pace, stop }).catch(unreadable)
  const isBlank = counts.rows === 0 && store.isFresh && doubts.size === 0
  let problemRows: readonly ProblemRow[] = []
  try {
    store.end([...doubts], (now().getTime() - startedMs) / 1000)
    problemRows = store.problemRows()
  } catch (error) {
    // What was saved last is still valid; the other rows are sent again.
    Object.assign(counts, store.counts)
    ended ??= asPayError(error)
  }
  // An interrupted trial counts as halted.
  const isCut = ended === 'trial' || ended === undefined
  if (isCut && (inFlight > 0 || (stop.aborted && !isAtEnd))) ended = 'halted'
  return { counts, problemRows, ended, stoppedBy, isBlank }
}
