import { openRegistry, setRegistry, z } from './schema.ts'
import type { Schema } from './schema.ts'
import { SETS } from './sets.ts'
import type { NamedSet, SetName } from './sets.ts'
import { isRecord } from '../is-record.ts'

/** A thing that the schema's types do not see: a field or a value that it does not know. */
export type UnknownEntry =
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

export interface UnknownEntries {
  readonly entries: readonly UnknownEntry[]
  /** How many more there are that break what the spec states: unknown fields, and values outside a closed set. */
  readonly moreBroken: number
  /** How many more values outside an open set. */
  readonly moreUnknown: number
  /** How many more fields where the spec leaves the fields open. */
  readonly moreOpen: number
}

/** Every finding in a request. `currencies` is the list of ISO 4217 codes, which belongs to `money`. */
export const findUnknownEntries = (
  schema: z.core.$ZodType,
  body: unknown,
  currencies: readonly string[] | undefined,
): readonly UnknownEntry[] =>
  findUnknownEntriesUpTo(Number.POSITIVE_INFINITY, schema, body, currencies).entries

/**
 * Walks a request beside its schema and reports unknown fields and values outside their sets. Beyond `limit` of each kind
 * they are only counted: a body can hold millions.
 */
export function findUnknownEntriesUpTo(
  limit: number,
  schema: z.core.$ZodType,
  body: unknown,
  currencies: readonly string[] | undefined,
): UnknownEntries {
  const findings: UnknownEntry[] = []
  const count = { broken: 0, unknown: 0, open: 0 }
  // One for the whole walk: nearly every request has nothing to be found in it.
  const path: (string | number)[] = []
  walk(schema, body)
  return {
    entries: findings,
    moreBroken: Math.max(0, count.broken - limit),
    moreUnknown: Math.max(0, count.unknown - limit),
    moreOpen: Math.max(0, count.open - limit),
  }

  function report(kind: keyof typeof count, finding: () => UnknownEntry): void {
    count[kind] += 1
    if (count[kind] <= limit) findings.push(finding())
  }

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
          report(isOpen ? 'open' : 'broken', () => ({
            kind: 'unknown-field',
            path: [...path],
            known: Object.keys(def.shape),
            isOpen,
          }))
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
        if (keys !== undefined) checkValue(keys, key)
        walk(def.valueType, at[key])
        path.pop()
      }
      return
    }
    const set = setRegistry.get(inner)?.set
    if (set !== undefined && typeof at === 'string') checkValue(set, at)
  }

  function checkValue(name: SetName, value: string): void {
    const set: NamedSet = SETS[name]
    const known = name === 'currencyCode' ? currencies : set.values
    const isKnown = known === undefined ? (set.form?.pattern.test(value) ?? true) : known.includes(value)
    if (isKnown) return
    report(set.closed ? 'broken' : 'unknown', () => ({
      kind: 'unknown-value',
      path: [...path],
      value,
      closed: set.closed,
      known: known ?? [],
      words: set.form?.words,
    }))
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

/**
 * Whether an answer holds at least one field that its schema knows, with a value that the field can have. That is little,
 * since answers may be partial; yet no page of a proxy, nor another service's error, has one.
 */
export function hasKnownField(schema: Schema, answer: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(answer).some(([name, value]) => matchesField(schema(), name, value))
}

/** Whether an object of the schema has the field, with this value; see {@link UnknownEntry} for what else is outside. */
function matchesField(schema: z.core.$ZodType, name: string, value: unknown): boolean {
  const { def } = unwrap(schema)._zod
  const field = isObjectDef(def) && Object.hasOwn(def.shape, name) ? def.shape[name] : undefined
  if (field === undefined || value === undefined) return false
  const inner = unwrap(field)
  return (
    !isRecordDef(inner._zod.def) &&
    z.safeParse(inner, value).success &&
    findUnknownEntries(inner, value, []).length === 0
  )
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
