import { csvLine } from '../../rows/read/csv-line.ts'
import { amountStyleOf } from '../../rows/map/amount-style.ts'
import { parseMappingFile } from '../../rows/map/mapping-file.ts'
import { PLACEHOLDER } from '../../rows/map/placeholder.ts'
import { fitTable } from '../../rows/read/fit-table.ts'
import type { FittedTable } from '../../rows/read/fit-table.ts'
import { accountFlagsOf } from '../../cli/command/flag-words.ts'
import { textFlag } from '../../cli/command/input.ts'
import { suggestMapping } from '../../rows/import/suggest-mapping.ts'
import type { SuggestedMapping } from '../../rows/import/suggest-mapping.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf, textView } from '../../cli/command/result.ts'
import type { Result } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { UsageError } from '../../errors.ts'
import { READY_MAPPINGS } from '../../rows/import/ready-mappings.ts'
import { RECORD, REQUIRED_FIELDS } from '../../rows/import/record-fields.ts'
import { oneOf } from '../../cli/parse/choices.ts'
import { openInput } from '../open-table.ts'
import { TABLE_FLAGS } from '../table-flags.ts'
import { readFormatFlags } from '../table-settings.ts'
import { safeText } from '../../output/safe-text.ts'
import { shellWord } from '../../files/shell.ts'
import type { View } from '../../output/view.ts'

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

async function suggestImport(invocation: Invocation, input: CommandInput, file: string): Promise<Result> {
  const table = await fitTable(await openInput(invocation, file), RECORD.hints.header, readFormatFlags(input))
  const { names, delimiter, encoding, skipLines } = table
  const suggestion = suggestMapping(table)
  const fitting = fittingMapping(names)
  const own = ownMapping(table, suggestion)
  const found = fitting === undefined ? own : { ...own, ...readyImport(table, suggestion, fitting) }
  const notes = [...table.doubts, ...found.notes].map((line) => invocation.cleanText(line))
  // On stderr, so that the command on stdout can be piped to a shell.
  for (const line of notes) await invocation.note(line)
  const mapping: ImportMapping = {
    file,
    ...found,
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(encoding === undefined ? {} : { encoding: encoding.toLowerCase() }),
    ...(skipLines === 0 ? {} : { skipLines: String(skipLines) }),
    notes,
  }
  return resultOf(mapping, importMappingView(`pay${accountFlagsOf(invocation)}`))
}

type Found = Omit<ImportMapping, 'file' | 'delimiter' | 'encoding' | 'skipLines'>

function ownMapping(
  table: FittedTable,
  { suggestions, missing, amounts, assumesUtc, notes }: SuggestedMapping,
): Found {
  const placeholders = (isConstant: boolean) =>
    missing
      .filter((field) => MAY_BE_CONSTANT.includes(field) === isConstant)
      .map((field) => [field, PLACEHOLDER])
  const columnOf = (field: string) => suggestions.find((one) => one.field === field)?.column ?? field
  const style = amountStyleOf('', valuesIn(table, columnOf('amount')))
  const dateFormat = dateFormatOf(valuesIn(table, columnOf('createdAt')))
  return {
    map: Object.fromEntries([
      ...suggestions.map(({ field, column }) => [field, column]),
      ...placeholders(false),
    ]),
    const: Object.fromEntries(placeholders(true)),
    ...(amounts === undefined && style.units !== 'major' ? {} : { amounts: 'major' }),
    ...(style.hasDecimalComma ? { decimalComma: true } : {}),
    ...(dateFormat === undefined ? {} : { dateFormat }),
    ...(assumesUtc || dateFormat !== undefined ? { assumeUtc: true } : {}),
    missing,
    notes: [
      ...notes,
      ...style.doubts,
      ...(dateFormat === undefined || assumesUtc ? [] : [NO_ZONE]),
      ...placeholderNotes(missing),
    ],
  }
}

const NO_ZONE =
  'The times name no zone, and are read as UTC. If they are local, replace --assume-utc with --timezone, such as --timezone Europe/Berlin.'

/** A ready-made mapping, and what its export leaves open. */
function readyImport(
  table: FittedTable,
  { suggestions }: SuggestedMapping,
  ready: string,
): Omit<Found, 'map' | 'const' | 'missing'> {
  const { map, join, dateFormat: known } = parseMappingFile(RECORD, READY_MAPPINGS[ready] ?? '', ready)
  const order = map.get('order.id') ?? ''
  const own = table.names.includes(order)
    ? undefined
    : (suggestions.find(({ field }) => field === 'order.id')?.column ?? map.get('paymentId'))
  const style = amountStyleOf('', valuesIn(table, map.get('amount') ?? ''))
  const day = known === undefined ? join.get('createdAt')?.[0] : undefined
  const dateFormat = day === undefined ? undefined : dayFormatOf(valuesIn(table, day))
  return {
    ready: { mapping: ready, ...(own === undefined ? {} : { order: own }) },
    ...(style.hasDecimalComma ? { decimalComma: true } : {}),
    ...(dateFormat === undefined ? {} : { dateFormat: `${dateFormat.pattern} HH:mm:ss z` }),
    notes: [
      `A ready-made mapping fits this export: ${ready}.`,
      ...(own === undefined
        ? []
        : [
            `There is no column "${order}", so order.id is read from "${own}". Change --map order.id if another column has your order.`,
          ]),
      ...style.doubts,
      ...(dateFormat?.isSure === false
        ? ['The dates do not show which number is the month: check --date-format.']
        : []),
    ],
  }
}

const valuesIn = ({ names, rows }: FittedTable, column: string): readonly string[] =>
  rows.flatMap((row) => row[names.indexOf(column)] ?? []).filter((value) => value !== '')

/** The format of times such as `31.01.2026 09:30`, which have no zone; undefined for any other. */
function dateFormatOf(values: readonly string[]): string | undefined {
  const forms = new Set(
    values.map((value) => {
      const [, day, month, seconds] = /^(\d{1,2})\.(\d{1,2})\.\d{4} \d\d:\d\d(:\d\d)?$/.exec(value) ?? []
      if (day === undefined || month === undefined) return undefined
      return { isShort: day.length + month.length < 4, hasSeconds: seconds !== undefined }
    }),
  )
  const [first] = forms
  const all = [...forms].filter((form) => form !== undefined)
  if (first === undefined || all.length < forms.size) return undefined
  return `${all.some(({ isShort }) => isShort) ? 'd.M.yyyy' : 'dd.MM.yyyy'} HH:mm${first.hasSeconds ? ':ss' : ''}`
}

/** The order of day and month in dates such as `31/01/2026`. */
function dayFormatOf(values: readonly string[]): { readonly pattern: string; readonly isSure: boolean } {
  const dates = values.map((value) => value.split(/[./]/).map(Number))
  if (values.some((value) => value.includes('.'))) return { pattern: 'dd.MM.yyyy', isSure: true }
  if (dates.some(([first = 0]) => first > 12)) return { pattern: 'dd/MM/yyyy', isSure: true }
  return { pattern: 'MM/dd/yyyy', isSure: dates.some(([, second = 0]) => second > 12) }
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

/** A suggested mapping; `--mapping` accepts its YAML. */
interface ImportMapping {
  readonly file: string
  /** Column name by field. */
  readonly map: Readonly<Record<string, string>>
  /** Constant value by field. */
  readonly const: Readonly<Record<string, string>>
  /** The ready-made mapping that the command uses, and the column of its order. */
  readonly ready?: { readonly mapping: string; readonly order?: string }
  readonly amounts?: 'major'
  readonly decimalComma?: true
  readonly dateFormat?: string
  readonly assumeUtc?: true
  readonly delimiter?: string
  readonly encoding?: string
  readonly skipLines?: string
  /** Required fields without a certain column; they have a placeholder in `map` or `const`. */
  readonly missing: readonly string[]
  readonly notes: readonly string[]
}

/** The command that checks the file with this mapping. */
const importMappingView = (pay: string): View<ImportMapping> => ({
  ids: () => [],
  csvColumns: ['file'],
  render: ({ file, ready, map, const: constants, amounts, decimalComma, dateFormat, ...more }) => {
    const { assumeUtc, delimiter, encoding, skipLines } = more
    const words = [
      ...(ready === undefined ? sourcesOf(map, constants) : readySources(ready)),
      ...(ready !== undefined || amounts === undefined ? [] : [`--amounts ${amounts}`]),
      ...(decimalComma === undefined ? [] : ['--decimal-comma']),
      ...(dateFormat === undefined ? [] : [`--date-format ${quoted(dateFormat)}`]),
      ...(ready !== undefined || assumeUtc === undefined ? [] : ['--assume-utc']),
      ...(delimiter === undefined ? [] : [`--delimiter ${delimiter === '\t' ? 'tab' : quoted(delimiter)}`]),
      ...(encoding === undefined ? [] : [`--encoding ${encoding}`]),
      ...(skipLines === undefined ? [] : [`--skip-lines ${skipLines}`]),
    ]
    return [`${pay} observability import ${quoted(file)} --dry-run`, ...words].join(' ')
  },
})

const quoted = (text: string): string => shellWord(safeText(text))

const sourcesOf = (map: ImportMapping['map'], constants: ImportMapping['const']): readonly string[] => [
  ...Object.entries(map).map(([field, column]) => `--map ${quoted(`${field}=${column}`)}`),
  ...Object.entries(constants).map(([field, value]) => `--const ${quoted(`${field}=${value}`)}`),
]

const readySources = ({ mapping, order }: NonNullable<ImportMapping['ready']>): readonly string[] => [
  `--mapping ${mapping}`,
  ...(order === undefined ? [] : [`--map ${quoted(`order.id=${order}`)}`]),
]
