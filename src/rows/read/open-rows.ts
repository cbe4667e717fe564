import type { FieldSchema } from '../map/field-schema.ts'
import { createRowWarnings } from '../map/row-warnings.ts'
import type { RowWarnings } from '../map/row-warnings.ts'
import type { Delimiter } from './csv.ts'
import { decodeInput } from './decode.ts'
import type { EncodingName } from './encodings.ts'
import type { Input } from './input.ts'
import type { InputFormat } from './input-format.ts'
import { readNdjson } from './ndjson.ts'
import type { CheckBody } from './ndjson.ts'
import { readTable } from './table.ts'
import type { TableSettings } from './table-settings.ts'

/** An open input, and how its rows are read. */
export interface Rows extends InputFormat {
  /** The input as UTF-8. */
  readonly input: Input
  /** The column that a field comes from, if the input has columns. */
  readonly columnOf?: (field: string) => string | undefined
  /** Warnings about the rows read so far. */
  readonly rowWarnings: RowWarnings
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
  /** The names of all columns, if the input has columns. */
  readonly columns: readonly string[] | undefined
  /** The paths of the fields that columns and constants provide; undefined if every row names its own. */
  readonly fields: readonly string[] | undefined
}

/**
 * Opens the rows of an input, decoded, mapped and checked against the fields of `schema`.
 * @throws {UsageError} if the encoding, the header or the mapping does not fit
 */
export async function openRows(
  schema: FieldSchema,
  settings: TableSettings,
  raw: Input,
  check: CheckBody,
): Promise<OpenedRows> {
  const { mapping, cells, delimiter } = settings
  const { input, encoding, hasMark } = await decodeInput(raw, settings.encoding)
  const rowWarnings = createRowWarnings()
  const more = detailsOf(settings, encoding)
  const { amounts, assumesUtc } = cells
  if (settings.format === 'ndjson') {
    const format = readNdjson(schema, { mapping, cells, check, rowWarnings })
    const formatKey = JSON.stringify(['ndjson', [...mapping.constants], amounts, assumesUtc, ...more])
    return { rows: { input, ...format, rowWarnings, formatKey }, encoding, hasMark, ...NO_COLUMNS }
  }
  const { plan, header, ...format } = readTable(schema, input.head, {
    mapping,
    cells,
    rowWarnings,
    delimiter,
  })
  const columns = new Map(plan.fields.map(({ path, column }) => [path, plan.header[column ?? -1]]))
  return {
    rows: {
      input,
      ...format,
      columnOf: (field) => columns.get(field),
      rowWarnings,
      formatKey: JSON.stringify(['csv', header.delimiter, plan.fields, amounts, assumesUtc, ...more]),
    },
    encoding,
    hasMark,
    delimiter: header.delimiter,
    ignored: plan.ignored,
    lacking: plan.lacking,
    columns: header.names,
    fields: plan.fields.map(({ path }) => path),
  }
}

const NO_COLUMNS = {
  delimiter: undefined,
  ignored: [],
  lacking: [],
  columns: undefined,
  fields: undefined,
} as const

/** The part of the key for settings that few files need. Empty without them, so that the key stays that of earlier versions. */
function detailsOf({ mapping, cells }: TableSettings, encoding: EncodingName): readonly unknown[] {
  const { numbers, dateFormat, timezone } = cells
  const details = {
    encoding: encoding === 'UTF-8' ? undefined : encoding,
    numbers: numbers === 'plain' ? undefined : numbers,
    dateFormat: dateFormat?.pattern,
    timezone: timezone?.name,
    values: mapping.values && [...mapping.values].map(([field, texts]) => [field, ...texts]),
    where: mapping.where && [...mapping.where].map(([column, kept]) => [column, ...kept]),
    leaveOut: mapping.leaveOut && [...mapping.leaveOut].map(([column, texts]) => [column, ...texts]),
  }
  return Object.values(details).some((one) => one !== undefined && (!Array.isArray(one) || one.length > 0))
    ? [details]
    : []
}
