import { describe, expect, test } from 'vitest'
import { caught, everythingOf } from './caught.ts'
import { ENV_KEY, OTHER_URL, SHOP_URL, STORED_KEY, WITH_ACCOUNT, WITH_KEY, resolve } from './resolve-case.ts'

describe('a key in the environment', () => {
  test.each(['PAY_API_KEY', 'PAY_API_KEY_FILE'])('%s conflicts with --profile', (name) => {
    const error = caught(() => resolve({ flags: { profile: 'shop' }, env: { [name]: ENV_KEY } }))
    expect(error.code).toBe('account_conflict')
    expect(error.exitCode).toBe(2)
    expect(error.message).toBe(`--profile "shop" and ${name} name two accounts`)
    expect(error.details.hint).toContain(`env -u ${name}`)
    expect(everythingOf(error)).not.toContain(ENV_KEY)
  })

  test('is refused if both variables are set', () => {
    const env = { PAY_API_KEY: ENV_KEY, PAY_API_KEY_FILE: '/k', PAY_BASE_URL: OTHER_URL }
    const error = caught(() => resolve({ env }))
    expect(error.code).toBe('account_conflict')
    expect(error.message).toBe('PAY_API_KEY and PAY_API_KEY_FILE are both set.')
  })

  test('counts as unset when empty', () => {
    const env = { PAY_API_KEY: '', PAY_API_KEY_FILE: '', PAY_BASE_URL: '' }
    expect(resolve({ flags: { profile: 'shop' }, env }).apiKey?.source).toBe('profile shop')
  })

  test('with a base URL is a complete account', () => {
    expect(resolve({ env: WITH_ACCOUNT })).toEqual({
      kind: 'service',
      profile: undefined,
      mode: { value: 'live', source: 'guessed from the base URL' },
      baseUrl: { value: OTHER_URL, source: 'environment PAY_BASE_URL' },
      apiKey: { value: ENV_KEY, source: 'environment PAY_API_KEY' },
      apiVersion: { value: '2.1', source: 'default' },
      ledger: { kind: 'local', source: 'default' },
      limits: { readOnly: false },
    })
  })

  test('uses --base-url before PAY_BASE_URL', () => {
    const account = resolve({ flags: { baseUrl: 'http://127.0.0.1:4010/' }, env: WITH_ACCOUNT })
    expect(account.baseUrl).toEqual({ value: 'http://127.0.0.1:4010', source: 'flag --base-url' })
    expect(account.mode.value).toBe('test')
  })

  test('without a base URL or profile is refused', () => {
    const error = caught(() => resolve({ env: WITH_KEY }))
    expect(error.code).toBe('base_url_missing')
    expect(error.exitCode).toBe(2)
    expect(error.details.hint).toContain('PAY_BASE_URL')
  })

  test.each([{ env: { ...WITH_KEY, PAY_PROFILE: 'shop' } }, { env: WITH_KEY, defaultProfile: 'shop' }])(
    'alone uses base URL, mode and limits of the selected profile: %o',
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

  test('serves a profile without a key', () => {
    expect(resolve({ env: { ...WITH_KEY, PAY_PROFILE: 'keyless' } }).apiKey?.value).toBe(ENV_KEY)
  })

  test('with another base URL ignores the stored default', () => {
    expect(resolve({ env: WITH_ACCOUNT, defaultProfile: 'shop' })).toMatchObject({
      profile: undefined,
      mode: { value: 'live' },
      limits: { readOnly: false },
      apiVersion: { value: '2.1' },
    })
    expect(resolve({ env: WITH_ACCOUNT, defaultProfile: 'gone' }).profile).toBeUndefined()
  })

  test("with the stored default's base URL keeps its limits", () => {
    const env = { PAY_API_KEY: ENV_KEY, PAY_BASE_URL: `${SHOP_URL}/` }
    expect(resolve({ env, defaultProfile: 'shop' })).toMatchObject({
      profile: { value: 'shop', source: 'stored default' },
      apiKey: { value: ENV_KEY },
      limits: { readOnly: true },
    })
  })

  test('with a base URL and PAY_PROFILE keeps the limits of the profile and guesses the mode', () => {
    expect(resolve({ env: { ...WITH_ACCOUNT, PAY_PROFILE: 'shop' } })).toMatchObject({
      profile: { value: 'shop' },
      mode: { value: 'live', source: 'guessed from the base URL' },
      baseUrl: { value: OTHER_URL },
      apiKey: { value: ENV_KEY },
      limits: { readOnly: true },
    })
  })

  test('is read from a file and checked', () => {
    const env = { PAY_API_KEY_FILE: '/run/key', PAY_BASE_URL: OTHER_URL }
    expect(resolve({ env }).apiKey).toEqual({
      value: 'key_from_/run/key',
      source: 'environment PAY_API_KEY_FILE',
    })
    const error = caught(() => resolve({ env: { ...env, PAY_API_KEY_FILE: '/run/my key' } }))
    expect(error.code).toBe('bad_api_key')
    expect(error.message).toContain('PAY_API_KEY_FILE')
  })

  test('is refused without being repeated if invalid', () => {
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
  ] as const)('is not sent to another URL: %o', (given, source) => {
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
  ])('is sent to its own URL in any spelling: %o', (given) => {
    expect(resolve(given)).toMatchObject({ apiKey: { value: STORED_KEY }, mode: { value: 'test' } })
  })

  test('is not sent when the other URL is invalid', () => {
    expect(caught(() => resolve({ flags: { profile: 'shop', baseUrl: '' } })).code).toBe('bad_base_url')
    expect(
      caught(() => resolve({ env: { PAY_PROFILE: 'shop', PAY_BASE_URL: 'http://a.b' } })).message,
    ).toContain('PAY_BASE_URL must be https')
  })
})
