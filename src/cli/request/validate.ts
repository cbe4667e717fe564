import type { CallOperation } from '../../client/calls/call.ts'
import { findUnknownEntries } from '../../api/unknown-fields.ts'
import type { UnknownEntry } from '../../api/unknown-fields.ts'
import { findBrokenRules, appliesToVersion } from '../../api/models/cross-field-rules.ts'
import type { z } from '../../api/schema.ts'
import { IS_REQUIRED, UsageError } from '../../errors.ts'
import type { ValidationProblem } from '../../errors.ts'
import { CURRENCY_CODES } from '../../money/currencies.ts'
import { closest } from '../../text/suggest.ts'
import { formatPath } from '../parse/field-path.ts'
import { withoutNulls } from '../command/nulls.ts'
import { isRecord } from '../../json/is-record.ts'
import { fieldAt } from '../../json/fields.ts'

interface BodyProblem extends ValidationProblem {
  /** Whether a required field is missing. */
  readonly isMissing?: boolean
}

export interface BodyCheck {
  readonly problems: readonly BodyProblem[]
  /** The number of problems that `problems` leaves out. */
  readonly more?: number
  readonly warnings: readonly string[]
}

/** Checks a body against the rules of an API version. Reports all problems, up to {@link MAX_REPORTED}. */
export function checkBody(operation: CallOperation, body: unknown, apiVersion = '2.1'): BodyCheck {
  const schema = operation.request?.()
  if (schema === undefined) {
    return {
      problems: body === undefined ? [] : [{ path: '$', description: 'this operation takes no body' }],
      warnings: [],
    }
  }
  if (body === undefined && operation.bodyOptional === true) return { problems: [], warnings: [] }
  if (hasTooManyValues(body))
    return {
      problems: [{ path: '$', description: `must have at most ${MAX_VALUES} values` }],
      warnings: [],
    }
  const checked = operation.nullClears === true ? withoutNulls(body ?? {}) : (body ?? {})
  const wrongTypes = (schema.safeParse(checked).error?.issues ?? []).filter(({ code }) => code !== 'custom')
  // Check rules with nulls included: a rule may forbid clearing a field.
  const broken = findBrokenRules(schema, body ?? {}).filter((issue) => appliesToVersion(apiVersion, issue))
  const wrong = [...wrongTypes, ...broken]
  const problems = wrong.slice(0, MAX_REPORTED).map((issue): BodyProblem => {
    const value = fieldAt(checked, issue.path)
    return {
      path: formatPath(issue.path) || '$',
      description: describe(issue, value),
      isMissing: issue.code !== 'custom' && value === undefined,
    }
  })
  const warnings: string[] = []
  const unreported = { problems: wrong.length - problems.length, warnings: 0 }
  // Inspect with nulls included: a null for an unknown field is a typo too.
  for (const entry of findUnknownEntries(schema, body ?? {}, CURRENCY_CODES)) {
    const path = formatPath(entry.path)
    if (isRefused(entry)) {
      if (problems.length < MAX_REPORTED) problems.push({ path, description: describeUnknown(entry) })
      else unreported.problems += 1
    } else if (warnings.length < MAX_REPORTED)
      warnings.push(`${path}: ${describeUnknown(entry)}; it is sent unchanged`)
    else unreported.warnings += 1
  }
  if (unreported.warnings > 0)
    warnings.push(`${unreported.warnings} more fields and values are not known; they are sent as they are`)
  return { problems, more: unreported.problems, warnings }
}

/** Whether an unknown field or value is an error rather than a warning. */
const isRefused = (entry: UnknownEntry): boolean =>
  entry.kind === 'unknown-field' ? !entry.isOpen : entry.closed

function describeUnknown(entry: UnknownEntry): string {
  if (entry.kind === 'unknown-field') {
    const suggestion = closest(String(entry.path.at(-1)), entry.known)
    return `unknown field${suggestion === undefined ? '' : `; did you mean "${suggestion}"?`}`
  }
  const { value, known, words, closed } = entry
  return closed
    ? `"${value}" is not ${words ?? `one of ${known.join(', ')}`}${didYouMean(value, known)}`
    : `"${value}" is not a known value${describeSuggestion(entry)}`
}

/**
 * The most values of a body: far more than a request needs. The schema parser overflows the stack at about 100,000 problems in
 * one list.
 */
const MAX_VALUES = 50_000

function hasTooManyValues(body: unknown): boolean {
  const open: unknown[] = [body]
  for (let count = 0; open.length > 0; count += 1) {
    if (count > MAX_VALUES) return true
    const value = open.pop()
    if (typeof value === 'object' && value !== null)
      for (const field of Object.values(value)) open.push(field)
  }
  return false
}

/** How many problems and warnings to list. A body can have millions. */
const MAX_REPORTED = 100

/** The error that lists all problems of a body. */
export function invalidBody(
  operationId: string,
  { problems, more = 0 }: Pick<BodyCheck, 'problems' | 'more'>,
  hint = 'To send the body unchecked, add --no-validate.',
): UsageError {
  const first = problems[0]
  const count = problems.length + more
  const listed = more > 0 ? `, the first ${problems.length} of them listed` : ''
  const message =
    count === 1 && first !== undefined
      ? `The request is not valid: ${first.path}: ${first.description}`
      : `The request is not valid (${count} problems${listed})`
  return new UsageError(message, {
    code: 'invalid_body',
    operation: operationId,
    validationErrors: problems,
    headline: count === 1 ? 'The request is not valid' : undefined,
    hint,
  })
}

function describe(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code === 'custom') return issue.message
  if (value === undefined) return IS_REQUIRED
  if (typeof value === 'bigint') return `${formatValue(value)} is too large to be exact`
  if (issue.code === 'too_small' && issue.origin === 'string') return 'must not be empty'
  if (issue.code === 'too_small') return `must be ${issue.minimum} or more, not ${formatValue(value)}`
  if (issue.code === 'too_big') return `${formatValue(value)} is too large to be exact`
  if (issue.code === 'invalid_type')
    return `must be ${KINDS[issue.expected] ?? issue.expected}, not ${formatValue(value)}`
  if (issue.code === 'invalid_union') return `must be text or a whole number, not ${formatValue(value)}`
  return `is not valid: ${formatValue(value)}`
}

const KINDS: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a whole number',
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

function formatValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)
  if (Array.isArray(value)) return 'a list'
  return isRecord(value) ? 'an object' : String(value)
}

/** Suggests a known value. Codes such as countries differ by one letter, so only their case is corrected. */
function describeSuggestion({
  value,
  known,
  words,
}: Extract<UnknownEntry, { kind: 'unknown-value' }>): string {
  if (words === undefined) return didYouMean(value, known)
  const suggestion = known.find((code) => code === value.toUpperCase())
  return suggestion === undefined ? ` (give ${words})` : `; did you mean ${suggestion}?`
}

const didYouMean = (value: string, known: readonly string[]): string => {
  const suggestion = closest(value, known)
  return suggestion === undefined ? '' : `; did you mean ${suggestion}?`
}
