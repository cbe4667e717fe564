import type { JSONValue } from '@jmespath-community/jmespath'
import { messageOf, UsageError } from '../errors.ts'
import { isLosslessNumber, parseJson, toPlainNumber } from '../json/json.ts'

/**
 * A number that JavaScript can't represent. It passes through the query as a string between NULs, so that it keeps every
 * digit. A query can select and print it, but not calculate with it.
 */
const EXACT = /\0(?<digits>[^\0]+)\0/g

/**
 * Evaluates a JMESPath expression on a parsed response.
 * @throws {UsageError} `bad_query` for an invalid expression, or one that doesn't fit the response
 */
export async function runQuery(expression: string, response: unknown): Promise<unknown> {
  await checkQuery(expression)
  const { compile, TreeInterpreter } = await import('@jmespath-community/jmespath')
  try {
    return fromQuery(TreeInterpreter.search(compile(expression), toQuery(response)))
  } catch (cause) {
    throw queryError(expression, faultOf(cause), undefined, cause)
  }
}

/**
 * Checks the expression before the command runs.
 * @throws {UsageError} `bad_query` with the position of the error
 */
export async function checkQuery(expression: string): Promise<void> {
  const { compile } = await import('@jmespath-community/jmespath')
  const failure = failureOf(compile, expression)
  if (failure !== undefined)
    throw queryError(expression, failure, describePosition(compile, expression, failure))
}

function queryError(expression: string, reason: string, position?: string, cause?: unknown): UsageError {
  const message = `--query ${JSON.stringify(expression)} is invalid: ${reason}${position ?? ''}`
  return new UsageError(message, {
    code: 'bad_query',
    hint: 'See https://jmespath.org for the syntax.',
    cause,
  })
}

type Compile = (expression: string) => unknown

function failureOf(compile: Compile, expression: string): string | undefined {
  try {
    compile(expression)
    return undefined
  } catch (error) {
    return faultOf(error)
  }
}

const ENDS_EARLY = 'it ends too early'

/** The library's words for what it expected name its own tokens. */
function faultOf(error: unknown): string {
  const words = messageOf(error).replace(/^Syntax(?: error)?[:,] /i, '')
  return /\bEOF\b/.test(words)
    ? ENDS_EARLY
    : words.replace(/^unexpected token type: \w+, value: (.*)$/, 'unexpected "$1"')
}

/** Finds the position of an error, which the library doesn't report: the end of the shortest prefix that fails in the same way. */
function describePosition(compile: Compile, expression: string, failure: string): string {
  if (failure === ENDS_EARLY) return ''
  // An error at the end changes as soon as more text follows.
  if (['@', ']'].some((next) => failureOf(compile, expression + next) !== failure)) return ', at its end'
  for (let end = 1; end < Math.min(expression.length, 500); end += 1) {
    if (failureOf(compile, expression.slice(0, end)) === failure) return `, at column ${end}`
  }
  return ', at its end'
}

/** A response for the query: objects without a prototype, so that `constructor` is an absent field and not a function. */
function toQuery(value: unknown): JSONValue {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value
  if (isLosslessNumber(value)) return toPlainNumber(value) ?? `\0${value.toString()}\0`
  if (typeof value === 'bigint') return `\0${value}\0`
  if (Array.isArray(value)) return value.map(toQuery)
  if (typeof value !== 'object') return null
  const bare: Record<string, JSONValue> = Object.create(null)
  for (const [name, field] of Object.entries(value)) bare[name] = toQuery(field)
  return bare
}

function fromQuery(value: unknown): unknown {
  if (typeof value === 'string') return restoreExact(value)
  if (Array.isArray(value)) return value.map(fromQuery)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name.replaceAll(EXACT, '$<digits>'), fromQuery(field)]),
  )
}

function restoreExact(text: string): unknown {
  const digits = text.replaceAll(EXACT, '$<digits>')
  const isOnlyNumber = text === `\0${digits}\0`
  return isOnlyNumber ? parseJson(digits) : digits
}
