import { openJournal } from '../bulk/keep/journal.ts'
import { recall } from '../bulk/keep/recall.ts'
import { openRowFile } from '../bulk/keep/row-files.ts'
import type { RowFile } from '../bulk/keep/row-files.ts'
import type { RowOutcome } from '../bulk/row-outcome.ts'
import { AdaptiveLimiter } from '../bulk/send/adaptive-limiter.ts'
import { exceedsLimit } from '../bulk/send/failure-limit.ts'
import { Patience } from '../bulk/send/patience.ts'
import { runRows } from '../bulk/send/run.ts'
import type { Answered, RunOptions, RunResult } from '../bulk/send/run.ts'
import { createSender } from '../bulk/send/sender.ts'
import type { SenderOptions } from '../bulk/send/sender.ts'
import type { RequestTarget } from '../calls/build.ts'
import { NO_COUNTS, OUTCOMES, isSuccess } from './counts.ts'
import { RESULTS_HEADER } from './output-files.ts'
import { createRecordOperation } from './record-operation.ts'
import type { RunState } from './run-state.ts'
import { isOursIn } from './settings.ts'
import type { ImportSettings } from './settings.ts'
import type { ImportSource } from './source.ts'

/** Services that commit writes in groups benefit from more than 32 requests at a time; fast services slow down beyond 64. */
const MAX_IN_FLIGHT = 64
/** For services whose response time hardly depends on the number of requests. */
const MAX_IN_FLIGHT_WHILE_STEADY = 256

/**
 * How many connections the requests may use. undici rests a connection for one turn of the event loop after each response; with
 * as many to spare, no request waits for that. A limit that the user set is one on connections too.
 */
export const connectionsFor = ({ concurrency }: ImportSettings): number =>
  concurrency ?? 2 * MAX_IN_FLIGHT_WHILE_STEADY

/** In rows. Large, so that one slow response doesn't hold up other rows. */
const WINDOW = 2048

export interface SendRowsOptions
  extends
    Omit<SenderOptions, 'operation' | 'limiter' | 'patience' | 'halt' | 'columnOf'>,
    Pick<RunOptions, 'onRow' | 'onProgress' | 'halt'> {
  readonly settings: ImportSettings
  readonly source: ImportSource
  readonly state: RunState
  readonly target: RequestTarget
  /** Waits, or until the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Sends the rows that have no outcome yet, up to the end of the input or the trial, or until `halt`. */
export async function sendRows(options: SendRowsOptions): Promise<RunResult> {
  const { settings, source, state, target, halt, abandon, clean } = options
  const { from } = state
  const limiter = new AdaptiveLimiter({
    now: () => options.now().getTime(),
    sleep: options.wait,
    concurrency: settings.concurrency,
    maxConcurrency: MAX_IN_FLIGHT,
    maxWhileSteady: MAX_IN_FLIGHT_WHILE_STEADY,
    rate: settings.rate,
  })
  const recheck = () => limiter.recheck()
  halt.signal.addEventListener('abort', recheck)
  abandon.addEventListener('abort', recheck)
  const send = createSender({
    ...options,
    operation: createRecordOperation(target, settings.onExists),
    limiter,
    patience: new Patience(settings.maxWaitMs, options.now),
    halt: halt.signal,
    columnOf: source.columnOf,
  })
  const journal = openJournal(state.journalPath, from, {
    isSentSynced: settings.onExists !== 'update',
    outcomes: OUTCOMES,
  })
  const rows = { rowOf: source.rowOf, isOurs: isOursIn(settings), onRow: options.onRow }
  let [results, rejects]: (RowFile | undefined)[] = []
  try {
    const chunks = source.input.from(source.start.byte)
    const blocks = await recall({ ...source, ...state, ...rows, chunks, journal, halt: halt.signal })
    results = openIfNamed(state.results, RESULTS_HEADER, from?.counts.rows)
    rejects = openIfNamed(state.rejects, source.rejects.header, from?.counts.failed)
    return await runRows({
      ...state,
      ...rows,
      blocks,
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
    limiter.close()
    for (const file of [journal, results, rejects]) closeQuietly(file)
  }
}

const openIfNamed = (path: string | undefined, header: string, kept: number | undefined) =>
  path === undefined ? undefined : openRowFile(path, header, kept)

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
