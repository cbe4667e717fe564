import { describe, expect, test } from 'vitest'
import { OPERATIONS } from '../../../src/api/table.ts'
import { UsageError } from '../../../src/errors.ts'
import { buildRequest } from '../../../src/client/calls/build.ts'
import type { RequestParts } from '../../../src/client/calls/build.ts'

const PARTS: RequestParts = {
  baseUrl: 'https://api.example.com',
  params: {},
  query: {},
  body: undefined,
  apiKey: 'key_1',
  apiVersion: '2.1',
  userAgent: 'payctl/0.1.0 (linux; node 20.19.0)',
}
const CAPTURE = { method: 'POST', path: '/payments/{id}/capture' }
const LIST = { method: 'GET', path: '/payments' }

const build = (operation: { method: string; path: string }, parts: Partial<RequestParts> = {}) =>
  buildRequest(operation, { ...PARTS, ...parts })
const refusal = (operation: { method: string; path: string }, parts: Partial<RequestParts>): UsageError => {
  try {
    build(operation, parts)
  } catch (error) {
    if (error instanceof UsageError) return error
    throw error
  }
  throw new Error('was not refused')
}

test('puts the row, its values and the account into one request', () => {
  const request = build(CAPTURE, { params: { id: 'pay1' }, body: '{"amount":5}', idempotencyKey: 'k-1' })
  expect(request).toEqual({
    method: 'POST',
    url: 'https://api.example.com/payments/pay1/capture',
    headers: {
      accept: 'application/json',
      'accept-encoding': 'identity',
      'content-type': 'application/json',
      'user-agent': 'payctl/0.1.0 (linux; node 20.19.0)',
      'x-api-key': 'key_1',
      'x-api-version': '2.1',
      'x-idempotency-key': 'k-1',
    },
    body: '{"amount":5}',
  })
})

test('names no content type and no idempotency key where there is none', () => {
  const names = Object.keys(build(CAPTURE, { params: { id: 'pay1' } }).headers)
  expect(names.toSorted()).toEqual(['accept', 'accept-encoding', 'user-agent', 'x-api-key', 'x-api-version'])
})

test('writes every header name in lower case', () => {
  const { headers } = build(CAPTURE, { params: { id: 'p' }, body: '{}', idempotencyKey: 'k' })
  expect(Object.keys(headers)).toEqual(Object.keys(headers).map((name) => name.toLowerCase()))
})

test('keeps the body as it was written, byte for byte', () => {
  const body = '{ "amount" : 7.00, "order":{"a":"ü\\u0041"} }'
  expect(build(CAPTURE, { params: { id: 'p' }, body }).body).toBe(body)
})

test.each([
  ['https://api.example.com', 'https://api.example.com/payments'],
  ['https://api.example.com/', 'https://api.example.com/payments'],
  ['https://api.example.com/v1', 'https://api.example.com/v1/payments'],
  ['http://localhost:4010/v1//', 'http://localhost:4010/v1/payments'],
])('joins the base URL %s and the path with one slash', (baseUrl, url) => {
  expect(build(LIST, { baseUrl }).url).toBe(url)
})

describe('path values', () => {
  test.each([
    ['pay_1-2.3~', 'pay_1-2.3~'],
    ['a b', 'a%20b'],
    ['a?b#c', 'a%3Fb%23c'],
    ['50%', '50%25'],
    ['a%2Fb', 'a%252Fb'],
    ['{id}', '%7Bid%7D'],
    ['$&$1', '%24%26%241'],
    ['ü€😀', '%C3%BC%E2%82%AC%F0%9F%98%80'],
    ['a;b=c&d', 'a%3Bb%3Dc%26d'],
  ])('encodes %s', (id, path) => {
    expect(build(CAPTURE, { params: { id } }).url).toBe(`https://api.example.com/payments/${path}/capture`)
  })

  test.each([
    '',
    '/',
    'a/b',
    '..',
    '../x',
    'a..b',
    '.',
    'a\\b',
    'a\nb',
    '\u0000',
    '\u001b[31m',
    '\u0085',
    '\ud800',
  ])('refuses %j, naming the argument and not repeating the value', (id) => {
    const { message } = refusal(CAPTURE, { params: { id } })
    expect(message).toMatch(/^The ID /)
    expect(message).not.toMatch(/\p{Cc}|\p{Cs}/u)
  })

  test('refuses a value that is missing', () => {
    expect(refusal(CAPTURE, {}).message).toBe('The ID is empty')
    expect(refusal({ method: 'GET', path: '/{toString}' }, {}).message).toBe('toString is empty')
  })

  test.each(OPERATIONS.filter((operation) => operation.path.includes('{')))(
    'reach the path of $id encoded, and the URL parser changes nothing in it',
    (operation) => {
      const name = /\{(\w+)\}/.exec(operation.path)?.[1] ?? ''
      const { url } = build(operation, { params: { [name]: "a b:@!$'()*+,;=" } })
      expect(url).not.toMatch(/[{}\s]/)
      expect(new URL(url).href).toBe(url)
    },
  )
})

describe('query values', () => {
  test.each([
    [{}, ''],
    [{ limit: '5' }, '?limit=5'],
    [{ limit: '5', cursor: 'a b&c=d' }, '?limit=5&cursor=a%20b%26c%3Dd'],
    [{ status: ['SETTLED', 'PENDING'] }, '?status=SETTLED,PENDING'],
    [{ status: ['a,b', 'c'] }, '?status=a%2Cb,c'],
    [{ status: [] }, ''],
    [{ order_id: 'ä/../\n' }, '?order_id=%C3%A4%2F..%2F%0A'],
    [{ order_id: '' }, '?order_id='],
  ])('%j becomes %s', (query, text) => {
    expect(build(LIST, { query }).url).toBe(`https://api.example.com/payments${text}`)
  })

  test('are added to those that the path has already', () => {
    expect(build({ method: 'GET', path: '/payments?limit=5' }, { query: { cursor: 'x' } }).url).toBe(
      'https://api.example.com/payments?limit=5&cursor=x',
    )
  })

  test('refuses half of a character', () => {
    expect(refusal(LIST, { query: { order_id: '\udc00' } }).message).toMatch(/^order_id /)
  })
})

describe('a path that a person typed', () => {
  test.each([
    'payments',
    '//evil.example.com/payments',
    '/payments/../profile',
    '/payments/./x',
    '/payments/%2e%2E/x',
    '/payments/.%2e',
    '/pay ments',
    '/payments\r\nx-api-key: other',
    '/payments#x',
    '/payments\\x',
    '',
  ])('refuses %j', (path) => {
    expect(refusal({ method: 'GET', path }, {}).message).toMatch(/^The path must start with one \//)
  })

  test('keeps dots inside a segment and percent-encoded signs', () => {
    expect(build({ method: 'GET', path: '/v1.0/a%20b/...' }).url).toBe(
      'https://api.example.com/v1.0/a%20b/...',
    )
  })
})

describe('header values', () => {
  test.each([
    ['line\nbreak', 'contains a line break or another control character'],
    ['key\r\nx-evil: 1', 'contains a line break or another control character'],
    ['\u001b[2J', 'contains a line break or another control character'],
    ['schlüssel', 'may contain only ASCII characters'],
    ['“quoted”', 'may contain only ASCII characters'],
    [' key', 'starts or ends with a space'],
    ['key ', 'starts or ends with a space'],
  ])('refuses %j without repeating it', (value, words) => {
    expect(refusal(LIST, { apiKey: value }).message).toBe(`The API key ${words}`)
    expect(refusal(LIST, { apiVersion: value }).message).toBe(`The API version ${words}`)
    expect(refusal(LIST, { userAgent: value }).message).toBe(`The user agent ${words}`)
    expect(refusal(LIST, { idempotencyKey: value }).message).toBe(`The idempotency key ${words}`)
  })

  test('refuses an empty idempotency key and an empty version', () => {
    expect(refusal(LIST, { idempotencyKey: '' }).message).toBe('The idempotency key is empty')
    expect(refusal(LIST, { apiVersion: '' }).message).toBe('The API version is empty')
  })

  test('lets an empty API key through: a dry run needs none', () => {
    expect(build(LIST, { apiKey: '' }).headers['x-api-key']).toBe('')
  })

  test('keeps a space inside', () => {
    expect(build(LIST, { idempotencyKey: 'ticket 42' }).headers['x-idempotency-key']).toBe('ticket 42')
  })
})
