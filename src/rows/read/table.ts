import { isUtf8 } from 'node:buffer'
import { UsageError } from '../../errors.ts'
import type { CellOptions } from '../map/cell.ts'
import type { FieldSchema } from '../map/field-schema.ts'
import { folded, OTHER_REASON, planColumns } from '../map/mapping.ts'
import type { ColumnMapping, ColumnPlan } from '../map/mapping.ts'
import type { LeftOut } from '../left-out.ts'
import type { InputRow, RowProblem } from '../map/row.ts'
import { createRowReader, createTextReader } from '../map/row-reader.ts'
import type { RowWarnings } from '../map/row-warnings.ts'
import { withoutGuard } from './csv-line.ts'
import {
  DELIMITERS,
  MAX_RECORD_BYTES,
  firstRecords,
  formOf,
  lineBreaksIn,
  notUtf8,
  readRecords,
  tooLong,
  unreadable,
} from './csv.ts'
import type { Delimiter, Form, Place } from './csv.ts'
import type { InputFormat } from './input-format.ts'
import { tableRejects } from './rejects.ts'
import { unusableFile } from './unusable-file.ts'
import { shellWord } from '../../files/shell.ts'

export interface Header {
  readonly names: readonly string[]
  readonly delimiter: Delimiter
  readonly form: Form
  /** The place where the rows begin. */
  readonly start: Place
}

/**
 * Reads the header from the first bytes of a file.
 * @param hint how to get a header if there is none
 * @throws {UsageError} if there is no header, or its delimiter is in doubt
 */
export function readHeader(
  head: Buffer,
  hint: string,
  { delimiter, skipLines = 0 }: HeaderSettings = {},
): Header {
  if (head.length === 0) throw unusableFile('The file is empty', hint)
  const byte = lineStart(head, skipLines)
  if (byte === undefined) throw unusableFile(`The file has no line after the first ${skipLines}`, hint)
  const { start, ...header } = headerIn(head.subarray(byte), hint, delimiter)
  return { ...header, start: { byte: byte + start.byte, line: skipLines + start.line } }
}

export interface HeaderSettings {
  /** The delimiter of the user, who knows better than the header. */
  readonly delimiter?: Delimiter | undefined
  /** The number of lines before the header. */
  readonly skipLines?: number | undefined
}

/** Where a line begins, counted from 0; undefined if there are fewer. */
function lineStart(head: Buffer, line: number): number | undefined {
  const breaks = line === 0 ? [] : [...head.toString('latin1').matchAll(/\r\n|\n|\r/g)].slice(0, line)
  const last = breaks.at(-1)
  const start = last === undefined ? 0 : last.index + last[0].length
  return breaks.length < line || (line > 0 && start >= head.length) ? undefined : start
}

function headerIn(head: Buffer, hint: string, named: Delimiter | undefined): Header {
  const firstLine = /^.*?(?:\r\n|\n|\r|$)/s.exec(head.toString('latin1'))?.[0] ?? ''
  refuseOtherEncoding(head.subarray(0, firstLine.length))
  const declared = declaredDelimiter(firstLine)
  if (declared !== undefined && named !== undefined && declared !== named)
    throw unusableFile(
      `The first line says that ${nameOf(declared)} separates the columns, but --delimiter says ${nameOf(named)}`,
      'Leave out --delimiter, or remove that line.',
    )
  const top = declared === undefined ? 0 : firstLine.length
  const below = head.subarray(top)
  if (below.length === 0) throw unusableFile('The file has no header', hint)
  const { delimiter, cells, bytes } = firstRecord(below, {
    line: 1 + lineBreaksIn(head.subarray(0, top)),
    delimiter: declared ?? named,
  })
  const read = head.subarray(0, top + bytes)
  refuseOtherEncoding(read)
  if (read.length >= MAX_RECORD_BYTES) throw tooLong(1 + lineBreaksIn(head.subarray(0, top)), read, delimiter)
  if (cells.every((cell) => cell === '') && cells.length === 1)
    throw unusableFile('The first line is empty', hint)
  const start = { byte: read.length, line: 1 + lineBreaksIn(read) }
  return { names: cells.map((name) => name.trim()), delimiter, form: formOf(delimiter, head), start }
}

/** The first record, read with `delimiter` or the one that yields the most cells; with a comma if there is only one cell. */
function firstRecord(
  head: Buffer,
  { line, delimiter: named }: { readonly line: number; readonly delimiter: Delimiter | undefined },
) {
  const readWith = (delimiter: Delimiter) => {
    try {
      const trim = formOf(delimiter, head).length > 1
      const options = { delimiter, trim, bom: true, skip_empty_lines: false, to: 1 }
      const [first] = firstRecords(head, options)
      return { delimiter, cells: first?.cells ?? [''], bytes: first?.bytes ?? head.length, error: undefined }
    } catch (error) {
      return { delimiter, cells: [], bytes: 0, error }
    }
  }
  const read = DELIMITERS.map(readWith)
  const likely = read.reduce((most, one) => (one.cells.length > most.cells.length ? one : most))
  const best = named === undefined ? likely : readWith(named)
  if (best.error !== undefined) throw unreadable(best.error, head, { line, form: best.delimiter })
  const alike = read
    .filter(({ delimiter }) => delimiter !== '|' || best.delimiter === '|')
    .filter(({ cells }) => cells.length === best.cells.length)
    .map(({ delimiter }) => delimiter)
  if (
    best.cells.length === 1
      ? named !== undefined && likely.cells.length > 1
      : named === undefined && alike.length > 1
  )
    throw unusableFile(
      named === undefined
        ? `The header may be separated by ${alike.map(nameOf).join(' or ')}`
        : `The header is not separated by ${nameOf(named)}`,
      named === undefined
        ? `Name the delimiter: --delimiter ${shellWord(flagOf(alike[0] ?? ','))}`
        : `It has several cells with --delimiter ${shellWord(flagOf(likely.delimiter))}`,
    )
  return best
}

const nameOf = (delimiter: Delimiter): string => (delimiter === '\t' ? 'tab' : `"${delimiter}"`)
const flagOf = (delimiter: Delimiter): string => (delimiter === '\t' ? 'tab' : delimiter)

/** Refuses UTF-16, which can be valid UTF-8, too: it has a zero byte in each character. */
function refuseOtherEncoding(bytes: Buffer): void {
  if (bytes.includes(0) || !isUtf8(bytes)) throw notUtf8(bytes, 1)
}

/** The delimiter that a first line such as `sep=;` declares, which Excel reads and writes; undefined for any other line. */
function declaredDelimiter(line: string): Delimiter | undefined {
  const declared = /^(?:\u00EF\u00BB\u00BF)?"?sep=(.)"?[\r\n]*$/i.exec(line)?.[1]
  if (declared === undefined || isDelimiter(declared)) return declared
  throw unusableFile(
    `The first line says that ${JSON.stringify(declared)} separates the columns`,
    'Save the file with commas, semicolons, tabs or vertical bars as separators.',
  )
}

/** Whether a character can separate cells: it must not occur in numbers or words, nor quote cells. */
export const isDelimiter = (text: string): boolean => /^(?:\t|[!-~](?<![\w"'.\\+-]))$/.test(text)

const SAMPLE_BYTES = 64 * 1024
const SAMPLE_ROWS = 500

/** The cells of the first rows. */
export function sampleRows(head: Buffer, { delimiter, form, start }: Header): readonly (readonly string[])[] {
  const bytes = head.subarray(start.byte, start.byte + SAMPLE_BYTES)
  const trim = form.length > 1
  const rows = firstRecords(bytes, { delimiter, trim, to: SAMPLE_ROWS, skip_records_with_error: true })
  const isCut = start.byte + bytes.length < head.length || head.length >= SAMPLE_BYTES
  return rows.filter((row) => !isCut || row.bytes < bytes.length).map(({ cells }) => cells)
}

/** A CSV file whose header has been read. */
export interface Table extends InputFormat {
  readonly plan: ColumnPlan
  readonly header: Header
  /** Returns what reads the text of a field in the cells of a record; it is empty if no column or constant provides it. */
  readonly textOf: (field: string) => (cells: readonly string[]) => string
}

/** @throws {UsageError} if the header does not fit the schema and the mapping */
export function readTable(
  schema: FieldSchema,
  head: Buffer,
  {
    mapping,
    cells: cellOptions,
    rowWarnings,
    ...settings
  }: HeaderSettings & {
    readonly mapping: ColumnMapping
    readonly cells: CellOptions
    readonly rowWarnings: RowWarnings
  },
): Table {
  const header = readHeader(head, schema.hints.header, settings)
  const reasonName = schema.reasonColumn
  const isMapped = [...mapping.columns.values()].includes(reasonName)
  // Only a rejects file has this column. Its cells may have a guard apostrophe, which is removed.
  const reasonColumn = isMapped ? -1 : header.names.indexOf(reasonName)
  const isRejects = reasonColumn !== -1
  const names = isRejects ? header.names.map(withoutGuard) : header.names
  const plan = planNamingHeader(schema, names, { mapping, cells: cellOptions }, head, settings)
  const read = createRowReader(schema, plan, cellOptions, rowWarnings)
  const textOf = (name: string) => {
    const field = plan.fields.find(({ path }) => path === name)
    return field === undefined ? () => '' : createTextReader(field, plan)
  }
  const idOf = textOf(schema.id)
  const orderOf = schema.order === undefined ? undefined : textOf(schema.order)

  const rowOf = (raw: readonly string[]): InputRow => {
    const guarded = isRejects ? raw.map(withoutGuard) : raw
    if (guarded.every((cell) => cell.trim() === ''))
      return { id: '', prepared: undefined, problems: [], cells: guarded, leftOut: EMPTY_ROW }
    const cells = withoutSurplus(guarded, names.length)
    if (cells !== guarded) rowWarnings.note('surplus', () => 'empty cells beyond the header are left out')
    const id = idOf(cells)
    const earlierReason = isRejects ? { earlierReason: cells[reasonColumn] ?? '' } : {}
    const filtered = filterRow(cells, plan)
    if (filtered !== undefined) return { id, prepared: undefined, problems: [], cells, ...filtered }
    const result = read(cells)
    return 'body' in result
      ? { id, prepared: result, problems: [], cells, ...earlierReason }
      : {
          id,
          ...(orderOf === undefined ? {} : { orderId: orderOf(cells) }),
          prepared: undefined,
          problems: result,
          cells,
        }
  }
  return {
    plan,
    header,
    start: header.start,
    records: (chunks, from) => readRecords(chunks, header.form, from),
    rowOf,
    textOf: (field) => {
      const text = textOf(field)
      return isRejects ? (raw) => text(raw.map(withoutGuard)) : text
    },
    rejects: tableRejects(names, header.delimiter, isMapped ? OTHER_REASON : reasonName),
  }
}

const MOST_LINES_ABOVE = 30

/** Plans the columns. If the first line is a title, the error names the line that looks like the header. */
function planNamingHeader(
  schema: FieldSchema,
  names: readonly string[],
  { mapping, cells }: { readonly mapping: ColumnMapping; readonly cells: CellOptions },
  head: Buffer,
  { delimiter, skipLines = 0 }: HeaderSettings,
): ColumnPlan {
  try {
    return planColumns(schema, names, mapping, cells)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    const lines = linesAboveHeader(head, names, { delimiter, skipLines }, (found) =>
      knownNames(found, schema, mapping),
    )
    if (lines === undefined) throw error
    throw new UsageError(error.message, {
      ...error.details,
      hint: `Line ${lines + 1} looks like the header: add --skip-lines ${lines}.`,
      cause: error,
    })
  }
}

/**
 * The number of lines to skip, if a line below `names` looks more like the header: it has more names that are known, or, under a
 * title, more names at all.
 */
export function linesAboveHeader(
  head: Buffer,
  names: readonly string[],
  { delimiter, skipLines = 0 }: HeaderSettings,
  countKnown: (names: readonly string[]) => number,
): number | undefined {
  const known = countKnown(names)
  const filled = filledIn(names)
  let below: number | undefined
  for (let lines = skipLines + 1; lines <= skipLines + MOST_LINES_ABOVE; lines += 1) {
    if (lineStart(head, lines) === undefined) break
    const found = namesBelow(head, { delimiter, skipLines: lines })
    const count = countKnown(found)
    if (count > 1 && count > known) return lines
    // A row of data has numbers.
    if (below === undefined && filled <= 2 && filledIn(found) > Math.max(2, filled) && !found.some(hasNumber))
      below = lines
  }
  return known === 0 ? below : undefined
}

const filledIn = (names: readonly string[]): number => names.filter((name) => name !== '').length
const hasNumber = (name: string): boolean => /^\W*\d/.test(name)

/** The names in a line that may be a header; none if it can't be. */
function namesBelow(head: Buffer, settings: HeaderSettings): readonly string[] {
  try {
    return readHeader(head, '', settings).names
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return []
  }
}

/** How many names are fields, or columns that the mapping names. */
function knownNames(names: readonly string[], schema: FieldSchema, mapping: ColumnMapping): number {
  const wanted = new Set([...Object.keys(schema.kinds), ...mapping.columns.values()].map(folded))
  return names.filter((name) => wanted.has(folded(name))).length
}

/** A row of delimiters alone. */
const EMPTY_ROW: LeftOut = { column: '', value: '' }

/** The cells that the header has names for, if the others are empty. */
export const withoutSurplus = (cells: readonly string[], columns: number): readonly string[] =>
  cells.length > columns && cells.slice(columns).every((cell) => cell === '')
    ? cells.slice(0, columns)
    : cells

/** Why the mapping leaves out the row, or can't tell. A row of another length can't be judged by its cells, and is bad anyway. */
function filterRow(
  cells: readonly string[],
  { filters, header }: ColumnPlan,
): Partial<Pick<InputRow, 'leftOut' | 'problems'>> | undefined {
  if (filters.length === 0 || cells.length !== header.length) return undefined
  let unknown: RowProblem | undefined
  for (const { column, name, keep, leaveOut } of filters) {
    const value = cells[column] ?? ''
    const known = folded(value)
    if (leaveOut === undefined ? keep?.has(known) === false : leaveOut.has(known))
      return { leftOut: { column: name, value } }
    if (leaveOut !== undefined && keep?.has(known) === false)
      unknown ??= { column: name, value, kind: 'is neither in where nor in leaveOut', hint: UNKNOWN_VALUE }
  }
  return unknown === undefined ? undefined : { problems: [unknown] }
}

const SHOWN_VALUES = 3

/**
 * Refuses a file whose rows are all left out because none has a value to keep, and the mapping doesn't name theirs.
 * @throws {UsageError} with the values of the file
 */
export function refuseLeavingOutAll(
  { plan: { filters } }: Pick<Table, 'plan'>,
  found: ReadonlyMap<string, ReadonlySet<string>>,
): void {
  const filter = filters.find(({ name, leaveOut }) => leaveOut === undefined && found.has(name))
  const values = [...(found.get(filter?.name ?? '') ?? [])].map((value) => JSON.stringify(value.slice(0, 40)))
  if (filter === undefined || found.size > 1) return
  throw unusableFile(
    `The mapping leaves out every row: where keeps none of the values in "${filter.name}", such as ${values.slice(0, SHOWN_VALUES).join(', ')}`,
    `Correct where: in the mapping. If every row is to be left out, name the values under leaveOut: as well.`,
  )
}

const UNKNOWN_VALUE = 'Add it to one of them in the mapping'
