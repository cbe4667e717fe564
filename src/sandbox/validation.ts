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

const nothing = lazy(() => fields({}))

export const acceptQuery = <T>(schema: Schema<T>, query: unknown): T => accept(schema, query, query)
export const refuseQuery = (query: unknown): void => refuseFields(query)
export const refuseBody = (body: unknown): void => refuseFields(body ?? {})

function refuseFields(value: unknown): void {
  // Nearly every request: there is nothing to look at.
  if (isRecord(value) && Object.keys(value).length === 0) return
  accept(nothing, value, value)
}

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

/** SQLite cuts text at NUL, and half a surrogate pair does not survive UTF-8: two ids could become one. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

function accept<T>(schema: Schema<T>, value: unknown, asGiven: unknown): T {
  const wrong: ValidationProblem[] = []
  const fits = isOf(schema, value, (issues) => wrong.push(...issues.map((issue) => wordIssue(issue, value))))
  const unknown = inspect(schema(), asGiven, CURRENCY_CODES).map(wordFinding)
  const unstorable = isAllStorable(asGiven) ? [] : unstorableIn(asGiven, '$')
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

function isAllStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value)
  if (Array.isArray(value)) return value.every(isAllStorable)
  if (!isRecord(value)) return true
  for (const key of Object.keys(value)) if (!isStorable(key) || !isAllStorable(value[key])) return false
  return true
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
