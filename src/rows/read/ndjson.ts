import { UsageError } from '../../errors.ts'
import { isRecord } from '../../json/is-record.ts'
import { JsonError } from '../../json/json-error.ts'
import { isLosslessNumber, parseJson, stringifyJson } from '../../json/json.ts'
import { segmentsOf, setValueAt } from '../map/body-path.ts'
import { readCell } from '../map/cell.ts'
import type { CellOptions } from '../map/cell.ts'
import { isAmountKind, kindOf } from '../map/field-schema.ts'
import type { FieldKind, FieldSchema } from '../map/field-schema.ts'
import { mappingError } from '../map/mapping-error.ts'
import { constantProblems } from '../map/mapping.ts'
import type { ColumnMapping } from '../map/mapping.ts'
import { isProblem } from '../map/row.ts'
import type { InputRow, RowProblem } from '../map/row.ts'
import type { RowWarnings } from '../map/row-warnings.ts'
import { readRecords } from './csv.ts'
import type { InputFormat } from './input-format.ts'
import { ndjsonRejects } from './rejects.ts'
import { fieldAt } from '../../json/fields.ts'

/** Validates a body against the schema of its operation. */
export type CheckBody = (body: unknown) => {
  readonly problems: readonly { readonly path: string; readonly description: string }[]
  readonly warnings: readonly string[]
}

export interface NdjsonOptions {
  readonly mapping: ColumnMapping
  readonly cells: CellOptions
  readonly check: CheckBody
  readonly rowWarnings: RowWarnings
  /** Completes a body with what is the same for every row. */
  readonly complete?: (body: Record<string, unknown>) => Record<string, unknown>
}

/**
 * Reads one JSON object per line: the body as the API takes it, plus the constants. Converts amounts and times as in a CSV.
 * @throws {UsageError} if the mapping names columns or a constant does not fit
 */
export function readNdjson(
  schema: FieldSchema,
  { mapping, cells: options, check, rowWarnings, complete = (body) => body }: NdjsonOptions,
): InputFormat {
  if (mapping.columns.size > 0)
    throw new UsageError('--map names columns, and NDJSON has none', {
      code: 'bad_value',
      hint: 'Use --const, or convert the file to CSV.',
    })
  const faults = constantProblems(schema, mapping.constants, options)
  if (faults.length > 0)
    throw mappingError(faults, {
      what: '--const cannot be used',
      code: 'bad_value',
      hint: schema.hints.mapping,
    })
  const constants = [...mapping.constants].map(([path, text]) => ({
    segments: segmentsOf(path),
    value: constantValue(kindOf(schema, path) ?? 'text', text, options),
  }))
  const converted = convertedFields(schema, options)
  const reasonName = schema.reasonColumn
  return {
    start: { byte: 0, line: 1 },
    records: (chunks, from) => readRecords(chunks, 'lines', from),
    rowOf,
    rejects: ndjsonRejects(reasonName),
  }

  function rowOf([text = '']: readonly string[]): InputRow {
    const { value, problem } = jsonIn(text)
    if (problem !== undefined) return badRow(text, '', [problemOfRow(text, `is not JSON: ${problem}`)])
    if (!isRecord(value)) return badRow(text, '', [problemOfRow(text, 'is not a JSON object')])
    // A rejects file has the reason of the earlier run there.
    const { [reasonName]: _reason, ...record } = value
    const body = complete(record)
    for (const { segments, value: constant } of constants) setValueAt(body, segments, constant)
    const problems: RowProblem[] = []
    for (const field of converted) convert(body, field, problems)
    const { problems: found, warnings } = check(body)
    for (const warning of warnings) rowWarnings.note(warning, () => warning)
    for (const { path, description } of found) {
      const field = path.replace(/^\$\.?/, '')
      // The conversion has reported this field already.
      if (!problems.some(({ column }) => column === field))
        problems.push(bodyProblem(body, field, description))
    }
    const textOf = (name: string) => {
      const named = body[name]
      return typeof named === 'string' ? named : ''
    }
    const id = textOf(schema.id)
    const order = schema.order === undefined ? {} : { orderId: textOf(schema.order) }
    return problems.length > 0
      ? { ...badRow(text, id, problems), ...order }
      : { id, prepared: { id, body, isDoubtful: warnings.length > 0 }, problems: [], cells: [text] }
  }

  /** Converts a value like a cell. Leaves values of other types for the check to report. */
  function convert(
    body: Record<string, unknown>,
    { path, kind, segments }: ConvertedField,
    problems: RowProblem[],
  ): void {
    const value = fieldAt(body, segments)
    const text = typeof value === 'string' ? value : kind === 'datetime' ? undefined : numberText(value)
    if (text === undefined || text === '') return
    const currencyCode = body[schema.currency]
    const read = readCell(kind, text, options, typeof currencyCode === 'string' ? currencyCode : undefined)
    if (isProblem(read)) problems.push({ column: path, value: text, kind: read.kind, hint: read.hint })
    else setValueAt(body, segments, read)
  }
}

interface ConvertedField {
  readonly path: string
  readonly kind: FieldKind
  readonly segments: readonly string[]
}

/** The fields to convert: times, and amounts but for those in minor units as in a body of the API, whose check reads them. */
const convertedFields = ({ kinds }: FieldSchema, { amounts }: CellOptions): readonly ConvertedField[] =>
  Object.entries(kinds).flatMap(([path, kind]) =>
    kind === 'datetime' || (isAmountKind(kind) && (kind !== 'amount' || amounts !== 'minor'))
      ? [{ path, kind, segments: segmentsOf(path) }]
      : [],
  )

const numberText = (value: unknown): string | undefined =>
  typeof value === 'number' || typeof value === 'bigint' || isLosslessNumber(value)
    ? stringifyJson(value)
    : undefined

/** The value of a constant. One that is converted with its row stays text: in major units, it needs the row's currency. */
function constantValue(kind: Parameters<typeof readCell>[0], text: string, options: CellOptions) {
  const read =
    kind === 'amount-or-all' || (kind === 'amount' && options.amounts !== 'minor')
      ? text
      : readCell(kind, text, options, undefined)
  return isProblem(read) ? text : read
}

/** Parses a line. One that is not JSON is a bad row; the rest of the file can be read. */
function jsonIn(text: string): { readonly value: unknown; readonly problem: string | undefined } {
  try {
    return { value: parseJson(text), problem: undefined }
  } catch (error) {
    // Without the position in the line, equal mistakes in several rows are one kind of problem.
    return { value: undefined, problem: error instanceof JsonError ? error.reason : String(error) }
  }
}

const badRow = (text: string, id: string, problems: readonly RowProblem[]): InputRow => ({
  id,
  prepared: undefined,
  problems,
  cells: [text],
})

const problemOfRow = (text: string, kind: string): RowProblem => ({
  column: undefined,
  value: text,
  kind,
  hint: undefined,
})

/** The words before a suggestion, at the end of a description. */
const SUGGESTS = '; did you mean '

/** Takes the value out of the description, so that equal mistakes in several rows are one kind of problem. */
function bodyProblem(body: Record<string, unknown>, path: string, description: string): RowProblem {
  const stated = description.replace(/^"(?:[^"\\]|\\.)*" (?=is )/s, '')
  const end = stated.lastIndexOf(SUGGESTS)
  const hint = end === -1 ? undefined : /^"?([^"?]*)"?\?$/.exec(stated.slice(end + SUGGESTS.length))?.[1]
  const [kind = ''] = (hint === undefined ? stated : stated.slice(0, end)).split(', not ', 1)
  const value = fieldAt(body, segmentsOf(path))
  return {
    column: path === '' ? undefined : path,
    value: value === undefined ? undefined : typeof value === 'string' ? value : stringifyJson(value),
    kind,
    hint: hint === undefined ? undefined : `Did you mean ${hint}?`,
  }
}
