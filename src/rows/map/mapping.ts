import type { ValidationProblem } from '../../errors.ts'
import { segmentsOf } from './body-path.ts'
import { readCell } from './cell.ts'
import type { CellOptions } from './cell.ts'
import { isAmountKind, kindOf } from './field-schema.ts'
import type { FieldKind, FieldSchema } from './field-schema.ts'
import { didYouMean, mappingError } from './mapping-error.ts'
import { isPlaceholder } from './placeholder.ts'
import { isProblem } from './row.ts'
import { createRowWarnings } from './row-warnings.ts'
import { createValueCheck } from './value-check.ts'
import { shellWord } from '../../files/shell.ts'

/** The column of rejects with the reason, where the usual one is mapped to a field. */
export const OTHER_REASON = 'rejected because'

/** The sources of fields if the columns have other names. */
export interface ColumnMapping {
  /** Column name by field path. */
  readonly columns: ReadonlyMap<string, string>
  /** Text that is the same in every row, by field path. */
  readonly constants: ReadonlyMap<string, string>
  /** Columns whose cells, joined by a space, are the text of a field. By field path. */
  readonly joins?: ReadonlyMap<string, readonly string[]>
  /** Replacements for the text of a cell, by field path and text. */
  readonly values?: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** The cells of the rows to keep, by column. A row must match in every column. */
  readonly where?: ReadonlyMap<string, ReadonlySet<string>>
  /** The cells of the rows to leave out, by column. With both for a column, another cell makes the row bad. */
  readonly leaveOut?: ReadonlyMap<string, ReadonlySet<string>>
  /** The fields that may lack their column. */
  readonly optional?: ReadonlySet<string>
}

/** Whether a mapping needs the columns of a table. */
export const namesColumns = ({ columns, joins, where, leaveOut }: ColumnMapping): boolean =>
  [columns, joins, where, leaveOut].some((some) => some !== undefined && some.size > 0)

export interface PlannedField {
  readonly path: string
  readonly segments: readonly string[]
  readonly kind: FieldKind
  /** The index of the cell; undefined for a constant. */
  readonly column: number | undefined
  /** The text of a constant. */
  readonly constant: string | undefined
  /** The other cells of a joined field. */
  readonly joined?: readonly number[]
}

export interface ColumnPlan {
  readonly header: readonly string[]
  readonly fields: readonly PlannedField[]
  /** The names of columns that are not read. */
  readonly ignored: readonly string[]
  /** The fields that lack their column, and its name. */
  readonly lacking: readonly string[]
  readonly values: NonNullable<ColumnMapping['values']>
  readonly filters: readonly RowFilter[]
  /** The index of the cell with the row's time zone. */
  readonly zone: number | undefined
}

/** The rows to keep and to leave out, by one of their cells. */
export interface RowFilter {
  readonly column: number
  readonly name: string
  readonly keep: ReadonlySet<string> | undefined
  readonly leaveOut: ReadonlySet<string> | undefined
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
  const add = (
    path: string,
    column: number | undefined,
    { constant, joined }: Pick<PlannedField, 'joined'> & { readonly constant?: string } = {},
  ) => {
    const kind = kindOf(schema, path)
    if (kind === undefined) report(path, unknownField(schema, path))
    else
      fields.set(path, {
        path,
        segments: segmentsOf(path),
        kind,
        column,
        constant,
        ...(joined === undefined ? {} : { joined }),
      })
  }
  const indexOf = (path: string, name: string): number => {
    const [found, ...others] = columnsNamed(name, header)
    if (found === undefined) report(path, missingColumn(name, header))
    else if (others.length > 0) report(name, `${SEVERAL}: name one of them, as "${name}#1" or "${name}#2"`)
    return found ?? -1
  }

  const { joins = new Map<string, readonly string[]>(), values = new Map() } = mapping
  const mapped = new Set(
    [...mapping.columns.values(), ...[...joins.values()].flat()].flatMap((name) =>
      columnsNamed(name, header),
    ),
  )
  const lacking: string[] = []
  const isLacking = (path: string, ...names: readonly string[]): boolean => {
    const lacks =
      mapping.optional?.has(path) === true && names.some((name) => columnsNamed(name, header).length === 0)
    if (lacks) lacking.push(`${path} (${names.join(', ')})`)
    return lacks
  }
  for (const [path, name] of mapping.columns) if (!isLacking(path, name)) add(path, indexOf(path, name))
  for (const [path, names] of joins) {
    if (isLacking(path, ...names)) continue
    const [column, ...joined] = names.map((name) => indexOf(path, name))
    add(path, column, { joined })
  }
  const { where, leaveOut } = mapping
  const filterNames = new Set([...(where?.keys() ?? []), ...(leaveOut?.keys() ?? [])])
  const filtered = new Set([...filterNames].flatMap((name) => columnsNamed(name, header)))
  const filters = [...filterNames].map((name) => {
    const open = [...(where?.get(name) ?? []), ...(leaveOut?.get(name) ?? [])].find(isPlaceholder)
    if (open !== undefined)
      report(`where.${name}`, `"${open}" is a placeholder: fill in the values of the rows to keep`)
    const [keep, out] = [where, leaveOut].map((some) => foldedSet(some?.get(name)))
    return {
      name,
      column: indexOf(`${keep === undefined ? 'leaveOut' : 'where'}.${name}`, name),
      keep,
      leaveOut: out,
    }
  })
  const zone =
    options.timezoneColumn === undefined ? undefined : indexOf('--timezone-column', options.timezoneColumn)
  if (zone !== undefined) filtered.add(zone)
  for (const [path, text] of mapping.constants) {
    if (mapping.columns.has(path)) report(path, 'has both a column and a constant')
    else if (kindOf(schema, path) !== undefined) add(path, undefined, { constant: text })
  }
  for (const { path, description } of [
    ...constantProblems(schema, mapping.constants, options),
    ...valueProblems(schema, values, options),
  ])
    report(path, description)

  const seen = new Set<string>()
  for (const [column, name] of header.entries()) {
    const named = fieldNamed(schema, name, header)
    const field =
      named === name || mapping.columns.size + joins.size === 0 || !isCoded(named) ? named : undefined
    const isField = field !== undefined && !hasField(mapping, field) && !mapped.has(column)
    const isUsed = isField || mapped.has(column) || filtered.has(column)
    if (isField && seen.has(field))
      report(
        name,
        `${SEVERAL}: choose one, as --map ${shellWord(`${field}=${name}#1`)} or ${shellWord(`${field}=${name}#2`)}`,
      )
    if (!isUsed && isUnexpected(name))
      if (name === '') report(`column ${column + 1}`, 'has no name')
      else report(name, unknownField(schema, name))
    if (!isUsed) ignored.push(name === '' ? `column ${column + 1} (no name)` : name)
    if (isField) add(field, column)
    if (field !== undefined) seen.add(field)
  }
  for (const path of schema.required)
    if (!fields.has(path)) report(path, 'is required, but no column or constant provides it')
  if (problems.length === 0)
    return { header, fields: [...fields.values()], ignored, lacking, values, filters, zone }
  throw mappingError(problems, {
    what: `The header does not match the fields of a ${schema.noun}`,
    code: 'unusable_header',
    hint: schema.hints.mapping,
  })

  /** Whether a field may be left out and has codes: a column `Status` of a foreign file rarely has those of `status`. */
  function isCoded(field: string | undefined): boolean {
    return field !== undefined && Object.hasOwn(schema.sets, field) && !schema.required.includes(field)
  }

  /** Whether a column is unexpected. If any column is mapped, the remaining ones are left out on purpose. */
  function isUnexpected(name: string): boolean {
    return mapping.columns.size + joins.size === 0 && name !== schema.reasonColumn && !hasField(mapping, name)
  }
}

/** A text without differences that no one sees or means: case, and white space. */
export const folded = (name: string): string => name.replaceAll(/\s+/g, ' ').trim().toLowerCase()

/** The cells that a filter names. */
const foldedSet = (cells: ReadonlySet<string> | undefined): ReadonlySet<string> | undefined =>
  cells === undefined ? undefined : new Set([...cells].map(folded))

/** The columns that a name means: those with just that name, else those with a name that differs in case or white space; `total#2` is the second one named `total`. */
function columnsNamed(name: string, header: readonly string[]): readonly number[] {
  const having = (wanted: string, form: (one: string) => string): readonly number[] =>
    header.flatMap((one, column) => (form(one) === form(wanted) ? [column] : []))
  const exact = having(name, (one) => one)
  const found = exact.length > 0 ? exact : having(name, folded)
  const [, base, number] = found.length > 0 ? [] : (/^(.+)#([1-9]\d?)$/s.exec(name) ?? [])
  if (base === undefined) return found
  const nth = columnsNamed(base, header)[Number(number) - 1]
  return nth === undefined ? [] : [nth]
}

/** The field that a column is named for: by its very name, or by one that differs in case or white space if no column has its name. */
function fieldNamed(schema: FieldSchema, name: string, header: readonly string[]): string | undefined {
  if (kindOf(schema, name) !== undefined) return name
  const field = Object.keys(schema.kinds).find((path) => folded(path) === folded(name))
  return field === undefined || header.includes(field) ? undefined : field
}

const SEVERAL = 'is the name of several columns'

const hasField = ({ columns, constants, joins }: ColumnMapping, path: string): boolean =>
  columns.has(path) || constants.has(path) || joins?.has(path) === true

const missingColumn = (name: string, header: readonly string[]): string =>
  isPlaceholder(name)
    ? `"${name}" is a placeholder: replace it with the name of a column`
    : `there is no column "${name}"${didYouMean(name, header)}`

export const unknownField = (schema: FieldSchema, name: string): string =>
  `is not a field of a ${schema.noun}${didYouMean(name, Object.keys(schema.kinds), schema.hasMetadata)}`

/** Checks constants once, before the first row, because they are the same in every row. */
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
    const problem = problemOf(schema, { path, kind, text, currency: constants.get(schema.currency) }, options)
    return problem === undefined ? [] : [{ path, description: `its constant ${problem}` }]
  })
}

/** Checks replacements for cells once, too. Amounts and times depend on the row. */
function valueProblems(
  schema: FieldSchema,
  values: NonNullable<ColumnMapping['values']>,
  options: CellOptions,
): readonly ValidationProblem[] {
  return [...values].flatMap(([path, texts]) => {
    const kind = kindOf(schema, path)
    if (kind === undefined) return [{ path: `values.${path}`, description: unknownField(schema, path) }]
    if (isAmountKind(kind) || kind === 'datetime') return []
    return [...texts].flatMap(([cell, text]) => {
      const problem = isPlaceholder(text)
        ? `"${text}" is a placeholder: fill in the value`
        : text === ''
          ? undefined
          : problemOf(schema, { path, kind, text, currency: undefined }, options)
      return problem === undefined ? [] : [{ path: `values.${path}.${cell}`, description: problem }]
    })
  })
}

function problemOf(
  schema: FieldSchema,
  {
    path,
    kind,
    text,
    currency,
  }: Pick<PlannedField, 'path' | 'kind'> & { readonly text: string; readonly currency: string | undefined },
  options: CellOptions,
): string | undefined {
  const value = readCell(kind, text, options, currency)
  const problem = isProblem(value) ? value : createValueCheck(path, path, schema, createRowWarnings())?.(text)
  if (typeof problem !== 'object') return undefined
  return [problem.kind, problem.hint].filter(Boolean).join('; ')
}
