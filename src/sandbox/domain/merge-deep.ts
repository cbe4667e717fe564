import { isRecord } from '../../json/is-record.ts'

/** Merges nested objects field by field; new values win. Lists and plain values are replaced as a whole. */
export function mergeDeep(before: unknown, given: unknown): unknown {
  if (given === undefined) return before
  if (!isRecord(before) || !isRecord(given)) return given
  const merged = new Map(Object.entries(before))
  for (const [key, value] of Object.entries(given)) merged.set(key, mergeDeep(merged.get(key), value))
  return Object.fromEntries(merged)
}
