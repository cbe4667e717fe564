import { describe, expect, test } from 'vitest'
import { at, openService, refusal, textAt } from '../service.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

const post = async (text: string, headers: Readonly<Record<string, string>> = JSON_TYPE) =>
  (await openService()).call('POST', '/client-session', undefined, { text, headers })

const FULL_LINE =
  '{"amount":1,"itemId":"a","name":"b","description":"c","quantity":1,"discountAmount":0,"taxAmount":0,"taxCode":"d"}'

const sized = (bytes: number) => `{"orderId":"${'a'.repeat(bytes - 14)}"}`

describe('body', () => {
  test.each(['', '  ', 'null', '{}'])('treats %j as empty', async (text) => {
    expect(await post(text)).toMatchObject({ status: 200 })
  })

  test.each([
    '{',
    '{"orderId":"a",}',
    "{'orderId':'a'}",
    '{"orderId":"a","orderId":"b"}',
    '[',
    'hello',
    '['.repeat(100_000),
  ])('refuses malformed JSON', async (text) => {
    expect(await post(text)).toMatchObject(refusal(400, 'MalformedJson'))
  })

  test.each(['[]', '"text"', '5', 'true'])('refuses %s, which is not an object', async (text) => {
    expect(await post(text)).toMatchObject(refusal(422, 'RequestValidationError'))
  })

  test('accepts 1 MB and refuses anything larger', async () => {
    expect(await post(sized(1024 * 1024))).toMatchObject({ status: 200 })
    expect(await post(sized(1024 * 1024 + 1))).toMatchObject(refusal(413, 'PayloadTooLarge'))
  })

  const times = (count: number, text: string) => Array.from({ length: count }, () => text).join(',')
  const keys = (count: number) => Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',')
  const lineOf = (count: number) => `{${keys(count)}}`

  test.each([
    ['a list', `{"lineItems":[${times(1_000, '{"name":"a"}')}]}`],
    ['an object', `{"metadata":{${keys(1_000)}}}`],
    [
      'an order of a thousand lines with eight fields',
      `{"currencyCode":"EUR","lineItems":[${times(1_000, FULL_LINE)}]}`,
    ],
    ['a text of commas', `{"metadata":{"a":"${',['.repeat(20_000)}"}}`],
    ['a text of quotes', `{"metadata":{"a":"${String.raw`\",`.repeat(20_000)}"}}`],
  ])('accepts as much as the limits allow: %s', async (_, text) => {
    expect(await post(text)).toMatchObject({ status: 200 })
  })

  test.each([
    ['a list', `{"lineItems":[${times(1_001, '{}')}]}`, '$.lineItems must have at most 1000 entries'],
    ['an object', `{"metadata":{${keys(1_001)}}}`, '$.metadata must have at most 1000 fields'],
    [
      'a list within',
      `{"order":{"fees":[]},"x":[1,{"a b":[${times(1_001, '1')}]}]}`,
      '$.x[1]["a b"] must have at most 1000 entries',
    ],
    ['all of it', `{"x":[${times(100, `[${times(100, '1')}]`)}]}`, '$ must have at most 10000 values in all'],
    ['130,000 lines', `{"lineItems":[${times(130_000, '1')}]}`, '$.lineItems must have at most 1000 entries'],
    ['lines with fields', `{"lineItems":[${times(1_000, lineOf(20))}]}`, '$ must have at most 10000 values'],
  ])('refuses more than a limit allows, and names the limit: %s', async (_, text, words) => {
    const answer = await post(text)
    expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
    expect(at(answer.body, 'error', 'description')).toContain(words)
  })

  test('reports where JSON is malformed, unless the body is long', async () => {
    const words = async (text: string) => at((await post(text)).body, 'error', 'description')
    expect(await words('{"a":}')).toContain('at line 1, column 6')
    expect(await words(`{"a":"${'x'.repeat(100_000)}"`)).toBe('The body is not JSON.')
  })

  test.each([
    ['100.0', 100],
    ['1e2', 100],
    ['1.5E1', 15],
    ['1000e-1', 100],
    ['0.0', 0],
    ['-0', 0],
    ['9007199254740991.0', Number.MAX_SAFE_INTEGER],
  ])('reads %s as the integer %i', async (digits, amount) => {
    const text = `{"currencyCode":"EUR","amount":${digits}}`
    expect(await post(text)).toMatchObject({ status: 200, body: { amount } })
  })

  test.each(['100.5', '1e-1', '9007199254740992.0', '9007199254740993.0', '1e16', '1e999999999', '-1.0'])(
    'refuses %s as an amount',
    async (digits) => {
      const answer = await post(`{"currencyCode":"EUR","amount":${digits}}`)
      expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
    },
  )

  test('accepts an integer in metadata in any notation, even beyond 2^53', async () => {
    const service = await openService()
    const text = '{"metadata":{"a":1.0,"b":9007199254740993.0}}'
    const { body } = await service.call('POST', '/client-session', undefined, { text })
    const url = `/client-session?clientToken=${textAt(body, 'clientToken')}`
    const { body: answered } = await service.sandbox.handle({
      method: 'GET',
      url,
      headers: { 'x-api-key': 'sandbox_all' },
      body: undefined,
    })
    expect(answered).toContain('"metadata":{"a":1,"b":9007199254740993}')
  })

  test.each([
    ['application/json; charset=utf-8', 200],
    ['Application/JSON', 200],
    ['application/x-www-form-urlencoded', 415],
    ['text/plain', 415],
  ])('of type %s', async (type, status) => {
    expect((await post('{}', { 'content-type': type })).status).toBe(status)
  })

  test('an empty body can have any type', async () => {
    expect(await post('', { 'content-type': 'text/plain' })).toMatchObject({ status: 200 })
  })

  test('needs no content type', async () => {
    expect(await post('{"orderId":"a"}', {})).toMatchObject({ status: 200, body: { orderId: 'a' } })
  })

  test('refuses a body or query that the operation does not have', async () => {
    const service = await openService()
    for (const answer of [
      await service.call('DELETE', '/payment-instruments/x', { force: true }),
      await service.call('GET', '/payments/x?expand=all'),
      await service.call('GET', '/payments', { a: 1 }),
      await service.call('GET', '/payments/x', 'text'),
      await service.call('GET', '/payment-instruments?customer_id=x', { a: 1 }),
      await service.call('POST', '/payments/x/capture?amount=5'),
    ])
      expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
  })
})
