import { isRecord } from '../../is-record.ts'

/** Applies nulls that clear fields (spec 4.2.4): returns the body without them, and the names of the top-level ones. */
export function clearNulls(body: unknown): { readonly body: unknown; readonly cleared: ReadonlySet<string> } {
  if (!isRecord(body)) return { body, cleared: new Set() }
  const cleared = Object.keys(body).filter((key) => body[key] === null)
  const kept = Object.entries(body).filter(([, child]) => child !== null)
  // Metadata values can be any JSON, so a null inside one is data.
  const without = kept.map(([key, child]) => [
    key,
    key === 'metadata' ? withoutNullEntries(child) : withoutNulls(child),
  ])
  return { body: Object.fromEntries(without), cleared: new Set(cleared) }
}

const withoutNullEntries = (map: unknown): unknown =>
  isRecord(map) ? Object.fromEntries(Object.entries(map).filter(([, child]) => child !== null)) : map

function withoutNulls(value: unknown): unknown {
  if (!isRecord(value)) return value
  const kept = Object.entries(value).filter(([, child]) => child !== null)
  return Object.fromEntries(kept.map(([key, child]) => [key, withoutNulls(child)]))
}
