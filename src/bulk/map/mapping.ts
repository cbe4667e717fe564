import { UsageError } from '../../errors.ts'
import type { ValidationProblem } from '../../errors.ts'
import { closest } from '../../suggest.ts'
import { segmentsOf } from './body-path.ts'
import { readCell } from './cell.ts'
import type { CellOptions } from './cell.ts'
import { METADATA, kindOf } from './field-schema.ts'
import type { FieldKind, FieldSchema } from './field-schema.ts'
import { isPlaceholder } from './placeholder.ts'
import { isProblem } from './row.ts'
import { createRowWarnings } from './row-warnings.ts'
import { createValueCheck } from './value-check.ts'

/** The rejects file has its reasons in this column. A corrected rejects file may keep the column; it is ignored. */
export const REASON = 'reason'
/** The same, where `reason` is a field or a mapped column. */
export const OTHER_REASON = 'rejected because'

/** The name of the reason column for rows of this schema. */
export const reasonColumnOf = (schema: FieldSchema): string =>
  kindOf(schema, REASON) === undefined ? REASON : OTHER_REASON

/** Where fields come from if the columns have other names. */
export interface ColumnMapping {
  /** Column name by field path. */
  readonly columns: ReadonlyMap<string, string>
  /** Text that is the same in every row, by field path. */
  readonly constants: ReadonlyMap<string, string>
}

export interface PlannedField {
  readonly path: string
  readonly segments: readonly string[]
  readonly kind: FieldKind
  /** The index of the cell; undefined for a constant. */
  readonly column: number | undefined
  /** The text of a constant. */
  readonly constant: string | undefined
}

export interface ColumnPlan {
  readonly header: readonly string[]
  readonly fields: readonly PlannedField[]
  /** Names of columns that are not read. */
  readonly ignored: readonly string[]
}

/**
 * Decides which column becomes which field. Reports every problem of the header and the mapping at once.
 * @throws {UsageError} with the names of the columns and suggestions
 */
export function planColumns(
  schema: FieldSchema,
  header: readonly string[],
  mapping: ColumnMapping,
  options: CellOptions,
): ColumnPlan {
  const problems: ValidationProblem[] = []
  const fields = new Map<string, PlannedField>()
  const ignored: string[] = []
  const report = (path: string, description: string) => problems.push({ path, description })
  const add = (path: string, column: number | undefined, constant: string | undefined) => {
    const kind = kindOf(schema, path)
    if (kind === undefined) report(path, unknownField(schema, path))
    else fields.set(path, { path, segments: segmentsOf(path), kind, column, constant })
  }

  const mapped = new Set(mapping.columns.values())
  for (const [path, name] of mapping.columns) {
    if (!header.includes(name)) report(path, missingColumn(name, header))
    add(path, header.indexOf(name), undefined)
  }
  for (const [path, text] of mapping.constants) {
    if (mapping.columns.has(path)) report(path, 'has both a column and a constant')
    else if (kindOf(schema, path) !== undefined) add(path, undefined, text)
  }
  for (const { path, description } of constantProblems(schema, mapping.constants, options))
    report(path, description)

  const seen = new Set<string>()
  for (const [column, name] of header.entries()) {
    const isUsed = mapped.has(name) || (kindOf(schema, name) !== undefined && !hasField(mapping, name))
    if (seen.has(name) && isUsed) report(name, 'is the name of several columns')
    if (!isUsed && isUnexpected(name))
      if (name === '') report(`column ${column + 1}`, 'has no name')
      else report(name, unknownField(schema, name))
    if (!isUsed) ignored.push(name === '' ? `column ${column + 1} (no name)` : name)
    if (isUsed && !mapped.has(name)) add(name, column, undefined)
    seen.add(name)
  }
  for (const path of schema.required)
    if (!fields.has(path)) report(path, 'is required, but no column or constant provides it')
  if (problems.length === 0) return { header, fields: [...fields.values()], ignored }
  throw mappingError(problems, {
    what: `The header does not match the fields of a ${schema.noun}`,
    code: 'unusable_header',
    hint: schema.hints.mapping,
  })

  /** If any column is mapped, the remaining ones are left out on purpose. */
  function isUnexpected(name: string): boolean {
    return mapping.columns.size === 0 && name !== reasonColumnOf(schema) && !hasField(mapping, name)
  }
}

const hasField = ({ columns, constants }: ColumnMapping, path: string): boolean =>
  columns.has(path) || constants.has(path)

const missingColumn = (name: string, header: readonly string[]): string =>
  isPlaceholder(name)
    ? `"${name}" is a placeholder: replace it with the name of a column`
    : `there is no column "${name}"${didYouMean(name, header)}`

export const unknownField = (schema: FieldSchema, name: string): string =>
  `is not a field of a ${schema.noun}${didYouMean(name, Object.keys(schema.kinds), schema.hasMetadata)}`

/** Constants are the same in every row, so they are checked once, before the first row. */
export function constantProblems(
  schema: FieldSchema,
  constants: ColumnMapping['constants'],
  options: CellOptions,
): readonly ValidationProblem[] {
  return [...constants].flatMap(([path, text]) => {
    const kind = kindOf(schema, path)
    if (kind === undefined) return [{ path, description: unknownField(schema, path) }]
    if (path === schema.id)
      return [{ path, description: `identifies the ${schema.noun}, so it cannot be a constant` }]
    if (text === '') return [{ path, description: 'has no value' }]
    if (isPlaceholder(text)) return [{ path, description: `"${text}" is a placeholder: fill in the value` }]
    const value = readCell(kind, text, options, constants.get(schema.currency))
    const problem = isProblem(value)
      ? value
      : createValueCheck(path, path, schema, createRowWarnings())?.(text)
    if (problem === undefined) return []
    const words = [`its constant ${problem.kind}`, problem.hint].filter(Boolean)
    return [{ path, description: words.join('; ') }]
  })
}

const MAX_SHOWN = 20

export function mappingError(
  problems: readonly ValidationProblem[],
  { what, code, hint }: { readonly what: string; readonly code: string; readonly hint: string },
): UsageError {
  const more = problems.length - MAX_SHOWN
  const [first] = problems
  const isSingle = problems.length === 1 && first !== undefined
  return new UsageError(
    isSingle ? `${what}: ${first.path}: ${first.description}` : `${what} (${problems.length} problems)`,
    {
      code,
      outcome: 'none',
      headline: isSingle ? what : undefined,
      validationErrors: [
        ...problems.slice(0, MAX_SHOWN),
        ...(more > 0 ? [{ path: '…', description: `and ${more} more` }] : []),
      ],
      hint,
    },
  )
}

export const didYouMean = (name: string, known: readonly string[], hasMetadata = false): string => {
  const suggestion =
    closest(name, known) ?? (hasMetadata && name.startsWith('metadata') ? `${METADATA}KEY` : undefined)
  return suggestion === undefined ? '' : `; did you mean "${suggestion}"?`
}
