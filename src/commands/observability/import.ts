import type { CommandSpec, CommandRun } from '../../cli/command/spec.ts'
import { EXIT, PayError, isInterruption, interruptedBy, UsageError } from '../../errors.ts'
import { READY_MAPPINGS } from '../../rows/import/ready-mappings.ts'
import {
  MAX_FAILURES_FLAG,
  MAX_WAIT_FLAG,
  PACE_FLAGS,
  readMaxFailures,
  readMaxWaitMs,
  readPace,
} from '../file-settings.ts'
import { REJECTS_FLAG_NAMES, TABLE_FLAGS, TABLE_FLAG_NAMES, skippingNone } from '../table-flags.ts'
import { createExternalPayment } from '../../api/operations/observability.ts'
import { refuseOwnFolders } from '../../rows/keep/output-files.ts'
import { valuesLine, yamlLists } from '../../rows/map/row-warnings.ts'
import type { RowWarning, RowWarnings } from '../../rows/map/row-warnings.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { Result } from '../../cli/command/result.ts'
import { confirmOrRefuse } from '../../cli/guard/confirm.ts'
import { refuseForbidden } from '../../cli/request/amount.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import type { Draft } from '../../cli/command/draft.ts'
import { countsInWords } from '../../rows/keep/counts.ts'
import type { Repeats } from '../../rows/keep/repeats.ts'
import type { KeptTimes } from '../../rows/keep/run-store.ts'
import { isRateLimited, runError, rowProblem } from '../../rows/import/run-problem.ts'
import type { ImportAdvice, ImportResult } from '../../rows/import/run-problem.ts'
import type { ImportSettings } from '../../rows/import/settings.ts'
import type { ImportSource } from '../../rows/import/source.ts'
import { repeatWords, repeatsSentence } from '../../views/import/repeats.ts'
import type { ImportRepeats } from '../../views/import/repeats.ts'
import { shownLeftOut, leftOutRows, leftOutSentence } from '../../views/import/left-out.ts'
import { haltOnInterrupt } from '../halt-on-interrupt.ts'
import { checkImport, mapThem } from './import/check.ts'
import { sendImport } from './import/send.ts'
import type { SentImport } from './import/send.ts'
import type { LeftOutCount } from '../../rows/left-out.ts'
import type { Counts } from '../../rows/keep/counts.ts'
import { renderDetails } from '../../output/details.ts'
import type { Detail } from '../../output/details.ts'
import { safeText } from '../../output/safe-text.ts'
import type { View } from '../../output/view.ts'
import { capitalize, groupThousands, pluralize } from '../../text/words.ts'
import { accountFlagsOf, flagWords } from '../../cli/command/flag-words.ts'
import { fileWord, shellWord } from '../../files/shell.ts'
import { shownUrl } from '../../client/config/sandbox-url.ts'
import { checkRows } from '../../rows/import/check-rows.ts'
import { isOursIn } from '../../rows/import/settings.ts'
import { createTotals } from '../../rows/import/totals.ts'
import type { Total } from '../../rows/import/totals.ts'
import { progressOn } from '../row-progress.ts'
import { formatMoney } from '../../money/format.ts'
import { renderGrid } from '../../output/grid.ts'
import { plainPaint } from '../../output/paint.ts'
import type { OpenedRows } from '../../rows/read/open-rows.ts'
import { checkRecord } from './check-record.ts'
import { RECORD } from '../../rows/import/record-fields.ts'
import { noteTable, openTable } from '../open-table.ts'
import { WHOLE } from '../../rows/read/shard.ts'
import type { Shard } from '../../rows/read/shard.ts'
import type { Context } from '../../cli/command/context.ts'
import { switchFlag, textFlag } from '../../cli/command/input.ts'
import { parseCount } from '../../cli/parse/count.ts'
import { ON_EXISTS } from '../../rows/import/send-record.ts'
import { oneOf } from '../../cli/parse/choices.ts'
import { readTableSettings } from '../table-settings.ts'

export const command: CommandSpec = {
  path: ['observability', 'import'],
  summary: 'Record many payments made elsewhere, from CSV or NDJSON',
  details: [
    'Column names are field paths: paymentId, currencyCode, processor.name, amount, createdAt, order.id, paymentMethod.paymentMethodType, metadata.KEY and the other fields of a record (pay observability template prints a header). For other column names, use --map, --const or --mapping; pay observability template FILE suggests a mapping. For exports, --mapping takes stripe-balance, stripe-payments, adyen-settlement, shopify-orders or paypal-activity.',
    'Refuses ambiguous values, such as 1.234 or a time in the hour that repeats when clocks go back.',
    'After an interruption or a crash, the same command resumes where it stopped. Existing records are updated unless --on-exists says otherwise. --dry-run checks every row, reports repeated paymentIds, writes --rejects and sends nothing.',
  ].join('\n\n'),
  examples: [
    { purpose: 'check the file first', line: 'pay --sandbox observability import payments.csv --dry-run' },
    {
      purpose: 'save the outcome of each row, and the failed rows to correct',
      line: 'pay --sandbox observability import payments.csv --results results.csv --rejects rejects.csv',
    },
    {
      purpose: 'a file with other column names, in major units',
      line: 'pay --sandbox observability import orders.csv --map paymentId=id --map amount=total --const processor.name=ACME --amounts major',
    },
    {
      purpose: 'an export of Stripe',
      line: 'pay --sandbox observability import balance.csv --mapping stripe-balance',
    },
    {
      purpose: 'a file from a German spreadsheet',
      line: 'pay --sandbox observability import tabelle.csv --encoding windows-1252 --amounts major --decimal-comma --date-format "dd.MM.yyyy HH:mm" --timezone Europe/Berlin',
    },
  ],
  args: [{ name: 'FILE', from: 'file', help: 'CSV or NDJSON, plain or gzip; - for stdin' }],
  flags: {
    ...TABLE_FLAGS,
    mapping: { ...TABLE_FLAGS.mapping, suggestions: Object.keys(READY_MAPPINGS) },
    'on-exists': {
      kind: 'text',
      value: 'WHAT',
      choices: ['update', 'skip', 'fail'],
      help: 'For existing records: update (default), skip or fail',
    },
    ...PACE_FLAGS,
    'max-failures': MAX_FAILURES_FLAG,
    'max-wait': MAX_WAIT_FLAG,
    canary: {
      kind: 'count',
      value: 'N',
      help: 'Send N rows, show their outcome, and ask before sending the rest',
    },
    results: { kind: 'text', value: 'FILE', from: 'file', help: 'Write the outcome of each row, as CSV' },
    rejects: {
      kind: 'text',
      value: 'FILE',
      from: 'file',
      help: 'Write the failed rows with the reason, to correct and import again',
    },
    restart: { kind: 'switch', help: 'Start over instead of resuming an earlier run' },
    shard: { kind: 'text', value: 'K/N', help: 'Import part K of N, for N parallel processes' },
    shards: { kind: 'count', value: 'N', help: 'Number of parts; JOB_COMPLETION_INDEX selects one' },
  },
  confirm: ({ args }) =>
    `Import ${args['ROWS'] === undefined ? '' : `${args['ROWS']} from `}${args['FILE'] === '-' ? 'stdin' : args['FILE']}`,
  supportsDryRun: true,
  resumes: true,
  run: runImportCommand,
  risk: 'write',
  asksOnLive: true,
  effect:
    "Creates and updates records for the dashboards; moves no money. You can change records, but you can't remove them.",
  exitCodes: [
    EXIT.rejected,
    EXIT.auth,
    EXIT.conflict,
    EXIT.rateLimited,
    EXIT.notConnected,
    EXIT.bulk,
    EXIT.interrupted,
  ],
  related: ['observability template', 'observability push', 'observability update'],
}

async function runImportCommand(invocation: CommandRun, input: CommandInput): Promise<Result> {
  const settings = readImportSettings(invocation.context, input)
  const { results, rejects } = settings
  refuseOwnFolders({ '--results': results, '--rejects': rejects }, invocation.context)
  const halt = haltOnInterrupt(invocation)
  if (invocation.settings.mode === 'dry-run')
    return checkImport(invocation, settings, await openImportSource(invocation, settings, halt.signal))
  await invocation.account()
  await refuseForbidden(invocation, createExternalPayment)
  const source = await openImportSource(invocation, settings, halt.signal)
  await warnAboutForeseen(invocation, source.foreseen)
  await confirmImport(invocation, settings, source)
  const first = await sendImport(invocation, settings, source, { halt })
  const last = first.ended === 'trial' ? await sendTheRest(invocation, settings, first) : first
  const sent = isRateLimited(last.ended)
    ? { ...last, left: await leftAfter(invocation, settings, source, last) }
    : last
  await warnAboutRows(invocation, source.rowWarnings)
  await noteFiles(invocation, settings, sent)
  return resultOfImport(invocation, sent, adviceAfter(invocation, settings, sent))
}

/** How many rows are left. Reads the input once more, since it was not read to its end. */
async function leftAfter(
  invocation: Invocation,
  settings: ImportSettings,
  source: ImportSource,
  { counts }: SentImport,
): Promise<ImportResult['left']> {
  const preview = await previewOf(invocation, settings, source)
  return preview && { ...preview, rows: Math.max(0, preview.rows - counts.rows) }
}

/** The draft for guards and the question; an import has no single request. */
const draftOf = (params: Draft['params']): Draft => ({
  params,
  query: {},
  body: undefined,
  money: undefined,
})

/** Asks whether to import; on a live account, after a preview. */
async function confirmImport(
  invocation: CommandRun,
  settings: ImportSettings,
  source: ImportSource,
): Promise<void> {
  const { mode } = await invocation.account()
  const isAsked = mode.value === 'live' && invocation.isInteractive && !invocation.settings.assumesYes
  const preview = isAsked ? await previewOf(invocation, settings, source) : undefined
  if (preview?.rows === 0) return
  if (isAsked) await showPreview(invocation, settings, preview)
  await confirmOrRefuse(invocation, createExternalPayment, {
    draft: draftOf({
      FILE: settings.path,
      ...(preview === undefined ? {} : { ROWS: describeRowCount(preview) }),
    }),
    amountMinor: undefined,
    currencyCode: undefined,
  })
}

export async function warnAboutRows(invocation: Invocation, rowWarnings: RowWarnings): Promise<void> {
  for (const { text, count } of rowWarnings.all())
    await invocation.warn(`Warning: ${invocation.cleanText(text)}${count === 1 ? '' : ` (${count} rows)`}`)
}

const MAX_SHOWN_REPEATS = 3

async function warnAboutRepeats(
  invocation: Invocation,
  repeats: Repeats,
  kept: ImportRepeats['kept'],
): Promise<void> {
  const { count, first } = repeats
  if (count === 0) return
  const named = [
    ...first.slice(0, MAX_SHOWN_REPEATS).map(repeatWords),
    ...(first.length > MAX_SHOWN_REPEATS ? ['others'] : []),
  ]
  const sentence = `${repeatsSentence({ count, kept })}: ${named.join(', ')}`
  await invocation.warn(`Warning: ${invocation.cleanText(sentence)}`)
}

/** Shows the outcome of the trial, and sends the rest once you confirm. */
async function sendTheRest(
  invocation: Invocation,
  settings: ImportSettings,
  trial: SentImport,
): Promise<SentImport> {
  const { warn, cleanText } = invocation
  await warn(
    `Of the first ${trial.counts.rows === 1 ? 'row' : `${trial.counts.rows} rows`}: ${countsInWords(trial.counts)}.`,
  )
  for (const { path, description } of trial.problemRows.map(rowProblem))
    await warn(`  ${cleanText(path)} ${cleanText(description)}`)
  if (!invocation.settings.assumesYes && !(await confirmsTheRest(invocation))) return trial
  const halt = haltOnInterrupt(invocation)
  const rest = { ...settings, canary: undefined, restart: false }
  return sendImport(invocation, rest, await reopenImportSource(invocation, rest), { halt })
}

async function confirmsTheRest({ isInteractive, prompts: open }: Invocation): Promise<boolean> {
  if (!isInteractive) return false
  const prompts = await open()
  return prompts.confirm({ sentence: 'Send the rest?' }).catch((error: unknown) => {
    if (isInterruption(error)) return false
    throw error
  })
}

const keptWords = ({ count }: KeptTimes): string =>
  `${pluralize(groupThousands(count), 'updated record keeps', 'updated records keep')} another createdAt than ${count === 1 ? 'its row' : 'their rows'}`

async function warnAboutKeptTimes(invocation: Invocation, kept: KeptTimes): Promise<void> {
  if (kept.count === 0) return
  const examples = kept.first.map(({ row, id, message = '' }) => `row ${row} (${id}): ${message}`)
  await invocation.warn(
    invocation.cleanText(`Warning: ${keptWords(kept)}; the service never changes it: ${examples.join('; ')}`),
  )
}

const timesKept = (kept: KeptTimes): PayError =>
  new PayError('created_at_kept', EXIT.bulk, capitalize(keptWords(kept)), {
    operation: createExternalPayment.id,
    hint: 'Their other fields are updated. If that is what you want, add --on-exists update.',
  })

/** The result of a run: one that sent nothing fails like any other command, any other prints its summary. */
export async function resultOfImport(
  invocation: Invocation,
  sent: SentImport,
  advice: ImportAdvice,
): Promise<Result> {
  const { seconds, ended, isBlank, repeats, counts } = sent
  if (isBlank && ended instanceof PayError && !isRateLimited(ended)) throw ended
  await warnAboutRepeats(invocation, repeats, sent.kept)
  await warnAboutKeptTimes(invocation, sent.keptTimes)
  const problem =
    runError(sent, { ...advice, stop: invocation.context.interruption.stop }) ??
    (sent.keptTimes.count === 0 || advice.updatesOnPurpose === true ? undefined : timesKept(sent.keptTimes))
  const summary = {
    ...counts,
    seconds: Math.round(seconds * 10) / 10,
    ...(sent.left === undefined ? {} : { left: sent.left.rows }),
    ...(sent.leftOut.length === 0 ? {} : { leftOut: shownLeftOut(sent.leftOut) }),
    ...(repeats.count === 0 ? {} : { repeats: repeats.count }),
    ...(sent.keptTimes.count === 0 ? {} : { createdAtKept: sent.keptTimes.count }),
    ...(ended === undefined ? {} : { ended: problem?.code ?? 'interrupted' }),
  }
  return {
    ...resultOf(summary, importSummaryView, problem?.exitCode ?? EXIT.done),
    ...(problem === undefined ? {} : { problem }),
  }
}

interface ImportSummary extends Counts {
  readonly seconds: number
  /** Rows that the service asked to send later; left out if there are none or their number is not known. */
  readonly left?: number
  /** Rows that the mapping leaves out; left out if there are none. */
  readonly leftOut?: readonly LeftOutCount[]
  /** Rows with the paymentId of an earlier row; left out if there are none. */
  readonly repeats?: number
  /** Updated rows whose records keep another createdAt; left out if there are none. */
  readonly createdAtKept?: number
  readonly ended?: string
}

const FIGURES = ['rows', 'created', 'updated', 'skipped', 'failed', 'unknown', 'retries', 'seconds'] as const

/** The outcome of an import. */
const importSummaryView: View<ImportSummary> = {
  ids: () => [],
  csvColumns: FIGURES,
  render: (summary, { paint }) =>
    renderDetails({ paint, width: undefined }, [
      ...FIGURES.map((name): Detail => {
        const isFailedOrUnknown = (name === 'failed' || name === 'unknown') && summary[name] > 0
        return [
          capitalize(name),
          isFailedOrUnknown ? paint(String(summary[name]), 'bad') : String(summary[name]),
        ]
      }),
      ['Left', summary.left === undefined ? undefined : String(summary.left)],
      ['Left out', summary.leftOut === undefined ? undefined : String(leftOutRows(summary.leftOut))],
      ['Repeats', summary.repeats === undefined ? undefined : paint(String(summary.repeats), 'warn')],
      [
        'Times kept',
        summary.createdAtKept === undefined ? undefined : paint(String(summary.createdAtKept), 'warn'),
      ],
      ['Ended', summary.ended === undefined ? undefined : safeText(summary.ended)],
    ]),
}

/** Names the files that contain the outcome of the rows. */
async function noteFiles(
  invocation: Invocation,
  { results, rejects, path }: ImportSettings,
  { counts, leftOut, ended }: SentImport,
): Promise<void> {
  const isComplete = ended === undefined
  if (leftOut.length > 0) await invocation.note(invocation.cleanText(leftOutSentence(leftOut)))
  if (counts.rows === 0 && isComplete)
    await invocation.note(`No rows: there is nothing to import in ${path === '-' ? 'stdin' : path}.`)
  if (results !== undefined)
    await invocation.note(
      invocation.cleanText(`Results: ${results} (${isComplete ? 'every row' : 'the rows so far'})`),
    )
  if (rejects !== undefined && counts.failed > 0)
    await invocation.note(
      invocation.cleanText(
        `Rejects: ${rejects} (${pluralize(groupThousands(counts.failed), 'failed row')}, each with the reason)`,
      ),
    )
}

/** What you can do about rows without a record. */
const adviceAfter = (invocation: Invocation, settings: ImportSettings, sent: SentImport): ImportAdvice => ({
  hint: hintAfter(settings, sent),
  next: nextAfter(invocation, settings, sent),
  updatesOnPurpose: textFlag(invocation.input, 'on-exists') === 'update',
})

function hintAfter({ results, rejects }: ImportSettings, { counts }: SentImport): string | undefined {
  if (rejects !== undefined && counts.failed > 0)
    return `Correct the rows in ${rejects}, then import that file.`
  return results === undefined
    ? 'Add --results FILE for the outcome of every row, and --rejects FILE for the failed ones.'
    : undefined
}

/** The same command, to resume, or the one that imports the corrected rejects. */
function nextAfter(
  invocation: Invocation,
  { path, rejects, encoding, skipLines }: ImportSettings,
  { counts, ended }: SentImport,
): readonly string[] {
  if (ended !== undefined) {
    // The same --max-failures would stop the import again at once.
    const flags = [...READING_FLAGS, ...SENDING_FLAGS].filter(
      (name) => ended !== 'too-many-failures' || name !== 'max-failures',
    )
    return path === '-' ? [] : [commandLine(invocation, path, flags)]
  }
  if (rejects === undefined || counts.failed === 0) return []
  // Rejects are always UTF-8.
  const isSame = encoding === undefined || encoding === 'UTF-8'
  const flags = [...REJECTS_FLAG_NAMES, 'on-exists'].filter((name) => isSame || name !== 'encoding')
  return [
    [
      commandLine(invocation, rejects, flags),
      ...skippingNone(skipLines),
      ...(isSame ? [] : ['--encoding utf-8']),
    ].join(' '),
  ]
}

/** The flags of reading. */
const READING_FLAGS = [...TABLE_FLAG_NAMES, 'on-exists']
const SENDING_FLAGS = [
  'concurrency',
  'rate',
  'max-failures',
  'max-wait',
  'canary',
  'results',
  'rejects',
  'shard',
  'shards',
]

const commandLine = (invocation: Invocation, file: string, names: readonly string[]): string =>
  [
    `pay${accountFlagsOf(invocation)} observability import ${fileWord(file)}`,
    ...flagWords(invocation.input, names).map(shellWord),
  ].join(' ')

/** The largest file whose rows are counted: with more, the question would take too long to come. */
const LARGEST_COUNTED_BYTES = 32 * 1024 * 1024
const LARGEST_COUNTED_GZIP_BYTES = 4 * 1024 * 1024

const SHOWN_TOTALS = 5

const EXISTING = { update: 'are updated', skip: 'are skipped', fail: 'fail' } as const

interface ImportPreview {
  readonly rows: number
  readonly isEstimate: boolean
  /** Undefined if only part of the input was read. */
  readonly bad: number | undefined
  readonly totals: readonly Total[]
}

/** What an import would send; undefined if that is unknown, such as for stdin, which can be read only once. */
async function previewOf(
  invocation: Invocation,
  settings: ImportSettings,
  { input: { size, textSize, isCompressed, head }, start }: ImportSource,
): Promise<ImportPreview | undefined> {
  if (size === undefined) return undefined
  const secondSource = await reopenImportSource(invocation, settings)
  if (size > (isCompressed ? LARGEST_COUNTED_GZIP_BYTES : LARGEST_COUNTED_BYTES)) {
    if (textSize === undefined || settings.shard.of > 1) return undefined
    const bytes = head.subarray(start.byte)
    let seen = 0
    for await (const { records } of secondSource.records([bytes], start))
      seen += records.filter(({ cells }) => secondSource.rowOf(cells).leftOut === undefined).length
    const rows = Math.round((seen * (textSize - start.byte)) / Math.max(1, bytes.length))
    return { rows, isEstimate: true, bad: undefined, totals: [] }
  }
  const { stop } = invocation.context.interruption
  const totals = createTotals()
  const progress = progressOn(invocation, secondSource.input)
  const checked = await checkRows({
    ...secondSource,
    chunks: secondSource.input.from(start.byte),
    isOurs: isOursIn(settings),
    stop,
    onGood: totals.add,
    onProgress: (rows, bad) => progress.show({ rows, failed: bad, unknown: 0 }),
  })
  await progress.end()
  if (stop.aborted) throw interruptedBy(stop)
  return { rows: checked.rows, isEstimate: false, bad: checked.bad, totals: totals.all() }
}

/** `12 rows`, for the question. */
const describeRowCount = ({ rows, isEstimate }: ImportPreview): string =>
  `${isEstimate ? 'about ' : ''}${pluralize(groupThousands(rows), 'row')}`

/** Prints what is sent where, above the question. */
async function showPreview(
  invocation: Invocation,
  settings: ImportSettings,
  preview: ImportPreview | undefined,
): Promise<void> {
  const { mode, profile, baseUrl } = await invocation.account()
  const { totals = [] } = preview ?? {}
  const more = totals.length - SHOWN_TOTALS
  const target = `${mode.value}, ${profile === undefined ? baseUrl.value : `profile ${profile.value} (${shownUrl(baseUrl.value)})`}`
  const rows: readonly (readonly string[])[] = [
    ['File', safeText(settings.path === '-' ? 'stdin' : settings.path)],
    ['Rows', rowsText(preview)],
    ...totals
      .slice(0, SHOWN_TOTALS)
      .map(({ currencyCode, count, amount }, index) => [
        index === 0 ? 'Total' : '',
        `${formatMoney(amount, currencyCode)} in ${pluralize(groupThousands(count), 'row')}`,
      ]),
    ...(more > 0 ? [['', `and ${pluralize(groupThousands(more), 'more currency', 'more currencies')}`]] : []),
    ['Account', safeText(target)],
    ['Effect', `creates records, which can't be removed; existing ones ${EXISTING[settings.onExists]}`],
  ]
  const lines = renderGrid(
    [{ cells: rows.map(([label = '']) => label) }, { cells: rows.map(([, words = '']) => words) }],
    plainPaint,
  )
  for (const line of lines) await invocation.warn(line)
}

function rowsText(preview: ImportPreview | undefined): string {
  if (preview === undefined) return 'unknown until they are read'
  const { rows, isEstimate, bad } = preview
  if (isEstimate) return `about ${groupThousands(rows)}`
  if (bad === undefined || bad === 0) return groupThousands(rows)
  return `${groupThousands(rows)}, of which ${groupThousands(bad)} can't be sent and will fail`
}

/** Opens the input, and notes the delimiter and the ignored columns. Aborting `end` closes stdin. */
async function openImportSource(
  invocation: Invocation,
  settings: ImportSettings,
  end: AbortSignal,
): Promise<ImportSource & Pick<OpenedRows, 'foreseen'>> {
  const opened = await openTable(invocation, tableOf(settings), end)
  await noteTable(invocation, opened, { ignoredAre: 'Columns that are not imported' })
  refuseOtherKinds(opened)
  return { ...sourceOf(opened), foreseen: opened.foreseen }
}

/** Refuses rows that say that they are no payments, unless the mapping says what to do with them. */
export function refuseOtherKinds({ otherKinds }: OpenedRows): void {
  if (otherKinds.length === 0) return
  const found = otherKinds.map(
    ({ column, values }) =>
      `"${column}" has ${values
        .slice(0, SHOWN_KINDS)
        .map(({ value, rows }) => `${JSON.stringify(value)} in ${pluralize(groupThousands(rows), 'row')}`)
        .join(', ')}${values.length > SHOWN_KINDS ? ' and others' : ''}`,
  )
  const line = yamlLists(
    otherKinds.map(({ column, values }) => ({ name: column, values: values.map(({ value }) => value) })),
  )
  const every = yamlLists(otherKinds.map(({ column, all }) => ({ name: column, values: all })))
  throw new UsageError(`Some rows aren't payments, but would be recorded as payments: ${found.join('; ')}`, {
    code: 'other_kinds',
    outcome: 'none',
    hint: `To leave them out, write in a mapping file (--mapping): leaveOut: ${line}. To record every kind: where: ${every}.`,
  })
}

const SHOWN_KINDS = 10

/** Warns, before anything is sent, of values that the service may refuse. */
async function warnAboutForeseen(invocation: Invocation, foreseen: readonly RowWarning[]): Promise<void> {
  if (foreseen.length === 0) return
  for (const { text, count } of foreseen.slice(0, SHOWN_KINDS))
    await invocation.warn(
      `Warning: ${invocation.cleanText(text)} (${count} of the first rows); the service may refuse it.`,
    )
  const line = valuesLine(foreseen)
  if (line !== undefined) await invocation.warn(invocation.cleanText(mapThem(line)))
}

/** Opens the same file again, without repeating the notes. */
const reopenImportSource = async (invocation: Invocation, settings: ImportSettings): Promise<ImportSource> =>
  sourceOf(await openTable(invocation, tableOf(settings)))

/** The source of rows. Rejects are UTF-8; a byte order mark says so where the input is not. */
function sourceOf({ rows, encoding }: OpenedRows): ImportSource {
  if (encoding === 'UTF-8') return rows
  return { ...rows, rejects: { ...rows.rejects, header: `\uFEFF${rows.rejects.header}` } }
}

const tableOf = (settings: ImportSettings) => ({
  schema: RECORD,
  settings,
  path: settings.path,
  check: checkRecord,
})

type Env = Readonly<Record<string, string | undefined>>

/**
 * Reads the flags of an import. Flags override the mapping file.
 * @throws {UsageError} if a flag is missing, malformed or in conflict with another
 */
function readImportSettings(
  context: Pick<Context, 'cwd' | 'env' | 'readFile' | 'now'>,
  input: CommandInput,
): ImportSettings {
  const path = input.args['FILE'] ?? ''
  return {
    path,
    ...readTableSettings(context, input, {
      schema: RECORD,
      path,
      ready: READY_MAPPINGS,
      mayLackColumns: true,
    }),
    onExists: oneOf('--on-exists', textFlag(input, 'on-exists') ?? 'update', ON_EXISTS),
    ...readPace(input),
    maxFailures: readMaxFailures(textFlag(input, 'max-failures')),
    maxWaitMs: readMaxWaitMs(textFlag(input, 'max-wait')),
    canary: readCanary(input, path),
    results: textFlag(input, 'results'),
    rejects: textFlag(input, 'rejects'),
    restart: switchFlag(input, 'restart'),
    shard: readShard(textFlag(input, 'shard'), textFlag(input, 'shards'), context.env),
  }
}

/** Reads --canary. It needs a file, because it sends a first part and reads the input again for the rest. */
function readCanary(input: CommandInput, path: string): number | undefined {
  const text = textFlag(input, 'canary')
  if (text === undefined) return undefined
  const canary = parseCount(text, '--canary')
  if (canary === 0) throw new UsageError('--canary must be 1 or more', { code: 'bad_value' })
  if (path !== '-') return canary
  throw new UsageError('--canary needs a file: stdin cannot be read twice', { code: 'bad_value' })
}

function readShard(shard: string | undefined, shards: string | undefined, env: Env): Shard {
  if (shard !== undefined && shards !== undefined)
    throw new UsageError('--shard and --shards both choose the part: use only one', { code: 'two_sources' })
  if (shard !== undefined) {
    const parts = /^(\d{1,6})\/(\d{1,6})$/.exec(shard)
    const [part, of] = [Number(parts?.[1]), Number(parts?.[2])]
    if (part >= 1 && part <= of) return { part, of }
    throw new UsageError(`--shard takes K/N with K from 1 to N, not "${shard}"`, { code: 'bad_value' })
  }
  if (shards === undefined) return WHOLE
  const of = parseCount(shards, '--shards')
  const index = env['JOB_COMPLETION_INDEX']
  if (of < 1 || index === undefined || !/^\d{1,6}$/.test(index) || Number(index) >= of)
    throw new UsageError(`--shards ${shards} needs JOB_COMPLETION_INDEX from 0 to ${of - 1}`, {
      code: 'bad_value',
      hint: 'An Indexed Job sets it. Elsewhere use --shard K/N.',
    })
  return { part: Number(index) + 1, of }
}
