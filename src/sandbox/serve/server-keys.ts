import { SANDBOX_KEYS } from '../domain/accounts.ts'
import type { ServiceRequest } from '../request/service-request.ts'

/**
 * A server's own keys, one for each published key. Everyone knows the published keys, so a server that other
 * machines can reach doesn't accept them. Maps each own key to its published key.
 */
export type ServerKeys = ReadonlyMap<string, string>

/** A key that no sandbox accepts. */
const NO_KEY = ''

/** Makes a server's keys. `named` is one more key with every scope, which clients know before the server starts. */
export const makeServerKeys = (newSecret: () => string, named?: string): ServerKeys =>
  new Map([
    ...SANDBOX_KEYS.map(({ key }) => [`${key}_${newSecret()}`, key] as const),
    ...(named === undefined ? [] : [[named, SANDBOX_KEYS[0]?.key ?? NO_KEY] as const]),
  ])

/** Replaces the server's own key in a request with the published one. Published keys themselves aren't accepted. */
export function withPublishedKey(request: ServiceRequest, keys: ServerKeys): ServiceRequest {
  const given = request.headers['x-api-key']
  if (given === undefined) return request
  return { ...request, headers: { ...request.headers, 'x-api-key': keys.get(given) ?? NO_KEY } }
}
