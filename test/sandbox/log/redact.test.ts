import { describe, expect, test } from 'vitest'
import { redactBody, redactHeader, redactQuery } from '../../../src/sandbox/log/redact.ts'

const TOKEN = 'Zk3vQ9xW2rT7yU1iO5pA8sD4fG6hJ0kL_-bN'
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjF9.c2lnbmF0dXJl'
const CARD = '4111111111111111'

test('keeps JSON as it was sent, digit by digit', () => {
  const text = '{ "amount" : 100.0, "big":12345678901234567890, "name":"Zoë \\u00e9", "list":[1, null,true] }'
  expect(redactBody(text)).toBe(text)
})

test('keeps the published tokens, ids and words that only look secret', () => {
  const text =
    '{"paymentMethodToken":"tok_visa","id":"abc123XYZ","tokenType":"MULTI_USE","analyticsId":"2f1f6b3e-8a52-4b60-a1f5-0d9a4b1c2d3e","date":"2026-03-04T05:06:07.089000","key":""}'
  expect(redactBody(text)).toBe(text)
})

describe('replaces', () => {
  test.each([
    ['a payment method token', { paymentMethodToken: TOKEN }, { paymentMethodToken: '{paymentMethodToken}' }],
    ['a token of any form', { resumeToken: 'short' }, { resumeToken: '{resumeToken}' }],
    [
      'a client token',
      { requiredAction: { clientToken: JWT } },
      { requiredAction: { clientToken: '{clientToken}' } },
    ],
    [
      'a token under another name',
      { metadata: { note: `use ${TOKEN}!` } },
      { metadata: { note: 'use {token}!' } },
    ],
    [
      'a client token in a text',
      { description: `no session ${JWT}` },
      { description: 'no session {clientToken}' },
    ],
    ['a card number', { orderId: CARD }, { orderId: '{cardNumber}' }],
    ['a card number in groups', { note: '4111 1111-1111 1111' }, { note: '{cardNumber}' }],
    ['a card number that is a number', { pin: 1234, x: Number(CARD) }, { pin: '{pin}', x: '{cardNumber}' }],
    ['a security code', { cvv: '123', securityCode: 123 }, { cvv: '{cvv}', securityCode: '{securityCode}' }],
    [
      'an API key',
      { apiKey: 'sk_live_1', 'X-API-KEY': 'k' },
      { apiKey: '{apiKey}', 'X-API-KEY': '{X-API-KEY}' },
    ],
    ['tokens in a list', { token: ['a', 'b'], n: 1 }, { token: ['{token}', '{token}'], n: 1 }],
    ['a token that is a name', { [TOKEN]: 1 }, { '{token}': 1 }],
  ])('%s', (_, given, expected) => {
    for (const indent of [0, 2])
      expect(JSON.parse(redactBody(JSON.stringify(given, undefined, indent)))).toEqual(expected)
  })

  test('tokens that are written with escapes', () => {
    expect(redactBody(String.raw`{"payment\u004dethodToken":"\u0041bc","a":"\u0034111111111111111"}`)).toBe(
      String.raw`{"payment\u004dethodToken":"{paymentMethodToken}","a":"{cardNumber}"}`,
    )
  })

  test.each([
    ['JSON that is cut', `{"paymentMethodToken":"${TOKEN.slice(0, 20)}`],
    ['JSON that is broken', `{"clientToken":"x","paymentMethodToken":${TOKEN}`],
    ['names without quotes', `{paymentMethodToken: '${TOKEN.slice(0, 9)}', card: ${CARD}}`],
    ['a form', `paymentMethodToken=${TOKEN.slice(0, 9)}&card=${CARD}`],
    ['card numbers between words', `pay with 4111 1111 1111 1111 please`],
  ])('secrets in %s', (_, text) => {
    const redacted = redactBody(text)
    expect(redacted).not.toContain(TOKEN.slice(0, 9))
    expect(redacted).not.toMatch(/1111/)
    expect(redacted).toMatch(/\{(?:paymentMethodToken|cardNumber)\}/)
  })
})

test.each([
  ['12 31 4111 1111 1111 1111 05 29', '12 31 {cardNumber} 05 29'],
  ['4111-1111-1111-1111 4111 1111 1111 1111', '{cardNumber} {cardNumber}'],
  ['1 2 3 4 5 6 7 8 9', '1 2 3 4 5 6 7 8 9'],
  ['order-4111111111111111', 'order-4111111111111111'],
  [`shop.${JWT}.x and on`, 'shop.{clientToken} and on'],
  [`a-${JWT}`, 'a-{clientToken}'],
  ['money.key ey.x eyes-only.txt key..y', 'money.key ey.x eyes-only.txt key..y'],
  [
    'see https://shop.example/?resume_token=abc&page=2',
    'see https://shop.example/?resume_token={resume_token}&page=2',
  ],
  ['paymentMethodToken=tok_visa x-idempotency-key=abc', 'paymentMethodToken=tok_visa x-idempotency-key=abc'],
])('finds secrets among other words: %s', (text, shown) => {
  expect(redactBody(JSON.stringify({ text }))).toBe(JSON.stringify({ text: shown }))
})

test('keeps what follows `token=` in JSON that is cut', () => {
  expect(redactBody('{"note":"the token=abc1","more":[1,2,"x')).toBe(
    '{"note":"the token={token}","more":[1,2,"x',
  )
  expect(redactBody('the token=abc 1&more=2')).toBe('the token={token}&more=2')
})

test.each([
  'x',
  '=',
  '&',
  'a=',
  'ey-',
  'ey',
  'a.',
  '1 ',
  '1-',
  '0',
  ' ',
  '{',
  '"',
  String.raw`\"`,
  ':',
  '%25',
  '\u202e',
])('redacts a text of %j only', (part) => {
  const text = part.repeat(20_000 / part.length)
  for (const given of [text, `{"text":"${text}`])
    expect(redactBody(given).length).toBeLessThanOrEqual(given.length)
})

test('redacts queries by name and by value', () => {
  expect(
    redactQuery(`status=SETTLED,DECLINED&clientToken=${JWT}&order_id=${TOKEN}&x=4111+1111+1111+1111`),
  ).toBe('status=SETTLED,DECLINED&clientToken={clientToken}&order_id={token}&x={cardNumber}')
})

test.each([
  ['x-api-key', 'sandbox_all', '{x-api-key}'],
  ['authorization', 'Bearer x', '{authorization}'],
  ['cookie', 'a=b', '{cookie}'],
  ['x-shop-secret', 'x', '{x-shop-secret}'],
  ['x-idempotency-key', TOKEN, TOKEN],
  ['user-agent', `curl ${CARD}`, 'curl {cardNumber}'],
  ['content-type', 'application/json', 'application/json'],
])('header %s: %s', (name, value, shown) => {
  expect(redactHeader(name, value)).toBe(shown)
})
