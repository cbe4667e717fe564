import { destinationAt } from '../keep/output-files.ts'
import { recall } from '../keep/recall.ts'
import { openRowFile, writeOutputs } from '../keep/row-files.ts'
import type { OutputLines } from '../keep/row-files.ts'
import { safeCell } from '../keep/safe-cell.ts'
import { csvLines } from '../read/csv-line.ts'
import { createLeftOutTally } from '../left-out.ts'
import type { LeftOutCount } from '../left-out.ts'
import { startPace } from '../send/paced-transport.ts'
import type { PacedOptions } from '../send/paced-transport.ts'
import { PayError } from '../../errors.ts'
import { runRows } from './run-rows.ts'
import type { RunOptions, RunResult } from './run-rows.ts'
import { createSender } from './send-record.ts'
import type { SenderOptions } from './send-record.ts'
import { RESULTS_HEADER, formsOf } from './run-state.ts'
import type { RunState } from './run-state.ts'
import { isOursIn } from './settings.ts'
import type { ImportSettings } from './settings.ts'
import type { ImportSource } from './source.ts'

/** The most requests at a time. Services that commit in groups benefit from more than 32; fast services slow down beyond 64. */
const MAX_IN_FLIGHT = 64
/** The most requests for services whose response time hardly depends on their number. */
const MAX_IN_FLIGHT_WHILE_STEADY = 256

/**
 * How many connections the requests may use. undici rests a connection for one turn of the event loop after each response; with
 * as many to spare, no request waits for that. A limit that the user set is one on connections too.
 */
export const connectionsFor = ({ concurrency }: ImportSettings): number =>
  concurrency ?? 2 * MAX_IN_FLIGHT_WHILE_STEADY

/** The rows in flight: many, so that one slow response doesn't hold up other rows. */
const WINDOW = 2048

export interface SendRowsOptions
  extends
    Omit<SenderOptions, 'onExists' | 'patience' | 'interruption' | 'columnOf'>,
    Pick<PacedOptions, 'onWait'>,
    Pick<RunOptions, 'onProgress' | 'halt'> {
  readonly settings: ImportSettings
  readonly source: ImportSource
  readonly state: RunState
  /** The signal after which requests in flight are not awaited either. */
  readonly abandon: AbortSignal
}

/** Sends the rows that have no outcome yet, up to the end of the input or the trial, or until `halt`. */
export async function sendRows(
  options: SendRowsOptions,
): Promise<RunResult & { readonly leftOut: readonly LeftOutCount[] }> {
  const { settings, source, halt, abandon, clean } = options
  const { store } = options.state
  const pace = startPace({
    ...options,
    sleep: (ms, signal) => options.sleep(ms, signal, 'for the service'),
    concurrency: settings.concurrency,
    maxConcurrency: MAX_IN_FLIGHT,
    maxWhileSteady: MAX_IN_FLIGHT_WHILE_STEADY,
    rate: settings.rate,
    maxWaitMs: settings.maxWaitMs,
    signals: [halt.signal, abandon],
  })
  const send = createSender({
    ...options,
    transport: pace.over(options.transport),
    onExists: settings.onExists,
    patience: pace.patience,
    // A row in doubt is repeated after a halt, but not once the run is abandoned.
    sleep: (ms) => options.sleep(ms, abandon, 'before the next attempt'),
    interruption: { stop: halt.signal, abandon },
    columnOf: source.columnOf,
  })
  const leftOut = createLeftOutTally()
  try {
    const recalled = await recall({
      ...source,
      chunks: source.input.from(source.start.byte),
      isOurs: isOursIn(settings),
      store,
      leftOut,
      halt: halt.signal,
    })
    beginOutputs(options)
    const result = await runRows({
      ...recalled,
      store,
      send,
      // Don't read ahead of the sender: waiting rows take up memory and burden the garbage collector.
      pace: { window: WINDOW, whenReady: pace.whenDrained },
      rejectLine: source.rejects.line,
      now: options.now,
      halt,
      maxFailures: settings.maxFailures,
      onProgress: options.onProgress,
      maxRows: settings.canary,
      clean,
    })
    return { ...(await writtenOut(options, result)), leftOut: leftOut.all() }
  } finally {
    pace.end()
  }
}

/** Removes what an earlier run has written. A stream gets everything at the end. */
function beginOutputs({ source, state: { results, rejects } }: SendRowsOptions): void {
  const files = [
    [results, RESULTS_HEADER],
    [rejects, source.rejects.header],
  ] as const
  for (const [path, header] of files)
    if (path !== undefined && destinationAt(path) !== 'stream') openRowFile(path, header).close()
}

/** Writes the outputs, in the order of the input. If they are incomplete, the run has not ended: the same command writes them again. */
async function writtenOut(options: SendRowsOptions, result: RunResult): Promise<RunResult> {
  try {
    await writeOutputs(options.state, formsOf(options.source), linesOf(options))
    return result
  } catch (error) {
    if (error instanceof PayError && (result.ended === undefined || result.ended === 'trial'))
      return { ...result, ended: error }
    throw error
  }
}

function* linesOf({ state: { store }, clean }: SendRowsOptions): Generator<OutputLines> {
  for (const rows of store.rows())
    yield {
      result: csvLines(
        rows.map(({ row, id, outcome, errorId = '', message = '' }) => [
          row,
          safeCell(id, clean),
          outcome,
          errorId,
          message,
        ]),
      ),
      reject: rows.map(({ reject = '' }) => reject).join(''),
    }
}
