import { closest } from '../../suggest.ts'
import { shown } from './parsed.ts'
import type { Parsed } from './parsed.ts'

/** Over HTTP, HEAD comes in as GET, and OPTIONS never reaches the service. */
const METHODS = ['GET', 'POST', 'PATCH', 'DELETE', 'PUT'] as const
const ANY_METHOD = '*'
const LONGEST = 300
/** Every star is one more thing to try for each path that comes. */
const MOST_STARS = 10
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
  return problem === undefined ? { value: `${method} ${withoutLastSlash(inFewStars(path))}` } : { problem }
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
  const stars = inFewStars(path).match(/\*+/g)?.length ?? 0
  if (stars > MOST_STARS) return `holds ${stars} stars in its path: ${MOST_STARS} at most`
  return undefined
}

/** Three stars and more are anything at all, as two are. */
const inFewStars = (path: string): string => path.replaceAll(/\*{3,}/g, '**')

const withoutLastSlash = (path: string): string => (path.length > 1 ? path.replace(/\/$/, '') : path)

/** Which requests a fault is on, or a look at the log is for. */
export function isOn(pattern: string, method: string, path: string): boolean {
  const [wantedMethod = '', wantedPath = ''] = pattern.split(' ')
  if (wantedMethod !== ANY_METHOD && wantedMethod !== method) return false
  return matches(wantedPath, withoutLastSlash(path))
}

/**
 * `*` is anything within one segment, `**` anything at all. What stands before the first `**` is held against the
 * beginning, what stands behind the last one against the end, and the rest is looked for in between: each piece where it
 * fits first, which leaves the most for the others, so that nothing is tried twice. A regular expression with many stars
 * takes far longer.
 */
function matches(pattern: string, path: string): boolean {
  const [first = '', ...between] = pattern.split('**')
  const last = between.pop()
  if (last === undefined) return matchesWhole(first.split('*'), path)
  let at = fit(first.split('*'), path, 0)
  for (const run of between) if (at !== undefined) at = find(run.split('*'), path, at)
  const behind = last.includes('*')
    ? fit(reversed(last).split('*'), reversed(path), 0)
    : path.endsWith(last)
      ? last.length
      : undefined
  return at !== undefined && behind !== undefined && at + behind <= path.length
}

/** The pieces are what stands between the `*` of a pattern without `**`. */
type Pieces = readonly string[]

function matchesWhole(pieces: Pieces, path: string): boolean {
  const last = pieces.at(-1) ?? ''
  if (pieces.length === 1) return path === last
  const at = fit(pieces.slice(0, -1), path, 0)
  const end = path.length - last.length
  return at !== undefined && at <= end && path.endsWith(last) && !path.slice(at, end).includes('/')
}

/** Where the pieces end that begin at `start`, each as early as it can. */
function fit(pieces: Pieces, path: string, start: number): number | undefined {
  const [first = '', ...more] = pieces
  if (!path.startsWith(first, start)) return undefined
  let at = start + first.length
  for (const piece of more) {
    const slash = path.indexOf('/', at)
    const within = path.slice(at, slash === -1 ? path.length : slash + piece.length)
    const found = within.indexOf(piece)
    if (found === -1) return undefined
    at += found + piece.length
  }
  return at
}

/** Where the pieces end that begin anywhere from `from` on, as early as they can. */
function find(pieces: Pieces, path: string, from: number): number | undefined {
  let start = path.indexOf(pieces[0] ?? '', from)
  while (start !== -1) {
    const end = fit(pieces, path, start)
    if (end !== undefined) return end
    // What does not fit from here does not from further on in this segment either: it would have less of it.
    const slash = path.indexOf('/', start)
    start = slash === -1 ? -1 : path.indexOf(pieces[0] ?? '', slash + 1)
  }
  return undefined
}

const reversed = (text: string): string => text.split('').toReversed().join('')
