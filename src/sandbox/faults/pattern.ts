import { closest } from '../../text/suggest.ts'
import { BadField, quote } from '../request/fields.ts'

/** The methods of patterns. Over HTTP, HEAD arrives as GET, and OPTIONS never reaches the service. */
const METHODS = ['GET', 'POST', 'PATCH', 'DELETE', 'PUT'] as const
const ANY_METHOD = '*'
const MAX_LENGTH = 300
/** The most stars of a pattern: every star makes matching a path slower. */
const MAX_STARS = 10
export const EXAMPLE = '"POST /payments/*/refund"'

/**
 * Reads a pattern of requests and normalizes it: a method or `*`, a space, a path. A path alone means any method.
 * @throws {BadField}
 */
export function readPattern(given: unknown): string {
  if (typeof given !== 'string') throw new BadField(`must be a method and a path, such as ${EXAMPLE}`)
  const parts = given.trim().split(/\s+/)
  const [first = '', second = ''] = parts
  if (parts.length > 2 || given.length > MAX_LENGTH)
    throw new BadField(`must be a method and a path of at most ${MAX_LENGTH} characters, such as ${EXAMPLE}`)
  const [method, path] = first.startsWith('/') ? [ANY_METHOD, first] : [first.toUpperCase(), second]
  const problem =
    parts.length === 2 && first.startsWith('/')
      ? 'contains a space: write it as %20 in the path, and put the method first'
      : (methodProblem(method, first) ?? pathProblem(path))
  if (problem !== undefined) throw new BadField(problem)
  return `${method} ${withoutLastSlash(collapseStars(path))}`
}

function methodProblem(method: string, typed: string): string | undefined {
  if (method === ANY_METHOD || METHODS.some((known) => known === method)) return undefined
  const suggestion = closest(method, METHODS)
  return suggestion === undefined
    ? `must start with *, ${METHODS.join(', ')} or a path, not ${quote(typed)}`
    : `has an unknown method ${quote(typed)}; did you mean ${suggestion}?`
}

function pathProblem(path: string): string | undefined {
  if (path === '') return `needs a path after the method, such as ${EXAMPLE}`
  if (!path.startsWith('/')) return `has a path that doesn't start with /: ${quote(path)}`
  if (/[?#]/.test(path)) return 'contains a query: patterns match paths only'
  if (!/^[!-~]*$/.test(path)) return 'contains characters that must be percent-encoded'
  const stars = collapseStars(path).match(/\*+/g)?.length ?? 0
  if (stars > MAX_STARS) return `has ${stars} stars in its path; the limit is ${MAX_STARS}`
  return undefined
}

/** Shortens three or more stars to two, which mean the same. */
const collapseStars = (path: string): string => path.replaceAll(/\*{3,}/g, '**')

const withoutLastSlash = (path: string): string => (path.length > 1 ? path.replace(/\/$/, '') : path)

/** Whether a request matches a pattern of a fault or a log query. */
export function matchesPattern(pattern: string, method: string, path: string): boolean {
  const [wantedMethod = '', wantedPath = ''] = pattern.split(' ')
  if (wantedMethod !== ANY_METHOD && wantedMethod !== method) return false
  return matches(wantedPath, withoutLastSlash(path))
}

/**
 * Whether a path matches: `*` is anything within one segment, `**` anything. Tracks, part by part, every position where the
 * pattern so far can end; a regular expression with many stars would backtrack far more.
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
