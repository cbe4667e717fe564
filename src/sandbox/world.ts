import type { Identifiers } from './identifiers.ts'
import type { Store } from './store/store.ts'

/** All that a handler can see and touch. */
export interface World {
  readonly store: Store
  /** The virtual clock, the same for the whole request. */
  readonly now: Date
  readonly ids: Identifiers
}
