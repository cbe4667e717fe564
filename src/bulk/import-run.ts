import { createHash } from 'node:crypto'
import { blocksOf } from './blocks.ts'
import type { Block } from './blocks.ts'
import { writeCheckpoint } from './checkpoint.ts'
import type { Checkpoint } from './checkpoint.ts'
import { NO_COUNTS, counted } from './counts.ts'
import type { Counts } from './counts.ts'
import { csvLine } from './csv-line.ts'
import type { Journal } from './journal.ts'
import type { Prepared, RowProblem } from './prepare.ts'
import type { RowFile } from './row-files.ts'
import { UsageError } from '../errors.ts'
import { RunStopped } from './sender.ts'
import type { RowOutcome } from './sender.ts'

/** A record of the input as read: what can be sent, or why not, and how it came. */
export interface ReadRow {
  /** The paymentId as it stands there, if only to know whose row it is. */
  readonly paymentId: string
  readonly prepared: Prepared | undefined
  readonly problems: readonly RowProblem[]
  /** For the rejects. */
  readonly cells: readonly string[]
}

export interface ImportOptions {
  readonly chunks: AsyncIterable<Uint8Array>
  readonly hasQuotes: boolean
  /** The rows of a block; what cannot be read ends the run behind them. */
  readonly rowsOf: (block: Block) => { readonly rows: readonly ReadRow[]; readonly problem: Error | undefined }
  readonly isOurs: (paymentId: string, row: number) => boolean
  readonly send: (row: Prepared, maybeSent: boolean) => Promise<RowOutcome>
  readonly run: string
  readonly from: Checkpoint | undefined
  /** Where the rows begin: behind the header. */
  readonly start: { readonly byte: number; readonly line: number }
  readonly checkpointPath: string
  readonly journal: Journal
  readonly results: RowFile | undefined
  readonly rejects: RowFile | undefined
  /** Rows that may be handed out beyond the oldest that is not answered. */
  readonly window: number
  readonly now: () => Date
  readonly stop: AbortSignal
  readonly abandon: AbortSignal
  /** Ends the run when so many have failed. */
  readonly isTooMany: (counts: Counts) => boolean
  readonly onProgress: (counts: Counts, bytes: number) => void
  /** Rows to send at most, for a trial; undefined for all. */
  readonly most: number | undefined
}

export interface ImportEnd {
  readonly counts: Counts
  /** Why it ended before the end of the input. */
  readonly ended: Error | 'stopped' | 'too-many-failures' | 'trial' | undefined
}

const CHECKPOINT_MS = 1_000

/** One row on its way, in file order. */
interface Entry {
  readonly row: number
  readonly cells: readonly string[]
  readonly paymentId: string
  outcome: RowOutcome | undefined
  readonly place: Place
}

interface Place {
  readonly blockByte: number
  readonly blockLine: number
  readonly rowsOfBlock: number
  readonly before: string
}

/** Read, check, send, report: one stream, in which rows are answered in any order and told of in the file's. */
export async function runImport(options: ImportOptions): Promise<ImportEnd> {
  const { journal, from } = options
  const startedMs = options.now().getTime()
  let counts: Counts = from?.counts ?? NO_COUNTS
  let row = from?.row ?? 0
  let done: Place | undefined
  let doneRow = row
  let savedMs = startedMs
  let failure: Error | undefined
  const queue: Entry[] = []
  let head = 0
  let [wakeReader, wakeDrain] = [() => {}, () => {}]
  const lanes = new Map<string, Promise<void>>()
  let underway = 0

  const save = (inDoubtUpTo?: number) => {
    if (done === undefined) return
    writeCheckpoint(options.checkpointPath, {
      version: 1,
      run: options.run,
      ...done,
      row: doneRow,
      resultsBytes: options.results?.sync() ?? 0,
      rejectsBytes: options.rejects?.sync() ?? 0,
      counts,
      seconds: (from?.seconds ?? 0) + (options.now().getTime() - startedMs) / 1000,
    })
    journal.startAnew(
      queue.slice(head).flatMap((entry) => (entry.outcome === undefined ? [] : [[entry.row, entry.outcome]])),
      inDoubtUpTo,
    )
    savedMs = options.now().getTime()
  }

  /** Tells of what is answered, as far as everything before it is. */
  const tell = () => {
    let told = false
    for (let entry = queue[head]; entry?.outcome !== undefined; entry = queue[head]) {
      head += 1
      told = true
      const { outcome, errorId, message, retries } = entry.outcome
      counts = counted(counts, outcome, retries)
      doneRow = entry.row
      done = entry.place
      options.results?.add(csvLine([entry.row, entry.paymentId, outcome, errorId ?? '', message ?? '']))
      if (outcome === 'failed') options.rejects?.add(csvLine([...entry.cells, message ?? errorId ?? '']))
    }
    if (!told) return
    if (head > 1024) {
      queue.splice(0, head)
      head = 0
    }
    if (options.now().getTime() - savedMs >= CHECKPOINT_MS) save()
    options.onProgress(counts, done?.blockByte ?? 0)
    wakeReader()
  }

  const finish = (entry: Entry, outcome: RowOutcome) => {
    entry.outcome = outcome
    if (!journal.answered.has(entry.row)) journal.answer(entry.row, outcome)
    tell()
  }

  /** Rows of one paymentId one after another, in the file's order. */
  const hand = (entry: Entry, prepared: Prepared) => {
    underway += 1
    const work = async () => {
      try {
        if (failure === undefined)
          finish(entry, await options.send(prepared, entry.row <= journal.handedOut))
      } catch (error) {
        failure ??= error instanceof RunStopped ? error.error : error instanceof Error ? error : new Error(String(error))
        wakeReader()
      } finally {
        underway -= 1
        if (underway === 0) wakeDrain()
      }
    }
    const before = lanes.get(entry.paymentId)
    const lane = before === undefined ? work() : before.then(work)
    lanes.set(entry.paymentId, lane)
    void lane.then(() => {
      if (lanes.get(entry.paymentId) === lane) lanes.delete(entry.paymentId)
    })
  }

  const ended = await read().catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))))
  if (underway > 0)
    await new Promise<void>((resolve) => {
      wakeDrain = resolve
    })
  tell()
  // All that was under way has ended: only what was given up can still be done behind our back.
  save(options.abandon.aborted ? undefined : 0)
  return { counts, ended: failure ?? ended }

  async function read(): Promise<ImportEnd['ended']> {
    const startByte = from?.blockByte ?? options.start.byte
    const startLine = from?.blockLine ?? options.start.line
    let skip = from?.rowsOfBlock ?? 0
    let isFirst = true
    row -= skip
    for await (const block of blocksOf(options.chunks, { hasQuotes: options.hasQuotes, startByte, startLine })) {
      const { rows, problem } = options.rowsOf(block)
      const before = firstLineHash(block)
      if (from !== undefined && isFirst && before !== from.before) throw otherInput()
      isFirst = false
      journal.handOut(row + rows.length)
      for (const [index, read] of rows.entries()) {
        row += 1
        if (skip > 0) {
          skip -= 1
          continue
        }
        const why = whyToEnd()
        if (why !== undefined) return why
        const { paymentId } = read
        if (!options.isOurs(paymentId, row)) continue
        const place = { blockByte: block.startByte, blockLine: block.startLine, rowsOfBlock: index + 1, before }
        const entry: Entry = { row, cells: read.cells, paymentId, outcome: undefined, place }
        queue.push(entry)
        const known = journal.answered.get(row)
        if (known !== undefined) finish(entry, known)
        else if (read.prepared === undefined) finish(entry, unfit(read.problems))
        else hand(entry, read.prepared)
        while (queue.length - head >= options.window && failure === undefined)
          await new Promise<void>((resolve) => {
            wakeReader = resolve
          })
      }
      if (problem !== undefined) return problem
    }
    return undefined
  }

  function whyToEnd(): ImportEnd['ended'] {
    if (failure !== undefined) return failure
    if (options.stop.aborted) return 'stopped'
    if (options.isTooMany(counts)) return 'too-many-failures'
    if (options.most !== undefined && queue.length - head + counts.rows >= options.most) return 'trial'
    return undefined
  }
}

/** Of the block's first line: a block begins with the same one however the input came in pieces. */
export const firstLineHash = ({ bytes }: Block): string => {
  const end = bytes.indexOf('\n')
  const line = bytes.subarray(0, Math.min(end === -1 ? bytes.length : end, 4096))
  return createHash('sha256').update(line).digest('hex').slice(0, 16)
}

const otherInput = () =>
  new UsageError('The input is not the one that this run began with: what stands there has changed', {
    code: 'input_changed',
    outcome: 'none',
    hint: 'Start over with --restart',
  })

const unfit = (problems: readonly RowProblem[]): RowOutcome => ({
  outcome: 'failed',
  errorId: undefined,
  message: problems
    .map(({ column, kind }) => (column === undefined ? `the row ${kind}` : `${column} ${kind}`))
    .join('; '),
  retries: 0,
})
