import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createExternalPayment } from '../../api/operations/observability.ts'
import { readCheckpoint, removeCheckpoint } from '../../bulk/checkpoint.ts'
import type { Counts } from '../../bulk/counts.ts'
import { csvLine } from '../../bulk/csv-line.ts'
import { DELIMITER_NAMES } from '../../bulk/csv.ts'
import { runImport } from '../../bulk/import-run.ts'
import type { ImportEnd } from '../../bulk/import-run.ts'
import { openFile, openStream } from '../../bulk/input.ts'
import { openJournal } from '../../bulk/journal.ts'
import { Pace } from '../../bulk/pace.ts'
import { readTable } from '../../bulk/read-table.ts'
import { openRowFile } from '../../bulk/row-files.ts'
import { createSender } from '../../bulk/sender.ts'
import { isInShard } from '../../bulk/shard.ts'
import { confirmOrRefuse } from '../../cli/confirm.ts'
import type { CommandInput } from '../../cli/input.ts'
import type { Invocation } from '../../cli/invocation.ts'
import { keepLimits } from '../../cli/keep-limits.ts'
import { paymentReader } from '../../cli/payment-reader.ts'
import { resultOf } from '../../cli/result.ts'
import type { Result } from '../../cli/result.ts'
import { EXIT, PayError } from '../../errors.ts'
import { importSummaryView } from '../../views/import-summary.ts'
import { readImportSettings } from './import-settings.ts'
import type { ImportSettings } from './import-settings.ts'
import { progressOn } from './import-progress.ts'

const MOST_CONNECTIONS = 32
const WINDOW = 2048

export async function runImportCommand(invocation: Invocation, input: CommandInput): Promise<Result> {
  const { context } = invocation
  const settings = readImportSettings(input, context.env)
  const account = await invocation.account()
  const draft = { params: {}, query: {}, body: undefined, money: undefined }
  const source =
    settings.path === '-'
      ? await openStream(context.stdin.chunks(), 'stdin')
      : await openFile(resolve(context.cwd, settings.path), settings.path)
  const table = readTable(source.head, settings.words, { ...settings, delimiter: undefined })
  await invocation.note(`Read as CSV with ${DELIMITER_NAMES[table.delimiter]}s between its columns.`)
  if (table.plan.ignored.length > 0)
    await invocation.warn(`Columns that go nowhere: ${table.plan.ignored.join(', ')}.`)
  if (invocation.settings.mode === 'dry-run') throw new Error('the dry run is not there yet')
  await keepLimits(invocation, createExternalPayment, draft, paymentReader(invocation, draft))
  await confirmOrRefuse(invocation, createExternalPayment, { draft, amountMinor: undefined, currencyCode: undefined })

  const run = createHash('sha256')
    .update(JSON.stringify([source.size, table.plan.fields, settings.amounts, settings.assumesUtc, settings.onExists]))
    .update(JSON.stringify([settings.shard, account.baseUrl.value, account.apiKey?.value]))
    .update(source.head)
    .digest('hex')
    .slice(0, 32)
  const folder = join(context.stateFolder, 'imports')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const checkpointPath = join(folder, `${run}.json`)
  const journalPath = join(folder, `${run}.journal`)
  if (settings.restart) for (const path of [checkpointPath, journalPath]) removeCheckpoint(path)
  const from = readCheckpoint(checkpointPath)
  if (from !== undefined) await invocation.note(`Going on behind row ${from.row}.`)

  const transport = await context.connect(account, { connections: MOST_CONNECTIONS })
  const now = () => context.now().getTime()
  const wait = (ms: number) => context.sleep(ms, context.interruption.abandon)
  const pace = new Pace({ now, sleep: wait, concurrency: settings.concurrency, most: MOST_CONNECTIONS, rate: settings.rate })
  const send = createSender({
    transport,
    pace,
    baseUrl: account.baseUrl.value,
    apiKey: account.apiKey?.value ?? '',
    apiVersion: account.apiVersion.value,
    userAgent: context.userAgent,
    timeoutMs: invocation.settings.timeoutMs,
    maxRetries: invocation.settings.maxRetries,
    onExists: settings.onExists,
    now: context.now,
    random: context.random,
    sleep: wait,
    stop: context.interruption.stop,
    abandon: context.interruption.abandon,
  })
  const open = (path: string | undefined, header: readonly string[], bytes: number | undefined) =>
    path === undefined ? undefined : openRowFile(resolve(context.cwd, path), csvLine(header), bytes)
  const results = open(settings.results, ['row', 'paymentId', 'outcome', 'errorId', 'message'], from?.resultsBytes)
  const rejects = open(settings.rejects, [...table.plan.header, 'reason'], from?.rejectsBytes)
  const journal = openJournal(journalPath, from?.row ?? 0)
  const progress = progressOn(invocation, source)
  const started = now()
  let end: ImportEnd
  try {
    end = await runImport({
      chunks: source.from(from?.blockByte ?? table.start.byte),
      hasQuotes: true,
      rowsOf: table.rowsOf,
      isOurs: (paymentId, row) => isInShard(paymentId === '' ? `row ${row}` : paymentId, settings.shard),
      send,
      run,
      from,
      start: table.start,
      checkpointPath,
      journal,
      results,
      rejects,
      window: WINDOW,
      now: context.now,
      stop: context.interruption.stop,
      abandon: context.interruption.abandon,
      isTooMany: tooMany(settings),
      onProgress: progress.show,
      most: undefined,
    })
  } finally {
    journal.close()
    results?.close()
    rejects?.close()
    await progress.end()
    await transport.close()
  }
  if (end.ended === undefined) for (const path of [checkpointPath, journalPath]) removeCheckpoint(path)
  return resultWith(end, (from?.seconds ?? 0) + (now() - started) / 1000)
}

const tooMany =
  ({ maxFailures }: ImportSettings) =>
  ({ failed, unknown, rows }: Counts): boolean => {
    if (maxFailures === undefined) return false
    const bad = failed + unknown
    // A share of a few rows says nothing yet.
    return 'count' in maxFailures ? bad > maxFailures.count : rows >= 100 && bad / rows > maxFailures.share
  }

function resultWith({ counts, ended }: ImportEnd, seconds: number): Result {
  if (ended instanceof PayError && counts.rows === 0) throw ended
  const isWhole = ended === undefined && counts.failed + counts.skipped + counts.unknown === 0
  const summary = {
    ...counts,
    seconds: Math.round(seconds * 10) / 10,
    ...(ended === undefined ? {} : { ended: ended instanceof Error ? ended.message : ended }),
  }
  return resultOf(summary, importSummaryView, isWhole ? EXIT.done : EXIT.bulk)
}
