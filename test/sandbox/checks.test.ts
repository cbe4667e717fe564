import { describe, expect, test } from 'vitest'
import { OPERATIONS } from '../../src/api/table.ts'
import { at, createPayment, openService, refusal, textAt } from './service.ts'
import type { CallOptions } from './service.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const samplePath = (path: string) => path.replace(/\{\w+\}/g, 'x')
const isOf = (methods: readonly string[], method: string) => methods.includes(method)

describe('the error envelope', () => {
  test('carries the request id of its header', async () => {
    const answer = await (await openService()).call('GET', '/payments/nothing')
    expect(answer.headers).toMatchObject({ 'content-type': 'application/json' })
    expect(answer.body).toEqual({
      error: {
        errorId: 'PaymentError',
        description: "Payment nothing doesn't exist.",
        diagnosticsId: answer.headers['x-request-id'],
      },
    })
  })

  test('a good answer has a request id too, another each time', async () => {
    const service = await openService()
    const ids = [await service.call('GET', '/payments'), await service.call('GET', '/payments')].map(
      ({ headers }) => headers['x-request-id'],
    )
    expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(ids[1]).not.toBe(ids[0])
  })

  test('names the model and every path', async () => {
    const answer = await (await openService()).call('POST', '/payments/x/capture', { amount: 0, extra: 1 })
    expect(at(answer.body, 'error', 'validationErrors')).toEqual([
      {
        model: 'PaymentCaptureAPIRequest',
        errors: [
          { path: '$.amount', description: 'must be at least 1' },
          { path: '$.extra', description: 'is not a known field' },
        ],
      },
    ])
  })
})

describe('the order of checks', () => {
  const everythingWrong = { key: 'wrong', headers: { 'x-api-version': '9' }, text: '{' }
  test('method comes with the route, before the key', async () => {
    const answer = await (await openService()).call('PUT', '/payments', undefined, everythingWrong)
    expect(answer).toMatchObject(refusal(405, 'MethodNotAllowed'))
  })

  const cases: readonly [string, string, CallOptions, number, string][] = [
    ['route', '/nowhere', everythingWrong, 404, 'NotFound'],
    ['key', '/observability/payments', everythingWrong, 401, 'Unauthorized'],
    ['scope', '/observability/payments', { ...everythingWrong, key: 'sandbox_nobeta' }, 403, 'Forbidden'],
    [
      'version',
      '/observability/payments',
      { ...everythingWrong, key: 'sandbox_all' },
      400,
      'UnsupportedApiVersion',
    ],
    ['body', '/observability/payments', { text: '{' }, 400, 'MalformedJson'],
  ]
  test.each(cases)('%s', async (_, path, options, status, errorId) => {
    const answer = await (await openService()).call('POST', path, undefined, options)
    expect(answer).toMatchObject(refusal(status, errorId))
  })

  test('then body, idempotency key, existence, state, amount', async () => {
    const service = await openService()
    const used = { headers: { 'x-idempotency-key': 'k' } }
    const { id } = await service.ok(
      'POST',
      '/payments',
      { paymentMethodToken: 'tok_visa', orderId: 'o', currencyCode: 'EUR', amount: 5 },
      used,
    )
    const capture = (target: unknown, body: object, options?: CallOptions) =>
      service.call('POST', `/payments/${String(target)}/capture`, body, options)
    expect(await capture('nothing', { amount: 'x' }, used)).toMatchObject(
      refusal(422, 'RequestValidationError'),
    )
    expect(await capture('nothing', { amount: 9 }, used)).toMatchObject(
      refusal(409, 'IdempotencyKeyAlreadyExists'),
    )
    expect(await capture('nothing', { amount: 9 })).toMatchObject(refusal(400, 'PaymentError'))
    const declined = await createPayment(service, 'tok_declined')
    expect(await capture(declined['id'], { amount: 9999 })).toMatchObject(
      refusal(400, 'InvalidPaymentStatus'),
    )
    expect(await capture(id, { amount: 9 })).toMatchObject(refusal(422, 'UnprocessableCaptureAmount'))
  })
})

describe('route', () => {
  const paths = [...new Set(OPERATIONS.map(({ path }) => path))]
  const methodsOf = (wanted: string) =>
    OPERATIONS.filter(({ path }) => path === wanted).map(({ method }) => method)

  test.each(paths.map((path) => [path, methodsOf(path)] as const))(
    '405 at %s names what it takes: %s',
    async (path, methods) => {
      const service = await openService()
      for (const method of [
        'PUT',
        ...['GET', 'POST', 'PATCH', 'DELETE'].filter((one) => !isOf(methods, one)),
      ]) {
        const answer = await service.call(method, samplePath(path))
        expect(answer).toMatchObject(refusal(405, 'MethodNotAllowed'))
        const allowed = (answer.headers['allow'] ?? '').split(', ')
        // A server takes these beside them.
        expect(allowed.filter((one) => one !== 'HEAD' && one !== 'OPTIONS')).toEqual(methods)
      }
    },
  )

  test.each(['/payments/', 'http://sandbox.invalid/payments', 'https://api.example.com/payments/?limit=1'])(
    '%s is /payments',
    async (url) => {
      expect(await (await openService()).call('GET', url)).toMatchObject({ status: 200 })
    },
  )

  test.each(['/payments/%E0%A4%A', '/payments//capture', '//payments', '//example.com/payments', '/'])(
    '%s is nothing',
    async (url) => {
      expect(await (await openService()).call('GET', url)).toMatchObject(refusal(404, 'NotFound'))
    },
  )

  test('an address that is none is nothing', async () => {
    const { sandbox } = await openService()
    const headers = { 'x-api-key': 'sandbox_all' }
    const answer = await sandbox.handle({ method: 'GET', url: 'http://[', headers, body: undefined })
    expect(answer).toMatchObject({ status: 404, body: expect.stringContaining('"NotFound"') })
  })

  test('NUL in a path is no other id', async () => {
    const service = await openService()
    const id = textAt(await createPayment(service, 'tok_visa'), 'id')
    const answer = await service.call('GET', `/payments/${id}%00x`)
    expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
  })
})

test('dots in an address are no way to another one: they can be an id', async () => {
  const service = await openService()
  for (const path of ['/payments/.', '/payments/..', '/payments/%2e%2e', '/payments/../payments'])
    expect((await service.call('GET', path)).status).not.toBe(200)
  const record = {
    paymentId: '..',
    currencyCode: 'EUR',
    processor: { name: 'ACME' },
    amount: 5,
    createdAt: '2026-03-04T05:06:07Z',
    order: { id: 'o' },
    paymentMethod: { paymentMethodType: 'PAYMENT_CARD' },
  }
  await service.ok('POST', '/observability/payments', record)
  expect(await service.ok('PATCH', '/observability/payments/%2e%2e', { amount: 6 })).toMatchObject({
    amount: 6,
  })
})

test.each(['order_id=%ED%A0%80', 'order_id=%zz', '%E0%A4=1', 'order_id=%'])(
  'a query that is no percent-encoded UTF-8 is refused: %s',
  async (query) => {
    const answer = await (await openService()).call('GET', `/payments?${query}`)
    expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
  },
)

test('a hundred problems are told at most, and how many more there are', async () => {
  const body = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`unknown-${index}`, 1]))
  const answer = await (await openService()).call('POST', '/client-session', body)
  expect(at(answer.body, 'error', 'validationErrors', 0, 'errors')).toHaveLength(100)
  expect(at(answer.body, 'error', 'description')).toMatch(/; and 900 more$/)
})

test.each([
  ['of a wrong type', 'x', '$.lineItems[0] must be an object', 900],
  ['with an unknown field', { x: 1 }, '$.lineItems[0].x is not a known field', 900],
  ['with an unknown value', { productType: 'x' }, '$.lineItems[0].productType must be one of', 900],
  ['with text that is not stored', { name: '\0' }, '$.lineItems[0].name contains a NUL', 900],
])('a hundred of a thousand lines %s are reported', async (_, line, first, more) => {
  const lineItems = Array.from({ length: 1_000 }, () => line)
  const answer = await (await openService()).call('POST', '/client-session', { lineItems })
  expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
  expect(at(answer.body, 'error', 'validationErrors', 0, 'errors')).toHaveLength(100)
  expect(at(answer.body, 'error', 'description')).toContain(first)
  expect(at(answer.body, 'error', 'description')).toContain(`; and ${more} more`)
})

test('a key as long as a body is cut short where a problem names it', async () => {
  const answer = await (await openService()).call('POST', '/client-session', { ['k'.repeat(500_000)]: 1 })
  expect(at(answer.body, 'error', 'validationErrors', 0, 'errors')).toEqual([
    { path: `$["${'k'.repeat(100)}…"]`, description: 'is not a known field' },
  ])
})

test('a number of more digits than anybody counts is no integer', async () => {
  const service = await openService()
  const taken = `{"metadata":{"a":${'9'.repeat(1_000)}}}`
  const refused = `{"metadata":{"a":${'9'.repeat(100_000)}}}`
  expect(await service.call('POST', '/client-session', undefined, { text: taken })).toMatchObject({
    status: 200,
  })
  expect(await service.call('POST', '/client-session', undefined, { text: refused })).toMatchObject(
    refusal(422, 'RequestValidationError'),
  )
})

describe('keys', () => {
  test.each(OPERATIONS.map((operation) => [operation.id, operation] as const))('%s', async (_, operation) => {
    const service = await openService()
    const statusWith = async (key: string) =>
      (await service.call(operation.method, samplePath(operation.path), undefined, { key })).status
    expect(await statusWith('')).toBe(401)
    expect(await statusWith('sandbox_none')).toBe(401)
    expect([401, 403]).not.toContain(await statusWith('sandbox_all'))
    expect((await statusWith('sandbox_readonly')) === 403).toBe(operation.risk !== 'read')
    expect((await statusWith('sandbox_nobeta')) === 403).toBe(operation.beta)
  })

  test('sandbox_readonly reads and changes nothing', async () => {
    const service = await openService()
    const readonly = { key: 'sandbox_readonly' }
    const id = textAt(await createPayment(service, 'tok_visa'), 'id')
    expect(await service.call('GET', `/payments/${id}`, undefined, readonly)).toMatchObject({ status: 200 })
    expect(await service.call('POST', `/payments/${id}/capture`, undefined, readonly)).toMatchObject(
      refusal(403, 'Forbidden'),
    )
    expect(await service.ok('GET', `/payments/${id}`)).toMatchObject({ status: 'AUTHORIZED' })
  })

  test('the missing scope is named', async () => {
    const answer = await (
      await openService()
    ).call('POST', '/loyalty-transactions', {}, { key: 'sandbox_nobeta' })
    expect(at(answer.body, 'error', 'description')).toContain('loyalty-transactions:write')
  })
})

describe('version', () => {
  test.each([
    ['2.1', 200],
    ['2021-09-27', 200],
    ['2021-09-08', 200],
    ['2021-09-20', 200],
    ['2021-10-19', 200],
    ['2026-02-28', 200],
    ['2.2', 200],
    ['2.3', 200],
    ['2.4', 200],
    ['2.9', 200],
    ['2021-09-07', 400],
    ['2020-01-01', 400],
    ['2026-02-30', 400],
    ['2021-10-19T00:00:00Z', 400],
    ['2.10', 400],
    ['2.2.0', 400],
    ['3.0', 400],
    ['v2.2', 400],
    ['latest', 400],
    ['2.0', 400],
    ['', 400],
    ['2.1.0', 400],
  ])('%j', async (version, status) => {
    const answer = await (
      await openService()
    ).call('GET', '/payments', undefined, { headers: { 'x-api-version': version } })
    expect(answer.status).toBe(status)
  })
})

const post = async (text: string, headers: Readonly<Record<string, string>> = JSON_TYPE) =>
  (await openService()).call('POST', '/client-session', undefined, { text, headers })

const FULL_LINE =
  '{"amount":1,"itemId":"a","name":"b","description":"c","quantity":1,"discountAmount":0,"taxAmount":0,"taxCode":"d"}'

const sized = (bytes: number) => `{"orderId":"${'a'.repeat(bytes - 14)}"}`

describe('body', () => {
  test.each(['', '  ', 'null', '{}'])('takes %j as nothing', async (text) => {
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

  test.each(['[]', '"text"', '5', 'true'])('refuses %s, which is no object', async (text) => {
    expect(await post(text)).toMatchObject(refusal(422, 'RequestValidationError'))
  })

  test('takes 1 MB and nothing above', async () => {
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
  ])('takes as much as it may hold: %s', async (_, text) => {
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
  ])('refuses more than it may hold, and names the limit: %s', async (_, text, words) => {
    const answer = await post(text)
    expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
    expect(at(answer.body, 'error', 'description')).toContain(words)
  })

  test('says at which place it is no JSON, unless it is long', async () => {
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
  ])('%s is the integer %i', async (digits, amount) => {
    const text = `{"currencyCode":"EUR","amount":${digits}}`
    expect(await post(text)).toMatchObject({ status: 200, body: { amount } })
  })

  test.each(['100.5', '1e-1', '9007199254740992.0', '9007199254740993.0', '1e16', '1e999999999', '-1.0'])(
    '%s is no amount',
    async (digits) => {
      const answer = await post(`{"currencyCode":"EUR","amount":${digits}}`)
      expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
    },
  )

  test('an integer of metadata is taken however it is written, beyond 2^53 too', async () => {
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

  test('an empty one may be of any type', async () => {
    expect(await post('', { 'content-type': 'text/plain' })).toMatchObject({ status: 200 })
  })

  test('may say no type at all', async () => {
    expect(await post('{"orderId":"a"}', {})).toMatchObject({ status: 200, body: { orderId: 'a' } })
  })

  test('is refused where an operation has none, and a stray query too', async () => {
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
