import { isServer } from '../../sandbox/serve/registry.ts'
import type { RegisteredServer } from '../../sandbox/serve/registry.ts'

/** What a server says of itself when it is ready. */
export interface ReadyServer extends RegisteredServer {
  readonly apiKeys: readonly string[]
}

export const isReadyServer = (value: unknown): value is ReadyServer =>
  isServer(value) && 'apiKeys' in value && Array.isArray(value.apiKeys)
