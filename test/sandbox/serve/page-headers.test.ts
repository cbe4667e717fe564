import { describe, expect, test } from 'vitest'
import { pagesIn } from '../../../src/sandbox/serve/pages.ts'
import { BUILT_PAGES, openPages } from '../../pages/served-pages.ts'
import { openServed, send } from './over-http.ts'
import { answersIn, openRaw } from './raw-client.ts'

/** Every route, and the headers that keep others out. */

const DENIED = {
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}
const DOCUMENT = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'permissions-policy': expect.stringMatching(/camera=\(\).*payment=\(\)/),
}
const OURS = { 'cross-origin-resource-policy': 'same-origin' }
const ANYONES = { 'cross-origin-resource-policy': 'cross-origin' }
const STRICT = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const ROUTES: readonly (readonly [method: string, path: string, status: number, headers: object])[] = [
  [
    'GET',
    '/dashboard',
    200,
    {
      ...DOCUMENT,
      ...OURS,
      'x-frame-options': 'DENY',
      'content-security-policy': `${STRICT}; frame-ancestors 'none'`,
    },
  ],
  ['GET', '/dashboard/payments/p1?status=SETTLED', 200, { ...DOCUMENT, ...OURS, 'x-frame-options': 'DENY' }],
  [
    'GET',
    '/checkout',
    200,
    {
      ...DOCUMENT,
      ...ANYONES,
      'content-security-policy': `${STRICT}; frame-ancestors 'self' http://localhost:* https://localhost:* http://*.localhost:* https://*.localhost:* http://127.0.0.1:* https://127.0.0.1:*`,
    },
  ],
  ['GET', '/checkout.js', 200, { ...DENIED, ...ANYONES }],
  ['GET', '/assets/dashboard.js', 200, { ...DENIED, ...OURS }],
  ['GET', '/assets/dashboard.css', 200, { ...DENIED, ...OURS }],
  ['GET', '/assets/checkout.js', 200, { ...DENIED, ...OURS }],
  ['GET', '/assets/checkout.css', 200, { ...DENIED, ...OURS }],
  ['GET', '/assets/nothing.js', 404, { ...DENIED, ...OURS }],
  ['HEAD', '/dashboard', 200, { ...DOCUMENT, ...OURS, 'x-frame-options': 'DENY' }],
  ['POST', '/dashboard', 405, { ...DENIED, ...OURS, allow: 'GET' }],
  ['DELETE', '/checkout.js', 405, { ...DENIED, ...OURS, allow: 'GET' }],
  ['GET', '/payments', 200, { ...DENIED, ...OURS }],
  ['POST', '/payments', 422, { ...DENIED, ...OURS }],
  ['PUT', '/payments', 405, { ...DENIED, ...OURS }],
  ['GET', '/nothing', 404, { ...DENIED, ...OURS }],
  ['GET', '/sandbox/requests', 200, { ...DENIED, ...OURS }],
  ['GET', '/sandbox/status', 200, { ...DENIED, ...OURS }],
  ['HEAD', '/sandbox/changes', 200, { ...DENIED, ...OURS }],
  ['POST', '/sandbox/open', 422, { ...DENIED, ...OURS }],
  ['GET', '/open/unknown', 404, { ...DENIED, ...OURS }],
]

describe.each(ROUTES)('%s %s', (method, path, status, headers) => {
  const answerTo = async (more: Readonly<Record<string, string>> = {}) => {
    const { server } = await openPages()
    const body = method === 'POST' ? '{}' : undefined
    const sent = { 'x-api-key': 'sandbox_all', 'content-type': 'application/json', ...more }
    return send(server.url, { method, url: path, headers: sent, body })
  }

  test('has the headers that browsers obey', async () => {
    const answer = await answerTo()
    expect(answer.status).toBe(status)
    expect(answer.headers).toMatchObject({
      ...headers,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
  })

  test('allows no other origin to read it, and nothing unsafe', async () => {
    const { headers: received } = await answerTo({ origin: 'http://localhost:3000' })
    expect(Object.keys(received).filter((name) => name.startsWith('access-control'))).toEqual([])
    expect(received['content-security-policy']).not.toMatch(/unsafe|\*(?!\.localhost)(?![ ;]|$)/)
  })

  test.each([
    ['another host', { host: 'evil.test' }],
    ['another origin', { origin: 'http://evil.test' }],
    ['an opaque origin', { origin: 'null' }],
    ['another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }],
    [
      'a picture of another site',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
    ],
    ['another site that says no more', { 'sec-fetch-site': 'cross-site' }],
  ])('gives nothing to %s', async (_, more) => {
    const answer = await answerTo(more)
    expect(answer.status).toBe(403)
    expect(answer.headers).toMatchObject({ ...DENIED, ...OURS })
    expect(answer.body).not.toContain('<')
  })
})

describe('another site', () => {
  const asked = async (path: string, mode: string, into: string, method = 'GET') => {
    const { server } = await openPages()
    const headers = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': mode,
      'sec-fetch-dest': into,
      'x-api-key': 'sandbox_all',
    }
    return (await send(server.url, { method, url: path, headers, body: undefined })).status
  }

  test.each([
    ['/checkout.js', 'no-cors', 'script'],
    ['/checkout', 'navigate', 'iframe'],
    ['/checkout', 'navigate', 'document'],
    ['/dashboard', 'navigate', 'document'],
    ['/dashboard/insights?by=day', 'navigate', 'document'],
  ])('may have %s with %s into a %s', async (path, mode, into) => {
    expect(await asked(path, mode, into)).toBe(200)
  })

  test.each([
    ['/checkout.js', 'cors', 'script'],
    ['/checkout.js', 'no-cors', 'worker'],
    ['/checkout', 'navigate', 'embed'],
    ['/checkout', 'no-cors', 'iframe'],
    ['/checkout.jsx', 'no-cors', 'script'],
    ['/dashboard', 'navigate', 'iframe'],
    ['/dashboards', 'navigate', 'document'],
    ['/assets/checkout.js', 'no-cors', 'script'],
    ['/payments', 'navigate', 'document'],
    ['/payments?x=/checkout', 'navigate', 'iframe'],
    ['/payments#/checkout.js', 'no-cors', 'script'],
    ['/sandbox/status', 'navigate', 'document'],
    ['/open/x', 'navigate', 'document'],
  ])('may not have %s with %s into a %s', async (path, mode, into) => {
    expect(await asked(path, mode, into)).toBe(403)
  })

  test('may only read them', async () => {
    expect(await asked('/checkout', 'navigate', 'iframe', 'POST')).toBe(403)
    expect(await asked('/checkout.js', 'no-cors', 'script', 'DELETE')).toBe(403)
  })
})

test('the same site may use it, as programs without a site do', async () => {
  const { server } = await openPages()
  for (const site of ['same-origin', 'same-site', 'none'])
    expect(
      await send(server.url, {
        method: 'GET',
        url: '/payments',
        headers: { 'sec-fetch-site': site, 'x-api-key': 'sandbox_all' },
        body: undefined,
      }),
    ).toMatchObject({ status: 200 })
})

test('allowed origins may frame the checkout, and nothing else', async () => {
  const pages = pagesIn({
    folder: BUILT_PAGES,
    allowedOrigins: ['https://shop.test', 'http://192.168.1.20:3000'],
  })
  const { server } = await openServed({ pages })
  const policyOf = async (url: string) =>
    (await send(server.url, { method: 'GET', url, headers: {}, body: undefined })).headers[
      'content-security-policy'
    ]
  expect(await policyOf('/checkout')).toMatch(/ https:\/\/shop\.test http:\/\/192\.168\.1\.20:3000$/)
  expect(await policyOf('/dashboard')).toMatch(/frame-ancestors 'none'$/)
})

test('a refusal of another host has the headers too', async () => {
  const { server } = await openPages()
  const client = await openRaw(server.port)
  client.send('GET /payments HTTP/1.1\r\nHost: evil.test\r\n\r\n')
  const [answer] = answersIn(await client.until(/\r\n\r\n.*\}/s))
  expect(answer?.headers).toMatchObject({ ...DENIED, ...OURS, 'x-content-type-options': 'nosniff' })
})
