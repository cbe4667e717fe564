import type { CallOperation } from '../http/call.ts'
import { inspect } from '../api/inspect.ts'
import type { Finding } from '../api/inspect.ts'
import { brokenRules, holdsIn } from '../api/rules.ts'
import { UsageError } from '../errors.ts'
import type { ValidationProblem } from '../errors.ts'
import { CURRENCY_CODES } from '../money/currencies.ts'
import { closest } from '../suggest.ts'
import type { Checked } from './check-body.ts'
import { isObject, showPath } from './field-path.ts'
import { withoutNulls } from './nulls.ts'

/** A body held against the operation's schema, field by field. */
export function checkBySchema(operation: CallOperation, body: unknown, apiVersion: string): Checked {
  const schema = operation.request?.()
  if (schema === undefined) {
    return {
      problems: body === undefined ? [] : [{ path: '$', description: 'this operation takes no body' }],
      warnings: [],
    }
  }
  if (body === undefined && operation.bodyOptional === true) return { problems: [], warnings: [] }
  const checked = operation.nullClears === true ? withoutNulls(body ?? {}) : (body ?? {})
  const parsed = schema.safeParse(checked)
  const wrongTypes = (parsed.error?.issues ?? []).filter((issue) => issue.code !== 'custom')
  // With its nulls: a rule may be about what cannot be cleared.
  const broken = brokenRules(schema, body ?? {}).filter((issue) => holdsIn(apiVersion, issue))
  const problems = [...wrongTypes, ...broken].map((issue) => ({
    path: showPath(issue.path ?? []) || '$',
    description: describe(issue, valueAt(checked, issue.path ?? [])),
  }))
  const warnings: string[] = []
  // With its nulls: one that clears a field which does not exist is a typing error too.
  for (const finding of inspect(schema, body ?? {}, CURRENCY_CODES)) {
    const path = showPath(finding.path)
    if (finding.kind === 'unknown-field') {
      const suggestion = closest(String(finding.path.at(-1)), finding.known)
      const description = `unknown field${suggestion === undefined ? '' : `; did you mean "${suggestion}"?`}`
      if (finding.isOpen) warnings.push(`${path}: ${description}; it is sent as it is`)
      else problems.push({ path, description })
    } else if (finding.closed) {
      problems.push({
        path,
        description: `"${finding.value}" is not ${finding.words ?? `one of ${finding.known.join(', ')}`}${didYouMean(finding.value, finding.known)}`,
      })
    } else {
      warnings.push(
        `${path}: "${finding.value}" is not a known value${meantWords(finding)}; it is sent as it is`,
      )
    }
  }
  return { problems, warnings }
}

/** One error for all problems. */
export function invalidBody(operationId: string, problems: readonly ValidationProblem[]): UsageError {
  const first = problems[0]
  const message =
    problems.length === 1 && first !== undefined
      ? `The request is not valid: ${first.path}: ${first.description}`
      : `The request is not valid (${problems.length} problems)`
  return new UsageError(message, {
    code: 'invalid_body',
    operation: operationId,
    outcome: 'none',
    validationErrors: problems,
    hint: '--no-validate sends the body as it is',
  })
}

interface Issue {
  readonly code?: string | undefined
  readonly message?: string | undefined
  readonly path?: readonly PropertyKey[] | undefined
  readonly minimum?: unknown
  readonly expected?: unknown
}

function describe(issue: Issue, value: unknown): string {
  if (issue.code === 'custom') return issue.message ?? 'is not valid'
  if (value === undefined) return 'is required'
  if (typeof value === 'bigint') return `${shown(value)} is too large to be exact`
  if (issue.code === 'too_small') return `must be ${String(issue.minimum)} or more, not ${shown(value)}`
  if (issue.code === 'too_big') return `${shown(value)} is too large to be exact`
  if (issue.code === 'invalid_type') return `must be ${kind(issue.expected)}, not ${shown(value)}`
  if (issue.code === 'invalid_union') return `must be text or a whole number, not ${shown(value)}`
  return `is not valid: ${shown(value)}`
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
const kind = (expected: unknown): string => KINDS[String(expected)] ?? String(expected)

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)
  if (Array.isArray(value)) return 'a list'
  return isObject(value) ? 'an object' : String(value)
}

/** Of codes that have a form each is a letter away from many others: none of them is a suggestion. */
function meantWords({ value, known, words }: Extract<Finding, { kind: 'unknown-value' }>): string {
  if (words === undefined) return didYouMean(value, known)
  const meant = known.find((code) => code === value.toUpperCase())
  return meant === undefined ? ` (give ${words})` : `; did you mean ${meant}?`
}

const didYouMean = (value: string, known: readonly string[]): string => {
  const suggestion = closest(value, known)
  return suggestion === undefined ? '' : `; did you mean ${suggestion}?`
}

const valueAt = (body: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined),
    body,
  )
