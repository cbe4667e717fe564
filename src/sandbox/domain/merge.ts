import { isRecord } from '../../is-record.ts'

/** Nested objects are merged, and what is given wins; lists and plain values are replaced whole. */
export function mergeDeep(before: unknown, given: unknown): unknown {
  if (given === undefined) return before
  if (!isRecord(before) || !isRecord(given)) return given
  const merged = new Map(Object.entries(before))
  for (const [key, value] of Object.entries(given)) merged.set(key, mergeDeep(merged.get(key), value))
  return Object.fromEntries(merged)
}
