import { inspect } from '../api/inspect.ts'
import type { ValidationProblem } from '../errors.ts'
import { lazy } from '../api/lazy.ts'
import { fields, z } from '../api/schema.ts'
import type { Schema } from '../api/schema.ts'
import { CURRENCY_CODES } from '../money/currencies.ts'
import { clearNulls } from './nulls.ts'
import { invalid, Problem } from './problem.ts'
import { isRecord } from './store/document.ts'
import { withPrototypeShown } from './prototype-key.ts'
import { wordFinding, wordIssue } from './validation-words.ts'

/** SQLite cuts text at NUL, and half a surrogate pair does not survive UTF-8: two ids could become one. */
const UNSTORABLE = /[\0\p{Surrogate}]/u

const nothing = lazy(() => fields({}))

export const acceptQuery = <T>(schema: Schema<T>, query: unknown): T => accept(schema, query, query)
export const refuseQuery = (query: unknown): void => void acceptQuery(nothing, query)
export const refuseBody = (body: unknown): void => void accept(nothing, body ?? {}, body ?? {})

export function acceptBody<T>(
  operation: { readonly request: Schema<T>; readonly nullClears?: true },
  given: unknown,
): { readonly body: T; readonly cleared: ReadonlySet<string> } {
  const present = given ?? {}
  const { body, cleared } =
    operation.nullClears === true ? clearNulls(present) : { body: present, cleared: new Set<string>() }
  const accepted = accept(operation.request, body, present)
  const metadata = isRecord(present) ? present['metadata'] : undefined
  if (isRecord(metadata) && Object.hasOwn(metadata, ''))
    throw new Problem('MetadataContainsEmptyKey', 'A key of metadata is the empty string.')
  return { body: accepted, cleared }
}

/** Text that cannot be stored as it is. */
export const isStorable = (text: string): boolean => !UNSTORABLE.test(text)

function accept<T>(schema: Schema<T>, value: unknown, asGiven: unknown): T {
  const wrong: ValidationProblem[] = []
  const fits = isOf(schema, value, (issues) => wrong.push(...issues.map((issue) => wordIssue(issue, value))))
  const unknown = inspect(schema(), asGiven, CURRENCY_CODES).map(wordFinding)
  const unstorable = unstorableIn(asGiven, '$')
  if (fits && unknown.length === 0 && unstorable.length === 0) return value
  throw invalid([...wrong, ...unknown, ...unstorable])
}

/** The value itself is taken on, not the parser's copy of it: that one has no key `__proto__`, which metadata may have. */
export function isOf<T>(
  schema: Schema<T>,
  value: unknown,
  tell?: (issues: readonly z.core.$ZodIssue[]) => void,
): value is T {
  const parsed = z.safeParse(schema(), withPrototypeShown(value))
  if (!parsed.success) tell?.(parsed.error.issues)
  return parsed.success
}

function unstorableIn(value: unknown, path: string): readonly { path: string; description: string }[] {
  if (typeof value === 'string')
    return isStorable(value) ? [] : [{ path, description: 'holds a NUL or half a surrogate pair' }]
  if (Array.isArray(value)) return value.flatMap((entry, index) => unstorableIn(entry, `${path}[${index}]`))
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([key, child]) => [
    ...unstorableIn(key, path),
    ...unstorableIn(child, `${path}.${isStorable(key) ? key : '?'}`),
  ])
}
