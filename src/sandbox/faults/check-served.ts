import { OPERATIONS, RETIRED_ROUTES } from '../../api/table.ts'
import { closest } from '../../text/suggest.ts'
import { matchesPattern } from './pattern.ts'

/** Whether a pattern matches any operation of the service. If not, it is probably mistyped. */
export function checkServed(pattern: string): {
  readonly isServed: boolean
  readonly suggestion: string | undefined
} {
  const routes = [...OPERATIONS, ...RETIRED_ROUTES]
  const isServed = routes.some(({ method, path }) =>
    candidates(path, pattern).some((candidate) => matchesPattern(pattern, method, candidate)),
  )
  const known = routes.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '*')}`)
  return { isServed, suggestion: isServed ? undefined : closest(pattern, known) }
}

/** Paths of an operation that the pattern may match: with any id, and with the id that the pattern names. */
function candidates(template: string, pattern: string): readonly string[] {
  const wanted = pattern.replace(/^\S* /, '').split('/')
  const named = template
    .split('/')
    .map((part, at) => (part.startsWith('{') ? (wanted[at] ?? '').replaceAll('*', 'x') : part))
  return [template.replaceAll(/\{\w+\}/g, 'x'), named.join('/')]
}
