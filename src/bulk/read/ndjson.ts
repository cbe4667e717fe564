import { UsageError } from '../../errors.ts'
import { JsonError } from '../../json/json-error.ts'
import { isLosslessNumber, parseJson, stringifyJson } from '../../json/json.ts'
import { isProblem, readCell } from '../map/cell.ts'
import type { CellOptions } from '../map/cell.ts'
import { readRecords } from './csv.ts'
import type { ReadRow } from '../send/run.ts'
import { constantProblems, unfit } from '../map/mapping.ts'
import type { ColumnMapping } from '../map/mapping.ts'
import { setField } from '../map/row-reader.ts'
import type { RowProblem } from '../map/row-reader.ts'
import type { Reading, Rejects } from './table.ts'
import { REASON, kindOf, segmentsOf } from '../../import/record-fields.ts'
import type { RowWarnings } from '../map/row-warnings.ts'
import { isRecord } from '../../is-record.ts'

/** All that is wrong with a record, and what is odd about it. */
export type CheckRecord = (body: unknown) => {
  readonly problems: readonly { readonly path: string; readonly description: string }[]
  readonly warnings: readonly string[]
}

/**
 * A JSON record on each line: the body as the service takes it, with the constants, amounts and times as they are read in
 * cells. `complete` adds what holds for every record.
 */
export function readNdjson(
  words: ColumnMapping,
  options: CellOptions,
  check: CheckRecord,
  rowWarnings: RowWarnings,
  complete: (record: Record<string, unknown>) => Record<string, unknown> = (record) => record,
): Reading {
  if (words.columns.size > 0)
    throw new UsageError('--map names columns, and NDJSON has none', {
      code: 'bad_value',
      hint: 'Use --const, or convert the file',
    })
  const faults = constantProblems(words.constants, options)
  if (faults.length > 0) throw unfit(faults, { what: '--const cannot be used', code: 'bad_value' })
  const constants = [...words.constants].map(([path, text]) => constantOf(path, text, options))
  return {
    start: { byte: 0, line: 1 },
    records: (chunks, from) => readRecords(chunks, 'lines', from),
    rowOf,
    rejects: NDJSON_REJECTS,
  }

  function rowOf([text = '']: readonly string[]): ReadRow {
    const { value, problem } = jsonIn(text)
    if (problem !== undefined) return unfitRow(text, '', [wholeRow(text, `is not JSON: ${problem}`)])
    if (!isRecord(value)) return unfitRow(text, '', [wholeRow(text, 'is not a JSON object')])
    // The rejects of an earlier run say why there.
    const { [REASON]: _reason, ...record } = value
    const body = complete(record)
    for (const { segments, value: constant } of constants) setField(body, segments, constant)
    const problems: RowProblem[] = [...readField(body, 'amount'), ...readField(body, 'createdAt')]
    const { problems: found, warnings } = check(body)
    for (const warning of warnings) rowWarnings.note(warning, () => warning)
    for (const { path, description } of found) {
      const field = path.replace(/^\$\.?/, '')
      // What a cell of it would have said is said already.
      if (!problems.some(({ column }) => column === field))
        problems.push(bodyProblem(body, field, description))
    }
    const paymentId = typeof body['paymentId'] === 'string' ? body['paymentId'] : ''
    return problems.length > 0
      ? unfitRow(text, paymentId, problems)
      : { paymentId, prepared: { paymentId, body }, problems: [], cells: [text] }
  }

  /** Amounts in their units and times in UTC, as in a cell. What is of another type is left to the check. */
  function readField(body: Record<string, unknown>, path: 'amount' | 'createdAt'): readonly RowProblem[] {
    const value = body[path]
    const text = typeof value === 'string' ? value : path === 'amount' ? numberText(value) : undefined
    if (text === undefined || (path === 'amount' && options.amounts === 'minor')) return []
    const { currencyCode } = body
    const read = readCell(
      path === 'amount' ? 'amount' : 'datetime',
      text,
      options,
      typeof currencyCode === 'string' ? currencyCode : undefined,
    )
    if (isProblem(read)) return [{ column: path, value: text, kind: read.kind, hint: read.hint }]
    body[path] = read
    return []
  }
}

const numberText = (value: unknown): string | undefined =>
  typeof value === 'number' || typeof value === 'bigint' || isLosslessNumber(value)
    ? stringifyJson(value)
    : undefined

/** Major units wait for the row's currency. */
function constantOf(path: string, text: string, options: CellOptions) {
  const kind = kindOf(path) ?? 'text'
  const read =
    kind === 'amount' && options.amounts === 'major' ? text : readCell(kind, text, options, undefined)
  return { segments: segmentsOf(path), value: isProblem(read) ? text : read }
}

/** The line as it came, but for the reason: in the record where it is one. */
const NDJSON_REJECTS: Rejects = {
  header: '',
  line: ([text = ''], reason) => {
    const { value } = jsonIn(text)
    return isRecord(value) ? `${stringifyJson({ ...value, [REASON]: reason })}\n` : `${text}\n`
  },
}

/** A line that is no JSON is a bad row, not a bad file. */
function jsonIn(text: string): { readonly value: unknown; readonly problem: string | undefined } {
  try {
    return { value: parseJson(text), problem: undefined }
  } catch (error) {
    // A record is one line: its own place is said beside it, and what is wrong alike is one kind.
    return { value: undefined, problem: error instanceof JsonError ? error.reason : String(error) }
  }
}

const unfitRow = (text: string, paymentId: string, problems: readonly RowProblem[]): ReadRow => ({
  paymentId,
  prepared: undefined,
  problems,
  cells: [text],
})

const wholeRow = (text: string, kind: string): RowProblem => ({
  column: undefined,
  value: text,
  kind,
  hint: undefined,
})

/** The words of the check without the value in them: what is wrong in the same way is one kind. */
function bodyProblem(body: Record<string, unknown>, path: string, description: string): RowProblem {
  const [, kind = description, hint] =
    /^(?:"(?:[^"\\]|\\.)*" (?=is ))?(.*?)(?:, not .*?)?(?:; did you mean "?([^"?]*)"?\?)?$/s.exec(
      description,
    ) ?? []
  const value = segmentsOf(path).reduce<unknown>(
    (at, name) => (isRecord(at) && Object.hasOwn(at, name) ? at[name] : undefined),
    body,
  )
  return {
    column: path === '' ? undefined : path,
    value: value === undefined ? undefined : typeof value === 'string' ? value : stringifyJson(value),
    kind,
    hint: hint === undefined ? undefined : `Did you mean ${hint}?`,
  }
}
