import { setValueAt } from './body-path.ts'
import { readCell } from './cell.ts'
import type { CellOptions } from './cell.ts'
import type { FieldSchema } from './field-schema.ts'
import type { ColumnPlan, PlannedField } from './mapping.ts'
import { isProblem } from './row.ts'
import type { CellProblem, CellValue, PreparedRow, RowProblem } from './row.ts'
import type { RowWarnings } from './row-warnings.ts'
import { createValueCheck } from './value-check.ts'

/** How one field of every row is read. */
interface FieldReader {
  readonly field: PlannedField
  readonly isRequired: boolean
  /** The text of the field in a row; empty if there is none. */
  readonly textOf: (cells: readonly string[]) => string
  readonly read: (text: string, currencyCode: string | undefined) => CellValue | CellProblem
}

/** Returns a function that builds the body of a row, or lists every problem of the row. */
export function createRowReader(
  schema: FieldSchema,
  plan: ColumnPlan,
  options: CellOptions,
  rowWarnings: RowWarnings,
) {
  const currency = plan.fields.find(({ path }) => path === schema.currency)
  const currencyText = currency === undefined ? undefined : textReader(currency, plan)
  const required = new Set(schema.required)
  const readers: readonly FieldReader[] = plan.fields.map((field) => ({
    field,
    isRequired: required.has(field.path),
    textOf: textReader(field, plan),
    read: cellReader(field, { schema, column: nameOf(field, plan.header), options, rowWarnings }),
  }))

  return (cells: readonly string[]): PreparedRow | readonly RowProblem[] => {
    if (cells.length !== plan.header.length) return [wrongLength(cells, plan.header)]
    const problems: RowProblem[] = []
    const body: Record<string, unknown> = {}
    const currencyCode = currencyText?.(cells).toUpperCase()
    for (const { field, isRequired, textOf, read } of readers) {
      const text = textOf(cells)
      if (text === '') {
        if (isRequired) problems.push(problemOf(field, text, EMPTY))
        continue
      }
      const value = read(text, currencyCode)
      if (isProblem(value)) problems.push(problemOf(field, text, value))
      else setValueAt(body, field.segments, value)
    }
    if (problems.length === 0) return { id: String(body[schema.id]), body }
    return cells.every((cell) => cell === '') ? [EMPTY_ROW] : problems
  }

  function problemOf(field: PlannedField, value: string, { kind, hint }: CellProblem): RowProblem {
    const column = nameOf(field, plan.header)
    return { column, ...(column === field.path ? {} : { field: field.path }), value, kind, hint }
  }
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
    rowWarnings,
  }: {
    readonly schema: FieldSchema
    readonly column: string
    readonly options: CellOptions
    readonly rowWarnings: RowWarnings
  },
): FieldReader['read'] {
  const check = createValueCheck(path, column, schema, rowWarnings)
  if (check === undefined) return (text, currencyCode) => readCell(kind, text, options, currencyCode)
  return (text, currencyCode) => {
    const value = readCell(kind, text, options, currencyCode)
    return isProblem(value) ? value : check(text)
  }
}

function textReader(
  { path, column, constant, joined }: PlannedField,
  { values }: ColumnPlan,
): FieldReader['textOf'] {
  if (column === undefined) return () => constant ?? ''
  const texts = values.get(path)
  const read: FieldReader['textOf'] =
    joined === undefined
      ? (cells) => cells[column] ?? ''
      : (cells) => joinedText([column, ...joined].map((index) => cells[index] ?? ''))
  return texts === undefined ? read : (cells) => translated(read(cells), texts)
}

const joinedText = (texts: readonly string[]): string => texts.filter((text) => text !== '').join(' ')

const translated = (text: string, texts: ReadonlyMap<string, string>): string => texts.get(text) ?? text

/** `Date, Time` for a joined field. */
const nameOf = ({ path, column, joined = [] }: PlannedField, header: readonly string[]): string =>
  column === undefined ? path : [column, ...joined].map((index) => header[index] ?? path).join(', ')

const wrongLength = (cells: readonly string[], header: readonly string[]): RowProblem => ({
  column: undefined,
  value: undefined,
  kind: `has ${cells.length === 1 ? '1 cell' : `${cells.length} cells`}, but the header has ${header.length}`,
  hint: 'Check for a cell with a delimiter that is not in quotes',
})
