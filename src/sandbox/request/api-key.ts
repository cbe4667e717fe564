import { SANDBOX_KEYS } from '../domain/accounts.ts'
import type { SandboxKey } from '../domain/accounts.ts'
import { Problem } from '../problem.ts'

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

/** Only the key with every scope may use the controls. */
export function checkControlKey(key: string | undefined): void {
  if (findKey(key).key !== CONTROL_KEY)
    throw new Problem('Forbidden', `The sandbox controls accept only the key ${CONTROL_KEY}.`)
}
