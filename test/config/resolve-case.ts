import type { AccountInput } from '../../src/config/overrides.ts'
import type { Profile } from '../../src/config/profile.ts'
import { resolveAccount } from '../../src/config/resolve-account.ts'

export const SHOP_URL = 'https://api.example.com/v2'
export const OTHER_URL = 'https://other.example.com'
export const STORED_KEY = 'key_stored_0123456789'
export const ENV_KEY = 'key_env_0123456789'

const profile = (name: string, more: Partial<Profile> = {}): Profile => ({
  name,
  baseUrl: SHOP_URL,
  mode: 'live',
  modeIsGuess: true,
  apiKey: STORED_KEY,
  limits: { readOnly: false },
  ...more,
})

const PROFILES = [
  profile('shop', { mode: 'test', modeIsGuess: false, apiVersion: '2.0', limits: { readOnly: true } }),
  profile('guessed'),
  profile('keyless', { apiKey: undefined }),
]

export interface Case {
  readonly flags?: AccountInput['flags']
  readonly env?: Record<string, string>
  readonly defaultProfile?: string
  readonly needsKey?: boolean
}

/** Resolves an account with three stored profiles: `shop`, `guessed` without a mode, `keyless`. */
export const resolve = ({ flags = {}, env = {}, defaultProfile, needsKey }: Case) =>
  resolveAccount({
    flags,
    env,
    file: {
      path: '/c/config.json',
      defaultProfile,
      profiles: new Map(PROFILES.map((each) => [each.name, each])),
      warnings: [],
    },
    readKeyFile: (path) => `key_from_${path}`,
    needsKey,
  })

export const WITH_KEY = { PAY_API_KEY: ENV_KEY }
export const WITH_ACCOUNT = { PAY_API_KEY: ENV_KEY, PAY_BASE_URL: OTHER_URL }
