import type { Identifiers } from './identifiers.ts'
import type { Store } from '../database/store.ts'
import type { StoredSession } from './stored.ts'

/** Everything that a handler can read and change. */
export interface SandboxContext {
  readonly store: Store
  /** The time on the virtual clock, which doesn't move during a request. */
  readonly now: Date
  readonly ids: Identifiers
  /** The session of the client token that authenticated the request; undefined for API keys. */
  readonly clientSession?: ClientSession | undefined
}

/** An open client session. */
export interface ClientSession {
  readonly id: string
  readonly idHash: string
  readonly session: StoredSession
}
