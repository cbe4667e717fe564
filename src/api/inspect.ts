import { openRegistry, setRegistry } from './schema.ts'
import type { z } from './schema.ts'
import { SETS } from './sets.ts'
import type { NamedSet, SetName } from './sets.ts'

/** A thing that the schema's types do not see: a field or a value that it does not know. */
export type Finding =
  | {
      readonly kind: 'unknown-field'
      readonly path: readonly (string | number)[]
      readonly known: readonly string[]
      /** Whether the spec leaves the fields open there: a warning at most. */
      readonly isOpen: boolean
    }
  | {
      readonly kind: 'unknown-value'
      readonly path: readonly (string | number)[]
      readonly value: string
      /** Whether the spec closes the set: an error then, a warning otherwise. */
      readonly closed: boolean
      readonly known: readonly string[]
      readonly words: string | undefined
    }

/**
 * Walks a request beside its schema and reports unknown fields and values outside their sets.
 * `currencies` is the list of ISO 4217 codes, which belongs to `money`.
 */
export function inspect(
  schema: z.core.$ZodType,
  body: unknown,
  currencies: readonly string[] | undefined,
): readonly Finding[] {
  const findings: Finding[] = []
  // One for the whole walk: nearly every request has nothing to be found in it.
  const path: (string | number)[] = []
  walk(schema, body)
  return findings

  function walk(node: z.core.$ZodType, at: unknown): void {
    const inner = unwrap(node)
    const { def } = inner._zod
    if (isObjectDef(def) && isRecord(at)) {
      for (const key of Object.keys(at)) {
        const field = Object.hasOwn(def.shape, key) ? def.shape[key] : undefined
        path.push(key)
        if (field !== undefined) walk(field, at[key])
        else {
          const isOpen = openRegistry.has(inner)
          findings.push({ kind: 'unknown-field', path: [...path], known: Object.keys(def.shape), isOpen })
        }
        path.pop()
      }
      return
    }
    if (isArrayDef(def) && Array.isArray(at)) {
      for (const [index, entry] of at.entries()) {
        path.push(index)
        walk(def.element, entry)
        path.pop()
      }
      return
    }
    if (isRecordDef(def) && isRecord(at)) {
      const keys = setRegistry.get(unwrap(def.keyType))?.set
      for (const key of Object.keys(at)) {
        path.push(key)
        if (keys !== undefined) findings.push(...outside(keys, key))
        walk(def.valueType, at[key])
        path.pop()
      }
      return
    }
    const set = setRegistry.get(inner)?.set
    if (set !== undefined && typeof at === 'string') findings.push(...outside(set, at))
  }

  function outside(name: SetName, value: string): readonly Finding[] {
    const set: NamedSet = SETS[name]
    const known = name === 'currencyCode' ? currencies : set.values
    const isKnown = known === undefined ? (set.form?.pattern.test(value) ?? true) : known.includes(value)
    if (isKnown) return []
    return [
      {
        kind: 'unknown-value',
        path: [...path],
        value,
        closed: set.closed,
        known: known ?? [],
        words: set.form?.words,
      },
    ]
  }
}

/** The keys that the schema knows at a path, for suggestions; undefined where anything goes. */
export function knownKeys(schema: z.core.$ZodType, path: readonly string[]): readonly string[] | undefined {
  const { def } = unwrap(schema)._zod
  const [head, ...rest] = path
  if (isArrayDef(def)) return head === undefined ? undefined : knownKeys(def.element, rest)
  if (!isObjectDef(def)) return undefined
  if (head === undefined) return Object.keys(def.shape)
  const field = def.shape[head]
  return field === undefined ? undefined : knownKeys(field, rest)
}

function unwrap(node: z.core.$ZodType): z.core.$ZodType {
  let inner = node
  for (;;) {
    const { def } = inner._zod
    if (isWrapperDef(def)) inner = def.innerType
    else if (isLazyDef(def)) inner = def.getter()
    else return inner
  }
}

type Def = z.core.$ZodTypeDef
const isObjectDef = (def: Def): def is z.core.$ZodObjectDef => def.type === 'object'
const isArrayDef = (def: Def): def is z.core.$ZodArrayDef => def.type === 'array'
const isRecordDef = (def: Def): def is z.core.$ZodRecordDef => def.type === 'record'
const isWrapperDef = (def: Def): def is z.core.$ZodOptionalDef => 'innerType' in def
const isLazyDef = (def: Def): def is z.core.$ZodLazyDef => def.type === 'lazy'
const isRecord = (at: unknown): at is Record<string, unknown> =>
  typeof at === 'object' && at !== null && !Array.isArray(at)
