import { closest } from '../../suggest.ts'
import { quote } from './parse-result.ts'
import type { ParseResult } from './parse-result.ts'

/** Over HTTP, HEAD comes in as GET, and OPTIONS never reaches the service. */
const METHODS = ['GET', 'POST', 'PATCH', 'DELETE', 'PUT'] as const
const ANY_METHOD = '*'
const LONGEST = 300
/** Every star is one more thing to try for each path that comes. */
const MOST_STARS = 10
const EXAMPLE = '"POST /payments/*/refund"'

/** A pattern of requests as it is given, brought to its one form: a method or `*`, a space, a path. A path alone is on any method. */
export function readPattern(given: unknown): ParseResult<string> {
  if (given === undefined) return { problem: `is required: a method and a path, such as ${EXAMPLE}` }
  if (typeof given !== 'string') return { problem: `must be a method and a path, such as ${EXAMPLE}` }
  const words = given.trim().split(/\s+/)
  const [first = '', second = ''] = words
  if (words.length > 2 || given.length > LONGEST)
    return { problem: `must be a method and a path of at most ${LONGEST} signs, such as ${EXAMPLE}` }
  const [method, path] = first.startsWith('/') ? [ANY_METHOD, first] : [first.toUpperCase(), second]
  const problem =
    words.length === 2 && first.startsWith('/')
      ? 'holds a space: it is %20 in a path, and the method comes first'
      : (methodProblem(method, first) ?? pathProblem(path))
  return problem === undefined ? { value: `${method} ${withoutLastSlash(inFewStars(path))}` } : { problem }
}

function methodProblem(method: string, typed: string): string | undefined {
  if (method === ANY_METHOD || METHODS.some((known) => known === method)) return undefined
  const suggestion = closest(method, METHODS)
  return suggestion === undefined
    ? `must begin with *, ${METHODS.join(', ')} or the / of a path, not with ${quote(typed)}`
    : `has an unknown method ${quote(typed)}; did you mean ${suggestion}?`
}

function pathProblem(path: string): string | undefined {
  if (path === '') return `needs a path behind the method, such as ${EXAMPLE}`
  if (!path.startsWith('/')) return `has a path that does not begin with /: ${quote(path)}`
  if (/[?#]/.test(path)) return 'holds a query: requests are matched without theirs'
  if (!/^[!-~]*$/.test(path)) return 'holds signs that are percent-encoded in a path'
  const stars = inFewStars(path).match(/\*+/g)?.length ?? 0
  if (stars > MOST_STARS) return `holds ${stars} stars in its path: ${MOST_STARS} at most`
  return undefined
}

/** Three stars and more are anything at all, as two are. */
const inFewStars = (path: string): string => path.replaceAll(/\*{3,}/g, '**')

const withoutLastSlash = (path: string): string => (path.length > 1 ? path.replace(/\/$/, '') : path)

/** Which requests a fault is on, or a look at the log is for. */
export function matchesPattern(pattern: string, method: string, path: string): boolean {
  const [wantedMethod = '', wantedPath = ''] = pattern.split(' ')
  if (wantedMethod !== ANY_METHOD && wantedMethod !== method) return false
  return matches(wantedPath, withoutLastSlash(path))
}

/**
 * `*` is anything within one segment, `**` anything at all. Tracks every place of the path where the pattern so far can end,
 * part by part: a regular expression with many stars tries far more.
 */
function matches(pattern: string, path: string): boolean {
  let ends = Array.from({ length: path.length + 1 }, (_, at) => at === 0)
  for (const part of pattern.split(/(\*+)/)) ends = advance(ends, part, path)
  return ends.at(-1) === true
}

function advance(ends: readonly boolean[], part: string, path: string): boolean[] {
  let isOpen = false
  return ends.map((isEnd, at) => {
    const start = at - part.length
    if (!part.startsWith('*')) return ends[start] === true && path.startsWith(part, start)
    isOpen = isEnd || (isOpen && (part !== '*' || path[at - 1] !== '/'))
    return isOpen
  })
}
