import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { BATCH_OPERATIONS } from '../../rows/batch/plan.ts'
import type { BatchOperation } from '../../rows/batch/plan.ts'
import { fitColumns } from '../../rows/batch/plan/fit-columns.ts'
import type { FittedColumns } from '../../rows/batch/plan/fit-columns.ts'
import { BATCH_ROW, NAMING_FIELDS } from '../../rows/batch/plan/row-fields.ts'
import { csvLine } from '../../rows/read/csv-line.ts'
import { fitTable } from '../../rows/read/fit-table.ts'
import type { FittedTable } from '../../rows/read/fit-table.ts'
import { accountFlagsOf } from '../../cli/command/flag-words.ts'
import { textFlag } from '../../cli/command/input.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf, textView } from '../../cli/command/result.ts'
import type { Result } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { UsageError } from '../../errors.ts'
import { safeText } from '../../output/safe-text.ts'
import { shellWord } from '../../text/shell-word.ts'
import { oneOf } from '../../cli/parse/choices.ts'
import { openInput } from '../open-table.ts'
import { PLACEHOLDER } from '../../rows/map/placeholder.ts'
import { TABLE_FLAGS } from '../table-flags.ts'
import { readFormatFlags } from '../table-settings.ts'

/** Example rows, by operation. */
const EXAMPLES: Readonly<Record<BatchOperation, readonly (readonly string[])[]>> = {
  refund: [
    ['paymentId', 'orderId', 'amount', 'currencyCode', 'reason', 'ticket'],
    ['', 'order-1', '5.00', 'EUR', 'late delivery', 'SUP-1'],
    ['', 'order-2', 'all', '', 'returned', 'SUP-2'],
  ],
  capture: [
    ['paymentId', 'orderId', 'amount', 'currencyCode', 'reason', 'ticket', 'final'],
    ['', 'order-1', '30.00', 'EUR', '', 'SHIP-1', 'false'],
    ['', 'order-2', 'all', '', '', 'SHIP-2', ''],
  ],
  cancel: [
    ['paymentId', 'orderId', 'reason', 'ticket'],
    ['', 'order-1', 'out of stock', 'SUP-1'],
    ['', 'order-2', 'customer asked', 'SUP-2'],
  ],
}

export const command: CommandSpec = {
  path: ['batch', 'template'],
  summary: 'Print a header and example rows, or the command that plans a spreadsheet',
  details: [
    'Without FILE, prints a CSV to fill in. With FILE, reads its header and first rows, and prints the pay batch plan command that fits: the columns by their English or German names, the delimiter, the encoding, decimal commas, units and currency. Sends nothing.',
    'stdout has the command alone. stderr has what to check before you run it.',
  ].join('\n\n'),
  examples: [
    { purpose: 'start a file of refunds', line: 'pay batch template > refunds.csv' },
    { purpose: 'find the command for a spreadsheet', line: 'pay batch template orders.csv' },
    { purpose: 'the same for captures', line: 'pay batch template orders.csv --operation capture' },
  ],
  args: [{ name: 'FILE', from: 'file', help: 'A CSV, such as one saved by a spreadsheet', optional: true }],
  flags: {
    operation: {
      kind: 'text',
      value: 'OPERATION',
      choices: BATCH_OPERATIONS,
      help: 'refund (default), capture or cancel',
    },
    delimiter: TABLE_FLAGS.delimiter,
    encoding: TABLE_FLAGS.encoding,
    'skip-lines': TABLE_FLAGS['skip-lines'],
  },
  run: async (invocation, input) => {
    const file = input.args['FILE']
    refuseOperationAsFile(invocation, file)
    const operation = oneOf('--operation', textFlag(input, 'operation') ?? 'refund', BATCH_OPERATIONS)
    return file === undefined ? examplesOf(operation) : fit(invocation, input, { file, operation })
  },
  related: ['batch plan', 'observability template'],
}

/** Refuses the operation in the place of the file. */
function refuseOperationAsFile({ context }: Invocation, file: string | undefined): void {
  if (!BATCH_OPERATIONS.some((operation) => operation === file)) return
  if (existsSync(resolve(context.cwd, file ?? ''))) return
  throw new UsageError(`${file} is an operation, and batch template takes a FILE`, {
    code: 'bad_value',
    next: [`pay batch template --operation ${file}`],
  })
}

function examplesOf(operation: BatchOperation): Result {
  const rows = EXAMPLES[operation]
  const [header = [], ...examples] = rows
  return resultOf(
    {
      columns: header,
      rows: examples.map((cells) => Object.fromEntries(cells.map((cell, at) => [header[at] ?? '', cell]))),
    },
    {
      ...textView(() =>
        rows
          .map((cells) => csvLine(cells))
          .join('')
          .trimEnd(),
      ),
      itemsKey: 'rows',
      csvColumns: header,
    },
  )
}

interface Fitted {
  readonly file: string
  readonly operation: BatchOperation
}

async function fit(invocation: Invocation, input: CommandInput, fitted: Fitted): Promise<Result> {
  const { file, operation } = fitted
  const table = await fitTable(
    await openInput(invocation, file),
    BATCH_ROW.hints.header,
    readFormatFlags(input),
  )
  const columns = fitColumns(operation, table.names, table.rows)
  if (NAMING_FIELDS.every((field) => columns.map[field] === undefined))
    throw noColumn(fitted, table, 'name payments or orders', '--map orderId=COLUMN')
  if (operation !== 'cancel' && columns.map.amount === undefined)
    throw noColumn(fitted, table, 'have amounts', '--map amount=COLUMN, or --empty-amount all')
  const doubts = [...table.doubts, ...columns.doubts].map((line) => invocation.cleanText(line))
  for (const doubt of doubts) await invocation.note(doubt)
  if (columns.unused.length > 0)
    await invocation.note(invocation.cleanText(`Columns that are not used: ${columns.unused.join(', ')}.`))
  const flags = flagsOf(table, columns)
  const start = `pay${accountFlagsOf(invocation)} batch plan ${operation} ${quoted(file)}`
  const found = { file, operation, command: [start, ...flags].join(' '), ...columns, doubts }
  return resultOf(
    found,
    textView(() => [start, ...flags].join(' ')),
  )
}

const noColumn = ({ file, operation }: Fitted, { names }: FittedTable, what: string, flags: string) =>
  new UsageError(`No column of ${file} seems to ${what}`, {
    code: 'unusable_header',
    outcome: 'none',
    hint: `Its columns are ${names.map((name) => safeText(name)).join(', ')}. Add ${flags} to: pay batch plan ${operation} ${shellWord(file)}`,
  })

function flagsOf(
  { names, delimiter, encoding, skipLines }: FittedTable,
  { map, currencyCode, amounts, hasDecimalComma, unused, needsFilter }: FittedColumns,
): readonly string[] {
  const isPlain = unused.length === 0 && names.every((name) => Object.hasOwn(map, name))
  return [
    ...(isPlain ? [] : Object.entries(map).map(([field, column]) => `--map ${quoted(`${field}=${column}`)}`)),
    ...(needsFilter ? [`--mapping ${PLACEHOLDER}`] : []),
    ...(currencyCode === undefined ? [] : [`--const currencyCode=${currencyCode}`]),
    ...(amounts === undefined ? [] : [`--amounts ${amounts}`]),
    ...(hasDecimalComma ? ['--decimal-comma'] : []),
    ...(skipLines === 0 ? [] : [`--skip-lines ${skipLines}`]),
    ...(delimiter === undefined ? [] : [`--delimiter ${delimiter === '\t' ? 'tab' : quoted(delimiter)}`]),
    ...(encoding === undefined ? [] : [`--encoding ${encoding.toLowerCase()}`]),
  ]
}

const quoted = (text: string): string => shellWord(safeText(text))
