import { z } from './schema.ts'
import type { SetName } from './sets.ts'

/** What the text of a query parameter stands for. Lists are written with commas. */
export type QueryForm =
  | { readonly kind: 'whole'; readonly minimum: number; readonly maximum?: number; readonly default?: number }
  | { readonly kind: 'list'; readonly of?: SetName }
  | { readonly kind: 'date' }

/** Which parameters mean more than text; on the wire all of them are. */
export const queryFormRegistry = z.registry<QueryForm>()

export const parameter = (form: QueryForm) => z.optional(z.string().register(queryFormRegistry, form))
