import { CellProblem, readCell } from './cell.ts'
import type { CellOptions } from './cell.ts'
import type { Plan, PlannedField } from './mapping.ts'
import { REQUIRED_FIELDS } from './record-fields.ts'

/** A row that can be sent. */
export interface Prepared {
  readonly paymentId: string
  readonly body: Readonly<Record<string, unknown>>
}

/** What is wrong with a cell, or with a row where no column is named. */
export interface RowProblem {
  readonly column: string | undefined
  readonly value: string | undefined
  readonly kind: string
  readonly hint: string | undefined
}

const textOf = ({ column, constant }: PlannedField, cells: readonly string[]): string =>
  column === undefined ? (constant ?? '') : (cells[column] ?? '')

/** Makes records of cells: all problems of a row at once. */
export function rowReader(plan: Plan, options: CellOptions) {
  const currency = plan.fields.find(({ path }) => path === 'currencyCode')
  const required = new Set<string>(REQUIRED_FIELDS)

  return (cells: readonly string[]): Prepared | readonly RowProblem[] => {
    if (cells.length !== plan.header.length) return [wrongLength(cells, plan.header)]
    const problems: RowProblem[] = []
    const body: Record<string, unknown> = {}
    const currencyCode = currency === undefined ? undefined : textOf(currency, cells)
    for (const field of plan.fields) {
      const text = textOf(field, cells)
      if (text === '') {
        if (required.has(field.path)) problems.push(problemOf(field, text, new CellProblem('is empty')))
        continue
      }
      const value = readCell(field.kind, text, options, currencyCode)
      if (value instanceof CellProblem) problems.push(problemOf(field, text, value))
      else put(body, field.segments, value)
    }
    if (problems.length > 0) return problems
    const { paymentId } = body
    return { paymentId: String(paymentId), body }
  }

  function problemOf({ path, column }: PlannedField, value: string, { kind, hint }: CellProblem): RowProblem {
    return { column: column === undefined ? path : plan.header[column], value, kind, hint }
  }
}

/** Sets a value in an object, making what is missing on the way. */
export function put(
  body: Record<string, unknown>,
  [first = '', ...rest]: readonly string[],
  value: unknown,
): void {
  if (rest.length === 0) {
    // A key of one's own may be called anything: none of them is to reach a prototype.
    Object.defineProperty(body, first, { value, enumerable: true, configurable: true, writable: true })
    return
  }
  const before = Object.hasOwn(body, first) ? body[first] : undefined
  const inner: Record<string, unknown> = isRecord(before) ? before : {}
  if (inner !== before) body[first] = inner
  put(inner, rest, value)
}

const wrongLength = (cells: readonly string[], header: readonly string[]): RowProblem => ({
  column: undefined,
  value: undefined,
  kind: `has ${cells.length === 1 ? '1 cell' : `${cells.length} cells`} where the header has ${header.length}`,
  hint: 'Is there a delimiter in a cell that is not quoted?',
})

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
