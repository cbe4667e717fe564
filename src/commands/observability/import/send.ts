import type { DoneRow, KeptTimes } from '../../../rows/keep/run-store.ts'
import { targetOf } from '../../../cli/command/request-target.ts'
import type { Invocation } from '../../../cli/command/invocation.ts'
import { identityOf } from '../../../client/config/resolve-account.ts'
import type { Repeats } from '../../../rows/keep/repeats.ts'
import type { ImportResult } from '../../../rows/import/run-problem.ts'
import { openRunState } from '../../../rows/import/run-state.ts'
import { connectionsFor, sendRows } from '../../../rows/import/send-rows.ts'
import type { SendRowsOptions } from '../../../rows/import/send-rows.ts'
import { decidingRow } from '../../../rows/import/settings.ts'
import type { ImportSettings } from '../../../rows/import/settings.ts'
import type { ImportSource } from '../../../rows/import/source.ts'
import { groupThousands, pluralize } from '../../../text/words.ts'
import { progressOn } from '../../row-progress.ts'
import type { Progress } from '../../row-progress.ts'

export interface SentImport extends ImportResult {
  readonly seconds: number
  /** Repeats among the rows that are done, including those of earlier runs. */
  readonly repeats: Repeats
  /** The updated rows, likewise, whose records keep another createdAt. */
  readonly keptTimes: KeptTimes
  /** Which row with a repeated paymentId counts. */
  readonly kept: 'first' | 'last'
}

interface SendOptions {
  /** Once aborted, no new rows are taken. */
  readonly halt: AbortController
  /** Called with each row that is done, in the order of the input, including those of earlier runs. */
  readonly onDone?: (row: DoneRow) => void
}

/** Sends the rows that have no outcome yet; the same command resumes where this stops. */
export async function sendImport(
  invocation: Invocation,
  settings: ImportSettings,
  source: ImportSource,
  { halt, onDone }: SendOptions,
): Promise<SentImport> {
  const { context } = invocation
  const { stop, abandon } = context.interruption
  const account = await invocation.account()
  await context.program.keepHeapSmall?.({ isFast: true })
  const state = openRunState({
    settings,
    source,
    cwd: context.cwd,
    stateFolder: context.stateFolder,
    uid: context.uid,
    baseUrl: account.baseUrl.value,
    account: identityOf(account),
  })
  const progress = progressOn(invocation, source.input)
  const onStop = () =>
    progress.printAbove(
      'Interrupted: sending no new rows, waiting for those in flight. Interrupt again to stop waiting.',
    )
  stop.addEventListener('abort', onStop, { once: true })
  try {
    const { store } = state
    if (!store.isFresh) await invocation.note(`Resuming: ${rowsDone(store.counts.rows)}.`)
    const transport = await context.connect(account, { connections: connectionsFor(settings) })
    try {
      const startedMs = context.now().getTime()
      const result = await sendRows({
        settings,
        source,
        state,
        target: targetOf(account, context),
        transport,
        timeoutMs: invocation.settings.timeoutMs,
        maxRetries: invocation.settings.maxRetries,
        now: context.now,
        random: context.random,
        sleep: context.sleep,
        halt,
        abandon,
        clean: invocation.cleanText,
        onProgress: (...done) => {
          invocation.markWritten()
          progress.show(...done)
        },
        ...createWarnings(progress),
        onAttempt: (log) => invocation.reportAttempt(log, progress.printAbove),
      })
      if (!result.isBlank) invocation.markWritten()
      const [repeats, keptTimes] = [store.repeats(), store.keptTimes()]
      if (onDone !== undefined) for (const rows of store.rows()) for (const row of rows) onDone(row)
      if (result.ended === undefined || result.isBlank) store.remove()
      const seconds = store.seconds + (context.now().getTime() - startedMs) / 1000
      return { ...result, seconds, repeats, keptTimes, kept: decidingRow(settings.onExists) }
    } finally {
      await progress.end()
      await transport.close()
    }
  } finally {
    stop.removeEventListener('abort', onStop)
    state.release()
  }
}

const rowsDone = (count: number): string => `${pluralize(groupThousands(count), 'row is', 'rows are')} done`

function createWarnings(progress: Progress): Pick<SendRowsOptions, 'onWait' | 'onInvalidSuccess'> {
  let hasWarned = false
  return {
    onWait: progress.announceWait,
    onInvalidSuccess: (status) => {
      if (!hasWarned)
        progress.printAbove(
          `Warning: the service responds with ${status} and something that is not a record. Check the base URL.`,
        )
      hasWarned = true
    },
  }
}
