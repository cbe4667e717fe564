import { isLosslessNumber, stringifyJson } from '../json/json.ts'
import { csvLine } from './csv-line.ts'
import type { CsvCell } from './csv-line.ts'
import { safeLines } from './safe-text.ts'

/** The column of entries that are no objects. */
const VALUE = 'value'

/**
 * A header and a row for each entry. Nested fields are dotted columns, lists and `metadata` are JSON in one cell. The
 * columns are `first`, then whatever else the entries hold in the order of appearance. What a spreadsheet would run as a
 * formula is written as text.
 */
export function csvText(entries: readonly unknown[], first: readonly string[]): string {
  const known = new Set(first)
  const rows = entries.map((entry) => {
    const plain = plainRow(entry, first)
    if (plain !== undefined) return plain
    const row = new Map<string, CsvCell>()
    flatten(entry, '', row)
    for (const name of row.keys()) known.add(name)
    return row
  })
  const columns = [...known]
  const rest = ','.repeat(columns.length - first.length)
  const lines = rows.map((row) =>
    typeof row === 'string' ? row + rest : csvLine(columns.map((column) => row.get(column) ?? '')),
  )
  return `${[csvLine(columns), ...lines].join('\n')}\n`
}

/** The same with these columns alone, whatever the entries hold: a script may count on them. */
export function csvList(entries: readonly unknown[], columns: readonly string[]): string {
  const paths = columns.map((column) => column.split('.'))
  const lines = entries.map(
    (entry) => plainRow(entry, columns) ?? csvLine(paths.map((path) => toCell(valueAt(entry, path)))),
  )
  return `${[csvLine(columns), ...lines].join('\n')}\n`
}

function valueAt(entry: unknown, path: readonly string[]): unknown {
  let value = entry
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = Reflect.get(value, name)
  }
  return value
}

/** The line of what has just these fields, in their order, and nothing below them: it goes through no map. */
function plainRow(entry: unknown, fields: readonly string[]): string | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined
  const names = Object.keys(entry)
  if (names.length !== fields.length || names.length === 0) return undefined
  if (!names.every((name, at) => name === fields[at])) return undefined
  const values: readonly unknown[] = Object.values(entry)
  return values.every((value) => typeof value !== 'object' || value === null)
    ? csvLine(values.map(toCell))
    : undefined
}

/** Its keys are the merchant's own: as columns they would differ from one list to the next. */
const isMap = (path: string): boolean => path === 'metadata'

function flatten(value: unknown, path: string, row: Map<string, CsvCell>): void {
  const hasFields =
    typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value)
  if (hasFields && !isMap(path)) {
    for (const [name, field] of Object.entries(value)) {
      const safeName = safeCellText(name)
      flatten(field, path === '' ? safeName : `${path}.${safeName}`, row)
    }
    return
  }
  row.set(path === '' ? VALUE : path, toCell(value))
}

function toCell(value: unknown): CsvCell {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'bigint') return value
  return safeCellText(typeof value === 'string' ? value : stringifyJson(value))
}

/** Spreadsheets skip white space, and tabs and line breaks become white space here: what follows may begin a formula. */
const LATE_FORMULA = /^\s+[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/

const safeCellText = (text: string): string =>
  LATE_FORMULA.test(text) ? `'${safeLines(text)}` : safeLines(text)
