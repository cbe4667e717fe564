import { isRecord } from '../../is-record.ts'

/** A name that no body which is taken can have: text with a NUL is refused. */
const SHOWN_AS = '\0prototype'

/** The schema's parser passes over a key `__proto__` and over all that is below it: here it has a name that is looked at. */
export function withPrototypeShown(value: unknown): unknown {
  return holdsPrototypeKey(value) ? renamed(value) : value
}

/** The key as it was given. */
export const givenKey = (key: PropertyKey): PropertyKey => (key === SHOWN_AS ? '__proto__' : key)

function holdsPrototypeKey(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsPrototypeKey)
  if (!isRecord(value)) return false
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(holdsPrototypeKey)
}

function renamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renamed)
  if (!isPlainRecord(value)) return value
  const entries = Object.entries(value).map(
    ([key, child]) => [key === '__proto__' ? SHOWN_AS : key, renamed(child)] as const,
  )
  return Object.fromEntries(entries)
}

/** Not a number that is kept as its text. */
export const isPlainRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isRecord(value) && Object.getPrototypeOf(value) === Object.prototype
