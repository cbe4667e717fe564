import { isLosslessNumber, stringifyJson } from '../json/json.ts'
import { safeLines } from './safe-text.ts'

type Cell = string | number | bigint
/** The column of entries that are no objects. */
const VALUE = 'value'

/**
 * A header and a row for each entry. Nested fields are dotted columns, lists are JSON in one cell. The columns are
 * `first`, then whatever else the entries hold in the order of appearance. What a spreadsheet would run as a formula
 * is written as text.
 */
export async function csvText(entries: readonly unknown[], first: readonly string[]): Promise<string> {
  const { stringify } = await import('csv-stringify/sync')
  const rows = entries.map((entry) => {
    const row = new Map<string, Cell>()
    flatten(entry, '', row)
    return row
  })
  const columns = [...new Set([...first, ...rows.flatMap((row) => [...row.keys()])])]
  const table = [columns, ...rows.map((row) => columns.map((column) => row.get(column) ?? ''))]
  return stringify(table, { escape_formulas: true })
}

function flatten(value: unknown, path: string, row: Map<string, Cell>): void {
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value)) {
    for (const [name, field] of Object.entries(value)) {
      const safeName = safeLines(name)
      flatten(field, path === '' ? safeName : `${path}.${safeName}`, row)
    }
    return
  }
  row.set(path === '' ? VALUE : path, toCell(value))
}

function toCell(value: unknown): Cell {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'bigint') return value
  return safeLines(typeof value === 'string' ? value : stringifyJson(value))
}
