import { isRecord } from '../../json/is-record.ts'

/** A key that no accepted body has: text with a NUL is refused. */
const VISIBLE_NAME = '\0prototype'

/** The schema parser skips a key `__proto__` and everything below it. Renames the key so that the parser checks it. */
export function exposePrototypeKey(value: unknown): unknown {
  return holdsPrototypeKey(value) ? rename(value) : value
}

/** The key as the client sent it. */
export const originalKey = (key: PropertyKey): PropertyKey => (key === VISIBLE_NAME ? '__proto__' : key)

function holdsPrototypeKey(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsPrototypeKey)
  if (!isRecord(value)) return false
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(holdsPrototypeKey)
}

function rename(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rename)
  if (!isPlainRecord(value)) return value
  const entries = Object.entries(value).map(
    ([key, child]) => [key === '__proto__' ? VISIBLE_NAME : key, rename(child)] as const,
  )
  return Object.fromEntries(entries)
}

/** Whether a value is an object, and not a number that is kept as text. */
export const isPlainRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isRecord(value) && Object.getPrototypeOf(value) === Object.prototype
