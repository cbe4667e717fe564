import { csvLine } from '../../rows/read/csv-line.ts'
import type { FitJob, FittedColumns } from '../../rows/fit/fit-columns.ts'
import { readingsOf } from '../../rows/fit/fit-times.ts'
import { KNOWN_RECORD_COLUMNS } from '../../rows/fit/known-columns.ts'
import { numbersOf } from '../../rows/map/amount-style.ts'
import { parseMappingFile } from '../../rows/map/mapping-file.ts'
import { PLACEHOLDER } from '../../rows/map/placeholder.ts'
import type { FittedTable } from '../../rows/read/fit-table.ts'
import { textFlag } from '../../cli/command/input.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf, textView } from '../../cli/command/result.ts'
import type { Result } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { UsageError } from '../../errors.ts'
import { READY_MAPPINGS, readyMappingFor } from '../../rows/import/ready-mappings.ts'
import { RECORD, REQUIRED_FIELDS } from '../../rows/import/record-fields.ts'
import { oneOf } from '../../cli/parse/choices.ts'
import { TABLE_FLAGS } from '../table-flags.ts'
import { suggestCommand } from '../table-template.ts'
import type { FoundColumns } from '../table-template.ts'

/** An example row, by field. */
const EXAMPLE: Readonly<Record<string, string>> = {
  paymentId: 'ext-1',
  currencyCode: 'EUR',
  'processor.name': 'ACME',
  amount: '2500',
  createdAt: '2026-01-31T09:30:00Z',
  'order.id': 'order-1',
  'paymentMethod.paymentMethodType': 'PAYMENT_CARD',
  status: 'SETTLED',
  'metadata.store': 'berlin-1',
}

export const TEMPLATE_FIELDS: readonly string[] = Object.keys(EXAMPLE)
export const templateRow = (): readonly string[] => Object.values(EXAMPLE)

export const command: CommandSpec = {
  path: ['observability', 'template'],
  summary: 'Print a header and an example row, or suggest how to map a file',
  details:
    'Without FILE, prints a CSV with the required fields and two common ones. With FILE, compares its header and first 10,000 rows with the fields of a record and prints the import command that maps them, with … where the file leaves something open; -o yaml prints a file for --mapping. With --mapping, prints a ready-made one. Maps a column only if its meaning is certain, and never if it may contain personal data. Sends nothing.',
  examples: [
    { purpose: 'start a file', line: 'pay observability template > records.csv' },
    { purpose: 'suggest how to map a file', line: 'pay observability template orders.csv' },
    {
      purpose: 'copy a ready-made mapping, to change it',
      line: 'pay observability template --mapping stripe-balance',
    },
    {
      purpose: 'write the suggestion to a mapping file',
      line: 'pay observability template orders.csv -o yaml',
    },
  ],
  args: [{ name: 'FILE', from: 'file', help: 'A CSV with other column names', optional: true }],
  flags: {
    mapping: {
      kind: 'text',
      value: 'NAME',
      choices: Object.keys(READY_MAPPINGS),
      help: 'Print a ready-made mapping, to copy and change',
    },
    delimiter: TABLE_FLAGS.delimiter,
    encoding: TABLE_FLAGS.encoding,
    'skip-lines': TABLE_FLAGS['skip-lines'],
  },
  run: async (invocation: Invocation, input: CommandInput) => {
    const path = input.args['FILE']
    const name = textFlag(input, 'mapping')
    if (name === undefined) return path === undefined ? exampleFile() : suggestImport(invocation, input, path)
    if (path === undefined) return readyMapping(name)
    throw new UsageError('--mapping prints a ready-made mapping, and FILE asks for a new one: use only one', {
      code: 'two_sources',
    })
  },
  related: ['observability import'],
}

function exampleFile(): Result {
  return resultOf(EXAMPLE, {
    ...textView(() => `${csvLine(TEMPLATE_FIELDS)}${csvLine(templateRow())}`.trimEnd()),
    csvColumns: TEMPLATE_FIELDS,
  })
}

function readyMapping(name: string): Result {
  const text = READY_MAPPINGS[oneOf('--mapping', name, Object.keys(READY_MAPPINGS))] ?? ''
  return resultOf(
    { name, mapping: text },
    { ...textView(() => text.trimEnd()), csvColumns: ['name', 'mapping'] },
  )
}

const suggestImport = (invocation: Invocation, input: CommandInput, file: string): Promise<Result> =>
  suggestCommand(invocation, input, {
    file,
    words: ['observability', 'import', file, '--dry-run'],
    job: RECORDS,
    refine: (table, found) => {
      const ready = readyMappingFor(table.names)
      return ready === undefined ? found : readyImport(table, found, ready)
    },
  })

export const RECORDS: FitJob = {
  schema: RECORD,
  known: KNOWN_RECORD_COLUMNS,
  required: REQUIRED_FIELDS,
  either: [],
  mayBeConstant: ['currencyCode', 'processor.name', 'paymentMethod.paymentMethodType'],
  rows: 'payments',
}

/** A ready-made mapping, and what its export leaves open. */
function readyImport(table: FittedTable, fitted: FittedColumns, mapping: string): FoundColumns {
  const { map, join, dateFormat } = parseMappingFile(RECORD, READY_MAPPINGS[mapping] ?? '', mapping)
  const column = map.get('order.id') ?? ''
  const order = table.names.includes(column) ? undefined : (fitted.map['order.id'] ?? map.get('paymentId'))
  const hasOrder = order !== undefined && order !== PLACEHOLDER
  const cellsOf = (name: string) => table.rows.map((row) => row[table.names.indexOf(name)] ?? '')
  const { numbers } = numbersOf(
    cellsOf(map.get('amount') ?? '').map((amount) => ({ amount, currencyCode: '' })),
  )
  const parts = dateFormat === undefined ? (join.get('createdAt') ?? []).map(cellsOf) : []
  const readings = readingsOf(
    table.rows.map((_, row) =>
      parts
        .map((cells) => cells[row] ?? '')
        .join(' ')
        .trim(),
    ),
  )
  const [reading, other] = readings
  const own = hasOrder ? order : order === undefined ? undefined : map.get('paymentId')
  return {
    map: fitted.map,
    const: fitted.const,
    missing: fitted.missing,
    needsMapping: false,
    unused: [],
    ready: { mapping, ...(own === undefined ? {} : { order: own }) },
    ...(numbers === 'decimal-comma' ? { decimalComma: true as const } : {}),
    ...(reading?.pattern === undefined
      ? {}
      : { dateFormat: other === undefined ? reading.pattern : PLACEHOLDER }),
    notes: [
      `A ready-made mapping fits this export: ${mapping}.`,
      ...(own === undefined
        ? []
        : [
            `There is no column "${column}", so order.id is read from "${own}". Change --map order.id if another column has your order.`,
          ]),
      ...(other === undefined
        ? []
        : [
            `The dates fit ${readings.map(({ pattern }) => `"${pattern}"`).join(' and ')}: write the right one in place of ${PLACEHOLDER}.`,
          ]),
    ],
  }
}
