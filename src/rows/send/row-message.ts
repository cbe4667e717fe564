import type { ErrorBody } from '../../client/calls/api-error.ts'
import { segmentsOf } from '../map/body-path.ts'
import type { RowProblem } from '../map/row.ts'
import { fieldAt } from '../../json/fields.ts'

/** The longest message, in characters: longer ones are hard to read in a spreadsheet cell. */
const MAX_MESSAGE_LENGTH = 1_000
const MAX_VALUE_LENGTH = 60

/** A row as it was sent. */
export interface SentRow {
  readonly body: Readonly<Record<string, unknown>>
  /** The column that a field comes from. */
  readonly columnOf: ((field: string) => string | undefined) | undefined
  /** Cleans whole values: a secret that is cut in half is not recognized. */
  readonly clean: (text: string) => string
}

/** Why the service refused a row, in its own words: each problem once, with column, field and value. */
export function refusalMessage(
  status: number,
  { description, validationErrors = [] }: ErrorBody,
  row?: SentRow,
): string {
  const details = validationErrors.map((problem) => {
    const field = problem.path.replace(/^\$\.?/, '')
    const text = row === undefined ? undefined : textAt(row.body, field)
    const isQuoted = text === undefined || problem.description.includes(text)
    const value = isQuoted ? undefined : row?.clean(text)
    const column = row?.columnOf?.(field) ?? field
    return located({ column, field, value }, plainPaths(problem.description))
  })
  // Many services repeat the problems in the description.
  const isRepeated = validationErrors.some((problem) => description?.includes(problem.description) === true)
  const words = [...(description === undefined || isRepeated ? [] : [plainPaths(description)]), ...details]
  return words.length === 0 ? `the service responded with ${status}` : words.join('; ')
}

/** Writes paths as readers of a table know them: `order.id`, not `$.order.id`. */
const plainPaths = (text: string): string => text.replaceAll(/\$\.(?=[\w$])/g, '')

function textAt(body: SentRow['body'], field: string): string | undefined {
  const value = field === '' ? undefined : fieldAt(body, segmentsOf(field))
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined
}

/** Why a row cannot be sent. What to do about it fits only a single problem. */
export function problemsMessage(problems: readonly RowProblem[], clean: (text: string) => string): string {
  const faults = problems.map(({ column, field, value, kind }) =>
    column === undefined
      ? `the row ${kind}`
      : located({ column, field, value: value === undefined ? undefined : clean(value) }, kind),
  )
  const hint = problems.length === 1 ? problems[0]?.hint : undefined
  return `${faults.join('; ')}${hint === undefined ? '' : ` (${hint.replace(/\.$/, '')})`}`
}

/** Says where a problem is: `Total (amount) "-5" is negative`. */
function located(
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

/** The columns whose values must not be in a message. */
const SECRET_NAME =
  /token|secret|passw|passphrase|api[\s_-]?key|authorization|cookie|cvv|cvc|security[\s_-]?code|(?:card|account)[\s_-]?number|iban|\bpan\b/i

const shortened = (text: string): string =>
  text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text

/** Why a row was not sent, for files and messages. */
export const rejectReason = (problems: readonly RowProblem[], clean: (text: string) => string): string =>
  shortMessage(problemsMessage(problems, clean), clean) ?? ''

/** Cleans the whole text before cutting it: a secret that is cut in half is not recognized. */
export function shortMessage(text: string | undefined, clean: (text: string) => string): string | undefined {
  if (text === undefined) return undefined
  const cleaned = clean(text)
  return cleaned.length > MAX_MESSAGE_LENGTH ? `${cleaned.slice(0, MAX_MESSAGE_LENGTH)}…` : cleaned
}
