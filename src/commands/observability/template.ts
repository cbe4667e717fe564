import { csvLine } from '../../bulk/read/csv-line.ts'
import { parseMappingFile } from '../../bulk/map/mapping-file.ts'
import { PLACEHOLDER } from '../../bulk/map/placeholder.ts'
import { decodeInput } from '../../bulk/read/decode.ts'
import { readHeader, sampleRows } from '../../bulk/read/table.ts'
import { textFlag } from '../../cli/command/input.ts'
import { suggestMapping } from '../../import/suggest-mapping.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf, textView } from '../../cli/command/result.ts'
import type { Result } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { importMappingView } from '../../views/import/mapping.ts'
import type { ImportMapping } from '../../views/import/mapping.ts'
import { UsageError } from '../../errors.ts'
import { READY_MAPPINGS } from '../../import/ready-mappings.ts'
import { RECORD, REQUIRED_FIELDS } from '../../import/record-fields.ts'
import { oneOf } from '../one-of.ts'
import { openInput } from '../open-table.ts'
import { TABLE_FLAGS } from '../table-flags.ts'
import { readFormatFlags } from '../table-settings.ts'

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
    'Without FILE, prints a CSV with the required fields and two common ones. With FILE, compares its header and first rows with the fields of a record and prints the import command that maps them; -o yaml prints a file for --mapping. With --mapping, prints a ready-made one. Maps a column only if its meaning is certain, and never if it may contain personal data. Sends nothing.',
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

async function suggestImport(invocation: Invocation, input: CommandInput, file: string): Promise<Result> {
  const settings = readFormatFlags(input)
  const { input: text } = await decodeInput(await openInput(invocation, file), settings.encoding)
  const { head } = text
  const header = readHeader(head, RECORD.hints.header, settings.delimiter)
  const suggestion = suggestMapping({ names: header.names, rows: sampleRows(head, header) })
  const ready = fittingMapping(header.names)
  const readyNotes = ready === undefined ? [] : [`A ready-made mapping fits this export: --mapping ${ready}.`]
  const notes = [...readyNotes, ...suggestion.notes, ...placeholderNotes(suggestion.missing)].map((line) =>
    invocation.cleanText(line),
  )
  // On stderr, so that the command on stdout can be piped to a shell.
  for (const line of notes) await invocation.note(line)
  const placeholders = (isConstant: boolean) =>
    suggestion.missing
      .filter((field) => MAY_BE_CONSTANT.includes(field) === isConstant)
      .map((field) => [field, PLACEHOLDER])
  const columns = suggestion.suggestions.map(({ field, column }) => [field, column])
  const mapping: ImportMapping = {
    file,
    map: Object.fromEntries([...columns, ...placeholders(false)]),
    const: Object.fromEntries(placeholders(true)),
    ...(suggestion.amounts === undefined ? {} : { amounts: suggestion.amounts }),
    ...(suggestion.assumesUtc ? { assumeUtc: true } : {}),
    ...(settings.delimiter === undefined ? {} : { delimiter: settings.delimiter }),
    ...(settings.encoding === undefined ? {} : { encoding: settings.encoding.toLowerCase() }),
    missing: suggestion.missing,
    notes,
  }
  return resultOf(mapping, importMappingView)
}

/** The ready-made mapping whose columns a file has. The order is often in a column that the shop has added. */
function fittingMapping(names: readonly string[]): string | undefined {
  const fits = (name: string, text: string): boolean => {
    const { map, join, where } = parseMappingFile(RECORD, text, name)
    const columns = REQUIRED_FIELDS.flatMap((field) =>
      field === 'order.id' ? [] : [map.get(field) ?? []].flat(),
    )
    return [...columns, ...[...join.values()].flat(), ...where.keys()].every((column) =>
      names.includes(column),
    )
  }
  return Object.entries(READY_MAPPINGS).find(([name, text]) => fits(name, text))?.[0]
}

/** Fields that may be the same in every row; all others differ from payment to payment. */
const MAY_BE_CONSTANT = ['currencyCode', 'processor.name', 'paymentMethod.paymentMethodType']

const placeholderNotes = (missing: readonly string[]): readonly string[] =>
  missing.length === 0
    ? []
    : [`Replace each ${PLACEHOLDER} before you import: no column is certain to be ${missing.join(', ')}.`]
