import { UsageError } from '../../errors.ts'
import type { ValidationProblem } from '../../errors.ts'
import { closest } from '../../suggest.ts'
import { isProblem, readCell } from './cell.ts'
import type { CellOptions } from './cell.ts'
import { isPlaceholder } from './placeholder.ts'
import {
  METADATA,
  REASON,
  RECORD_FIELDS,
  REQUIRED_FIELDS,
  kindOf,
  segmentsOf,
} from '../../import/record-fields.ts'
import type { FieldKind } from '../../import/record-fields.ts'
import { createRowWarnings } from './row-warnings.ts'
import { createValueCheck } from './value-check.ts'

/** What the person says of a file whose columns have other names. */
export interface ColumnMapping {
  /** Field path to column name. */
  readonly columns: ReadonlyMap<string, string>
  /** Field path to the text that every row has there. */
  readonly constants: ReadonlyMap<string, string>
}

export interface PlannedField {
  readonly path: string
  readonly segments: readonly string[]
  readonly kind: FieldKind
  /** Of the row; undefined for a constant. */
  readonly column: number | undefined
  /** The text of a constant. */
  readonly constant: string | undefined
}

export interface ColumnPlan {
  readonly header: readonly string[]
  readonly fields: readonly PlannedField[]
  /** Columns that go nowhere. */
  readonly ignored: readonly string[]
}

/**
 * Which column goes where. Everything that is wrong with the header and the words, at once.
 * @throws {UsageError} naming the columns and what they may have been meant to be
 */
export function planColumns(
  header: readonly string[],
  words: ColumnMapping,
  options: CellOptions,
): ColumnPlan {
  const problems: ValidationProblem[] = []
  const fields = new Map<string, PlannedField>()
  const ignored: string[] = []
  const tell = (path: string, description: string) => problems.push({ path, description })
  const add = (path: string, column: number | undefined, constant: string | undefined) => {
    const kind = kindOf(path)
    if (kind === undefined) tell(path, noField(path))
    else fields.set(path, { path, segments: segmentsOf(path), kind, column, constant })
  }

  const taken = new Set(words.columns.values())
  for (const [path, name] of words.columns) {
    if (!header.includes(name)) tell(path, noColumn(name, header))
    add(path, header.indexOf(name), undefined)
  }
  for (const [path, text] of words.constants) {
    if (words.columns.has(path)) tell(path, 'has both a column and a constant')
    else if (kindOf(path) !== undefined) add(path, undefined, text)
  }
  for (const { path, description } of constantProblems(words.constants, options)) tell(path, description)

  const seen = new Set<string>()
  for (const [column, name] of header.entries()) {
    const isUsed = taken.has(name) || (kindOf(name) !== undefined && !hasWord(words, name))
    if (seen.has(name) && isUsed) tell(name, 'names several columns')
    if (!isUsed && isUnknown(name)) tell(...unknownColumn(name, column))
    if (!isUsed) ignored.push(name === '' ? `column ${column + 1} (no name)` : name)
    if (isUsed && !taken.has(name)) add(name, column, undefined)
    seen.add(name)
  }
  for (const path of REQUIRED_FIELDS) if (!fields.has(path)) tell(path, 'is required and has no column')
  if (problems.length === 0) return { header, fields: [...fields.values()], ignored }
  throw unfit(problems, { what: 'The header does not fit', code: 'unusable_header' })

  /** Where columns are named, the others are known not to matter. */
  function isUnknown(name: string): boolean {
    return words.columns.size === 0 && name !== REASON && !hasWord(words, name)
  }
}

const FIELDS = Object.keys(RECORD_FIELDS)

const hasWord = ({ columns, constants }: ColumnMapping, path: string): boolean =>
  columns.has(path) || constants.has(path)

function unknownColumn(name: string, column: number): readonly [path: string, description: string] {
  if (name === '') return [`column ${column + 1}`, 'has no name']
  return [name, noField(name)]
}

const noColumn = (name: string, header: readonly string[]): string =>
  isPlaceholder(name)
    ? `"${name}" is a placeholder: name the column of the field`
    : `there is no column "${name}"${didYouMean(name, header)}`

const noField = (name: string): string => `is not a field of a record${didYouMean(name, FIELDS)}`

/** What is the same in every row is read once, before the first. */
export function constantProblems(
  constants: ColumnMapping['constants'],
  options: CellOptions,
): readonly ValidationProblem[] {
  return [...constants].flatMap(([path, text]) => {
    const kind = kindOf(path)
    if (kind === undefined) return [{ path, description: noField(path) }]
    if (path === 'paymentId')
      return [{ path, description: 'identifies the record, so it cannot be a constant' }]
    if (text === '') return [{ path, description: 'has no value' }]
    if (isPlaceholder(text)) return [{ path, description: `"${text}" is a placeholder: fill in the value` }]
    const value = readCell(kind, text, options, constants.get('currencyCode'))
    const fault = isProblem(value) ? value : createValueCheck(path, path, createRowWarnings())?.(text)
    if (fault === undefined) return []
    return [{ path, description: [`its constant ${fault.kind}`, fault.hint].filter(Boolean).join('; ') }]
  })
}

const SHOWN = 20

export function unfit(
  problems: readonly ValidationProblem[],
  { what, code }: { readonly what: string; readonly code: string },
): UsageError {
  const more = problems.length - SHOWN
  const [first] = problems
  return new UsageError(
    problems.length === 1 && first !== undefined
      ? `${what}: ${first.path}: ${first.description}`
      : `${what} (${problems.length} problems)`,
    {
      code,
      outcome: 'none',
      headline: problems.length === 1 ? what : undefined,
      validationErrors: [
        ...problems.slice(0, SHOWN),
        ...(more > 0 ? [{ path: '…', description: `and ${more} more` }] : []),
      ],
      hint: 'Name columns with --map FIELD=COLUMN, and give values that are the same in every row with --const FIELD=VALUE. pay observability template FILE suggests both.',
    },
  )
}

const didYouMean = (name: string, known: readonly string[]): string => {
  const suggestion = closest(name, known) ?? (name.startsWith('metadata') ? `${METADATA}KEY` : undefined)
  return suggestion === undefined ? '' : `; did you mean "${suggestion}"?`
}
