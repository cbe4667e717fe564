import { describe, expect, test } from 'vitest'
import { caught } from './caught.ts'
import { OTHER_URL, SHOP_URL, STORED_KEY, resolve } from './resolve-case.ts'

describe('a profile', () => {
  test('gives base URL, key, mode, version and limits, each with its source', () => {
    expect(resolve({ flags: { profile: 'shop' } })).toEqual({
      kind: 'service',
      profile: { value: 'shop', source: 'flag --profile' },
      mode: { value: 'test', source: 'profile shop' },
      baseUrl: { value: SHOP_URL, source: 'profile shop' },
      apiKey: { value: STORED_KEY, source: 'profile shop' },
      apiVersion: { value: '2.0', source: 'profile shop' },
      ledger: { kind: 'local', source: 'default' },
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
  ] as const)('is chosen by flag, environment, then stored default: %o', (given, value, source) => {
    expect(resolve(given).profile).toEqual({ value, source })
  })

  test.each([
    [{ flags: { profile: 'shpo' } }, 'flag --profile', 'Did you mean shop?'],
    [{ env: { PAY_PROFILE: 'sandbx' } }, 'environment PAY_PROFILE', 'Did you mean sandbox?'],
    [{ defaultProfile: 'gone' }, 'stored default', 'pay profile use NAME'],
    [{ flags: { profile: '' } }, 'flag --profile', 'pay profile add NAME'],
    [{ flags: { profile: 'a b' } }, 'of that name', 'pay profile add NAME'],
    [{ flags: { profile: '__proto__' } }, 'flag --profile', 'pay profile add NAME'],
  ] as const)('that does not exist is refused with a list of profiles: %o', (given, place, hint) => {
    const error = caught(() => resolve(given))
    expect(error.code).toBe('unknown_profile')
    expect(error.exitCode).toBe(2)
    expect(error.message).toContain(place)
    expect(error.details.hint).toContain(hint)
    expect(error.details.hint).toContain('shop, guessed, keyless, sandbox')
  })

  test('without a key is refused, and the hint stores one', () => {
    const error = caught(() => resolve({ flags: { profile: 'keyless' } }))
    expect(error.code).toBe('no_key')
    expect(error.exitCode).toBe(4)
    expect(error.details.hint).toContain('pay profile set keyless --api-key-stdin')
  })

  test('without a key is enough for a command that sends nothing', () => {
    expect(resolve({ flags: { profile: 'keyless' }, needsKey: false })).toMatchObject({
      baseUrl: { value: SHOP_URL },
      apiKey: undefined,
    })
  })

  test('without a mode gets a guessed one', () => {
    expect(resolve({ flags: { profile: 'guessed' } }).mode).toEqual({
      value: 'live',
      source: 'guessed from the base URL',
    })
  })
})

describe('without a profile and a key', () => {
  test.each([
    {},
    { flags: { baseUrl: OTHER_URL } },
    { env: { PAY_BASE_URL: OTHER_URL } },
    { needsKey: false },
  ])('no account is assumed: %o', (given) => {
    const error = caught(() => resolve(given))
    expect(error.code).toBe('no_key')
    expect(error.exitCode).toBe(4)
    expect(error.details.hint).toContain('pay profile add')
    expect(error.details.hint).toContain('--sandbox')
  })

  test('a base URL is enough for a command that sends nothing', () => {
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
  ] as const)('comes from flag, environment, profile, then default: %o', (given, value, source) => {
    expect(resolve(given).apiVersion).toEqual({ value, source })
  })

  test.each([
    [{ flags: { profile: 'shop', apiVersion: '' } }, '--api-version'],
    [{ flags: { profile: 'shop' }, env: { PAY_API_VERSION: '2.1\n' } }, 'PAY_API_VERSION'],
  ] as const)('is refused if invalid: %o', (given, where) => {
    const error = caught(() => resolve(given))
    expect(error.code).toBe('bad_api_version')
    expect(error.message).toContain(where)
  })
})
