import { isRecord } from './store/document.ts'

/** Where null clears a field (spec 4.2.4): the body without its nulls, and which top-level fields they were. */
export function clearNulls(body: unknown): { readonly body: unknown; readonly cleared: ReadonlySet<string> } {
  if (!isRecord(body)) return { body, cleared: new Set() }
  const cleared = Object.keys(body).filter((key) => body[key] === null)
  return { body: withoutNulls(body), cleared: new Set(cleared) }
}

function withoutNulls(value: unknown): unknown {
  if (!isRecord(value)) return value
  const kept = Object.entries(value).filter(([, child]) => child !== null)
  return Object.fromEntries(kept.map(([key, child]) => [key, withoutNulls(child)]))
}
