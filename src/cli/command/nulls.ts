import { isRecord } from '../../is-record.ts'

/**
 * Removes fields that are null, at any depth: services write null for "no value", and requests for "clear this field".
 * List entries stay.
 */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, field]) => (field === null ? [] : [[key, withoutNulls(field)]])),
  )
}
