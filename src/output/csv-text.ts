import { stringify } from 'csv-stringify/sync'
import { isLosslessNumber, stringifyJson } from '../json/json.ts'
import { safeLines } from './safe-text.ts'
import { fieldAt } from '../json/fields.ts'

/** A cell. Numbers stay numbers: the library would escape the minus of a text as a formula. */
type Cell = string | number | bigint

/** The column for entries that aren't objects. A list has a numbered one for each of its values. */
const VALUE = 'value'

/**
 * A header and one row per entry. Nested fields become dotted columns; lists and `metadata` are JSON in one cell. Columns
 * are `leadingColumns`, then all other fields in order of appearance. Formulas are escaped.
 */
export function renderCsv(entries: readonly unknown[], leadingColumns: readonly string[]): string {
  const rows = entries.map((entry) => {
    const row = new Map<string, Cell>()
    flatten(entry, '', row)
    return row
  })
  const columns = [...new Set([...leadingColumns, ...rows.flatMap((row) => [...row.keys()])])]
  return linesOf(
    columns,
    rows.map((row) => columns.map((column) => row.get(column) ?? '')),
  )
}

/** Like {@link renderCsv} with exactly these columns, so that scripts can rely on them. */
export function renderCsvColumns(entries: readonly unknown[], columns: readonly string[]): string {
  const paths = columns.map((column) => column.split('.'))
  return linesOf(
    columns,
    entries.map((entry) => paths.map((path) => toCell(fieldAt(entry, path)))),
  )
}

const linesOf = (columns: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  stringify([columns, ...rows], { escape_formulas: true })

/** Whether to write an object as JSON in one cell: merchants choose the keys of metadata, so as columns they would differ between lists. */
const isMap = (path: string): boolean => path === 'metadata'

function flatten(value: unknown, path: string, row: Map<string, Cell>): void {
  if (path === '' && Array.isArray(value)) {
    for (const [index, cell] of value.entries()) row.set(`${VALUE}${index + 1}`, toCell(cell))
    return
  }
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

function toCell(value: unknown): Cell {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'bigint') return value
  return safeCellText(typeof value === 'string' ? value : stringifyJson(value))
}

/** A formula after white space. The library escapes one at the start of a cell only; spreadsheets run both. */
const LATE_FORMULA = /^\s+[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/

const safeCellText = (text: string): string =>
  LATE_FORMULA.test(text) ? `'${safeLines(text)}` : safeLines(text)
