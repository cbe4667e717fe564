import type { z } from '../schema.ts'

export type JsonSchema = z.core.JSONSchema.BaseSchema

/**
 * What the schema is for: `request` is as strict as the service; `update` is a request in which null clears a field;
 * `answer` is a response, which may contain unknown fields and values.
 */
export type Side = 'request' | 'update' | 'answer'

export interface Conversion {
  readonly side: Side
  /** Prefix of references to models: `#/$defs/`. */
  readonly refBase: string
  /** ISO 4217 codes, which belong to `money`; without them currencies are checked only by pattern. */
  readonly currencies?: readonly string[] | undefined
}
