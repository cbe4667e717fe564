import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { BATCH_OPERATIONS } from '../../rows/batch/plan.ts'
import type { BatchOperation } from '../../rows/batch/plan.ts'
import { BATCH_ROW, NAMING_FIELDS } from '../../rows/batch/planning/row-fields.ts'
import { csvLine } from '../../rows/read/csv-line.ts'
import type { FitJob } from '../../rows/fit/fit-columns.ts'
import { KNOWN_COLUMNS } from '../../rows/fit/known-columns.ts'
import { textFlag } from '../../cli/command/input.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf, textView } from '../../cli/command/result.ts'
import type { Result } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { UsageError } from '../../errors.ts'
import { safeText } from '../../output/safe-text.ts'
import { fileWord } from '../../files/shell.ts'
import { oneOf } from '../../cli/parse/choices.ts'
import { TABLE_FLAGS } from '../table-flags.ts'
import { formatFlagsOf, suggestCommand } from '../table-template.ts'

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
    'Without FILE, prints a CSV to fill in. With FILE, reads its header and first 10,000 rows, and prints the pay batch plan command that fits: the columns by their usual names, the delimiter, the encoding, decimal commas, units and currency. Sends nothing.',
    'stdout has the command alone, with … where the file leaves something open; such a command is refused. stderr has the reasons. -o yaml prints a file for --mapping.',
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

const fit = (
  invocation: Invocation,
  input: CommandInput,
  { file, operation }: { readonly file: string; readonly operation: BatchOperation },
): Promise<Result> =>
  suggestCommand(invocation, input, {
    file,
    words: ['batch', 'plan', operation, file],
    job: jobOf(operation),
    facts: { operation },
    refine: (table, found) => {
      const { names } = table
      const noColumn = (what: string, flags: string) =>
        new UsageError(`No column of ${file} seems to ${what}`, {
          code: 'unusable_header',
          outcome: 'none',
          hint: `Its columns are ${names.map((name) => safeText(name)).join(', ')}. Add ${flags} to: ${['pay batch plan', operation, fileWord(file), ...formatFlagsOf(table)].join(' ')}`,
        })
      if (NAMING_FIELDS.every((field) => found.map[field] === undefined))
        throw noColumn('name payments or orders', '--map orderId=COLUMN')
      if (operation !== 'cancel' && found.map['amount'] === undefined)
        throw noColumn('have amounts', '--map amount=COLUMN, or --empty-amount all')
      return found.unused.length === 0
        ? found
        : { ...found, notes: [...found.notes, `Columns that are not used: ${found.unused.join(', ')}.`] }
    },
  })

function jobOf(operation: BatchOperation): FitJob {
  const { amount, currencyCode, final, ...shared } = KNOWN_COLUMNS
  const amounts = { amount: amount ?? [], currencyCode: currencyCode ?? [] }
  return {
    schema: BATCH_ROW,
    known:
      operation === 'cancel'
        ? shared
        : { ...shared, ...amounts, ...(operation === 'capture' ? { final: final ?? [] } : {}) },
    required: [],
    either: NAMING_FIELDS,
    mayBeConstant: ['currencyCode'],
    rows: 'requests',
    moves: operation === 'cancel' ? undefined : operation,
  }
}
