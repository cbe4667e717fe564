import { openRegistry, setRegistry, z } from './schema.ts'
import type { Schema } from './schema.ts'
import { SETS } from './sets.ts'
import type { NamedSet, SetName } from './sets.ts'
import { isRecord } from '../json/is-record.ts'

/** A field, or a value of a set, that the schema does not know. */
export type UnknownEntry =
  | {
      readonly kind: 'unknown-field'
      readonly path: readonly (string | number)[]
      readonly known: readonly string[]
      /** Whether the spec leaves the fields of this object open: a warning at most. */
      readonly isOpen: boolean
    }
  | {
      readonly kind: 'unknown-value'
      readonly path: readonly (string | number)[]
      readonly value: string
      /** Whether the set is closed: an error; otherwise a warning. */
      readonly closed: boolean
      readonly known: readonly string[]
      readonly words: string | undefined
    }

/**
 * The unknown fields and values of a request, one at a time: a body can contain millions. `currencies` are the ISO 4217
 * codes, which belong to `money`.
 */
export function* findUnknownEntries(
  schema: z.core.$ZodType,
  body: unknown,
  currencies: readonly string[] | undefined,
  path: readonly (string | number)[] = [],
): Generator<UnknownEntry> {
  const inner = unwrap(schema)
  const { def } = inner._zod
  const set = setRegistry.get(inner)?.set
  if (isObjectDef(def) && isRecord(body)) {
    for (const key of Object.keys(body)) {
      const field = Object.hasOwn(def.shape, key) ? def.shape[key] : undefined
      const at = [...path, key]
      if (field !== undefined) yield* findUnknownEntries(field, body[key], currencies, at)
      else {
        const isOpen = openRegistry.has(inner)
        yield { kind: 'unknown-field', path: at, known: Object.keys(def.shape), isOpen }
      }
    }
  } else if (isArrayDef(def) && Array.isArray(body)) {
    for (const [index, entry] of body.entries())
      yield* findUnknownEntries(def.element, entry, currencies, [...path, index])
  } else if (isRecordDef(def) && isRecord(body)) {
    const keys = setRegistry.get(unwrap(def.keyType))?.set
    for (const key of Object.keys(body)) {
      const at = [...path, key]
      if (keys !== undefined) yield* unknownValue(keys, key, currencies, at)
      yield* findUnknownEntries(def.valueType, body[key], currencies, at)
    }
  } else if (set !== undefined && typeof body === 'string') yield* unknownValue(set, body, currencies, path)
}

function* unknownValue(
  name: SetName,
  value: string,
  currencies: readonly string[] | undefined,
  path: readonly (string | number)[],
): Generator<UnknownEntry> {
  const { closed, form, values }: NamedSet = SETS[name]
  const known = name === 'currencyCode' ? currencies : values
  const isKnown = known === undefined ? (form?.pattern.test(value) ?? true) : known.includes(value)
  if (!isKnown) yield { kind: 'unknown-value', path, value, closed, known: known ?? [], words: form?.words }
}

/** The keys known at a path, for suggestions; undefined if any key is allowed. */
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
 * Whether a response has at least one known field with a valid value. Responses may be partial, so this is all that can be
 * required; it is enough to reject a proxy's page or another service's error.
 */
export function hasKnownField(schema: Schema, answer: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(answer).some(([name, value]) => matchesField(schema(), name, value))
}

/** Whether the schema has the field and the value is valid for it. */
function matchesField(schema: z.core.$ZodType, name: string, value: unknown): boolean {
  const { def } = unwrap(schema)._zod
  const field = isObjectDef(def) && Object.hasOwn(def.shape, name) ? def.shape[name] : undefined
  if (field === undefined || value === undefined) return false
  const inner = unwrap(field)
  return (
    !isRecordDef(inner._zod.def) &&
    z.safeParse(inner, value).success &&
    findUnknownEntries(inner, value, []).next().done === true
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
