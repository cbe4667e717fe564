import type { Identifiers } from './identifiers.ts'
import type { LoggedRequest } from '../log/logged-request.ts'
import type { Store } from '../database/store/store.ts'

/** All that a handler can see and touch. */
export interface World {
  readonly store: Store
  /** The virtual clock, the same for the whole request. */
  readonly now: Date
  readonly ids: Identifiers
}

/** What one transaction has for all requests in it. */
export interface TransactionWorld extends World {
  /** Undoes the writes of the work alone when it throws. */
  attempt<T>(work: () => T): T
  /** Empties every table. Throws where the file has damage that only a look at every page finds. */
  startAfresh(): void
  /** The virtual time as it is answered. */
  readonly at: string
  /** Whether any request can meet a fault. */
  readonly hasFaults: boolean
  /** Written down with the transaction. */
  readonly log: LoggedRequest[]
}
