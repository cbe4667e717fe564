import { resolve } from 'node:path'
import type { CommandInput } from '../../cli/command/input.ts'
import { listFlag, textFlag } from '../../cli/command/input.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { Result } from '../../cli/command/result.ts'
import type { CommandRun, CommandSpec } from '../../cli/command/spec.ts'
import { oneOf } from '../../cli/parse/choices.ts'
import { EXIT, PayError, UsageError } from '../../errors.ts'
import { stringifyJson } from '../../json/json.ts'
import { exponentOf } from '../../money/currencies.ts'
import { formatUnits } from '../../money/format.ts'
import { renderDetails } from '../../output/details.ts'
import type { Detail } from '../../output/details.ts'
import { renderTable } from '../../output/table.ts'
import type { Column } from '../../output/table.ts'
import type { View } from '../../output/view.ts'
import type { FitJob, FittedColumns } from '../../rows/fit/fit-columns.ts'
import { SETTLED_COLUMNS } from '../../rows/fit/known-columns.ts'
import { READY_MAPPINGS, readyMappingFor } from '../../rows/import/ready-mappings.ts'
import { RECORD } from '../../rows/import/record-fields.ts'
import { refuseOtherContent, refuseOwnFolders } from '../../rows/keep/output-files.ts'
import { openRowFile } from '../../rows/keep/row-files.ts'
import type { FieldSchema } from '../../rows/map/field-schema.ts'
import { ROW_KINDS, parseMappingFile } from '../../rows/map/mapping-file.ts'
import type { RowKinds } from '../../rows/map/mapping-file.ts'
import type { ColumnMapping } from '../../rows/map/mapping.ts'
import { PLACEHOLDER } from '../../rows/map/placeholder.ts'
import { createLeftOutTally } from '../../rows/left-out.ts'
import { skipped } from '../../rows/read/input.ts'
import { readMappedRows } from '../../rows/read/mapped-rows.ts'
import type { OpenedRows } from '../../rows/read/open-rows.ts'
import { encodedRejects, ndjsonRejects, tableRejects } from '../../rows/read/rejects.ts'
import type { Rejects } from '../../rows/read/rejects.ts'
import { MATCHES, compare } from '../../rows/reconcile/compare.ts'
import type { Comparison, Exception, Total } from '../../rows/reconcile/compare.ts'
import { COMPARED_FIELDS, checkFileRow, kindReader, readFileRow } from '../../rows/reconcile/file-row.ts'
import type { Verdict } from '../../rows/reconcile/judge.ts'
import { agree, groupThousands, pluralize } from '../../text/words.ts'
import { formatAmount, formatField, formatFreeText } from '../../views/format-fields.ts'
import { leftOutSentence } from '../../views/import/left-out.ts'
import { PACE_FLAGS, readPace } from '../file-settings.ts'
import { haltOnInterrupt } from '../halt-on-interrupt.ts'
import { noteTable, openTable } from '../open-table.ts'
import { periodFlags, readPeriod, timeForPeriod } from '../period.ts'
import { withBulkReader } from '../read-payments.ts'
import { progressOn } from '../row-progress.ts'
import { TABLE_FLAGS } from '../table-flags.ts'
import { readTableSettings } from '../table-settings.ts'
import { suggestCommand } from '../table-template.ts'

export const command: CommandSpec = {
  path: ['reconcile'],
  summary: "Compare a provider's settlement file with your payments",
  details: [
    'Reads a settlement or transaction file as an import does, and gives every payment, refund and chargeback in it a verdict; fees and payouts are counted. Then lists the settled payments and refunds of the period that the file lacks. It only reads: after a kill, run it again.',
    'Columns: paymentId, orderId or processorTransactionId, amount, currencyCode, createdAt, kind (payment, refund, chargeback, fee, payout). For other names, use --map or --mapping; stripe-balance and adyen-settlement are ready. Without a column of kinds, every row is a payment.',
    'A row names its payment by the payment ID, your order, or the ID at the processor. If only one of them leads to payments, it is found and reported.',
    'Exit code: 0 if nothing is an exception, 8 if all that is left is expected in a later file, 14 otherwise.',
  ].join('\n\n'),
  examples: [
    {
      purpose: 'reconcile a month of Stripe, and save what differs',
      line: 'pay --sandbox reconcile balance.csv --mapping stripe-balance --from 2026-01-01 --to 2026-01-31 --exceptions exceptions.csv',
    },
    {
      purpose: 'a file of your own, which names orders',
      line: 'pay --sandbox reconcile orders.csv --map orderId=Order --map amount=Total --amounts major --const currencyCode=EUR --match order',
    },
  ],
  args: [{ name: 'FILE', from: 'file', help: 'CSV or NDJSON, plain or gzip; - for stdin' }],
  flags: {
    ...TABLE_FLAGS,
    mapping: { ...TABLE_FLAGS.mapping, suggestions: Object.keys(READY_MAPPINGS) },
    match: {
      kind: 'text',
      value: 'WHAT',
      choices: MATCHES,
      help: 'What names the payment of a row: payment (its ID), order, or processor (the ID of one of its transactions); default: found out',
    },
    kinds: {
      kind: 'texts',
      value: 'KIND=VALUE,…',
      help: `The values of a kind of rows, such as refund=RFD,REV; repeatable. Kinds: ${ROW_KINDS.join(', ')}`,
    },
    template: {
      kind: 'switch',
      help: 'Print the command that reads FILE, with … where the file leaves something open; nothing is compared',
    },
    exceptions: {
      kind: 'text',
      value: 'FILE',
      from: 'file',
      help: "Write every row that is neither matched nor expected, with verdict and found, in the file's own columns",
    },
    ...periodFlags('The period of the file: payments created'),
    ...PACE_FLAGS,
  },
  exitCodes: [
    EXIT.auth,
    EXIT.rateLimited,
    EXIT.notFinished,
    EXIT.notConnected,
    EXIT.serverFault,
    EXIT.bulk,
    EXIT.interrupted,
  ],
  run,
  related: ['insights', 'observability import', 'batch plan', 'payment explain'],
}

/** The fields of a record, since ready mappings name them, and those that are compared. */
const FILE_ROW: FieldSchema = {
  noun: 'row of a settlement file',
  kinds: { ...RECORD.kinds, ...COMPARED_FIELDS, found: 'text' },
  hasMetadata: true,
  required: [],
  sets: {},
  id: 'paymentId',
  currency: 'currencyCode',
  reasonColumn: 'verdict',
  hints: {
    header: 'It must start with a header, such as paymentId,kind,amount,currencyCode,createdAt.',
    mapping:
      'The fields are paymentId, orderId, processorTransactionId, kind, amount, currencyCode and createdAt. Name their columns with --map FIELD=COLUMN, which leaves other columns out. pay reconcile FILE --template suggests the flags.',
  },
}

/** What the columns of a settlement file are called beside the names of records. */
const SETTLED: FitJob = {
  schema: FILE_ROW,
  known: SETTLED_COLUMNS,
  required: ['amount', 'currencyCode'],
  either: ['paymentId', 'orderId', 'processorTransactionId'],
  mayBeConstant: ['currencyCode'],
  rows: 'settled',
}

/** The ready-made mappings that name the kinds of rows. */
const HAVE_KINDS = Object.keys(READY_MAPPINGS).filter(
  (name) => parseMappingFile(RECORD, READY_MAPPINGS[name] ?? '', name).kinds !== undefined,
)

const suggestReconcile = (invocation: CommandRun, input: CommandInput, file: string): Promise<Result> =>
  suggestCommand(invocation, input, {
    file,
    words: ['reconcile', file],
    job: SETTLED,
    refine: ({ names }, found) => {
      const mapping = readyMappingFor(names)
      if (mapping === undefined || !HAVE_KINDS.includes(mapping)) return withName(found)
      const notes = [`A ready-made mapping fits this file: ${mapping}.`]
      return { map: {}, const: {}, missing: [], needsMapping: false, unused: [], notes, ready: { mapping } }
    },
  })

/** Asks for the column that names the payments, if none does. */
const withName = (found: FittedColumns): FittedColumns =>
  SETTLED.either.some((field) => found.map[field] !== undefined)
    ? found
    : {
        ...found,
        map: { ...found.map, orderId: PLACEHOLDER },
        notes: [
          ...found.notes,
          `No column is certain to name payments: write the one with your orders in place of ${PLACEHOLDER}, or map paymentId or processorTransactionId.`,
        ],
      }

async function run(invocation: CommandRun, input: CommandInput): Promise<Result> {
  const { context } = invocation
  const path = input.args['FILE'] ?? '-'
  if (input.flags['template'] === true) return suggestReconcile(invocation, input, path)
  const named = textFlag(input, 'match')
  const match = named === undefined ? undefined : oneOf('--match', named, MATCHES)
  const exceptions = textFlag(input, 'exceptions')
  const pace = readPace(input)
  const { from, to } = readPeriod(input, await timeForPeriod(invocation, input))
  const settings = readTableSettings(context, input, {
    schema: FILE_ROW,
    path,
    ready: READY_MAPPINGS,
    mayLackColumns: true,
    takesAllKinds: true,
  })
  const kinds = readKinds(input, settings.kinds)
  const mapping = comparedOf(settings.mapping, kinds)
  refuseOwnFolders({ '--exceptions': exceptions }, context)
  const opened = await openTable(
    invocation,
    { schema: FILE_ROW, settings: { ...settings, mapping }, path, check: checkFileRow },
    haltOnInterrupt(invocation).signal,
  )
  const { rows: source, fields } = opened
  if (fields !== undefined) checkFields(fields, kinds)
  const form = await exceptionsForm(opened, settings.cells, kinds)
  if (exceptions !== undefined)
    refuseOtherContent([{ flag: '--exceptions', path: exceptions, ...form.rejects }], context.cwd)
  await noteTable(invocation, opened, { ignoredAre: 'Columns that are not used' })
  await context.program.keepHeapSmall?.()
  const hasKinds = fields === undefined || fields.includes('kind')
  const kindColumn = opened.columns?.indexOf(source.columnOf?.('kind') ?? '') ?? -1
  const reading = {
    kindOf: hasKinds ? kindReader(kinds?.values ?? new Map()) : undefined,
    kindIn: (cells: readonly string[]) => cells[kindColumn]?.trim(),
    clean: invocation.cleanText,
  }
  const leftOut = createLeftOutTally()
  const progress = progressOn(invocation, source.input)
  const interrupted = 'Interrupted: nothing was compared. Nothing was written.'
  const compared = await withBulkReader(invocation, pace, { progress, interrupted }, (read) =>
    compare({
      rows: readMappedRows(
        source,
        skipped(source.input.from(0), source.start.byte),
        leftOut,
        (inputRow, { row, line, cells }) => ({ row: readFileRow(inputRow, { row, line }, reading), cells }),
      ),
      match,
      from: from === undefined ? undefined : Date.parse(from),
      to: to === undefined ? undefined : Date.parse(to),
      hasDaysOnly: /^[^Hhkut]*$/.test((settings.cells.dateFormat?.pattern ?? 'H').replaceAll(/'[^']*'/g, '')),
      read,
      onProgress: (rows) => progress.show({ rows }),
      stop: context.interruption.stop,
    }),
  )
  if (leftOut.all().length > 0) await invocation.note(leftOutSentence(leftOut.all()))
  await noteReading(invocation, compared)
  const file =
    exceptions === undefined
      ? undefined
      : openRowFile(resolve(context.cwd, exceptions), form.rejects.header, form.rejects.encode)
  const shown: Exception[] = []
  let count = 0
  try {
    for (const exception of compared.exceptions()) {
      count += 1
      if (shown.length < SHOWN_ROWS) shown.push(exception)
      else if (file === undefined) continue
      file?.add(form.line(exception, invocation.cleanText))
    }
    file?.sync()
  } finally {
    file?.close()
  }
  return resultOfComparison(compared, { path, shown, count, exceptions })
}

const SHOWN_ROWS = 20

/** The kinds of the mapping file, and those of --kinds, which win. */
function readKinds(input: CommandInput, kinds: RowKinds | undefined): RowKinds | undefined {
  const typed = listFlag(input, 'kinds')
  if (typed.length === 0) return kinds
  const values = new Map(kinds?.values)
  for (const text of typed) {
    const [name = '', list = ''] = text.split(/=(.*)/s)
    const cells = list.split(',').filter((cell) => cell !== '')
    if (cells.length === 0)
      throw new UsageError(`--kinds takes KIND=VALUE,VALUE, not "${text}"`, {
        code: 'bad_value',
        hint: 'Such as --kinds payment=charge,capture --kinds refund=refund',
      })
    const kind = oneOf('--kinds', name, ROW_KINDS)
    for (const [other, before] of values)
      values.set(
        other,
        before.filter((cell) => other === kind || !cells.includes(cell)),
      )
    values.set(kind, [...(values.get(kind) ?? []), ...cells])
  }
  return { column: kinds?.column, values }
}

const only = <T>(pairs: ReadonlyMap<string, T> | undefined): ReadonlyMap<string, T> =>
  new Map([...(pairs ?? [])].filter(([field]) => Object.hasOwn(COMPARED_FIELDS, field)))

/** The part of a mapping that is compared. What it says of a record's other fields must not make a row bad. */
function comparedOf(mapping: ColumnMapping, kinds: RowKinds | undefined): ColumnMapping {
  const columns = new Map(only(mapping.columns))
  if (kinds?.column !== undefined && !columns.has('kind')) columns.set('kind', kinds.column)
  return {
    ...mapping,
    columns,
    constants: only(mapping.constants),
    joins: only(mapping.joins),
    values: only(mapping.values),
  }
}

/** Checks the columns of a CSV file. NDJSON has none: each of its rows is checked. */
function checkFields(fields: readonly string[], kinds: RowKinds | undefined): void {
  const missing = [
    ...(KEY_FIELDS.some((name) => fields.includes(name)) ? [] : [KEY_FIELDS.join(' or ')]),
    ...['amount', 'currencyCode', ...(kinds === undefined ? [] : ['kind'])].filter(
      (name) => !fields.includes(name),
    ),
  ]
  if (missing.length === 0) return
  throw new UsageError(`The header lacks ${missing.join(', ')}`, {
    code: 'unusable_header',
    hint: FILE_ROW.hints.mapping,
  })
}

const KEY_FIELDS = ['paymentId', 'orderId', 'order.id', 'processorTransactionId']

interface ExceptionsForm {
  readonly rejects: Rejects
  readonly line: (exception: Exception, clean: (text: string) => string) => string
}

/** The exceptions in the form of the file: its columns, or its objects, with `verdict` and `found`. */
async function exceptionsForm(
  { rows, columns, delimiter, encoding, hasMark }: OpenedRows,
  { amounts, numbers }: { readonly amounts: string; readonly numbers?: string | undefined },
  kinds: RowKinds | undefined,
): Promise<ExceptionsForm> {
  const write = (amount: number, currencyCode: string): string => {
    const exponent = exponentOf(currencyCode)
    if (amounts !== 'major' || exponent === undefined) return String(amount)
    const units = formatUnits(amount, exponent)
    return numbers === 'decimal-comma' ? units.replace('.', ',') : units
  }
  const fieldsOf = ({ payment, kind, amount, currencyCode, timeMs }: Exception) => ({
    paymentId: payment?.id,
    orderId: payment?.orderId,
    'order.id': payment?.orderId,
    kind: kinds?.values.get(kind)?.[0] ?? kind,
    amount: amount === undefined || currencyCode === undefined ? undefined : write(amount, currencyCode),
    currencyCode,
    createdAt: timeMs === undefined ? undefined : new Date(timeMs).toISOString(),
  })
  const plain =
    columns === undefined
      ? ndjsonRejects('verdict', 'found')
      : sameColumns(tableRejects(columns, delimiter ?? ',', 'verdict', 'found'))
  const cellsOf = (exception: Exception): readonly string[] => {
    if (exception.inFile !== undefined) return exception.inFile.cells
    const fields = fieldsOf(exception)
    if (columns === undefined) return [stringifyJson(fields)]
    const known = Object.entries(fields).filter(([, text]) => text !== undefined)
    const ours = new Map(known.map(([field, text]) => [rows.columnOf?.(field), text]))
    return columns.map((name) => ours.get(name) ?? '')
  }
  return {
    rejects: await encodedRejects(plain, { encoding, hasMark }),
    line: (exception, clean) => plain.line(cellsOf(exception), exception.verdict, clean(exception.found)),
  }
}

/** Replaces only exceptions of a file with the same columns. */
const sameColumns = (rejects: Rejects): Rejects => ({
  ...rejects,
  isSuch: (head) => head.toString().startsWith(rejects.header.trimEnd()),
})

/** Says what was found out, and what was not compared. */
async function noteReading(
  { note, warn, cleanText }: CommandRun,
  { match, period, unknownKinds }: Comparison,
): Promise<void> {
  await note(`Rows name their payments by ${MATCH_WORDS[match]}.`)
  if (period === undefined)
    await warn(
      'The file has no times that show its period, so payments that it lacks were not looked for: add --from and --to.',
    )
  if (unknownKinds.size === 0) return
  const values = [...unknownKinds].map(([value, rows]) => `${JSON.stringify(value.slice(0, 40))} (${rows})`)
  await warn(
    cleanText(
      `Rows of unknown kinds were counted as other, and not compared: ${values.slice(0, SHOWN_ROWS).join(', ')}. Name their kind with --kinds or in the mapping.`,
    ),
  )
}

const MATCH_WORDS = {
  payment: 'the payment ID',
  order: 'the order',
  processor: 'the ID at the processor',
} as const

interface Reconciliation {
  readonly file: string
  readonly from: string | null
  readonly to: string | null
  readonly match: Comparison['match']
  readonly rows: number
  readonly byKind: Comparison['byKind']
  readonly verdicts: Comparison['verdicts']
  readonly totals: readonly {
    readonly currencyCode: string
    readonly kind: Total['kind']
    readonly file: number | bigint
    readonly here: number | bigint
    readonly difference: number | bigint
  }[]
}

function resultOfComparison(
  compared: Comparison,
  about: {
    readonly path: string
    readonly shown: readonly Exception[]
    readonly count: number
    readonly exceptions: string | undefined
  },
): Result {
  const { period, match, rows, byKind, verdicts, totals } = compared
  const { count, path, exceptions } = about
  const result: Reconciliation = {
    file: path,
    from: time(period?.from),
    to: time(period?.to),
    match,
    rows,
    byKind,
    verdicts,
    totals: totals.map(({ currencyCode, kind, file, here }) => ({
      currencyCode,
      kind,
      file: exact(file),
      here: exact(here),
      difference: exact(file - here),
    })),
  }
  const expected = verdicts.expected ?? 0
  const hint = exceptions === undefined ? 'Add --exceptions FILE to save them.' : undefined
  const problem =
    count > 0
      ? new PayError('not_reconciled', EXIT.bulk, pluralize(groupThousands(count), 'exception'), {
          outcome: 'none',
          hint,
        })
      : expected > 0
        ? new PayError(
            'still_expected',
            EXIT.notFinished,
            `${pluralize(groupThousands(expected), 'payment or refund', 'payments and refunds')} ${agree(expected, 'is', 'are')} expected in a later file`,
            { outcome: 'none', retryable: true, hint: 'They are not settled yet, or younger than the file.' },
          )
        : undefined
  const shown = resultOf(result, viewOf(about), problem?.exitCode ?? EXIT.done)
  return problem === undefined ? shown : { ...shown, problem }
}

const time = (ms: number | undefined): string | null => (ms === undefined ? null : new Date(ms).toISOString())

/** A sum as a number, or beyond 2^53 as a bigint, so that no digit is lost. */
function exact(sum: bigint): number | bigint {
  const number = Number(sum)
  return Number.isSafeInteger(number) ? number : sum
}

const viewOf = ({
  shown,
  count,
  exceptions,
}: {
  readonly shown: readonly Exception[]
  readonly count: number
  readonly exceptions: string | undefined
}): View<Reconciliation> => ({
  ids: () => [],
  csvColumns: ['file', 'from', 'to', 'match', 'rows'],
  render: (result, options) => {
    const { paint } = options
    const { file, from, to, match, rows, byKind, verdicts, totals } = result
    const kinds = ROW_KINDS.flatMap((kind) => {
      const number = byKind[kind] ?? 0
      const word = kind === 'other' ? 'others' : `${kind}s`
      return number === 0 ? [] : [`${groupThousands(number)} ${number === 1 ? kind : word}`]
    })
    return [
      renderDetails(
        { paint, width: undefined },
        [
          ['File', formatField(file)],
          ['Period', from === null || to === null ? undefined : periodWords(from, to)],
          ['Matched by', MATCH_WORDS[match]],
          ['Rows', `${groupThousands(rows)}${kinds.length === 0 ? '' : `: ${kinds.join(', ')}`}`],
        ],
        Object.entries(verdicts).map(([verdict, number]): Detail => [
          VERDICT_WORDS[verdict] ?? verdict,
          number === 0
            ? undefined
            : paint(
                groupThousands(number),
                verdict === 'matched' ? 'good' : verdict === 'expected' ? 'warn' : 'bad',
              ),
        ]),
      ),
      ...(totals.length === 0 ? [] : ['', renderTable(TOTAL_COLUMNS, totals, options)]),
      ...(count === 0 ? [] : ['', renderTable(EXCEPTION_COLUMNS, shown, options)]),
      ...(count > shown.length
        ? [
            `and ${groupThousands(count - shown.length)} more${exceptions === undefined ? '; --exceptions FILE has every one' : ''}`,
          ]
        : []),
      ...(exceptions === undefined
        ? []
        : ['', `Exceptions: ${formatField(exceptions)} (${pluralize(groupThousands(count), 'row')})`]),
    ].join('\n')
  },
})

/** `2026-01-01 to 2026-01-31 UTC`, with the time of day only where it isn't that of whole days. */
function periodWords(from: string, to: string): string {
  const length = from.endsWith('T00:00:00.000Z') && to.endsWith('T23:59:59.999Z') ? 10 : 16
  return `${[from, to].map((iso) => iso.slice(0, length).replace('T', ' ')).join(' to ')} UTC`
}

const VERDICT_WORDS: Readonly<Record<string, string>> = {
  matched: 'Matched',
  expected: 'Expected later',
  amount_differs: 'Amount differs',
  currency_differs: 'Currency differs',
  status_differs: 'Status differs',
  missing_here: 'Missing here',
  missing_there: 'Missing in the file',
  twice: 'Twice in the file',
  ambiguous: 'Ambiguous',
  chargeback: 'Chargebacks',
  unread: 'Unread',
} satisfies Record<Verdict, string>

type ShownTotal = Reconciliation['totals'][number]
const inUnits = (sum: number | bigint, { currencyCode }: ShownTotal): string =>
  formatUnits(sum, exponentOf(currencyCode) ?? 0)

const KIND_WORDS: Readonly<Record<Total['kind'], string>> = {
  payment: 'payments',
  refund: 'refunds',
  chargeback: 'chargebacks',
}

const TOTAL_COLUMNS: readonly Column<ShownTotal>[] = [
  { title: 'CURRENCY', text: ({ currencyCode }) => formatField(currencyCode) },
  { title: 'TOTAL', text: ({ kind }) => KIND_WORDS[kind] },
  { title: 'FILE', text: (total) => inUnits(total.file, total), align: 'right' },
  { title: 'HERE', text: (total) => inUnits(total.here, total), align: 'right' },
  {
    title: 'DIFFERENCE',
    text: (total) => inUnits(total.difference, total),
    tone: ({ difference }) => (Number(difference) === 0 ? undefined : 'bad'),
    align: 'right',
  },
]

const EXCEPTION_COLUMNS: readonly Column<Exception>[] = [
  {
    title: 'ROW',
    text: ({ inFile }) => (inFile === undefined ? 'ours' : String(inFile.row)),
    align: 'right',
  },
  {
    title: 'LINE',
    text: ({ inFile }) => (inFile === undefined ? '' : String(inFile.line)),
    align: 'right',
    drop: 2,
  },
  { title: 'KIND', text: ({ kind }) => kind, drop: 1 },
  {
    title: 'AMOUNT',
    text: ({ amount, currencyCode }) => formatAmount(amount, currencyCode) ?? '',
    align: 'right',
  },
  { title: 'VERDICT', text: ({ verdict }) => verdict, tone: () => 'bad' },
  { title: 'FOUND', text: ({ found }) => formatFreeText(found) ?? '', wraps: true },
]
