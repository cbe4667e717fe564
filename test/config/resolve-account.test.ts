import { describe, expect, test } from 'vitest'
import type { AccountInput } from '../../src/config/overrides.ts'
import type { Profile } from '../../src/config/profile.ts'
import { resolveAccount } from '../../src/config/resolve-account.ts'
import { caught, everythingOf } from './caught.ts'

const SHOP_URL = 'https://api.example.com/v2'
const OTHER_URL = 'https://other.example.com'
const STORED_KEY = 'key_stored_0123456789'
const ENV_KEY = 'key_env_0123456789'

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

interface Case {
  readonly flags?: AccountInput['flags']
  readonly env?: Record<string, string>
  readonly defaultProfile?: string
  readonly needsKey?: boolean
}

const resolve = ({ flags = {}, env = {}, defaultProfile, needsKey }: Case) =>
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

const WITH_KEY = { PAY_API_KEY: ENV_KEY }
const WITH_ACCOUNT = { PAY_API_KEY: ENV_KEY, PAY_BASE_URL: OTHER_URL }

describe('a profile', () => {
  test('gives base URL, key, mode, version and limits, each with its source', () => {
    expect(resolve({ flags: { profile: 'shop' } })).toEqual({
      kind: 'service',
      profile: { value: 'shop', source: 'flag --profile' },
      mode: { value: 'test', source: 'profile shop' },
      baseUrl: { value: SHOP_URL, source: 'profile shop' },
      apiKey: { value: STORED_KEY, source: 'profile shop' },
      apiVersion: { value: '2.0', source: 'profile shop' },
      limits: { readOnly: true },
    })
  })

  test.each([
    [
      { flags: { profile: 'shop' }, env: { PAY_PROFILE: 'guessed' }, defaultProfile: 'keyless' },
      'shop',
      'flag --profile',
    ],
    [{ env: { PAY_PROFILE: 'guessed' }, defaultProfile: 'keyless' }, 'guessed', 'environment PAY_PROFILE'],
    [{ env: { PAY_PROFILE: '' }, defaultProfile: 'shop' }, 'shop', 'stored default'],
    [{ defaultProfile: 'shop' }, 'shop', 'stored default'],
  ] as const)('is chosen by flag, environment, stored default, in this order: %o', (given, value, source) => {
    expect(resolve(given).profile).toEqual({ value, source })
  })

  test.each([
    [{ flags: { profile: 'shpo' } }, 'flag --profile', 'Did you mean shop?'],
    [{ env: { PAY_PROFILE: 'sandbx' } }, 'environment PAY_PROFILE', 'Did you mean sandbox?'],
    [{ defaultProfile: 'gone' }, 'stored default', 'pay profile use NAME'],
    [{ flags: { profile: '' } }, 'flag --profile', 'pay profile add NAME'],
    [{ flags: { profile: 'a b' } }, 'of that name', 'pay profile add NAME'],
    [{ flags: { profile: '__proto__' } }, 'flag --profile', 'pay profile add NAME'],
  ] as const)('that is not there is refused with those that are: %o', (given, place, hint) => {
    const error = caught(() => resolve(given))
    expect(error.code).toBe('unknown_profile')
    expect(error.exitCode).toBe(2)
    expect(error.message).toContain(place)
    expect(error.details.hint).toContain(hint)
    expect(error.details.hint).toContain('shop, guessed, keyless, sandbox')
  })

  test('without a key is refused with the way to store one', () => {
    const error = caught(() => resolve({ flags: { profile: 'keyless' } }))
    expect(error.code).toBe('no_key')
    expect(error.exitCode).toBe(4)
    expect(error.details.hint).toContain('pay profile set keyless --api-key-stdin')
  })

  test('without a key will do for what sends nothing', () => {
    expect(resolve({ flags: { profile: 'keyless' }, needsKey: false })).toMatchObject({
      baseUrl: { value: SHOP_URL },
      apiKey: undefined,
    })
  })

  test('has its mode guessed when none was given', () => {
    expect(resolve({ flags: { profile: 'guessed' } }).mode).toEqual({
      value: 'live',
      source: 'guessed from the base URL',
    })
  })
})

describe('a key of the environment', () => {
  test.each(['PAY_API_KEY', 'PAY_API_KEY_FILE'])(
    '%s beside --profile is two answers to one question',
    (name) => {
      const error = caught(() => resolve({ flags: { profile: 'shop' }, env: { [name]: ENV_KEY } }))
      expect(error.code).toBe('account_conflict')
      expect(error.exitCode).toBe(2)
      expect(error.message).toBe(`--profile "shop" and ${name} name two accounts.`)
      expect(error.details.hint).toContain(`env -u ${name}`)
      expect(everythingOf(error)).not.toContain(ENV_KEY)
    },
  )

  test('given twice is refused', () => {
    const env = { PAY_API_KEY: ENV_KEY, PAY_API_KEY_FILE: '/k', PAY_BASE_URL: OTHER_URL }
    const error = caught(() => resolve({ env }))
    expect(error.code).toBe('account_conflict')
    expect(error.message).toBe('PAY_API_KEY and PAY_API_KEY_FILE are both set.')
  })

  test('that is empty is not given', () => {
    const env = { PAY_API_KEY: '', PAY_API_KEY_FILE: '', PAY_BASE_URL: '' }
    expect(resolve({ flags: { profile: 'shop' }, env }).apiKey?.source).toBe('profile shop')
  })

  test('with a base URL is a whole account without a profile', () => {
    expect(resolve({ env: WITH_ACCOUNT })).toEqual({
      kind: 'service',
      profile: undefined,
      mode: { value: 'live', source: 'guessed from the base URL' },
      baseUrl: { value: OTHER_URL, source: 'environment PAY_BASE_URL' },
      apiKey: { value: ENV_KEY, source: 'environment PAY_API_KEY' },
      apiVersion: { value: '2.1', source: 'default' },
      limits: { readOnly: false },
    })
  })

  test('takes the base URL of a flag before that of the environment', () => {
    const account = resolve({ flags: { baseUrl: 'http://127.0.0.1:4010/' }, env: WITH_ACCOUNT })
    expect(account.baseUrl).toEqual({ value: 'http://127.0.0.1:4010', source: 'flag --base-url' })
    expect(account.mode.value).toBe('test')
  })

  test('without a base URL or a profile is refused', () => {
    const error = caught(() => resolve({ env: WITH_KEY }))
    expect(error.code).toBe('base_url_missing')
    expect(error.exitCode).toBe(2)
    expect(error.details.hint).toContain('PAY_BASE_URL')
  })

  test.each([{ env: { ...WITH_KEY, PAY_PROFILE: 'shop' } }, { env: WITH_KEY, defaultProfile: 'shop' }])(
    'alone takes base URL, mode and limits of the profile in use: %o',
    (given) => {
      expect(resolve(given)).toMatchObject({
        profile: { value: 'shop' },
        mode: { value: 'test', source: 'profile shop' },
        baseUrl: { value: SHOP_URL, source: 'profile shop' },
        apiKey: { value: ENV_KEY, source: 'environment PAY_API_KEY' },
        limits: { readOnly: true },
      })
    },
  )

  test('makes up for a profile that has none', () => {
    expect(resolve({ env: { ...WITH_KEY, PAY_PROFILE: 'keyless' } }).apiKey?.value).toBe(ENV_KEY)
  })

  test('with a base URL leaves the stored default alone, and its limits and mode', () => {
    expect(resolve({ env: WITH_ACCOUNT, defaultProfile: 'shop' })).toMatchObject({
      profile: undefined,
      mode: { value: 'live' },
      limits: { readOnly: false },
      apiVersion: { value: '2.1' },
    })
    expect(resolve({ env: WITH_ACCOUNT, defaultProfile: 'gone' }).profile).toBeUndefined()
  })

  test("with the stored default's own base URL stays within its limits", () => {
    const env = { PAY_API_KEY: ENV_KEY, PAY_BASE_URL: `${SHOP_URL}/` }
    expect(resolve({ env, defaultProfile: 'shop' })).toMatchObject({
      profile: { value: 'shop', source: 'stored default' },
      apiKey: { value: ENV_KEY },
      limits: { readOnly: true },
    })
  })

  test('with a base URL and a profile by name stays within its limits, and guesses the mode anew', () => {
    expect(resolve({ env: { ...WITH_ACCOUNT, PAY_PROFILE: 'shop' } })).toMatchObject({
      profile: { value: 'shop' },
      mode: { value: 'live', source: 'guessed from the base URL' },
      baseUrl: { value: OTHER_URL },
      apiKey: { value: ENV_KEY },
      limits: { readOnly: true },
    })
  })

  test('is read from a file, and checked', () => {
    const env = { PAY_API_KEY_FILE: '/run/key', PAY_BASE_URL: OTHER_URL }
    expect(resolve({ env }).apiKey).toEqual({
      value: 'key_from_/run/key',
      source: 'environment PAY_API_KEY_FILE',
    })
    const error = caught(() => resolve({ env: { ...env, PAY_API_KEY_FILE: '/run/my key' } }))
    expect(error.code).toBe('bad_api_key')
    expect(error.message).toContain('PAY_API_KEY_FILE')
  })

  test('that cannot be one is refused and not repeated', () => {
    const error = caught(() => resolve({ env: { ...WITH_ACCOUNT, PAY_API_KEY: `${ENV_KEY} x` } }))
    expect(error.code).toBe('bad_api_key')
    expect(everythingOf(error)).not.toContain(ENV_KEY)
  })
})

describe('a stored key', () => {
  test.each([
    [{ flags: { profile: 'shop', baseUrl: OTHER_URL } }, 'flag --base-url'],
    [{ flags: { profile: 'shop' }, env: { PAY_BASE_URL: OTHER_URL } }, 'environment PAY_BASE_URL'],
    [{ env: { PAY_PROFILE: 'shop', PAY_BASE_URL: OTHER_URL } }, 'environment PAY_BASE_URL'],
    [{ defaultProfile: 'shop', flags: { baseUrl: OTHER_URL } }, 'flag --base-url'],
    [{ defaultProfile: 'shop', flags: { baseUrl: 'https://api.example.com' } }, 'flag --base-url'],
    [{ defaultProfile: 'keyless', flags: { baseUrl: OTHER_URL } }, 'flag --base-url'],
    [{ defaultProfile: 'shop', flags: { baseUrl: OTHER_URL }, needsKey: false }, 'flag --base-url'],
  ] as const)('goes to no other URL than its own: %o', (given, source) => {
    const error = caught(() => resolve(given))
    expect(error.code).toBe('base_url_mismatch')
    expect(error.exitCode).toBe(2)
    expect(error.message).toContain(source)
    expect(error.message).toContain(SHOP_URL)
    expect(everythingOf(error)).not.toContain(STORED_KEY)
  })

  test.each([
    { flags: { profile: 'shop', baseUrl: `${SHOP_URL}/` } },
    { flags: { profile: 'shop' }, env: { PAY_BASE_URL: SHOP_URL.toUpperCase().replace('/V2', '/v2') } },
  ])('goes to its own URL however it is written: %o', (given) => {
    expect(resolve(given)).toMatchObject({ apiKey: { value: STORED_KEY }, mode: { value: 'test' } })
  })

  test('goes nowhere when the other URL is none', () => {
    expect(caught(() => resolve({ flags: { profile: 'shop', baseUrl: '' } })).code).toBe('bad_base_url')
    expect(
      caught(() => resolve({ env: { PAY_PROFILE: 'shop', PAY_BASE_URL: 'http://a.b' } })).message,
    ).toContain('PAY_BASE_URL must be https')
  })
})

describe('the embedded sandbox', () => {
  const sandbox = {
    kind: 'sandbox',
    mode: { value: 'test', source: 'built in' },
    baseUrl: { value: 'http://sandbox.localhost', source: 'built in' },
    apiKey: { value: 'sandbox_all', source: 'built in' },
    apiVersion: { value: '2.1', source: 'default' },
    limits: { readOnly: false },
  }

  test.each([
    [{ flags: { sandbox: true } }, 'flag --sandbox'],
    [{ flags: { sandbox: true, profile: 'sandbox' } }, 'flag --sandbox'],
    [{ flags: { profile: 'sandbox' } }, 'flag --profile'],
    [{ env: { PAY_PROFILE: 'sandbox' } }, 'environment PAY_PROFILE'],
    [{ defaultProfile: 'sandbox' }, 'stored default'],
    [{ flags: { sandbox: true }, env: { PAY_PROFILE: 'shop' }, defaultProfile: 'guessed' }, 'flag --sandbox'],
  ] as const)('is asked for by %o', (given, source) => {
    expect(resolve(given)).toEqual({ ...sandbox, profile: { value: 'sandbox', source } })
  })

  test.each([
    { flags: { sandbox: true } },
    { flags: { profile: 'sandbox' } },
    { env: { PAY_PROFILE: 'sandbox' } },
  ])('by name ignores key and URL of the environment, even such as cannot be: %o', (given: Case) => {
    const env = { PAY_API_KEY: 'a b', PAY_API_KEY_FILE: '/k', PAY_BASE_URL: 'nonsense', ...given.env }
    expect(resolve({ ...given, env })).toMatchObject(sandbox)
  })

  test('takes the version that is given', () => {
    const given = { flags: { sandbox: true }, env: { PAY_API_VERSION: '2021-09-27' } }
    expect(resolve(given).apiVersion.value).toBe('2021-09-27')
  })

  test.each([
    { flags: { sandbox: true, profile: 'shop' } },
    { flags: { sandbox: true, baseUrl: OTHER_URL } },
    { flags: { profile: 'sandbox', baseUrl: OTHER_URL } },
    { env: { PAY_PROFILE: 'sandbox' }, flags: { baseUrl: OTHER_URL } },
    { env: { ...WITH_KEY, PAY_PROFILE: 'sandbox' }, flags: { baseUrl: OTHER_URL } },
    { defaultProfile: 'sandbox', flags: { baseUrl: OTHER_URL } },
  ])('and another account at once is refused: %o', (given) => {
    const error = caught(() => resolve(given))
    expect(error.code).toBe('account_conflict')
    expect(error.exitCode).toBe(2)
  })

  test('as the stored default gives way to a whole account of the environment', () => {
    expect(resolve({ defaultProfile: 'sandbox', env: WITH_ACCOUNT })).toMatchObject({
      kind: 'service',
      profile: undefined,
      baseUrl: { value: OTHER_URL },
    })
    const byFlag = { defaultProfile: 'sandbox', env: WITH_KEY, flags: { baseUrl: OTHER_URL } }
    expect(resolve(byFlag)).toMatchObject({ kind: 'service', profile: undefined })
  })

  test.each([
    [WITH_KEY, 'PAY_API_KEY names another account without PAY_BASE_URL'],
    [{ PAY_API_KEY_FILE: '/k' }, 'PAY_API_KEY_FILE names another account without PAY_BASE_URL'],
    [{ PAY_BASE_URL: OTHER_URL }, 'PAY_BASE_URL names another account without PAY_API_KEY'],
  ])('as the stored default does not swallow half an account: %o', (env, problem) => {
    const error = caught(() => resolve({ defaultProfile: 'sandbox', env }))
    expect(error.code).toBe('account_conflict')
    expect(error.message).toContain(problem)
  })
})

describe('with no profile and no key', () => {
  test.each([
    {},
    { flags: { baseUrl: OTHER_URL } },
    { env: { PAY_BASE_URL: OTHER_URL } },
    { needsKey: false },
  ])('nothing is assumed: %o', (given) => {
    const error = caught(() => resolve(given))
    expect(error.code).toBe('no_key')
    expect(error.exitCode).toBe(4)
    expect(error.details.hint).toContain('pay profile add')
    expect(error.details.hint).toContain('--sandbox')
  })

  test('a base URL is enough for what sends nothing', () => {
    expect(resolve({ flags: { baseUrl: OTHER_URL }, needsKey: false })).toMatchObject({
      kind: 'service',
      profile: undefined,
      apiKey: undefined,
    })
  })
})

describe('the API version', () => {
  test.each([
    [
      { flags: { profile: 'shop', apiVersion: '3' }, env: { PAY_API_VERSION: '2.5' } },
      '3',
      'flag --api-version',
    ],
    [{ flags: { profile: 'shop' }, env: { PAY_API_VERSION: '2.5' } }, '2.5', 'environment PAY_API_VERSION'],
    [{ flags: { profile: 'shop' }, env: { PAY_API_VERSION: '' } }, '2.0', 'profile shop'],
    [{ flags: { profile: 'guessed' } }, '2.1', 'default'],
  ] as const)('comes from flag, environment, profile, default, in this order: %o', (given, value, source) => {
    expect(resolve(given).apiVersion).toEqual({ value, source })
  })

  test.each([
    [{ flags: { profile: 'shop', apiVersion: '' } }, '--api-version'],
    [{ flags: { profile: 'shop' }, env: { PAY_API_VERSION: '2.1\n' } }, 'PAY_API_VERSION'],
  ] as const)('that cannot be one is refused: %o', (given, where) => {
    const error = caught(() => resolve(given))
    expect(error.code).toBe('bad_api_version')
    expect(error.message).toContain(where)
  })
})
