import { describe, expect, test } from 'vitest'
import { caught } from './caught.ts'
import { OTHER_URL, WITH_ACCOUNT, WITH_KEY, resolve } from './resolve-case.ts'
import type { Case } from './resolve-case.ts'

describe('the embedded sandbox', () => {
  const sandbox = {
    kind: 'sandbox',
    mode: { value: 'test', source: 'built in' },
    baseUrl: { value: 'http://sandbox.localhost', source: 'built in' },
    apiKey: { value: 'sandbox_all', source: 'built in' },
    apiVersion: { value: '2.1', source: 'default' },
    ledger: { kind: 'local', source: 'built in' },
    limits: { readOnly: false },
  }

  test.each([
    [{ flags: { sandbox: true } }, 'flag --sandbox'],
    [{ flags: { sandbox: true, profile: 'sandbox' } }, 'flag --sandbox'],
    [{ flags: { profile: 'sandbox' } }, 'flag --profile'],
    [{ env: { PAY_PROFILE: 'sandbox' } }, 'environment PAY_PROFILE'],
    [{ defaultProfile: 'sandbox' }, 'stored default'],
    [{ flags: { sandbox: true }, env: { PAY_PROFILE: 'shop' }, defaultProfile: 'guessed' }, 'flag --sandbox'],
  ] as const)('is selected by %o', (given, source) => {
    expect(resolve(given)).toEqual({ ...sandbox, profile: { value: 'sandbox', source } })
  })

  test.each([
    { flags: { sandbox: true } },
    { flags: { profile: 'sandbox' } },
    { env: { PAY_PROFILE: 'sandbox' } },
  ])('selected by name ignores key and URL in the environment, even invalid ones: %o', (given: Case) => {
    const env = { PAY_API_KEY: 'a b', PAY_API_KEY_FILE: '/k', PAY_BASE_URL: 'nonsense', ...given.env }
    expect(resolve({ ...given, env })).toMatchObject(sandbox)
  })

  test('uses PAY_API_VERSION', () => {
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
  ])('conflicts with another account: %o', (given) => {
    const error = caught(() => resolve(given))
    expect(error.code).toBe('account_conflict')
    expect(error.exitCode).toBe(2)
  })

  test('as the stored default yields to a complete account in the environment', () => {
    expect(resolve({ defaultProfile: 'sandbox', env: WITH_ACCOUNT })).toMatchObject({
      kind: 'service',
      profile: undefined,
      baseUrl: { value: OTHER_URL },
    })
    const byFlag = { defaultProfile: 'sandbox', env: WITH_KEY, flags: { baseUrl: OTHER_URL } }
    expect(resolve(byFlag)).toMatchObject({ kind: 'service', profile: undefined })
  })

  test.each([
    [WITH_KEY, 'PAY_API_KEY is set without PAY_BASE_URL'],
    [{ PAY_API_KEY_FILE: '/k' }, 'PAY_API_KEY_FILE is set without PAY_BASE_URL'],
    [{ PAY_BASE_URL: OTHER_URL }, 'PAY_BASE_URL is set without PAY_API_KEY'],
  ])('as the stored default refuses half an account: %o', (env, problem) => {
    const error = caught(() => resolve({ defaultProfile: 'sandbox', env }))
    expect(error.code).toBe('account_conflict')
    expect(error.message).toContain(problem)
  })
})
