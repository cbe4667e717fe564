import type { z } from '../schema.ts'
import type { JsonSchema, Side } from './conversion.ts'
import { toJsonSchema } from './json-schema.ts'
import type { SchemaOptions } from './operation-schemas.ts'

const REF_BASE = '#/components/schemas/'

/** The component schemas of an OpenAPI document, one per name. */
export interface Components {
  readonly schemas: Record<string, JsonSchema>
  /** Stores a schema under a name and returns a reference to it. */
  readonly refTo: (name: string, schema: z.core.$ZodType, side: Side, description?: string) => JsonSchema
  /** Returns the schema itself; models that it refers to are stored. */
  readonly inline: (schema: z.core.$ZodType, side: Side) => JsonSchema
}

export function createComponents({ currencies }: SchemaOptions): Components {
  const schemas: Record<string, JsonSchema> = {}
  const inline = (schema: z.core.$ZodType, side: Side): JsonSchema => {
    const { root, models } = toJsonSchema(schema, { side, currencies, refBase: REF_BASE })
    Object.assign(schemas, models)
    const { $schema: _, ...rest } = root
    return rest
  }
  return {
    schemas,
    inline,
    refTo: (name, schema, side, description) => {
      const shape = inline(schema, side)
      schemas[name] ??= description === undefined ? shape : { description, ...shape }
      return { $ref: `${REF_BASE}${name}` }
    },
  }
}
