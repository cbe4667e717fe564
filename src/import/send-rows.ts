import { openJournal } from '../bulk/keep/journal.ts'
import { openRowFile } from '../bulk/keep/row-files.ts'
import { csvLine } from '../bulk/read/csv-line.ts'
import type { RowOutcome } from '../bulk/row-outcome.ts'
import { AdaptiveLimiter } from '../bulk/send/adaptive-limiter.ts'
import { exceedsLimit } from '../bulk/send/failure-limit.ts'
import { runRows } from '../bulk/send/run.ts'
import type { Answered, RunOptions, RunResult } from '../bulk/send/run.ts'
import { createSender } from '../bulk/send/sender.ts'
import type { SenderOptions } from '../bulk/send/sender.ts'
import type { RequestTarget } from '../calls/build.ts'
import { NO_COUNTS, isSuccess } from './counts.ts'
import { createRecordOperation } from './record-operation.ts'
import type { RunState } from './run-state.ts'
import { isOursIn } from './settings.ts'
import type { ImportSettings } from './settings.ts'
import type { ImportSource } from './source.ts'

/** Services that commit writes in groups benefit from more than 32 connections; fast services slow down beyond 64. */
export const MAX_CONNECTIONS = 64
/** In rows. Large, so that one slow response doesn't hold up other rows. */
const WINDOW = 2048
const RESULT_COLUMNS = ['row', 'paymentId', 'outcome', 'errorId', 'message']

export interface SendRowsOptions
  extends
    Omit<SenderOptions, 'operation' | 'limiter' | 'halt' | 'columnOf'>,
    Pick<RunOptions, 'onRow' | 'onProgress' | 'halt'> {
  readonly settings: ImportSettings
  readonly source: ImportSource
  readonly state: RunState
  readonly target: RequestTarget
}

/** Sends the rows that have no outcome yet, up to the end of the input or the trial, or until `halt`. */
export async function sendRows(options: SendRowsOptions): Promise<RunResult> {
  const { settings, source, state, target, halt, abandon, clean } = options
  const { from } = state
  const limiter = new AdaptiveLimiter({
    now: () => options.now().getTime(),
    sleep: options.sleep,
    concurrency: settings.concurrency,
    maxConcurrency: MAX_CONNECTIONS,
    rate: settings.rate,
  })
  const recheck = () => limiter.recheck()
  halt.signal.addEventListener('abort', recheck)
  abandon.addEventListener('abort', recheck)
  const send = createSender({
    ...options,
    operation: createRecordOperation(target, settings.onExists),
    limiter,
    halt: halt.signal,
    columnOf: source.columnOf,
  })
  const results = openIfNamed(state.results, csvLine(RESULT_COLUMNS), from?.resultsBytes)
  const rejects = openIfNamed(state.rejects, source.rejects.header, from?.rejectsBytes)
  const journal = openJournal(state.journalPath, from?.row ?? 0, {
    isSentSynced: settings.onExists !== 'update',
  })
  try {
    return await runRows({
      ...source,
      ...state,
      chunks: source.input.from(0),
      isOurs: isOursIn(settings),
      onRow: options.onRow,
      send,
      whenReady: () => limiter.whenDrained(),
      journal,
      results,
      rejects,
      rejectLine: source.rejects.line,
      noCounts: NO_COUNTS,
      isSuccess,
      window: WINDOW,
      now: options.now,
      halt,
      isTooMany: failureLimit(settings),
      onProgress: options.onProgress,
      maxRows: settings.canary,
      clean,
    })
  } finally {
    for (const file of [journal, results, rejects]) closeQuietly(file)
  }
}

const openIfNamed = (path: string | undefined, header: string, keptBytes: number | undefined) =>
  path === undefined ? undefined : openRowFile(path, header, keptBytes)

/** The write that failed has reported the error, and no checkpoint counts on what is missing. */
function closeQuietly(file: { readonly close: () => void } | undefined): void {
  try {
    file?.close()
  } catch {
    // See above.
  }
}

const failureLimit =
  ({ maxFailures }: ImportSettings) =>
  ({ outcome }: RowOutcome, answered: Answered): boolean =>
    outcome !== 'created' && exceedsLimit(maxFailures, answered)
