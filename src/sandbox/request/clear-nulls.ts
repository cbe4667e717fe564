import { isRecord } from '../../is-record.ts'

/** Where null clears a field (spec 4.2.4): the body without its nulls, and which top-level fields they were. */
export function clearNulls(body: unknown): { readonly body: unknown; readonly cleared: ReadonlySet<string> } {
  if (!isRecord(body)) return { body, cleared: new Set() }
  const cleared = Object.keys(body).filter((key) => body[key] === null)
  const kept = Object.entries(body).filter(([, child]) => child !== null)
  // A value of metadata is any JSON: a null within it is data.
  const without = kept.map(([key, child]) => [
    key,
    key === 'metadata' ? entriesGiven(child) : withoutNulls(child),
  ])
  return { body: Object.fromEntries(without), cleared: new Set(cleared) }
}

const entriesGiven = (map: unknown): unknown =>
  isRecord(map) ? Object.fromEntries(Object.entries(map).filter(([, child]) => child !== null)) : map

function withoutNulls(value: unknown): unknown {
  if (!isRecord(value)) return value
  const kept = Object.entries(value).filter(([, child]) => child !== null)
  return Object.fromEntries(kept.map(([key, child]) => [key, withoutNulls(child)]))
}
