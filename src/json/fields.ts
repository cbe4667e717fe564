import { isRecord } from './is-record.ts'

/** The value at a path of names and indexes; undefined if there is none. */
export function fieldAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((parent, part) => {
    if (Array.isArray(parent)) return /^\d+$/.test(String(part)) ? parent[Number(part)] : undefined
    return isRecord(parent) && Object.hasOwn(parent, part) ? parent[String(part)] : undefined
  }, value)
}

/** A field of an object; undefined for anything else. */
export const fieldOf = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined)

export function textAt(value: unknown, key: string): string | undefined {
  const found = fieldOf(value, key)
  return typeof found === 'string' ? found : undefined
}

export function numberAt(value: unknown, key: string): number | undefined {
  const found = fieldOf(value, key)
  return typeof found === 'number' ? found : undefined
}

/** Merges objects field by field, on every level; everything else in `over` replaces what `base` has. */
export function mergeDeep(base: unknown, over: unknown): unknown {
  if (over === undefined) return base
  if (!isRecord(base) || !isRecord(over)) return over
  const merged = new Map(Object.entries(base))
  for (const [key, value] of Object.entries(over)) merged.set(key, mergeDeep(merged.get(key), value))
  return Object.fromEntries(merged)
}
