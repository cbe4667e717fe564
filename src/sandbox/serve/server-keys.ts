import { SANDBOX_KEYS } from '../domain/accounts.ts'
import type { ServiceRequest } from '../request/service-request.ts'

/**
 * Keys of one server alone, each in place of a published one: everybody knows those, and a server beyond loopback is
 * reached by others. By the key that clients send.
 */
export type ServerKeys = ReadonlyMap<string, string>

export const makeServerKeys = (newSecret: () => string): ServerKeys =>
  new Map(SANDBOX_KEYS.map(({ key }) => [`${key}_${newSecret()}`, key]))

/** A key that the sandbox does not know. */
const NO_KEY = ''

/** The request with the published key that its own key stands for. A published key itself is worth nothing here. */
export function withPublishedKey(request: ServiceRequest, keys: ServerKeys): ServiceRequest {
  const given = request.headers['x-api-key']
  if (given === undefined) return request
  return { ...request, headers: { ...request.headers, 'x-api-key': keys.get(given) ?? NO_KEY } }
}
