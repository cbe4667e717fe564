import { queryParameterRegistry } from '../query-parameter.ts'
import { rulesAsJsonSchema } from '../models/cross-field-rules.ts'
import { openRegistry, setRegistry, z } from '../schema.ts'
import type { Conversion, JsonSchema, Side } from './conversion.ts'
import { modelName } from './named-models.ts'
import type { QueryParameterType } from '../query-parameter.ts'
import { SETS } from '../sets.ts'
import type { NamedSet, SetName } from '../sets.ts'
import { capitalize } from '../../text/words.ts'

/** Converts a zod schema to JSON Schema (draft 2020-12) and the models that it refers to. */
export function toJsonSchema(schema: z.core.$ZodType, conversion: Conversion): HoistedSchema {
  const inline = z.toJSONSchema(schema, {
    // Bigints in metadata: to JSON Schema they are integers.
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => refineSchema(zodSchema, jsonSchema, conversion),
  })
  return hoistModels(inline, conversion)
}

/** Adds what zod's conversion does not know. Optional and lazy schemas are already copies of the inner schema. */
function refineSchema(schema: z.core.$ZodType, json: JsonSchema, { side, currencies }: Conversion): void {
  const isOpen = side === 'answer'
  const { def } = schema._zod
  switch (def.type) {
    case 'object': {
      const rules = isOpen ? [] : rulesAsJsonSchema(schema)
      const name = modelName(schema)
      json.additionalProperties = isOpen || openRegistry.has(schema)
      if (rules.length > 0) json.allOf = [...rules]
      if (name !== undefined) json['x-model'] = name
      return
    }
    case 'record':
      delete json.propertyNames
      if (!isOpen && isRecordDef(def)) {
        const set = setRegistry.get(def.keyType)?.set
        if (set !== undefined)
          json.propertyNames = { type: 'string', ...namedSetSchema(set, { isOpen, currencies }) }
        else if (isMetadataValue(def.valueType)) json.propertyNames = { minLength: 1 }
      }
      return
    case 'string': {
      const set = setRegistry.get(schema)?.set
      const form = queryParameterRegistry.get(schema)
      if (set !== undefined) Object.assign(json, namedSetSchema(set, { isOpen, currencies }))
      if (form !== undefined) replaceSchema(json, queryParameterSchema(form, currencies))
      return
    }
    case 'number':
      json.format = 'int64'
      if (isOpen) {
        delete json.minimum
        delete json.maximum
      }
      return
    case 'union':
      if (isTextOrInteger(schema)) replaceSchema(json, { type: ['string', 'integer'] })
      return
    default:
  }
}

/**
 * Whether the schema is that of a metadata value (spec 2, conventions): text and integers in a create request, anything in
 * the update of a session.
 */
const isMetadataValue = (schema: z.core.$ZodType): boolean =>
  schema._zod.def.type === 'unknown' || isTextOrInteger(schema)

/** A metadata value in a create request. */
const isTextOrInteger = ({ _zod: { def } }: z.core.$ZodType): boolean =>
  isUnionDef(def) && def.options[0]?._zod.def.type === 'string'

const isRecordDef = (def: z.core.$ZodTypeDef): def is z.core.$ZodRecordDef => def.type === 'record'
const isUnionDef = (def: z.core.$ZodTypeDef): def is z.core.$ZodUnionDef => def.type === 'union'

function replaceSchema(json: JsonSchema, by: JsonSchema): void {
  for (const key of Object.keys(json)) Reflect.deleteProperty(json, key)
  Object.assign(json, by)
}

interface HoistedSchema {
  readonly root: JsonSchema
  /** By name. */
  readonly models: Readonly<Record<string, JsonSchema>>
}

/**
 * The suffix of a model's name: each use of a model has its own schema. In a list null clears nothing, so lists in an update
 * use the request form.
 */
const SUFFIX: Readonly<Record<Side, string>> = { request: 'Input', update: 'Update', answer: '' }

/** Replaces each named model in a schema by a reference, and allows null where it clears a field. */
function hoistModels(inline: JsonSchema, { side, refBase }: Conversion): HoistedSchema {
  const models: Record<string, JsonSchema> = {}
  return { root: hoistWithin(inline, side), models }

  function toReference(node: JsonSchema | boolean, within: Side): JsonSchema {
    if (typeof node === 'boolean') return node ? {} : { not: {} }
    const { 'x-model': model } = node
    if (typeof model !== 'string') return hoistWithin(node, within)
    const name = node.type === 'object' ? `${model}${SUFFIX[within]}` : model
    models[name] ??= hoistWithin(node, within)
    return { $ref: `${refBase}${name}` }
  }

  /** The node without its `x-model` mark, with its named parts replaced. */
  function hoistWithin({ 'x-model': _, ...node }: JsonSchema, within: Side): JsonSchema {
    const { properties, items, propertyNames, additionalProperties: rest, required = [] } = node
    const settled: JsonSchema = { ...node }
    if (properties !== undefined)
      settled.properties = Object.fromEntries(
        Object.entries(properties).map(([field, part]) => {
          const placed = addAmountDescription(field, toReference(part, within))
          return [field, within === 'update' && !required.includes(field) ? orNull(placed) : placed]
        }),
      )
    if (items !== undefined && !Array.isArray(items))
      settled.items = toReference(items, within === 'update' ? 'request' : within)
    if (propertyNames !== undefined) settled.propertyNames = toReference(propertyNames, within)
    if (typeof rest === 'object') {
      const placed = toReference(rest, within)
      settled.additionalProperties = within === 'update' ? orNull(placed) : placed
    }
    return settled
  }
}

function orNull(node: JsonSchema): JsonSchema {
  const { type } = node
  if (type === undefined || node.enum !== undefined) return { anyOf: [node, { type: 'null' }] }
  return { ...node, type: Array.isArray(type) ? [...type, 'null'] : [type, 'null'] }
}

/** Describes an amount: all are in minor units (spec 2, conventions). */
function addAmountDescription(field: string, node: JsonSchema): JsonSchema {
  if (node.type !== 'integer' || !/amount/i.test(field)) return node
  return { description: 'In minor units: 700 is 7.00 EUR', ...node }
}

interface NamedSetOptions {
  readonly isOpen: boolean
  readonly currencies: readonly string[] | undefined
}

/** JSON Schema of a named set: an enum or pattern in requests, examples in responses. */
function namedSetSchema(name: SetName, { isOpen, currencies }: NamedSetOptions): JsonSchema {
  const set: NamedSet = SETS[name]
  const values = name === 'currencyCode' && !isOpen ? currencies : set.values
  const description = set.form === undefined ? {} : { description: capitalize(set.form.words) }
  // A set with a described pattern has too many values for examples.
  if (isOpen) return values === undefined || set.form !== undefined ? description : { examples: [...values] }
  const closed = values === undefined ? { pattern: set.form?.pattern.source ?? '' } : { enum: [...values] }
  return { ...description, ...closed, 'x-model': capitalize(name) }
}

/** JSON Schema of a query parameter; lists are comma-separated arrays. */
function queryParameterSchema(
  form: QueryParameterType,
  currencies: readonly string[] | undefined,
): JsonSchema {
  switch (form.kind) {
    case 'whole': {
      const { kind: _, ...bounds } = form
      return { type: 'integer', format: 'int64', maximum: Number.MAX_SAFE_INTEGER, ...bounds }
    }
    case 'list':
      return {
        type: 'array',
        minItems: 1,
        items: {
          type: 'string',
          ...(form.of === undefined ? {} : namedSetSchema(form.of, { isOpen: false, currencies })),
        },
      }
    case 'date':
      return {
        type: 'string',
        description: 'An ISO 8601 date with or without a time; UTC unless it names a zone',
        examples: ['2026-01-31', '2026-01-31T09:30:00Z'],
      }
  }
}
