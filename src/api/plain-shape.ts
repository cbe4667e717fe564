import type { Schema } from './schema.ts'
import { SETS } from './sets.ts'
import type { NamedSet, SetName } from './sets.ts'

/**
 * The types of a schema as plain data. `text`, `flag`, `any`; a whole number with its smallest value; a text of a named
 * set; a list; an object with its fields, of which the listed ones are required; a map with any values.
 * `no` stands for what has no such form: a value that holds it is left to the schema.
 */
export type PlainShape =
  | 'no'
  | 'text'
  | 'flag'
  | 'any'
  | { readonly whole: number | null }
  | { readonly set: SetName }
  | { readonly list: PlainShape }
  | { readonly fields: Readonly<Record<string, PlainShape>>; readonly required: readonly string[] }
  | { readonly map: 'any' }

/** Each as JSON, which is quicker to load than to read, and few are read. */
const SHAPES = new WeakMap<object, string>()

/** Called in the built program alone: scripts/plain-shapes.mjs works the shapes out from the schemas. */
export function keepShape(schema: object, json: string): void {
  SHAPES.set(schema, json)
}

function shapeOf(schema: object): PlainShape {
  const json = SHAPES.get(schema)
  const shape: PlainShape = json === undefined ? 'no' : JSON.parse(json)
  return shape
}

/**
 * Whether an answer fits its schema, where that can be told without building it, which takes zod and 6 of the 60 ms of a
 * call (docs/decisions/0013). False says nothing: ask the schema.
 */
export function fitsPlainly<T>(
  schema: () => { readonly _zod: { readonly output: T } },
  value: unknown,
): value is T {
  return fits(shapeOf(schema), value, undefined)
}

/** An answer as its schema reads it; undefined where it does not fit. */
export function readAs<T>(schema: Schema<T>, answer: unknown): T | undefined {
  if (fitsPlainly(schema, answer)) return answer
  try {
    const parsed = schema().safeParse(answer)
    return parsed.success ? parsed.data : undefined
  } catch (error) {
    // The parser overflows the stack where a list has more than some 100,000 entries that do not fit.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Whether there is nothing at all to say about a request: no unknown field or value either. False says nothing. */
export function isPlainlyValid(schema: object, body: unknown, currencies: readonly string[]): boolean {
  return fits(shapeOf(schema), body, currencies)
}

/**
 * Whether the schema knows the field and the value, nested ones and those of named sets included. A map says nothing: it
 * takes whatever comes. Undefined where the shape is not there to tell.
 */
export function fitsFieldPlainly(schema: object, name: string, value: unknown): boolean | undefined {
  const shape = shapeOf(schema)
  if (typeof shape === 'string' || !('fields' in shape)) return undefined
  const field = Object.hasOwn(shape.fields, name) ? shape.fields[name] : 'any'
  if (field === 'no') return undefined
  return field !== undefined && field !== 'any' && fits(field, value, [])
}

/** With currencies it is a request, in which everything has to be known. */
function fits(shape: PlainShape, value: unknown, currencies: readonly string[] | undefined): boolean {
  if (shape === 'no') return false
  if (shape === 'any') return value !== undefined
  if (shape === 'text') return typeof value === 'string'
  if (shape === 'flag') return typeof value === 'boolean'
  if ('whole' in shape)
    return Number.isSafeInteger(value) && (shape.whole === null || Number(value) >= shape.whole)
  if ('set' in shape)
    return typeof value === 'string' && (currencies === undefined || isKnown(shape.set, value, currencies))
  if ('list' in shape)
    return Array.isArray(value) && value.every((entry) => fits(shape.list, entry, currencies))
  if (!isPlainObject(value)) return false
  if ('map' in shape) return currencies === undefined
  for (const [key, child] of Object.entries(value)) {
    const field = Object.hasOwn(shape.fields, key) ? shape.fields[key] : undefined
    if (field === undefined ? currencies !== undefined : !fits(field, child, currencies)) return false
  }
  return shape.required.every((name) => Object.hasOwn(value, name))
}

function isKnown(name: SetName, value: string, currencies: readonly string[]): boolean {
  const { values, form }: NamedSet = SETS[name]
  if (name === 'currencyCode') return currencies.includes(value)
  return values === undefined ? (form?.pattern.test(value) ?? false) : values.includes(value)
}

/** Of JSON: without a prototype of its own. */
const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !Object.hasOwn(value, '__proto__')
