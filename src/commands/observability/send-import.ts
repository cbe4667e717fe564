import { csvLine } from '../../bulk/read/csv-line.ts'
import { runImport } from '../../bulk/send/run.ts'
import type { ImportEnd, ImportOptions } from '../../bulk/send/run.ts'
import { openJournal } from '../../bulk/keep/journal.ts'
import { AdaptiveLimiter } from '../../bulk/send/adaptive-limiter.ts'
import { createRepeatFinder } from '../../import/repeats.ts'
import type { RepeatFinder } from '../../import/repeats.ts'
import { openRowFile } from '../../bulk/keep/row-files.ts'
import { createSender } from '../../bulk/send/sender.ts'
import type { SenderOptions } from '../../bulk/row-outcome.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { takePlace } from './import-place.ts'
import type { ImportPlace } from './import-place.ts'
import { progressOn } from './import-progress.ts'
import type { Progress } from './import-progress.ts'
import { isOursIn, keptOf } from './import-settings.ts'
import type { ImportSettings } from './import-settings.ts'
import type { ImportSource } from './import-source.ts'

/** A service that makes many writes durable at once gains from more than 32; beyond this a fast one loses more. */
const MOST_CONNECTIONS = 64
/** Rows on their way beyond the oldest that is not answered: many, so that one slow answer holds up nobody. */
const WINDOW = 2048
const RESULT_COLUMNS = ['row', 'paymentId', 'outcome', 'errorId', 'message']

export interface SentImport extends ImportEnd {
  readonly seconds: number
  /** Has seen every row that this process has read. */
  readonly repeats: RepeatFinder
  /** Which row of a repeated paymentId stays. */
  readonly kept: 'first' | 'last'
}

/** Sends what is not sent yet; the same command resumes where it stops. `halt` takes no new rows. */
export async function sendAll(
  invocation: Invocation,
  settings: ImportSettings,
  source: ImportSource,
  halt: AbortController,
  repeats: RepeatFinder = createRepeatFinder(),
): Promise<SentImport> {
  const { context } = invocation
  const place = await takePlace(invocation, settings, source)
  const progress = progressOn(invocation, source.input)
  const tellWait = () =>
    progress.say(
      'Interrupted: no new rows are sent; waiting for those under way. Interrupt again to stop waiting.',
    )
  context.interruption.stop.addEventListener('abort', tellWait, { once: true })
  try {
    if (place.from !== undefined) await invocation.note(`Resuming after row ${place.from.row}.`)
    const account = await invocation.account()
    const connections = settings.concurrency ?? MOST_CONNECTIONS
    const transport = await context.connect(account, { connections })
    try {
      const startedMs = context.now().getTime()
      const run = { invocation, settings, source, halt, repeats, progress }
      const end = await runIn(place, run, await senderFor(run, transport))
      if (end.ended === undefined || end.isBlank) place.forget()
      if (!end.isBlank) invocation.markWritten()
      const seconds = (place.from?.seconds ?? 0) + (context.now().getTime() - startedMs) / 1000
      return { ...end, seconds, repeats, kept: keptOf(settings.onExists) }
    } finally {
      await progress.end()
      await transport.close()
    }
  } finally {
    context.interruption.stop.removeEventListener('abort', tellWait)
    place.giveBack()
  }
}

/** What belongs to one run of an import. */
interface Run {
  readonly invocation: Invocation
  readonly settings: ImportSettings
  readonly source: ImportSource
  readonly halt: AbortController
  readonly repeats: RepeatFinder
  readonly progress: Progress
}

async function senderFor(
  { invocation, settings, source: { columnOf }, halt, progress }: Run,
  transport: SenderOptions['transport'],
): Promise<Pick<ImportOptions, 'send' | 'room'>> {
  const { context } = invocation
  const { abandon } = context.interruption
  const account = await invocation.account()
  const sleep = (ms: number) => context.sleep(ms, abandon)
  const limiter = new AdaptiveLimiter({
    now: () => context.now().getTime(),
    sleep,
    concurrency: settings.concurrency,
    most: MOST_CONNECTIONS,
    rate: settings.rate,
  })
  const letGo = () => limiter.lookAgain()
  halt.signal.addEventListener('abort', letGo)
  abandon.addEventListener('abort', letGo)
  let isOddTold = false
  const send = createSender({
    transport,
    limiter,
    baseUrl: account.baseUrl.value,
    apiKey: account.apiKey?.value ?? '',
    apiVersion: account.apiVersion.value,
    userAgent: context.userAgent,
    timeoutMs: invocation.settings.timeoutMs,
    maxRetries: invocation.settings.maxRetries,
    onExists: settings.onExists,
    now: context.now,
    random: context.random,
    sleep,
    halt: halt.signal,
    abandon,
    clean: invocation.cleanWords,
    columnOf,
    onWait: (ms) => {
      if (ms >= LONG_WAIT_MS)
        progress.say(`The service asks to slow down. Waiting ${Math.ceil(ms / 1000)} s.`)
    },
    onOddAnswer: (status) => {
      if (!isOddTold)
        progress.say(
          `Warning: the service answers ${status} with something that is not a record. Is the base URL right?`,
        )
      isOddTold = true
    },
    onAttempt: invocation.settings.isVerbose ? invocation.reportAttempt : undefined,
  })
  return { send, room: () => limiter.room() }
}

/** A wait that is worth a word. */
const LONG_WAIT_MS = 3_000

async function runIn(
  place: ImportPlace,
  { invocation, settings, source, halt, repeats, progress }: Run,
  sender: Pick<ImportOptions, 'send' | 'room'>,
): Promise<ImportEnd> {
  const { from } = place
  const results = openIfNamed(place.results, csvLine(RESULT_COLUMNS), from?.resultsBytes)
  const rejects = openIfNamed(place.rejects, source.rejects.header, from?.rejectsBytes)
  const journal = openJournal(place.journalPath, from?.row ?? 0, {
    isSentSynced: settings.onExists !== 'update',
  })
  try {
    return await runImport({
      ...source,
      ...place,
      chunks: source.input.from(0),
      isOurs: isOursIn(settings),
      onRow: repeats.see,
      ...sender,
      journal,
      results,
      rejects,
      rejectLine: source.rejects.line,
      window: WINDOW,
      now: invocation.context.now,
      halt,
      isTooMany: tooMany(settings),
      onProgress: progress.show,
      most: settings.canary,
      clean: invocation.cleanWords,
    })
  } finally {
    for (const file of [journal, results, rejects]) closeQuietly(file)
  }
}

const openIfNamed = (path: string | undefined, header: string, keptBytes: number | undefined) =>
  path === undefined ? undefined : openRowFile(path, header, keptBytes)

/** What could not be written has been told by the write that met it, and is not counted on by any checkpoint. */
function closeQuietly(file: { readonly close: () => void } | undefined): void {
  try {
    file?.close()
  } catch {
    // See above.
  }
}

/** A share of a few rows says nothing yet. */
const FEWEST_FOR_SHARE = 100

const tooMany =
  ({ maxFailures }: ImportSettings) =>
  ({ rows, bad }: { readonly rows: number; readonly bad: number }): boolean => {
    if (maxFailures === undefined) return false
    return 'count' in maxFailures
      ? bad > maxFailures.count
      : rows >= FEWEST_FOR_SHARE && bad / rows > maxFailures.share
  }
