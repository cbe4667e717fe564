import { queryParameterRegistry } from '../query-parameter.ts'
import { rulesAsJsonSchema } from '../models/cross-field-rules.ts'
import { openRegistry, setRegistry, z } from '../schema.ts'
import type { Conversion, JsonSchema } from './conversion.ts'
import { hoistModels } from './hoist-models.ts'
import type { HoistedSchema } from './hoist-models.ts'
import { modelName } from './named-models.ts'
import { queryParameterSchema, namedSetSchema } from './value-schemas.ts'

/** A zod schema as JSON Schema (draft 2020-12), with the models that it refers to beside it. */
export function toJsonSchema(schema: z.core.$ZodType, conversion: Conversion): HoistedSchema {
  const inline = z.toJSONSchema(schema, {
    // A number too large for a double: integers of metadata. JSON Schema has no other integers.
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => refineSchema(zodSchema, jsonSchema, conversion),
  })
  return hoistModels(inline, conversion)
}

/** Says what zod's own conversion cannot know. Optional and lazy schemas are copies of the inner one and stay so. */
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
      if (isRecordDef(def) && isTextOrInteger(def.valueType)) json.propertyNames = { minLength: 1 }
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

/** A value of the metadata of a create request. */
const isTextOrInteger = ({ _zod: { def } }: z.core.$ZodType): boolean =>
  isUnionDef(def) && def.options[0]?._zod.def.type === 'string'

const isRecordDef = (def: z.core.$ZodTypeDef): def is z.core.$ZodRecordDef => def.type === 'record'
const isUnionDef = (def: z.core.$ZodTypeDef): def is z.core.$ZodUnionDef => def.type === 'union'

function replaceSchema(json: JsonSchema, by: JsonSchema): void {
  for (const key of Object.keys(json)) Reflect.deleteProperty(json, key)
  Object.assign(json, by)
}
