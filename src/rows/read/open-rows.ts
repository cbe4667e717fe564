import { COUNTED_OTHERWISE } from '../../money/currencies.ts'
import { namesMinorUnits } from '../map/amount-style.ts'
import type { CellOptions } from '../map/cell.ts'
import type { FieldSchema } from '../map/field-schema.ts'
import type { CellProblem, InputRow, RowProblem } from '../map/row.ts'
import { createValueCheck } from '../map/value-check.ts'
import { createRowWarnings } from '../map/row-warnings.ts'
import type { RowWarning, RowWarnings } from '../map/row-warnings.ts'
import type { Delimiter } from './csv.ts'
import { namesZone } from '../map/time-zone.ts'
import { decodeInput } from './decode.ts'
import {
  createAmountForms,
  idsMadeNumbers,
  otherZone,
  madeNumber,
  refuseContradictions,
  writtenDifferently,
} from './evidence.ts'
import type { AmountForms, SampleRow } from './evidence.ts'
import { createKindTally } from './kinds-of-rows.ts'
import type { OtherKinds } from './kinds-of-rows.ts'
import type { EncodingName } from './encodings.ts'
import { firstRows, SAMPLE_ROWS } from './fit-table.ts'
import type { Input } from './input.ts'
import type { InputFormat } from './input-format.ts'
import { readNdjson } from './ndjson.ts'
import type { CheckBody } from './ndjson.ts'
import { readTable, refuseLeavingOutAll } from './table.ts'
import type { Table } from './table.ts'
import type { TableSettings } from './table-settings.ts'

/** An open input, and how its rows are read. */
export interface Rows extends InputFormat {
  /** The input as UTF-8. */
  readonly input: Input
  /** The column that a field comes from, if the input has columns. */
  readonly columnOf?: (field: string) => string | undefined
  /** Warnings about the rows read so far. */
  readonly rowWarnings: RowWarnings
  /** How the amounts of the rows read so far are written, if a row can contradict them. */
  readonly amountForms?: AmountForms | undefined
  /** A key that is equal for two inputs that are read in the same way; part of the run's identity. */
  readonly formatKey: string
}

export interface OpenedRows {
  readonly rows: Rows
  readonly encoding: EncodingName
  /** Whether the input begins with a byte order mark. */
  readonly hasMark: boolean
  readonly delimiter: Delimiter | undefined
  /** The names of columns that are ignored. */
  readonly ignored: readonly string[]
  /** The fields that lack their column. */
  readonly lacking: readonly string[]
  /** The column of amounts whose name says minor units, if a flag says major units. */
  readonly overruled: string | undefined
  /** Whether amounts are, or may be, in minor units that the user doesn't call those of ISO 4217. */
  readonly mayDiffer: boolean
  /** The columns that say that some of the first rows are no payments. */
  readonly otherKinds: readonly OtherKinds[]
  /** Warnings about values of the first rows that the service may refuse. */
  readonly foreseen: readonly RowWarning[]
  /** The currencies of the first rows whose minor units, then, may be a provider's own. */
  readonly countedOtherwise: readonly string[]
  /** A zone that a row names, in a column that isn't read, and that isn't the one its time is read in. */
  readonly otherZone: string | undefined
  /** The names of all columns, if the input has columns. */
  readonly columns: readonly string[] | undefined
  /** The paths of the fields that columns and constants provide; undefined if every row names its own. */
  readonly fields: readonly string[] | undefined
}

/**
 * Opens the rows of an input, decoded, mapped and checked against the fields of `schema`.
 * @throws {UsageError} if the encoding, the header, the mapping or the first rows do not fit
 */
export async function openRows(
  schema: FieldSchema,
  settings: TableSettings,
  raw: Input,
  check: CheckBody,
): Promise<OpenedRows> {
  const { mapping, cells, delimiter, skipLines } = settings
  const { input, encoding, hasMark } = await decodeInput(raw, settings.encoding)
  const rowWarnings = createRowWarnings()
  const more = detailsOf(settings, encoding)
  const { amounts, assumesUtc } = cells
  if (settings.format === 'ndjson') {
    const format = readNdjson(schema, { mapping, cells, check, rowWarnings })
    const formatKey = JSON.stringify(['ndjson', [...mapping.constants], amounts, assumesUtc, ...more])
    const mayDiffer = !settings.isoMinor && amounts !== 'major'
    const rowOf = mayDiffer ? noting(schema, format.rowOf, rowWarnings) : format.rowOf
    const rows = { input, ...format, rowOf, rowWarnings, formatKey }
    const foreseen = createRowWarnings()
    const { rowOf: look } = readNdjson(schema, { mapping, cells, check, rowWarnings: foreseen })
    const first = [input.head.subarray(0, FIRST_BYTES)]
    for await (const { records } of format.records(first, format.start))
      // The last line may be cut, and then it isn't JSON.
      for (const record of records) look(record.cells)
    return { rows, encoding, hasMark, mayDiffer, foreseen: foreseen.all(), ...NO_COLUMNS }
  }
  const units = unitsOf(settings)
  const table = readTable(schema, input.head, {
    mapping,
    cells: units.cells,
    rowWarnings,
    delimiter,
    skipLines,
  })
  const forms = units.areSettled ? undefined : createAmountForms(units.cells.numbers ?? 'plain')
  const [kinds, foreseen] = [createKindTally(table.plan), createRowWarnings()]
  const checks = valueChecks(schema, table, foreseen)
  const sample = await sampleOf(schema, { raw, input }, table, (row) => {
    kinds.add(row)
    for (const checkValue of checks) checkValue(row)
  })
  refuseContradictions(sample, units.cells, forms)
  const { plan, header, textOf: _, ...format } = table
  const areMinor = ({ amount }: SampleRow) =>
    (units.cells.amounts === 'minor' && amount !== '') ||
    (units.cells.amounts === 'typed' && /^\d+$/.test(amount))
  const minorRows = settings.isoMinor ? [] : sample.filter(areMinor)
  const countedOtherwise = [
    ...new Set(minorRows.map(({ currencyCode }) => currencyCode.toUpperCase())),
  ].filter((code) => COUNTED_OTHERWISE.has(code))
  // In minor units, an amount with decimals or its currency is bad anyway.
  const amountForms = units.cells.amounts === 'minor' ? undefined : forms
  const rowOf = proving(schema, table, { forms: amountForms, madeNumbers: idsMadeNumbers(sample) })
  const columns = new Map(plan.fields.map(({ path, column }) => [path, plan.header[column ?? -1]]))
  return {
    rows: {
      input,
      ...format,
      // One warning is enough.
      rowOf:
        minorRows.length > 0 && countedOtherwise.length === 0 ? noting(schema, rowOf, rowWarnings) : rowOf,
      columnOf: (field) => columns.get(field),
      rowWarnings,
      amountForms,
      formatKey: JSON.stringify([
        'csv',
        header.delimiter,
        plan.fields,
        units.cells.amounts,
        assumesUtc,
        ...more,
      ]),
    },
    encoding,
    hasMark,
    delimiter: header.delimiter,
    ignored: plan.ignored,
    lacking: plan.lacking,
    overruled: units.overruled,
    mayDiffer: minorRows.length > 0,
    countedOtherwise,
    otherKinds: kinds.all(),
    foreseen: foreseen.all(),
    otherZone: otherZone(sample, units.cells)?.zone,
    columns: header.names,
    fields: plan.fields.map(({ path }) => path),
  }
}

const NO_COLUMNS = {
  delimiter: undefined,
  ignored: [],
  lacking: [],
  overruled: undefined,
  countedOtherwise: [],
  otherKinds: [],
  otherZone: undefined,
  columns: undefined,
  fields: undefined,
} as const

/** The part of the key for settings that few files need. Empty without them, so that the key stays that of earlier versions. */
function detailsOf({ mapping, cells, skipLines }: TableSettings, encoding: EncodingName): readonly unknown[] {
  const { numbers, dateFormat, timezone } = cells
  const details = {
    encoding: encoding === 'UTF-8' ? undefined : encoding,
    numbers: numbers === 'plain' ? undefined : numbers,
    dateFormat: dateFormat?.pattern,
    timezone: timezone?.name,
    timezoneColumn: cells.timezoneColumn,
    values: mapping.values && [...mapping.values].map(([field, texts]) => [field, ...texts]),
    where: mapping.where && [...mapping.where].map(([column, kept]) => [column, ...kept]),
    skipLines: skipLines === 0 ? undefined : skipLines,
    leaveOut: mapping.leaveOut && [...mapping.leaveOut].map(([column, texts]) => [column, ...texts]),
  }
  return Object.values(details).some((one) => one !== undefined && (!Array.isArray(one) || one.length > 0))
    ? [details]
    : []
}

/** The units of the amounts: those that the user names, or that the column's name says, or the job's usual ones. */
function unitsOf({ cells, areUnitsGiven, mapping }: TableSettings) {
  const column = mapping.columns.get('amount')
  const isNamedMinor = column !== undefined && namesMinorUnits(column)
  const amounts = isNamedMinor && !areUnitsGiven ? 'minor' : cells.amounts
  const areSettled = areUnitsGiven || isNamedMinor
  return {
    cells: { ...cells, amounts, takesZeroDecimals: amounts === 'minor' && areSettled } satisfies CellOptions,
    areSettled,
    overruled: isNamedMinor && amounts === 'major' ? column : undefined,
  }
}

/** The texts of the first rows, as far as they can be read without waiting. */
async function sampleOf(
  schema: FieldSchema,
  { raw, input }: { readonly raw: Input; readonly input: Input },
  table: Table,
  onRow: (cells: readonly string[]) => void,
): Promise<readonly SampleRow[]> {
  const { plan, records, rowOf, start, textOf } = table
  const [amount, currency, createdAt] = [textOf('amount'), textOf(schema.currency), textOf('createdAt')]
  const ids = idFieldsOf(schema).map(textOf)
  const isRead = (column: number) =>
    column === plan.zone || plan.fields.some((field) => field.column === column)
  const zoneColumn = plan.header.findIndex((name, column) => namesZone(name) && !isRead(column))
  const sample: SampleRow[] = []
  const others = new Map<string, Set<string>>()
  let row = 0
  for await (const cells of firstRows(input, records, start, plan.header.length)) {
    row += 1
    if (cells.length !== plan.header.length) continue
    const { leftOut } = plan.filters.length > 0 ? rowOf(cells) : {}
    if (leftOut !== undefined) {
      others.set(leftOut.column, (others.get(leftOut.column) ?? new Set<string>()).add(leftOut.value ?? ''))
      continue
    }
    onRow(cells)
    sample.push({
      row,
      ids: ids.map((read) => read(cells)),
      amount: amount(cells),
      currencyCode: currency(cells),
      createdAt: createdAt(cells),
      zone: zoneColumn === -1 ? '' : (cells[zoneColumn] ?? '').trim(),
    })
  }
  // Of a stream, and of a file that is decoded, only the head was read.
  const hasReadAll =
    input.size !== undefined && !input.isCompressed && (input === raw || raw.head.length === raw.size)
  if (sample.length === 0 && hasReadAll && row < SAMPLE_ROWS) refuseLeavingOutAll(table, others)
  return sample
}

/** How much of NDJSON is looked at before anything is sent. */
const FIRST_BYTES = 64 * 1024

/** The checks of columns whose values come from a set. */
const valueChecks = (schema: FieldSchema, { plan, textOf }: Table, rowWarnings: RowWarnings) =>
  plan.fields.flatMap(({ path, column }) => {
    const name = plan.header[column ?? -1]
    const check = name === undefined ? undefined : createValueCheck(path, name, schema, rowWarnings)
    const read = textOf(path)
    if (check === undefined) return []
    return (cells: readonly string[]) => {
      const text = read(cells)
      if (text !== '') check(text)
    }
  })

const idFieldsOf = ({ id, order }: FieldSchema): readonly string[] =>
  order === undefined ? [id] : [id, order]

/** The warning about currencies whose minor units may be a provider's own. */
export const countedOtherwiseWords = (codes: readonly string[]): string =>
  `Amounts in ${codes.join(', ')} are read in the minor units of ISO 4217. Some providers count these currencies with other decimals, so that an amount would be a hundred times too large or too small. Check one, and add --iso-minor if it is right.`

/** Reads rows, and warns of the first currency whose minor units may be a provider's own. */
const noting =
  (schema: FieldSchema, rowOf: InputFormat['rowOf'], rowWarnings: RowWarnings): InputFormat['rowOf'] =>
  (cells) => {
    const row = rowOf(cells)
    const code = row.prepared?.body[schema.currency]
    if (typeof code === 'string' && COUNTED_OTHERWISE.has(code))
      rowWarnings.note('counted otherwise', () => countedOtherwiseWords([code]))
    return row
  }

/** Reads rows that may contradict what the sample says of its columns. Such a row is bad. */
function proving(
  schema: FieldSchema,
  { rowOf, textOf, plan }: Table,
  {
    forms,
    madeNumbers,
  }: { readonly forms: AmountForms | undefined; readonly madeNumbers: readonly number[] },
): (cells: readonly string[]) => InputRow {
  if (forms === undefined && madeNumbers.length === 0) return rowOf
  const [amount, currency] = [textOf('amount'), textOf(schema.currency)]
  const ids = madeNumbers.map((place) => {
    const field = idFieldsOf(schema)[place] ?? schema.id
    return { field, read: textOf(field) }
  })
  const problemOf = (path: string, value: string, found: CellProblem | undefined): readonly RowProblem[] => {
    if (found === undefined) return []
    const column = plan.header[plan.fields.find((field) => field.path === path)?.column ?? -1] ?? path
    return [{ column, value, kind: found.kind, hint: found.hint }]
  }
  return (cells) => {
    const row = rowOf(cells)
    if (row.prepared === undefined) return row
    const written = { row: 0, amount: amount(cells), currencyCode: currency(cells) }
    const contrary = forms?.add(written)
    const problems = [
      ...problemOf('amount', written.amount, contrary && writtenDifferently(contrary)),
      ...ids.flatMap(({ field, read }) => problemOf(field, read(cells), madeNumber(read(cells)))),
    ]
    return problems.length === 0 ? row : { ...row, prepared: undefined, problems }
  }
}
