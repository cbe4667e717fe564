import { SANDBOX_KEYS } from '../domain/accounts.ts'
import type { SandboxKey } from '../domain/accounts.ts'
import { Problem } from '../problem.ts'
import type { ServiceRequest } from './service-request.ts'

/** @throws {Problem} `Unauthorized` for a missing or unknown key, `Forbidden` for one without the scope */
export function checkKey(key: string | undefined, scope: string): void {
  const { scopes } = findKey(key)
  if (!scopes.includes(scope)) throw new Problem('Forbidden', `The API key does not have the scope ${scope}.`)
}

/** @throws {Problem} `Unauthorized` for a missing or unknown key */
export function findKey(key: string | undefined): SandboxKey {
  const known = SANDBOX_KEYS.find((row) => row.key === key)
  if (known === undefined) {
    throw new Problem(
      'Unauthorized',
      key === undefined ? 'The X-API-KEY header is missing.' : 'The API key is unknown.',
      {
        recoverySuggestion: 'Send one of the keys that `pay sandbox start` printed in X-API-KEY.',
      },
    )
  }
  return known
}

const CONTROL_KEY = 'sandbox_all'

/** Checks a key for the controls, which only the key with every scope may use. */
export function checkControlKey(key: string | undefined): void {
  if (findKey(key).key !== CONTROL_KEY)
    throw new Problem('Forbidden', `The sandbox controls accept only the key ${CONTROL_KEY}.`)
}

/** Whether a client token counts. An API key overrides it: clients and proxies may add their own Authorization header. */
export const usesClientToken = ({ headers }: ServiceRequest): boolean =>
  headers['x-api-key'] === undefined && headers['authorization'] !== undefined

/** @throws {Problem} `Unauthorized` if the header has another form */
export function readBearerToken({ headers }: ServiceRequest): string {
  const [, token] = /^bearer +([\w.-]+)$/i.exec(headers['authorization']?.trim() ?? '') ?? []
  if (token !== undefined) return token
  throw new Problem('Unauthorized', 'The Authorization header must be `Bearer CLIENT_TOKEN`.', {
    recoverySuggestion: 'Send an API key in X-API-KEY, or the client token of a session.',
  })
}
