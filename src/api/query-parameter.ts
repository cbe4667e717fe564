import { z } from './schema.ts'
import type { SetName } from './sets.ts'

/** The type behind the text of a query parameter. Lists are comma-separated. */
export type QueryParameterType =
  | { readonly kind: 'whole'; readonly minimum: number; readonly maximum?: number; readonly default?: number }
  | { readonly kind: 'list'; readonly of?: SetName }
  | { readonly kind: 'date' }

/** Types of parameters that are more than text; on the wire all are text. */
export const queryParameterRegistry = z.registry<QueryParameterType>()

export const queryParameter = (type: QueryParameterType) =>
  z.optional(z.string().register(queryParameterRegistry, type))
