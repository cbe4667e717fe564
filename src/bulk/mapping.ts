import { UsageError } from '../errors.ts'
import { closest } from '../suggest.ts'
import { METADATA, REASON, RECORD_FIELDS, REQUIRED_FIELDS, kindOf, segmentsOf } from './record-fields.ts'
import type { FieldKind } from './record-fields.ts'

/** What the person says of a file whose columns have other names. */
export interface MappingWords {
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

export interface Plan {
  readonly header: readonly string[]
  readonly fields: readonly PlannedField[]
  /** Columns that go nowhere. */
  readonly ignored: readonly string[]
}

/**
 * Which column goes where. Everything that is wrong with the header and the words, at once.
 * @throws {UsageError} naming the columns and what they may have been meant to be
 */
export function planOf(header: readonly string[], words: MappingWords): Plan {
  const problems: string[] = []
  const taken = new Set(words.columns.values())
  const fields: PlannedField[] = []
  const ignored: string[] = []
  const isMapped = words.columns.size > 0

  for (const twice of duplicatesOf(header)) problems.push(`the column "${twice}" is there twice`)
  for (const [path, name] of words.columns) {
    const column = header.indexOf(name)
    if (column === -1) problems.push(`there is no column "${name}" for ${path}${didYouMean(name, header)}`)
    add(path, column, undefined)
  }
  for (const [path, text] of words.constants) {
    if (words.columns.has(path)) problems.push(`${path} has both a column and a constant`)
    add(path, undefined, text)
  }
  for (const [column, name] of header.entries()) {
    if (taken.has(name) || words.columns.has(name) || words.constants.has(name)) {
      if (!taken.has(name)) ignored.push(name)
      continue
    }
    if (kindOf(name) !== undefined) add(name, column, undefined)
    else if (isMapped || name === REASON) ignored.push(name)
    else
      problems.push(
        `the column "${name}" is no field of a record${didYouMean(name, Object.keys(RECORD_FIELDS))}`,
      )
  }
  const missing = REQUIRED_FIELDS.filter((path) => !fields.some((field) => field.path === path))
  if (missing.length > 0) problems.push(`there is no column for ${missing.join(', ')}`)
  if (problems.length === 0) return { header, fields, ignored }
  throw new UsageError(`The header does not fit: ${problems.join('; ')}`, {
    code: 'unusable_header',
    outcome: 'none',
    hint: 'Name columns with --map FIELD=COLUMN, give what is the same in all rows with --const FIELD=VALUE, or see pay observability template',
  })

  function add(path: string, column: number | undefined, constant: string | undefined): void {
    const kind = kindOf(path)
    if (kind === undefined)
      problems.push(`${path} is no field of a record${didYouMean(path, Object.keys(RECORD_FIELDS))}`)
    else if (fields.some((field) => field.path === path)) problems.push(`${path} is given twice`)
    else fields.push({ path, segments: segmentsOf(path), kind, column, constant })
  }
}

function duplicatesOf(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))]
}

const didYouMean = (name: string, known: readonly string[]): string => {
  const suggestion = closest(name, known) ?? (name.startsWith('metadata') ? `${METADATA}KEY` : undefined)
  return suggestion === undefined ? '' : `; did you mean "${suggestion}"?`
}
