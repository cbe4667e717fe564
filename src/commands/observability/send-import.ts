import { createHash } from 'node:crypto'
import { join, resolve } from 'node:path'
import { readCheckpoint, removeCheckpoint } from '../../bulk/checkpoint.ts'
import type { Checkpoint } from '../../bulk/checkpoint.ts'
import type { Counts } from '../../bulk/counts.ts'
import { csvLine } from '../../bulk/csv-line.ts'
import { runImport } from '../../bulk/import-run.ts'
import type { ImportEnd } from '../../bulk/import-run.ts'
import { openJournal } from '../../bulk/journal.ts'
import { Pace } from '../../bulk/pace.ts'
import { openRowFile } from '../../bulk/row-files.ts'
import { createSender } from '../../bulk/sender.ts'
import { isInShard } from '../../bulk/shard.ts'
import type { Invocation } from '../../cli/invocation.ts'
import { UsageError } from '../../errors.ts'
import { makePrivateFolder } from '../../private-folder.ts'
import { progressOn } from './import-progress.ts'
import type { ImportSettings } from './import-settings.ts'
import type { ImportSource } from './import-source.ts'

const MOST_CONNECTIONS = 32
/** Rows on their way beyond the oldest that is not answered: many, so that one slow answer holds up nobody. */
const WINDOW = 2048

/** Sends what is not sent yet; the same command takes it up again where it stops. */
export async function sendAll(
  invocation: Invocation,
  settings: ImportSettings,
  source: ImportSource,
): Promise<ImportEnd & { readonly seconds: number }> {
  const { context } = invocation
  const account = await invocation.account()
  const { stop, abandon } = context.interruption
  const run = createHash('sha256')
    .update(JSON.stringify([source.input.size, source.reading, settings.onExists, settings.shard]))
    .update(JSON.stringify([account.baseUrl.value, account.apiKey?.value]))
    .update(source.input.head)
    .digest('hex')
    .slice(0, 32)
  const folder = join(context.stateFolder, 'imports')
  makePrivateFolder(folder)
  const checkpointPath = join(folder, `${run}.json`)
  const journalPath = join(folder, `${run}.journal`)
  const forget = () => {
    for (const path of [checkpointPath, journalPath]) removeCheckpoint(path)
  }
  if (settings.restart) forget()
  const from = readCheckpoint(checkpointPath)
  const resultsPath = pathOf(context.cwd, settings.results)
  const rejectsPath = pathOf(context.cwd, settings.rejects)
  if (from !== undefined) {
    refuseOtherFiles(from, resultsPath, rejectsPath)
    await invocation.note(`Going on behind row ${from.row}.`)
  }

  const transport = await context.connect(account, { connections: settings.concurrency ?? MOST_CONNECTIONS })
  const nowMs = () => context.now().getTime()
  const wait = (ms: number) => context.sleep(ms, abandon)
  const { timeoutMs, maxRetries } = invocation.settings
  const send = createSender({
    transport,
    pace: new Pace({
      now: nowMs,
      sleep: wait,
      concurrency: settings.concurrency,
      most: MOST_CONNECTIONS,
      rate: settings.rate,
    }),
    baseUrl: account.baseUrl.value,
    apiKey: account.apiKey?.value ?? '',
    apiVersion: account.apiVersion.value,
    userAgent: context.userAgent,
    timeoutMs,
    maxRetries,
    onExists: settings.onExists,
    now: context.now,
    random: context.random,
    sleep: wait,
    abandon,
  })
  const open = (path: string | undefined, header: readonly string[], bytes: number | undefined) =>
    path === undefined ? undefined : openRowFile(path, csvLine(header), bytes)
  const results = open(resultsPath, ['row', 'paymentId', 'outcome', 'errorId', 'message'], from?.resultsBytes)
  const rejects = open(rejectsPath, [...source.header, 'reason'], from?.rejectsBytes)
  const journal = openJournal(journalPath, from?.row ?? 0)
  const progress = progressOn(invocation, source.input)
  const started = nowMs()
  try {
    const end = await runImport({
      ...source,
      chunks: source.input.from(from?.blockByte ?? source.start.byte),
      isOurs: (paymentId, row) => isInShard(paymentId === '' ? `row ${row}` : paymentId, settings.shard),
      send,
      run,
      from,
      checkpointPath,
      journal,
      results,
      rejects,
      window: WINDOW,
      now: context.now,
      stop,
      abandon,
      isTooMany: tooMany(settings),
      onProgress: progress.show,
      most: settings.canary,
    })
    if (end.ended === undefined) forget()
    return { ...end, seconds: (from?.seconds ?? 0) + (nowMs() - started) / 1000 }
  } finally {
    journal.close()
    results?.close()
    rejects?.close()
    await progress.end()
    await transport.close()
  }
}

const pathOf = (cwd: string, path: string | undefined): string | undefined =>
  path === undefined ? undefined : resolve(cwd, path)

/** Half of the rows told of here and half there would be no account of anything. */
function refuseOtherFiles(from: Checkpoint, results: string | undefined, rejects: string | undefined): void {
  if (from.results === (results ?? null) && from.rejects === (rejects ?? null)) return
  const words = [
    ...(from.results === null ? [] : [`--results ${from.results}`]),
    ...(from.rejects === null ? [] : [`--rejects ${from.rejects}`]),
  ]
  throw new UsageError(
    `This import was begun with ${words.length === 0 ? 'neither --results nor --rejects' : words.join(' ')}`,
    {
      code: 'results_changed',
      outcome: 'none',
      hint: 'Use the same ones to go on, or start over with --restart',
    },
  )
}

const tooMany =
  ({ maxFailures }: ImportSettings) =>
  ({ failed, unknown, rows }: Counts): boolean => {
    if (maxFailures === undefined) return false
    const bad = failed + unknown
    // A share of a few rows says nothing yet.
    return 'count' in maxFailures ? bad > maxFailures.count : rows >= 100 && bad / rows > maxFailures.share
  }
