import { isProblem, readCell } from './cell.ts'
import type { CellOptions, CellProblem, CellValue } from './cell.ts'
import type { ColumnPlan, PlannedField } from './mapping.ts'
import { REQUIRED_FIELDS } from '../../import/record-fields.ts'
import type { RowWarnings } from './row-warnings.ts'
import { createValueCheck } from './value-check.ts'
import { isRecord } from '../../is-record.ts'

/** A row that can be sent. */
export interface PreparedRow {
  readonly paymentId: string
  readonly body: Readonly<Record<string, unknown>>
}

/** What is wrong with a cell, or with a row where no column is named. */
export interface RowProblem {
  readonly column: string | undefined
  /** Where it is not the name of the column. */
  readonly field?: string | undefined
  readonly value: string | undefined
  readonly kind: string
  readonly hint: string | undefined
}

/** How one field of every row is read. */
interface Reader {
  readonly field: PlannedField
  readonly isRequired: boolean
  readonly read: (text: string, currencyCode: string | undefined) => CellValue | CellProblem
}

/** Makes records of cells: all problems of a row at once. */
export function createRowReader(plan: ColumnPlan, options: CellOptions, rowWarnings: RowWarnings) {
  const currency = plan.fields.find(({ path }) => path === 'currencyCode')
  const required = new Set<string>(REQUIRED_FIELDS)
  const readers = plan.fields.map((field) => ({
    field,
    isRequired: required.has(field.path),
    read: cellReader(field, nameOf(field, plan.header), options, rowWarnings),
  }))

  return (cells: readonly string[]): PreparedRow | readonly RowProblem[] => {
    if (cells.length !== plan.header.length) return [wrongLength(cells, plan.header)]
    const problems: RowProblem[] = []
    const body: Record<string, unknown> = {}
    const currencyCode = currency === undefined ? undefined : textOf(currency, cells)
    for (const { field, isRequired, read } of readers) {
      const text = textOf(field, cells)
      if (text === '') {
        if (isRequired) problems.push(problemOf(field, text, EMPTY))
        continue
      }
      const value = read(text, currencyCode)
      if (isProblem(value)) problems.push(problemOf(field, text, value))
      else setField(body, field.segments, value)
    }
    if (problems.length === 0) return { paymentId: String(body['paymentId']), body }
    return cells.every((cell) => cell === '') ? [NOTHING_IN_IT] : problems
  }

  function problemOf(field: PlannedField, value: string, { kind, hint }: CellProblem): RowProblem {
    const column = nameOf(field, plan.header)
    return { column, ...(column === field.path ? {} : { field: field.path }), value, kind, hint }
  }
}

const EMPTY: CellProblem = { kind: 'is empty' }
const NOTHING_IN_IT: RowProblem = {
  column: undefined,
  value: undefined,
  kind: 'is empty',
  hint: 'Remove it',
}

function cellReader(
  { path, kind }: PlannedField,
  column: string,
  options: CellOptions,
  rowWarnings: RowWarnings,
): Reader['read'] {
  const check = createValueCheck(path, column, rowWarnings)
  if (check === undefined) return (text, currencyCode) => readCell(kind, text, options, currencyCode)
  return (text, currencyCode) => {
    const value = readCell(kind, text, options, currencyCode)
    return isProblem(value) ? value : (check(text) ?? value)
  }
}

const textOf = ({ column, constant }: PlannedField, cells: readonly string[]): string =>
  column === undefined ? (constant ?? '') : (cells[column] ?? '')

const nameOf = ({ path, column }: PlannedField, header: readonly string[]): string =>
  column === undefined ? path : (header[column] ?? path)

/** Sets a value in an object, making what is missing on the way. Something else on the way stays: a check will find it. */
export function setField(body: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const last = path.length - 1
  let inner = body
  for (let depth = 0; depth < last; depth += 1) {
    const name = path[depth] ?? ''
    const next: unknown = Object.hasOwn(inner, name) ? inner[name] : (inner[name] = {})
    if (!isRecord(next)) return
    inner = next
  }
  const name = path[last] ?? ''
  // A key of one's own may be called anything, and this one would reach the prototype.
  if (name === '__proto__')
    Object.defineProperty(inner, name, { value, enumerable: true, configurable: true, writable: true })
  else inner[name] = value
}

const wrongLength = (cells: readonly string[], header: readonly string[]): RowProblem => ({
  column: undefined,
  value: undefined,
  kind: `has ${cells.length === 1 ? '1 cell' : `${cells.length} cells`} where the header has ${header.length}`,
  hint: 'Is there an unquoted delimiter in a cell?',
})
