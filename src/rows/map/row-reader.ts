import { SETS } from '../../api/sets.ts'
import { exponentOf } from '../../money/currencies.ts'
import { shellWord } from '../../files/shell.ts'
import { setValueAt } from './body-path.ts'
import { isNothing, readCell } from './cell.ts'
import type { CellOptions } from './cell.ts'
import { isAmountKind } from './field-schema.ts'
import type { FieldSchema } from './field-schema.ts'
import { folded } from './mapping.ts'
import type { ColumnPlan, PlannedField } from './mapping.ts'
import { isProblem } from './row.ts'
import type { CellProblem, CellValue, PreparedRow, RowProblem } from './row.ts'
import type { RowWarnings } from './row-warnings.ts'
import { zoneInCell } from './time-zone.ts'
import type { TimeZone } from './time-zone.ts'
import { createValueCheck } from './value-check.ts'
import { pluralize } from '../../text/words.ts'

/** The reader of one field of every row. */
interface FieldReader {
  readonly field: PlannedField
  readonly isRequired: boolean
  readonly textOf: (cells: readonly string[]) => string
  readonly read: (text: string, currencyCode: string | undefined, zone?: TimeZone) => CellValue | CellProblem
}

/** Returns a function that builds the body of a row, or lists every problem of the row. */
export function createRowReader(
  schema: FieldSchema,
  plan: ColumnPlan,
  options: CellOptions,
  rowWarnings: RowWarnings,
) {
  const currency = plan.fields.find(({ path }) => path === schema.currency)
  const currencyOf = currency === undefined ? undefined : createTextReader(currency, plan)
  const otherCurrency = currencyBeside(currency, plan)
  const required = new Set(schema.required)
  let isDoubtful = false
  const noteUnknown: RowWarnings['note'] = (...warning) => {
    isDoubtful = true
    rowWarnings.note(...warning)
  }
  const readers: readonly FieldReader[] = plan.fields.map((field) => ({
    field,
    isRequired: required.has(field.path),
    textOf: createTextReader(field, plan),
    read: cellReader(field, { schema, column: nameOf(field, plan.header), options, noteUnknown }),
  }))

  return (cells: readonly string[]): PreparedRow | readonly RowProblem[] => {
    if (cells.length !== plan.header.length) return [wrongLength(cells, plan.header)]
    const problems: RowProblem[] = []
    isDoubtful = false
    const body: Record<string, unknown> = {}
    const currencyCode = currencyOf?.(cells)
    const zone = plan.zone === undefined ? undefined : zoneIn(trimmed(cells[plan.zone] ?? ''))
    if (zone === null) problems.push(unknownZone(cells))
    const contrary = otherCurrency?.(cells)
    if (contrary !== undefined) problems.push(contrary)
    for (const { field, isRequired, textOf, read } of readers) {
      const text = textOf(cells)
      if (isTrimmed(cells[field.column ?? -1] ?? ''))
        noteCell(field, 'blanks, tabs or backticks around the cell are left out')
      if (field.kind === 'id' && text.startsWith("'"))
        noteCell(field, 'the ID begins with an apostrophe, which spreadsheets put before text')
      if (text === '' || (isNothing(text) && isEmptyIfNothing(schema, field))) {
        if (isRequired) problems.push(problemOf(field, text, EMPTY))
        continue
      }
      const value = read(text, currencyCode, zone ?? undefined)
      if (isProblem(value)) problems.push(problemOf(field, text, value))
      else {
        setValueAt(body, field.segments, value)
        if (field.kind === 'datetime') noteTime(field, String(value))
      }
    }
    if (problems.length === 0) return { id: String(body[schema.id]), body, isDoubtful }
    return cells.every((cell) => cell === '') ? [EMPTY_ROW] : problems
  }

  function unknownZone(cells: readonly string[]): RowProblem {
    const column = plan.header[plan.zone ?? -1]
    return {
      column,
      value: cells[plan.zone ?? -1],
      kind: 'is not a time zone',
      hint: 'Write an IANA name or an offset: Europe/Berlin or +01:00',
    }
  }

  function noteCell(field: PlannedField, what: string): void {
    const column = nameOf(field, plan.header)
    rowWarnings.note(`${column}\n${what}`, () => `${column}: ${what}`)
  }

  function noteTime(field: PlannedField, iso: string): void {
    const isLate = options.latest !== undefined && iso > options.latest
    if (iso >= '2000' && !isLate) return
    const column = nameOf(field, plan.header)
    rowWarnings.note(
      `${column}\n${isLate ? 'late' : 'early'}`,
      () => `${column}: the time is ${isLate ? 'in the future' : 'before the year 2000'}`,
    )
  }

  function problemOf(field: PlannedField, value: string, { kind, hint }: CellProblem): RowProblem {
    const column = nameOf(field, plan.header)
    return { column, ...(column === field.path ? {} : { field: field.path }), value, kind, hint }
  }
}

/** Columns of the rows' own currencies. */
const CURRENCY_NAME = /^currency(?:[ _-]?(?:code|iso))?$/

/** Reads the currency of a row in a column that a constant replaces. Returns a problem if it is another one. */
function currencyBeside(currency: PlannedField | undefined, { header }: ColumnPlan) {
  const constant = currency?.constant?.toUpperCase()
  const column = header.findIndex((name) => CURRENCY_NAME.test(folded(name)))
  if (currency === undefined || constant === undefined || column === -1) return undefined
  const name = header[column] ?? ''
  return (cells: readonly string[]): RowProblem | undefined => {
    const value = trimmed(cells[column] ?? '')
    const code = value.toUpperCase()
    if (code === constant || exponentOf(code) === undefined) return undefined
    return {
      column: name,
      value,
      kind: `is another currency than the constant ${constant}`,
      hint: `Read the column: --map ${shellWord(`${currency.path}=${name}`)} in place of --const ${shellWord(`${currency.path}=${constant}`)}`,
    }
  }
}

/** In text such a word may be meant, and as an ID it is a mistake. */
function isEmptyIfNothing({ sets }: FieldSchema, { path, kind }: PlannedField): boolean {
  if (isAmountKind(kind) || kind === 'datetime' || kind === 'currency') return true
  const set = Object.hasOwn(sets, path) ? sets[path] : undefined
  return set !== undefined && SETS[set].closed
}

const zonesInCells = new Map<string, TimeZone | null>()
const MAX_ZONES = 1_000

/** The zone that a cell names; undefined if it is empty, null if it names none. */
function zoneIn(text: string): TimeZone | null | undefined {
  if (text === '') return undefined
  const known = zonesInCells.get(text)
  if (known !== undefined) return known
  const zone = zoneInCell(text) ?? null
  if (zonesInCells.size >= MAX_ZONES) zonesInCells.clear()
  zonesInCells.set(text, zone)
  return zone
}

const EMPTY: CellProblem = { kind: 'is empty' }
const EMPTY_ROW: RowProblem = {
  column: undefined,
  value: undefined,
  kind: 'is empty',
  hint: 'Remove it',
}

function cellReader(
  { path, kind }: PlannedField,
  {
    schema,
    column,
    options,
    noteUnknown,
  }: {
    readonly schema: FieldSchema
    readonly column: string
    readonly options: CellOptions
    readonly noteUnknown: RowWarnings['note']
  },
): FieldReader['read'] {
  const check = createValueCheck(path, column, schema, { note: noteUnknown })
  if (kind === 'datetime')
    return (text, currencyCode, zone) =>
      readCell(kind, text, zone === undefined ? options : { ...options, timezone: zone }, currencyCode)
  if (check === undefined) return (text, currencyCode) => readCell(kind, text, options, currencyCode)
  return (text, currencyCode) => {
    const value = readCell(kind, text, options, currencyCode)
    return isProblem(value) ? value : check(text)
  }
}

/** Reads the text of a field in the cells of a row; empty if there is none. */
export function createTextReader(
  { path, column, joined, constant = '' }: PlannedField,
  { values }: Pick<ColumnPlan, 'values'>,
): (cells: readonly string[]) => string {
  if (column === undefined) return () => constant
  const texts = values.get(path)
  if (joined === undefined && texts === undefined) return (cells) => trimmed(cells[column] ?? '')
  const columns = [column, ...(joined ?? [])]
  return (cells) => {
    const text = joinedText(columns.map((index) => trimmed(cells[index] ?? '')))
    return texts?.get(text) ?? text
  }
}

/** Without blanks, tabs and backticks around it. */
function trimmed(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && isBlank(text.charCodeAt(start))) start += 1
  while (start < end && isBlank(text.charCodeAt(end - 1))) end -= 1
  return end - start === text.length ? text : text.slice(start, end)
}

const isTrimmed = (text: string): boolean =>
  text !== '' && (isBlank(text.charCodeAt(0)) || isBlank(text.charCodeAt(text.length - 1)))

/** A backtick, or white space. A byte order mark is none: it shows that files were joined, header and all. */
const isBlank = (code: number): boolean =>
  code <= 0x20 || code === 0x60 || code === 0xa0 || (code >= 0x1680 && OTHER_SPACES.has(code))

const OTHER_SPACES: ReadonlySet<number> = new Set([
  0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x2028,
  0x2029, 0x202f, 0x205f, 0x3000,
])

const joinedText = (texts: readonly string[]): string => texts.filter((text) => text !== '').join(' ')

/** The name of a field's column; `Date, Time` for a joined field. */
const nameOf = ({ path, column, joined = [] }: PlannedField, header: readonly string[]): string =>
  column === undefined ? path : [column, ...joined].map((index) => header[index] ?? path).join(', ')

const wrongLength = (cells: readonly string[], header: readonly string[]): RowProblem => ({
  column: undefined,
  value: undefined,
  kind: `has ${pluralize(cells.length, 'cell')}, but the header has ${header.length}`,
  hint: 'Check for a cell with a delimiter that is not in quotes',
})
