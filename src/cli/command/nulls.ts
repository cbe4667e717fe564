import { isRecord } from '../../json/is-record.ts'

/**
 * Removes fields that are null, at any depth: services write null for "no value", and requests for "clear this field".
 * List entries stay.
 */
export function withoutNulls(value: unknown): unknown {
  return hasNulls(value) ? copyWithoutNulls(value) : value
}

/** Whether there is a field to remove. Most responses have none, and need no copy. */
function hasNulls(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasNulls)
  return isRecord(value) && Object.values(value).some((field) => field === null || hasNulls(field))
}

function copyWithoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyWithoutNulls)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, field]) => (field === null ? [] : [[key, copyWithoutNulls(field)]])),
  )
}
