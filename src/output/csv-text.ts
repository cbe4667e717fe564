import { isLosslessNumber, stringifyJson } from '../json/json.ts'
import { csvLine } from './csv-line.ts'
import type { CsvCell } from './csv-line.ts'
import { safeLines } from './safe-text.ts'

/** The column of entries that are no objects. */
const VALUE = 'value'

/**
 * A header and a row for each entry. Nested fields are dotted columns, lists are JSON in one cell. The columns are
 * `first`, then whatever else the entries hold in the order of appearance. What a spreadsheet would run as a formula
 * is written as text.
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

function flatten(value: unknown, path: string, row: Map<string, CsvCell>): void {
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value)) {
    for (const [name, field] of Object.entries(value)) {
      const safeName = safeLines(name)
      flatten(field, path === '' ? safeName : `${path}.${safeName}`, row)
    }
    return
  }
  row.set(path === '' ? VALUE : path, toCell(value))
}

function toCell(value: unknown): CsvCell {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'bigint') return value
  return safeLines(typeof value === 'string' ? value : stringifyJson(value))
}
