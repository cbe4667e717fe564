import { isRecord } from '../../is-record.ts'

/** Without the fields that are null: services write it for "nothing here", and requests for "clear this". Entries of lists are kept. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, field]) => (field === null ? [] : [[key, withoutNulls(field)]])),
  )
}
