import { z } from './schema.ts'
import type { SetName } from './sets.ts'

/** What the text of a query parameter stands for. Lists are written with commas. */
export type QueryParameterType =
  | { readonly kind: 'whole'; readonly minimum: number; readonly maximum?: number; readonly default?: number }
  | { readonly kind: 'list'; readonly of?: SetName }
  | { readonly kind: 'date' }

/** Which parameters mean more than text; on the wire all of them are. */
export const queryParameterRegistry = z.registry<QueryParameterType>()

export const queryParameter = (form: QueryParameterType) =>
  z.optional(z.string().register(queryParameterRegistry, form))
