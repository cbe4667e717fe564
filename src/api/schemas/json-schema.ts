import { queryFormRegistry } from '../query.ts'
import { rulesInJson } from '../rules.ts'
import { setRegistry, z } from '../schema.ts'
import type { Conversion, JsonSchema } from './conversion.ts'
import { hoistModels } from './hoist.ts'
import type { Hoisted } from './hoist.ts'
import { modelName } from './models.ts'
import { formSchema, setSchema } from './value-schemas.ts'

/** A zod schema as JSON Schema (draft 2020-12), with the models that it refers to beside it. */
export function toJsonSchema(schema: z.core.$ZodType, conversion: Conversion): Hoisted {
  const inline = z.toJSONSchema(schema, {
    // A number too large for a double: integers of metadata. JSON Schema has no other integers.
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema, path }) => refine(zodSchema, jsonSchema, path, conversion),
  })
  return hoistModels(inline, conversion)
}

/** Says what zod's own conversion cannot know. Optional and lazy schemas are copies of the inner one and stay so. */
function refine(
  schema: z.core.$ZodType,
  json: JsonSchema,
  path: readonly (string | number)[],
  { side, currencies }: Conversion,
): void {
  const isOpen = side === 'answer'
  switch (schema._zod.def.type) {
    case 'object': {
      const rules = isOpen ? [] : rulesInJson(schema)
      const name = modelName(schema)
      json.additionalProperties = isOpen
      if (rules.length > 0) json.allOf = [...rules]
      if (name !== undefined) json['x-model'] = name
      return
    }
    case 'record':
      delete json.propertyNames
      if (!isOpen && path.at(-1) === 'metadata') json.propertyNames = { minLength: 1 }
      return
    case 'string': {
      const set = setRegistry.get(schema)?.set
      const form = queryFormRegistry.get(schema)
      if (set !== undefined) Object.assign(json, setSchema(set, { isOpen, currencies }))
      if (form !== undefined) replace(json, formSchema(form, currencies))
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
      replace(json, { type: ['string', 'integer'] })
      return
    default:
  }
}

function replace(json: JsonSchema, by: JsonSchema): void {
  for (const key of Object.keys(json)) Reflect.deleteProperty(json, key)
  Object.assign(json, by)
}
