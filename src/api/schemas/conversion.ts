import type { z } from '../schema.ts'

export type JsonSchema = z.core.JSONSchema.BaseSchema

/**
 * Who reads the schema: `request` is as strict as the service, `update` is the same where null clears a field, `answer`
 * is open, since a service may answer more than is known.
 */
export type Side = 'request' | 'update' | 'answer'

export interface Conversion {
  readonly side: Side
  /** Where models stand: `#/$defs/`. */
  readonly refBase: string
  /** ISO 4217 codes, which belong to `money`; without them a currency is known by its form alone. */
  readonly currencies?: readonly string[] | undefined
}
