import type { ErrorBody } from '../../calls/api-error.ts'
import type { RowProblem } from '../map/row-reader.ts'
import { segmentsOf } from '../../import/record-fields.ts'
import { isRecord } from '../../is-record.ts'

/** As much of a reason as fits into a cell that somebody reads. */
const LONGEST_MESSAGE = 1_000
const LONGEST_VALUE = 60

/** A row as it was sent. */
export interface SentRow {
  readonly body: Readonly<Record<string, unknown>>
  /** The column that a field came from. */
  readonly columnOf: ((field: string) => string | undefined) | undefined
  /** Values are cleaned whole: half a secret would not be known for one. */
  readonly clean: (text: string) => string
}

/** Why the service did not take a row, in its own words: each problem once, with its column, field and value. */
export function refusalMessage(
  status: number,
  { description, validationErrors = [] }: ErrorBody,
  row?: SentRow,
): string {
  const details = validationErrors.map((problem) => {
    const field = problem.path.replace(/^\$\.?/, '')
    const text = row === undefined ? undefined : textAt(row.body, field)
    const isNamed = text === undefined || problem.description.includes(text)
    const value = isNamed ? undefined : row?.clean(text)
    const column = row?.columnOf?.(field) ?? field
    return placed({ column, field, value }, plainPaths(problem.description))
  })
  // Many services put the problems into the description too.
  const isRepeated = validationErrors.some((problem) => description?.includes(problem.description) === true)
  const words = [...(description === undefined || isRepeated ? [] : [plainPaths(description)]), ...details]
  return words.length === 0 ? `the service answered ${status}` : words.join('; ')
}

/** `$.order.id` is `order.id` for the reader of a table. */
const plainPaths = (text: string): string => text.replaceAll(/\$\.(?=[\w$])/g, '')

function textAt(body: SentRow['body'], field: string): string | undefined {
  if (field === '') return undefined
  const value = segmentsOf(field).reduce<unknown>(
    (at, name) => (isRecord(at) && Object.hasOwn(at, name) ? at[name] : undefined),
    body,
  )
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined
}

/** Why a row cannot be sent. */
export const problemsMessage = (problems: readonly RowProblem[], clean: (text: string) => string): string =>
  problems
    .map(({ column, field, value, kind }) =>
      column === undefined
        ? `the row ${kind}`
        : placed({ column, field, value: value === undefined ? undefined : clean(value) }, kind),
    )
    .join('; ')

/** `Total (amount) "-5" is negative`. */
function placed(
  {
    column,
    field,
    value,
  }: { readonly column: string; readonly field: string | undefined; readonly value: string | undefined },
  what: string,
): string {
  const name = field === undefined || field === column ? column : `${column} (${field})`
  if (value === undefined || value === '') return `${name} ${what}`.trimStart()
  return `${name} ${SECRET_NAME.test(name) ? '[redacted]' : `"${shortened(value)}"`} ${what}`.trimStart()
}

/** A column whose values belong into no message. */
const SECRET_NAME =
  /token|secret|passw|passphrase|api[\s_-]?key|authorization|cookie|cvv|cvc|security[\s_-]?code|(?:card|account)[\s_-]?number|iban|\bpan\b/i

const shortened = (text: string): string =>
  text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text

/** The reason of a row that was not sent, as files and messages have it. */
export const rejectReason = (problems: readonly RowProblem[], clean: (text: string) => string): string =>
  limitMessage(problemsMessage(problems, clean), clean) ?? ''

/** Cleaned whole and then cut: half a secret would not be known for one. */
export function limitMessage(text: string | undefined, clean: (text: string) => string): string | undefined {
  if (text === undefined) return undefined
  const cleaned = clean(text)
  return cleaned.length > LONGEST_MESSAGE ? `${cleaned.slice(0, LONGEST_MESSAGE)}…` : cleaned
}
