import { describe, expect, test } from 'vitest'
import { checkBaseUrl, guessMode } from '../../../src/client/config/base-url.ts'
import { caught, everythingOf } from './caught.ts'

describe('a base URL', () => {
  test.each([
    ['https://api.example.com', 'https://api.example.com'],
    ['https://api.example.com/', 'https://api.example.com'],
    ['https://api.example.com//', 'https://api.example.com'],
    ['https://API.Example.com:443/', 'https://api.example.com'],
    ['https://api.example.com:8443/pay/v2/', 'https://api.example.com:8443/pay/v2'],
    ['http://localhost:4010', 'http://localhost:4010'],
    ['http://127.0.0.1:4010/', 'http://127.0.0.1:4010'],
    ['http://127.9.9.9', 'http://127.9.9.9'],
    ['http://[::1]:4010', 'http://[::1]:4010'],
    ['http://2130706433', 'http://127.0.0.1'],
    ['https://10.0.0.1', 'https://10.0.0.1'],
  ])('%s is normalized to %s', (text, url) => {
    expect(checkBaseUrl(text, '--base-url')).toBe(url)
  })

  test.each([
    ['http://api.example.com', 'must be https'],
    ['http://10.0.0.1', 'must be https'],
    ['http://localhost.example.com', 'must be https'],
    ['http://127.0.0.1.example.com', 'must be https'],
    ['http://sandbox.localhost', 'must be https'],
    ['http://0.0.0.0', 'must be https'],
    ['ftp://localhost', 'must be https'],
    ['localhost:4010', 'is not a URL'],
    ['file:///etc/passwd', 'is not a URL'],
    ['api.example.com', 'is not a URL'],
    ['', 'is not a URL'],
    ['https://', 'is not a URL'],
    ['https://api.example.com?a=1', 'query'],
    ['https://api.example.com/#top', 'fragment'],
    ['https://ann:hunter2secret@api.example.com', 'user name or password'],
    ['https://hunter2secret@api.example.com', 'user name or password'],
    ['https//ann:hunter2secret@api.example.com', 'is not a URL'],
  ])('%s is refused: %s', (text, problem) => {
    const error = caught(() => checkBaseUrl(text, 'PAY_BASE_URL'))
    expect(error).toMatchObject({ code: 'bad_base_url', exitCode: 2 })
    expect(error.message).toContain(`PAY_BASE_URL`)
    expect(error.message).toContain(problem)
    expect(everythingOf(error)).not.toContain('hunter2secret')
  })
})

test.each([
  ['https://api.example.com', 'live'],
  ['https://api.sandbox.example.com', 'test'],
  ['https://sandbox.example.com/pay', 'test'],
  ['https://SANDBOX.example.com', 'test'],
  ['https://mysandbox.example.com', 'live'],
  ['https://sandbox-eu.example.com', 'live'],
  ['https://api.example.com/sandbox', 'live'],
  ['http://localhost:4010', 'test'],
  ['https://127.0.0.1', 'test'],
  ['https://[::1]', 'test'],
  ['https://localhost.example.com', 'live'],
  ['https://10.0.0.1', 'live'],
  ['nonsense', 'live'],
])('the guessed mode of %s is %s', (url, mode) => {
  expect(guessMode(url)).toBe(mode)
})

test.each([
  'https://PAY.example./v1',
  'https://pay.example//v1',
  'https://pay.example/v1//',
  'https://pay.example/%761',
  'https://pay.example./%76%31/',
])('%s is another spelling of one base URL', (text) => {
  expect(checkBaseUrl(text, '--base-url')).toBe('https://pay.example/v1')
})

test('a port stays, and so does an escape that is needed', () => {
  expect(checkBaseUrl('https://pay.example.:8443/a%2fb', '--base-url')).toBe('https://pay.example:8443/a%2Fb')
})
