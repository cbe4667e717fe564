import { createHash } from 'node:crypto'
import { UsageError } from '../errors.ts'
import { blocksOf } from './blocks.ts'
import type { Block } from './blocks.ts'
import type { Counts } from './counts.ts'
import { Lanes } from './lanes.ts'
import type { Prepared, RowProblem } from './prepare.ts'
import { Report } from './report.ts'
import type { Entry, ReportOptions } from './report.ts'
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

/** The rows of a block; where one cannot be read, those before it and the reason. */
export type RowsOf = (block: Block) => {
  readonly rows: readonly ReadRow[]
  readonly problem: Error | undefined
}

export interface ImportOptions extends ReportOptions {
  readonly chunks: AsyncIterable<Uint8Array>
  readonly hasQuotes: boolean
  readonly rowsOf: RowsOf
  readonly isOurs: (paymentId: string, row: number) => boolean
  readonly send: (row: Prepared, maybeSent: boolean) => Promise<RowOutcome>
  /** Where the rows begin: behind the header. */
  readonly start: { readonly byte: number; readonly line: number }
  /** Rows that may be handed out beyond the oldest that is not answered. */
  readonly window: number
  readonly stop: AbortSignal
  readonly abandon: AbortSignal
  /** Ends the run when so many have failed. */
  readonly isTooMany: (counts: Counts) => boolean
  /** Rows to send at most, for a trial; undefined for all. */
  readonly most: number | undefined
}

export interface ImportEnd {
  readonly counts: Counts
  /** Why it ended before the end of the input. */
  readonly ended: Error | 'stopped' | 'too-many-failures' | 'trial' | undefined
}

/** Read, check, send, report: one stream. What is under way when it ends is waited for. */
export async function runImport(options: ImportOptions): Promise<ImportEnd> {
  const report = new Report(options)
  const lanes = new Lanes()
  const run: { failure?: Error } = {}
  const ended = await readAll(options, { report, lanes, run }).catch(errorOf)
  await lanes.idle()
  // All that was under way has ended: only what was given up can still be done behind our back.
  report.save(options.abandon.aborted ? undefined : 0)
  return { counts: report.counts, ended: run.failure ?? ended }
}

interface Parts {
  readonly report: Report
  readonly lanes: Lanes
  /** What ends the run for every row. */
  readonly run: { failure?: Error }
}

async function readAll(options: ImportOptions, parts: Parts): Promise<ImportEnd['ended']> {
  const { from, journal } = options
  const { report, run } = parts
  const startByte = from?.blockByte ?? options.start.byte
  const startLine = from?.blockLine ?? options.start.line
  let skip = from?.rowsOfBlock ?? 0
  let row = (from?.row ?? 0) - skip
  let isFirst = true
  for await (const block of blocksOf(options.chunks, {
    hasQuotes: options.hasQuotes,
    startByte,
    startLine,
  })) {
    const { rows, problem } = options.rowsOf(block)
    const before = firstLineHash(block)
    if (isFirst && from !== undefined && before !== from.before) throw otherInput()
    isFirst = false
    journal.handOut(row + rows.length)
    for (const [index, read] of rows.entries()) {
      row += 1
      if (skip > 0) {
        skip -= 1
        continue
      }
      const why = whyToEnd(options, parts)
      if (why !== undefined) return why
      if (!options.isOurs(read.paymentId, row)) continue
      const place = { blockByte: block.startByte, blockLine: block.startLine, rowsOfBlock: index + 1, before }
      handOn(
        options,
        parts,
        { row, paymentId: read.paymentId, cells: read.cells, place, outcome: undefined },
        read,
      )
      while (report.waiting >= options.window && run.failure === undefined) await report.told()
    }
    if (problem !== undefined) return problem
  }
  return undefined
}

function handOn(options: ImportOptions, { report, lanes, run }: Parts, entry: Entry, read: ReadRow): void {
  const { journal } = options
  const { prepared } = read
  report.add(entry)
  const known = journal.answered.get(entry.row)
  if (known !== undefined) return report.finish(entry, known)
  if (prepared === undefined) return report.finish(entry, unfit(read.problems))
  // Rows of one paymentId one after another: the last one in the file is what stays.
  lanes.add(entry.paymentId, async () => {
    if (run.failure !== undefined) return
    try {
      report.finish(entry, await options.send(prepared, entry.row <= journal.handedOut))
    } catch (error) {
      run.failure ??= error instanceof RunStopped ? error.error : errorOf(error)
      report.lookAgain()
    }
  })
}

function whyToEnd(options: ImportOptions, { report, run }: Parts): ImportEnd['ended'] {
  const { counts } = report
  if (run.failure !== undefined) return run.failure
  if (options.stop.aborted) return 'stopped'
  if (options.isTooMany(counts)) return 'too-many-failures'
  return options.most !== undefined && counts.rows + report.waiting >= options.most ? 'trial' : undefined
}

/** Of the block's first line: a block begins with the same one however the input came in pieces. */
function firstLineHash({ bytes }: Block): string {
  const end = bytes.indexOf('\n')
  const line = bytes.subarray(0, Math.min(end === -1 ? bytes.length : end, 4096))
  return createHash('sha256').update(line).digest('hex').slice(0, 16)
}

const unfit = (problems: readonly RowProblem[]): RowOutcome => ({
  outcome: 'failed',
  errorId: undefined,
  message: problems
    .map(({ column, kind }) => (column === undefined ? `the row ${kind}` : `${column} ${kind}`))
    .join('; '),
  retries: 0,
})

const otherInput = () =>
  new UsageError('The input is not the one that this run began with: what stands there has changed', {
    code: 'input_changed',
    outcome: 'none',
    hint: 'Start over with --restart',
  })

const errorOf = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))
