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
import type { Tone } from '../../output/paint.ts'
import { renderTable } from '../../output/table.ts'
import type { Column } from '../../output/table.ts'
import type { View } from '../../output/view.ts'
import type { FitJob } from '../../rows/fit/fit-columns.ts'
import { SETTLED_COLUMNS, namesDebit } from '../../rows/fit/known-columns.ts'
import { READY_MAPPINGS, readyMappingFor } from '../../rows/import/ready-mappings.ts'
import { RECORD } from '../../rows/import/record-fields.ts'
import { refuseOtherContent, refuseOwnFolders } from '../../rows/keep/output-files.ts'
import { writeOutputs } from '../../rows/keep/row-files.ts'
import type { FieldSchema } from '../../rows/map/field-schema.ts'
import { ROW_KINDS, parseMappingFile } from '../../rows/map/mapping-file.ts'
import type { RowKind, RowKinds } from '../../rows/map/mapping-file.ts'
import { folded } from '../../rows/map/mapping.ts'
import type { ColumnMapping } from '../../rows/map/mapping.ts'
import type { CellOptions } from '../../rows/map/cell.ts'
import { createLeftOutTally } from '../../rows/left-out.ts'
import { skipped } from '../../rows/read/input.ts'
import { readMappedRows } from '../../rows/read/mapped-rows.ts'
import type { OpenedRows } from '../../rows/read/open-rows.ts'
import { encodedRejects, ndjsonRejects, tableRejects } from '../../rows/read/rejects.ts'
import type { OutputLines } from '../../rows/keep/row-files.ts'
import type { Rejects } from '../../rows/read/rejects.ts'
import { MATCHES, NAMES, compare } from '../../rows/reconcile/compare.ts'
import type { Comparison, Exception } from '../../rows/reconcile/compare.ts'
import { COMPARED_FIELDS, checkFileRow, createFileRowReader } from '../../rows/reconcile/file-row.ts'
import type { Verdict } from '../../rows/reconcile/judge.ts'
import { shellWord } from '../../files/shell.ts'
import { agree, groupThousands, pluralize } from '../../text/words.ts'
import { formatAmount, formatField, formatFreeText } from '../../views/format-fields.ts'
import { leftOutSentence } from '../../views/import/left-out.ts'
import { PACE_FLAGS, readPace } from '../file-settings.ts'
import { haltOnInterrupt } from '../halt-on-interrupt.ts'
import { noteTable, openTable } from '../open-table.ts'
import { periodFlags, readPeriod, timeForPeriod } from '../period.ts'
import { VERIFY_EXITS, withBulkReader } from '../read-payments.ts'
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
  exitCodes: VERIFY_EXITS,
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

/** Suggests a ready-made mapping, or the columns. */
const suggestReconcile = (invocation: CommandRun, input: CommandInput, file: string): Promise<Result> =>
  suggestCommand(invocation, input, {
    file,
    words: ['reconcile', file],
    job: SETTLED,
    refine: ({ names }, found) => {
      const mapping = readyMappingFor(names) ?? ''
      const { kinds } = parseMappingFile(RECORD, READY_MAPPINGS[mapping] ?? '{}', mapping)
      if (kinds === undefined) return found
      const notes = [`A ready-made mapping fits this file: ${mapping}.`]
      return { map: {}, const: {}, missing: [], needsMapping: false, unused: [], notes, ready: { mapping } }
    },
  })

async function run(invocation: CommandRun, input: CommandInput): Promise<Result> {
  const { context, cleanText: clean } = invocation
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
  const { rows: source, fields, columns = [] } = opened
  refuseHeader(opened, kinds)
  const sides = mapping.joins?.get('amount') ?? []
  const debit = sides.find((name) => namesDebit(name))
  const form = await exceptionsForm(opened, settings.cells, kinds, (kind) =>
    debit === undefined
      ? source.columnOf?.('amount')
      : kind === 'payment'
        ? sides.find((name) => name !== debit)
        : debit,
  )
  if (exceptions !== undefined)
    refuseOtherContent([{ flag: '--exceptions', path: exceptions, ...form.rejects }], context.cwd)
  await noteTable(invocation, opened, { ignoredAre: 'Columns that are not used' })
  await context.program.keepHeapSmall?.()
  const readRow = createFileRowReader({
    kinds: fields?.includes('kind') === false ? undefined : (kinds?.values ?? new Map()),
    kindColumn: columns.indexOf(source.columnOf?.('kind') ?? ''),
    debitColumn: columns.findIndex((name) => debit !== undefined && folded(name) === folded(debit)),
    clean,
  })
  const leftOut = createLeftOutTally()
  const progress = progressOn(invocation, source.input)
  const interrupted = 'Interrupted: nothing was compared. Nothing was written.'
  const compared = await withBulkReader(invocation, pace, { progress, interrupted }, (read) =>
    compare({
      rows: readMappedRows(source, skipped(source.input.from(0), source.start.byte), leftOut, readRow),
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
  const outputs = {
    results: undefined,
    rejects: exceptions === undefined ? undefined : resolve(context.cwd, exceptions),
  }
  await writeOutputs(outputs, { resultsHeader: '', rejects: form.rejects }, form.lines(compared, clean))
  const count = compared.exceptionCount
  const view = viewOf(compared, exceptions)
  const problem = problemOf(count, compared.verdicts.expected ?? 0, exceptions)
  const result = resultOf(reconciliationOf(path, compared), view, problem?.exitCode ?? EXIT.done)
  return problem === undefined ? result : { ...result, problem }
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
    const before = values.get(kind) ?? []
    // Of two kinds with the same value, the later one counts.
    values.delete(kind)
    values.set(kind, [...before, ...cells])
  }
  return { column: kinds?.column, values }
}

const only = <T>(pairs: ReadonlyMap<string, T> | undefined): ReadonlyMap<string, T> =>
  new Map([...(pairs ?? [])].filter(([field]) => Object.hasOwn(COMPARED_FIELDS, field)))

/** The part of a mapping that is compared. What it says of a record's other fields must not make a row bad. */
const comparedOf = (mapping: ColumnMapping, kinds: RowKinds | undefined): ColumnMapping => ({
  ...mapping,
  columns: new Map([
    ...(kinds?.column === undefined ? [] : [['kind', kinds.column] as const]),
    ...only(mapping.columns),
  ]),
  constants: only(mapping.constants),
  joins: only(mapping.joins),
  values: only(mapping.values),
})

const KEY_FIELDS = ['paymentId', 'orderId', 'order.id', 'processorTransactionId']

/** Refuses a header that lacks a column, or has one of kinds that isn't mapped. NDJSON has none: each of its rows is checked. */
function refuseHeader({ fields, otherKinds }: OpenedRows, kinds: RowKinds | undefined): void {
  if (fields === undefined) return
  const missing = [
    ...(KEY_FIELDS.some((name) => fields.includes(name)) ? [] : [KEY_FIELDS.join(' or ')]),
    ...['amount', 'currencyCode', ...(kinds === undefined ? [] : ['kind'])].filter(
      (name) => !fields.includes(name),
    ),
  ]
  if (missing.length > 0)
    throw new UsageError(`The header lacks ${missing.join(', ')}`, {
      code: 'unusable_header',
      hint: FILE_ROW.hints.mapping,
    })
  const [other] = fields.includes('kind') ? [] : otherKinds
  if (other === undefined) return
  const values = other.values.slice(0, SHOWN_ROWS).map(({ value }) => JSON.stringify(value))
  throw new UsageError(
    `Some rows aren't payments, but would be compared as payments: "${other.column}" has ${values.join(', ')}`,
    { code: 'other_kinds', outcome: 'none', hint: `Add --map ${shellWord(`kind=${other.column}`)}.` },
  )
}

interface ExceptionsForm {
  readonly rejects: Rejects
  readonly lines: (compared: Comparison, clean: (text: string) => string) => Generator<OutputLines>
}

/** The exceptions in the form of the file: its columns, or its objects, with `verdict` and `found`. */
async function exceptionsForm(
  { rows, columns, delimiter, encoding, hasMark }: OpenedRows,
  { amounts, numbers }: Pick<CellOptions, 'amounts' | 'numbers'>,
  kinds: RowKinds | undefined,
  amountColumn: (kind: RowKind) => string | undefined,
): Promise<ExceptionsForm> {
  const reasons = ['verdict', 'found']
  const plain =
    columns === undefined ? ndjsonRejects(...reasons) : tableRejects(columns, delimiter ?? ',', ...reasons)
  // Only exceptions of a file with the same columns are replaced.
  const isSuch =
    columns === undefined
      ? plain.isSuch
      : (head: Buffer) => head.toString().startsWith(plain.header.trimEnd())
  const write = (amount: number, currencyCode: string): string => {
    const exponent = exponentOf(currencyCode)
    if (amounts !== 'major' || exponent === undefined) return String(amount)
    const units = formatUnits(amount, exponent)
    return numbers === 'decimal-comma' ? units.replace('.', ',') : units
  }
  const fieldsOf = ({ payment, kind, amount, currencyCode = '', timeMs }: Exception) => ({
    paymentId: payment?.id,
    orderId: payment?.orderId,
    'order.id': payment?.orderId,
    kind: kinds?.values.get(kind)?.[0] ?? kind,
    amount: amount === undefined ? undefined : write(amount, currencyCode),
    currencyCode,
    createdAt: timeMs === undefined ? undefined : new Date(timeMs).toISOString(),
  })
  const cellsOf = (exception: Exception): readonly string[] => {
    if (exception.cells !== undefined) return exception.cells
    const fields = fieldsOf(exception)
    if (columns === undefined) return [stringifyJson(fields)]
    const known = Object.entries(fields).filter(([, text]) => text !== undefined)
    const columnOf = (field: string) =>
      field === 'amount' ? amountColumn(exception.kind) : rows.columnOf?.(field)
    const ours = new Map(known.map(([field, text]) => [columnOf(field), text]))
    return columns.map((name) => ours.get(name) ?? '')
  }
  return {
    rejects: await encodedRejects({ ...plain, isSuch }, { encoding, hasMark }),
    *lines({ exceptions }, clean) {
      for (const exception of exceptions()) {
        const { verdict, found } = exception
        yield { result: undefined, reject: plain.line(cellsOf(exception), verdict, clean(found)) }
      }
    },
  }
}

/** Says what was found out, and what was not compared. */
async function noteReading(
  { note, warn, cleanText }: CommandRun,
  { match, period, rows, isKnown, unknownKinds }: Comparison,
): Promise<void> {
  await note(`Rows name their payments by the ${NAMES[match]}.`)
  if (rows === 0) await warn('The file has no rows.')
  else if (!isKnown)
    await warn('No row names a payment of this account: check the profile, and which column names payments.')
  if (period === undefined)
    await warn(
      'The file has no times that show its period, so payments that it lacks were not looked for: add --from and --to.',
    )
  if (unknownKinds.size === 0) return
  const values = [...unknownKinds].map(([value, count]) => `${JSON.stringify(value.slice(0, 40))} (${count})`)
  await warn(
    cleanText(
      `Rows of unknown kinds were counted as other, and not compared: ${values.slice(0, SHOWN_ROWS).join(', ')}. Name their kind with --kinds or in the mapping.`,
    ),
  )
}

const time = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString())

type Reconciliation = ReturnType<typeof reconciliationOf>

function reconciliationOf(file: string, { period, match, rows, byKind, verdicts, totals }: Comparison) {
  return {
    file,
    from: time(period?.from),
    to: time(period?.to),
    match,
    rows,
    byKind,
    verdicts,
    totals: totals.map(({ currencyCode, kind, file: inFile, here }) => ({
      currencyCode,
      kind,
      file: exact(inFile),
      here: exact(here),
      difference: exact(inFile - here),
    })),
  }
}

/** A sum as a number, or beyond 2^53 as a bigint, so that no digit is lost. */
function exact(sum: bigint): number | bigint {
  const number = Number(sum)
  return Number.isSafeInteger(number) ? number : sum
}

/** How the command ends: with exceptions, with what is expected, or with neither. */
function problemOf(count: number, expected: number, exceptions: string | undefined): PayError | undefined {
  if (count > 0)
    return new PayError('not_reconciled', EXIT.bulk, pluralize(groupThousands(count), 'exception'), {
      outcome: 'none',
      hint: exceptions === undefined ? 'Add --exceptions FILE to save them.' : undefined,
    })
  if (expected === 0) return undefined
  return new PayError(
    'still_expected',
    EXIT.notFinished,
    `${pluralize(groupThousands(expected), 'payment or refund', 'payments and refunds')} ${agree(expected, 'is', 'are')} expected in a later file`,
    { outcome: 'none', retryable: true, hint: 'They are not settled yet, or newer than the file.' },
  )
}

const toneOf = (verdict: string): Tone =>
  verdict === 'matched' ? 'good' : verdict === 'expected' ? 'warn' : 'bad'

const viewOf = (
  { exceptions, exceptionCount: count }: Comparison,
  path: string | undefined,
): View<Reconciliation> => ({
  ids: () => [],
  csvColumns: ['file', 'from', 'to', 'match', 'rows'],
  render: ({ file, from, to, match, rows, byKind, verdicts, totals }, options) => {
    const { paint } = options
    const kinds = ROW_KINDS.flatMap((kind) => {
      const number = byKind[kind] ?? 0
      return number === 0 ? [] : [pluralize(groupThousands(number), kind)]
    })
    return [
      renderDetails(
        { paint, width: undefined },
        [
          ['File', formatField(file)],
          ['Period', from === null || to === null ? undefined : periodWords(from, to)],
          ['Matched by', `the ${NAMES[match]}`],
          ['Rows', [groupThousands(rows), ...(kinds.length === 0 ? [] : [kinds.join(', ')])].join(': ')],
        ],
        Object.entries(verdicts)
          .filter(([, number]) => number > 0)
          .map(([verdict, number]): Detail => [
            VERDICT_WORDS[verdict] ?? verdict,
            paint(groupThousands(number), toneOf(verdict)),
          ]),
      ),
      ...(totals.length === 0 ? [] : ['', renderTable(TOTAL_COLUMNS, totals, options)]),
      ...(count === 0 ? [] : ['', renderTable(EXCEPTION_COLUMNS, firstOf(exceptions()), options)]),
      ...(count > SHOWN_ROWS
        ? [
            `and ${groupThousands(count - SHOWN_ROWS)} more${path === undefined ? '; --exceptions FILE has every one' : ''}`,
          ]
        : []),
      ...(path === undefined
        ? []
        : ['', `Exceptions: ${formatField(path)} (${pluralize(groupThousands(count), 'row')})`]),
    ].join('\n')
  },
})

function firstOf(exceptions: Generator<Exception>): readonly Exception[] {
  const first: Exception[] = []
  for (const exception of exceptions) if (first.push(exception) === SHOWN_ROWS) break
  return first
}

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
const sumColumn = (
  key: 'file' | 'here' | 'difference',
  tone?: Column<ShownTotal>['tone'],
): Column<ShownTotal> => ({
  title: key.toUpperCase(),
  text: (total) => formatUnits(total[key], exponentOf(total.currencyCode) ?? 0),
  align: 'right',
  ...(tone === undefined ? {} : { tone }),
})

const TOTAL_COLUMNS: readonly Column<ShownTotal>[] = [
  { title: 'CURRENCY', text: ({ currencyCode }) => formatField(currencyCode) },
  { title: 'TOTAL', text: ({ kind }) => `${kind}s` },
  sumColumn('file'),
  sumColumn('here'),
  sumColumn('difference', ({ difference }) => (Number(difference) === 0 ? undefined : 'bad')),
]

const EXCEPTION_COLUMNS: readonly Column<Exception>[] = [
  {
    title: 'ROW',
    text: ({ row }) => (row === undefined ? 'ours' : String(row)),
    align: 'right',
  },
  {
    title: 'LINE',
    text: ({ line }) => (line === undefined ? '' : String(line)),
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
