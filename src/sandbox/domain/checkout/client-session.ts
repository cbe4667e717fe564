import { readClientToken } from '../client-token.ts'
import { sha256Base64url } from '../../../files/sha256.ts'
import type { ClientSession, SandboxContext } from '../context.ts'

export interface FoundSession extends ClientSession {
  readonly isExpired: boolean
}

/** The session of a client token; undefined if this sandbox didn't make the token, or if it is for a payment's action. */
export function findClientSession(
  clientToken: string,
  { store, now }: SandboxContext,
): FoundSession | undefined {
  const claims = readClientToken(store.settings.secret(), clientToken)
  if (claims === undefined) return undefined
  const session = store.sessions.find(claims.id)
  if (session === undefined) return undefined
  return {
    id: claims.id,
    idHash: sha256Base64url(claims.id),
    session,
    isExpired: session.expiresAtMs <= now.getTime(),
  }
}
