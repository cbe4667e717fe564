import type { Identifiers } from '../identifiers.ts'
import type { Store } from './store.ts'

/** Everything that a handler can read and change. */
export interface SandboxContext {
  readonly store: Store
  /** The virtual clock; doesn't move during a request. */
  readonly now: Date
  readonly ids: Identifiers
}
