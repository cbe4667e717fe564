import { expect, test } from 'vitest'
import { proxyFor } from '../../../src/client/http/proxy.ts'

const PROXY = 'http://proxy.example.com:3128'
const ask = (url: string, env: Record<string, string>) => proxyFor(new URL(url), env)

test.each<[string, Record<string, string>, string | undefined]>([
  ['https://api.example.com/', {}, undefined],
  ['https://api.example.com/', { HTTPS_PROXY: PROXY }, PROXY],
  ['https://api.example.com/', { https_proxy: PROXY }, PROXY],
  ['https://api.example.com/', { https_proxy: PROXY, HTTPS_PROXY: 'other' }, PROXY],
  ['https://api.example.com/', { https_proxy: '', HTTPS_PROXY: PROXY }, PROXY],
  ['https://api.example.com/', { HTTPS_PROXY: ' ' }, undefined],
  ['https://api.example.com/', { HTTP_PROXY: PROXY }, undefined],
  ['http://api.example.com/', { HTTP_PROXY: PROXY }, PROXY],
  ['http://api.example.com/', { HTTPS_PROXY: PROXY }, undefined],
])('%s with %j goes through %s', (url, env, proxy) => {
  expect(ask(url, env)).toBe(proxy)
})

test.each([
  'http://localhost:4010',
  'https://localhost',
  'https://LOCALHOST.',
  'https://pay.localhost',
  'https://127.0.0.1:8443',
  'https://127.9.8.7',
  'https://127.1',
  'https://[::1]:8443',
])('%s is this machine, and is never requested through a proxy', (url) => {
  expect(ask(url, { HTTPS_PROXY: PROXY, HTTP_PROXY: PROXY })).toBeUndefined()
})

test.each(['https://localhost.example.com', 'https://128.0.0.1', 'https://127.example.com', 'https://[::2]'])(
  '%s is not this machine',
  (url) => {
    expect(ask(url, { HTTPS_PROXY: PROXY })).toBe(PROXY)
  },
)

test.each([
  ['https://api.example.com', '*'],
  ['https://api.example.com', 'api.example.com'],
  ['https://API.example.com', 'api.EXAMPLE.com'],
  ['https://api.example.com', 'example.com'],
  ['https://api.example.com', '.example.com'],
  ['https://api.example.com', '*.example.com'],
  ['https://api.example.com', 'api.example.com.'],
  ['https://api.example.com', 'other.org, example.com'],
  ['https://api.example.com', 'other.org example.com'],
  ['https://api.example.com', 'example.com:443'],
  ['https://api.example.com:8443', 'example.com:8443'],
  ['https://10.1.2.3', '10.1.2.3'],
  ['https://10.1.2.3', '10.0.0.0/8'],
  ['https://[fd00::5]', 'fd00::/8'],
  ['https://[fd00::5]', 'fd00::5'],
  ['https://[fd00::5]:8443', '[fd00::5]:8443'],
])('%s is excepted by NO_PROXY=%s', (url, list) => {
  expect(ask(url, { HTTPS_PROXY: PROXY, NO_PROXY: list })).toBeUndefined()
  expect(ask(url, { HTTPS_PROXY: PROXY, no_proxy: list })).toBeUndefined()
})

test.each([
  ['https://api.example.com', ''],
  ['https://api.example.com', 'ple.com'],
  ['https://api.example.com', 'api.example.com.evil.org'],
  ['https://api.example.com', 'example.com:8443'],
  ['https://api.example.com', '10.0.0.0/8'],
  ['https://11.1.2.3', '10.0.0.0/8'],
  ['https://10.1.2.3', '10.0.0.0/99'],
  ['https://10.1.2.3', '10.0.0.0/x'],
  ['https://10.1.2.3', 'fd00::/8'],
  ['https://1.10.1.2', '10.1.2'],
])('%s is not excepted by NO_PROXY=%s', (url, list) => {
  expect(ask(url, { HTTPS_PROXY: PROXY, NO_PROXY: list })).toBe(PROXY)
})
