import { describe, expect, test } from 'vitest'
import {
  checkApiVersion,
  checkProfileName,
  parseProfile,
  serializeProfile,
} from '../../../src/client/config/profile.ts'
import { caught } from './caught.ts'

const fail = (field: string, problem: string): never => {
  throw new Error(`${field}: ${problem}`)
}
const parse = (entry: unknown) => parseProfile('shop', entry, fail)

describe('a profile name', () => {
  test.each(['shop', 'Shop-2', 'eu.shop_1', '7', '_a', 'a'.repeat(64), 'sandbox2'])('may be %s', (name) => {
    expect(checkProfileName(name)).toBe(name)
  })

  test.each([
    ['', 'must be 1 to 64'],
    ['a'.repeat(65), 'must be 1 to 64'],
    ['-p', 'must not start with a dot or hyphen'],
    ['.hidden', 'must not start with a dot or hyphen'],
    ['my shop', 'must be 1 to 64'],
    ['shop/eu', 'must be 1 to 64'],
    ['büro', 'must be 1 to 64'],
    ['shop\n', 'must be 1 to 64'],
    ['__proto__', 'is a reserved word'],
    ['constructor', 'is a reserved word'],
    ['toString', 'is a reserved word'],
    ['sandbox', 'built-in sandbox'],
    ['Sandbox', 'built-in sandbox'],
  ])('cannot be %j', (name, problem) => {
    const error = caught(() => checkProfileName(name))
    expect(error).toMatchObject({ code: 'bad_profile_name', exitCode: 2 })
    expect(error.message).toContain(problem)
  })

  test('that is invalid and long is not repeated', () => {
    expect(caught(() => checkProfileName('a b\u001b[2J')).message).toMatch(/^The profile name must be/)
  })
})

describe('an API version', () => {
  test.each(['2.1', '2021-09-27', 'v3'])('may be %s', (version) => {
    expect(checkApiVersion(version, '--api-version')).toBe(version)
  })

  test.each(['', '2.1\r\nX-Evil: 1', ' 2.1', '-', 'é', '1'.repeat(33)])('cannot be %j', (version) => {
    const error = caught(() => checkApiVersion(version, '--api-version'))
    expect(error.code).toBe('bad_api_version')
    expect(error.message).toBe('--api-version must be a version such as 2.1')
  })
})

describe('a stored profile', () => {
  test('is read with all its fields', () => {
    const entry = {
      baseUrl: 'https://api.example.com/',
      mode: 'test',
      apiKey: 'key_0123456789',
      apiVersion: '2.1',
      limits: { readOnly: true, operations: ['payment.refund'], maxAmount: { EUR: 50000, JPY: 0 } },
    }
    expect(parse(entry)).toEqual({
      ...entry,
      name: 'shop',
      baseUrl: 'https://api.example.com',
      modeIsGuess: false,
    })
  })

  test('needs only a base URL; the mode is guessed', () => {
    expect(parse({ baseUrl: 'https://api.sandbox.example.com' })).toEqual({
      name: 'shop',
      baseUrl: 'https://api.sandbox.example.com',
      mode: 'test',
      modeIsGuess: true,
      limits: { readOnly: false },
    })
  })

  test.each([
    ['text', ': must be an object'],
    [null, ': must be an object'],
    [[], ': must be an object'],
    [{}, 'baseUrl: must be a URL'],
    [{ baseUrl: 7 }, 'baseUrl: must be a URL'],
    [{ baseUrl: 'http://api.example.com' }, 'baseUrl: must be https'],
    [{ mode: 'prod' }, 'mode: must be "test" or "live"'],
    [{ apiKey: 7 }, 'apiKey: must be text'],
    [{ apiKey: 'a b' }, 'apiKey: contains a space'],
    [{ apiKey: '' }, 'apiKey: is empty'],
    [{ apiVersion: 2.1 }, 'apiVersion: must be a version'],
    [{ apiVersion: '2.1\n' }, 'apiVersion: must be a version'],
    [{ api_key: 'x' }, ': does not have "api_key"; did you mean "apiKey"?'],
    [{ colour: 'x' }, ': does not have "colour"'],
    [{ key_0123456789abcdef0123: 'x' }, ': does not have an unknown field'],
    [{ limits: [] }, 'limits: must be an object'],
    [{ limits: null }, 'limits: must be an object'],
    [{ limits: { readonly: true } }, 'limits: does not have "readonly"; did you mean "readOnly"?'],
    [{ limits: { maxAmout: { EUR: 1 } } }, 'limits: does not have "maxAmout"; did you mean "maxAmount"?'],
    [{ limits: { readOnly: 'yes' } }, 'limits.readOnly: must be true or false'],
    [{ limits: { operations: 'payment.refund' } }, 'limits.operations: must be a list'],
    [{ limits: { operations: ['refund'] } }, 'limits.operations: must be a list'],
    [{ limits: { operations: [7] } }, 'limits.operations: must be a list'],
    [{ limits: { maxAmount: 500 } }, 'limits.maxAmount: must be an object'],
    [{ limits: { maxAmount: { eur: 500 } } }, 'limits.maxAmount: must have currency codes'],
    [{ limits: { maxAmount: { EUR: '500' } } }, 'limits.maxAmount.EUR: must be a whole number'],
    [{ limits: { maxAmount: { EUR: 1.5 } } }, 'limits.maxAmount.EUR: must be a whole number'],
    [{ limits: { maxAmount: { EUR: -1 } } }, 'limits.maxAmount.EUR: must be a whole number'],
    [{ limits: { maxAmount: { EUR: 2 ** 53 } } }, 'limits.maxAmount.EUR: must be a whole number'],
  ])('that is %j is refused', (entry, problem) => {
    const isPart =
      typeof entry === 'object' && entry !== null && !Array.isArray(entry) && Object.keys(entry).length > 0
    const whole = isPart ? { baseUrl: 'https://api.example.com', ...entry } : entry
    expect(() => parse(whole)).toThrow(problem)
  })

  test.each([
    { baseUrl: 'https://api.example.com' },
    { baseUrl: 'https://api.example.com', mode: 'live', apiKey: 'k1', apiVersion: '2.1' },
    { baseUrl: 'https://api.example.com', limits: { readOnly: true } },
    { baseUrl: 'https://api.example.com', limits: { operations: [] } },
    { baseUrl: 'https://api.example.com', limits: { maxAmount: { EUR: 1 } } },
  ])('is written back unchanged: %j', (entry) => {
    expect(JSON.parse(JSON.stringify(serializeProfile(parse(entry))))).toEqual(entry)
  })
})
