import { closest } from '../../suggest.ts'
import { shown } from './parsed.ts'
import type { Parsed } from './parsed.ts'

/** Over HTTP, HEAD comes in as GET, and OPTIONS never reaches the service. */
const METHODS = ['GET', 'POST', 'PATCH', 'DELETE', 'PUT'] as const
const ANY_METHOD = '*'
const LONGEST = 300
const EXAMPLE = '"POST /payments/*/refund"'

/** A pattern of requests as it is given, brought to its one form: a method or `*`, a space, a path. A path alone is on any method. */
export function readPattern(given: unknown): Parsed<string> {
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
  return problem === undefined ? { value: `${method} ${withoutLastSlash(path)}` } : { problem }
}

function methodProblem(method: string, typed: string): string | undefined {
  if (method === ANY_METHOD || METHODS.some((known) => known === method)) return undefined
  const suggestion = closest(method, METHODS)
  return suggestion === undefined
    ? `must begin with *, ${METHODS.join(', ')} or the / of a path, not with ${shown(typed)}`
    : `has an unknown method ${shown(typed)}; did you mean ${suggestion}?`
}

function pathProblem(path: string): string | undefined {
  if (path === '') return `needs a path behind the method, such as ${EXAMPLE}`
  if (!path.startsWith('/')) return `has a path that does not begin with /: ${shown(path)}`
  if (/[?#]/.test(path)) return 'holds a query: requests are matched without theirs'
  if (!/^[!-~]*$/.test(path)) return 'holds signs that are percent-encoded in a path'
  return undefined
}

const withoutLastSlash = (path: string): string => (path.length > 1 ? path.replace(/\/$/, '') : path)

/** Which requests a fault is on, or a look at the log is for. */
export function isOn(pattern: string, method: string, path: string): boolean {
  const [wantedMethod = '', wantedPath = ''] = pattern.split(' ')
  if (wantedMethod !== ANY_METHOD && wantedMethod !== method) return false
  return matches(wantedPath, withoutLastSlash(path))
}

/**
 * `*` is anything within one segment, `**` anything at all. Walks along the path once with every place of the pattern
 * that it may have come to: a regular expression with many stars takes far longer.
 */
function matches(pattern: string, path: string): boolean {
  const steps = pattern.match(/\*\*|./gs) ?? []
  let places = withStars(steps, new Set([0]))
  for (const sign of path) {
    const next = new Set<number>()
    for (const place of places) {
      const step = steps[place]
      if (step === '**' || (step === '*' && sign !== '/')) next.add(place)
      else if (step === sign) next.add(place + 1)
    }
    if (next.size === 0) return false
    places = withStars(steps, next)
  }
  return places.has(steps.length)
}

/** A star may stand for nothing. A set that grows while it is walked through is walked through to its end. */
function withStars(steps: readonly string[], places: Set<number>): Set<number> {
  for (const place of places) if (steps[place]?.startsWith('*') === true) places.add(place + 1)
  return places
}
