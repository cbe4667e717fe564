import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { NOW, createPayment, openService, refusal, textAt, toJson } from './service.ts'
import type { CallOptions, Json, Service } from './service.ts'

/** One call to a control; a service method would hold the answer to the schema of an operation. */
async function control(
  service: Service,
  method: string,
  path: string,
  body?: unknown,
  options: CallOptions = {},
) {
  const { key = 'sandbox_all', headers = {}, text } = options
  const answer = await service.sandbox.handle({
    method,
    url: path,
    headers: { ...(key === '' ? {} : { 'x-api-key': key }), ...headers },
    body: text ?? (body === undefined ? undefined : JSON.stringify(body)),
  })
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json',
    'x-request-id': expect.stringMatching(/./),
  })
  return { ...answer, body: toJson(JSON.parse(answer.body)) }
}

const CARD = { card: '4111111111111111' }
const REFUNDS = { on: 'POST /payments/*/refund', do: 'drop-after' }
const CALLS: readonly (readonly [method: string, path: string, body: Json | undefined])[] = [
  ['GET', '/sandbox/scenarios', undefined],
  ['POST', '/sandbox/tokenize', CARD],
  ['GET', '/sandbox/clock', undefined],
  ['POST', '/sandbox/clock/advance', { duration: '1h' }],
  ['GET', '/sandbox/faults', undefined],
  ['POST', '/sandbox/faults', REFUNDS],
  ['DELETE', '/sandbox/faults', undefined],
  ['GET', '/sandbox/requests', undefined],
  ['DELETE', '/sandbox/requests', undefined],
  ['POST', '/sandbox/reset', undefined],
]

describe.each(CALLS)('%s %s', (method, path, body) => {
  test('takes the key that may do everything, and no other', async () => {
    const service = await openService()
    expect(await control(service, method, path, body)).toMatchObject({ status: 200 })
    for (const key of ['', 'nobody'])
      expect(await control(service, method, path, body, { key })).toMatchObject(refusal(401, 'Unauthorized'))
    for (const key of ['sandbox_readonly', 'sandbox_nobeta'])
      expect(await control(service, method, path, body, { key })).toMatchObject(refusal(403, 'Forbidden'))
  })

  test('takes what it reads, and nothing else', async () => {
    const service = await openService()
    expect(await control(service, method, `${path}?nothing=1`, body)).toMatchObject({
      ...refusal(422, 'RequestValidationError'),
      body: { error: { validationErrors: [{ errors: [{ path: '$.nothing' }] }] } },
    })
    if (method === 'GET') return
    expect(await control(service, method, path, { ...body, nothing: 1 })).toMatchObject({
      ...refusal(422, 'RequestValidationError'),
      body: { error: { validationErrors: [{ errors: [{ path: '$.nothing' }] }] } },
    })
  })

  test('refuses another method, and says which it takes', async () => {
    const answer = await control(await openService(), 'PATCH', path, {})
    expect(answer).toMatchObject(refusal(405, 'MethodNotAllowed'))
    expect(answer.headers['allow']?.split(', ')).toContain(method)
  })

  test('is not logged, and meets no fault', async () => {
    const service = await openService()
    await service.sandbox.faults.add({ on: '* /**', do: 'hang', rate: 1, seed: 1, skip: 0 })
    const answer = await control(service, method, `${path}/`, body)
    expect(answer).toMatchObject({ status: 200 })
    expect(answer).not.toHaveProperty('deliveryFault')
    expect(await service.sandbox.requests.list(10)).toEqual([])
  })
})

describe('the door', () => {
  test.each(['/sandbox', '/sandbox/', '/sandbox/nothing', '/sandbox/faults/1', '/sandbox//faults'])(
    'there is nothing at %s',
    async (path) => {
      expect(await control(await openService(), 'GET', path)).toMatchObject(refusal(404, 'NotFound'))
    },
  )

  test('suggests what was meant', async () => {
    expect(await control(await openService(), 'GET', '/sandbox/fault')).toMatchObject({
      body: { error: { recoverySuggestion: 'Did you mean /sandbox/faults?' } },
    })
  })

  test.each([
    'http://127.0.0.1:4010/sandbox/clock',
    'HTTP://LOCALHOST/sandbox/clock?',
    '/sandbox/clock#here',
  ])('%s is a control as well', async (url) => {
    expect(await control(await openService(), 'GET', url)).toMatchObject({ body: { offsetMs: 0 } })
  })

  test('/sandboxes is none, and is logged as any other path', async () => {
    const service = await openService()
    expect(await control(service, 'GET', '/sandboxes')).toMatchObject(refusal(404, 'NotFound'))
    expect(await service.sandbox.requests.list(1)).toMatchObject([{ path: '/sandboxes', status: 404 }])
  })

  test.each<[string, CallOptions, number, string]>([
    ['broken JSON', { text: '{"on":' }, 400, 'MalformedJson'],
    [
      'a form',
      { text: 'on=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
      'UnsupportedMediaType',
    ],
    ['a list', { text: '[]' }, 422, 'RequestValidationError'],
    ['a text', { text: '"on"' }, 422, 'RequestValidationError'],
    ['null', { text: 'null' }, 422, 'RequestValidationError'],
    [
      'more than a megabyte',
      { text: JSON.stringify({ on: 'x'.repeat(1024 * 1024) }) },
      413,
      'PayloadTooLarge',
    ],
  ])('refuses %s', async (_, options, status, errorId) => {
    const service = await openService()
    for (const path of ['/sandbox/faults', '/sandbox/tokenize', '/sandbox/clock/advance'])
      expect(await control(service, 'POST', path, undefined, options)).toMatchObject(refusal(status, errorId))
  })
})

test('scenarios are told without a database', async () => {
  const service = await openService()
  expect(await control(service, 'GET', '/sandbox/scenarios')).toMatchObject({
    body: { paymentMethods: expect.arrayContaining([expect.objectContaining({ token: 'tok_3ds' })]) },
  })
  expect(readdirSync(service.folder)).toEqual([])
})

describe('tokenize', () => {
  test('makes a token that pays once', async () => {
    const service = await openService()
    const { body } = await control(service, 'POST', '/sandbox/tokenize', CARD)
    expect(body).toEqual({ paymentMethodToken: expect.stringMatching(/^[\w-]{36}$/) })
    expect(await createPayment(service, textAt(body, 'paymentMethodToken'))).toMatchObject({
      status: 'AUTHORIZED',
    })
  })

  test('ties it to a client session', async () => {
    const service = await openService()
    const session = await service.ok('POST', '/client-session', {
      orderId: 'A-1',
      currencyCode: 'EUR',
      amount: 5,
    })
    const { body } = await control(service, 'POST', '/sandbox/tokenize', {
      ...CARD,
      clientToken: session['clientToken'],
    })
    const { paymentMethodToken } = body
    expect(await service.ok('POST', '/payments', { paymentMethodToken })).toMatchObject({
      orderId: 'A-1',
      amount: 5,
    })
  })

  test.each([
    [{}, 422, 'RequestValidationError'],
    [{ card: 4111111111111111 }, 422, 'RequestValidationError'],
    [{ card: '4012888888881881' }, 422, 'RequestValidationError'],
    [{ ...CARD, clientToken: null }, 422, 'RequestValidationError'],
    [{ ...CARD, clientToken: 'nobody' }, 400, 'ClientSessionValidationError'],
  ])('refuses %j without repeating it', async (body, status, errorId) => {
    const answer = await control(await openService(), 'POST', '/sandbox/tokenize', body)
    expect(answer).toMatchObject(refusal(status, errorId))
    expect(JSON.stringify(answer)).not.toMatch(/4012888888881881|nobody/)
  })
})

describe('challenge', () => {
  async function waiting(service: Service): Promise<string> {
    return textAt(await createPayment(service, 'tok_3ds'), 'requiredAction', 'clientToken')
  }

  test.each([
    ['pass', 'AUTHORIZED'],
    ['fail', 'DECLINED'],
  ])('%s makes it %s', async (outcome, status) => {
    const service = await openService()
    const payment = await createPayment(service, 'tok_3ds')
    const clientToken = textAt(payment, 'requiredAction', 'clientToken')
    const { body } = await control(service, 'POST', '/sandbox/challenge', { clientToken, outcome })
    const resume = `/payments/${textAt(payment, 'id')}/resume`
    expect(await service.ok('POST', resume, { resumeToken: body['resumeToken'] })).toMatchObject({ status })
    expect(await control(service, 'POST', '/sandbox/challenge', { clientToken, outcome })).toMatchObject(
      refusal(400, 'InvalidPaymentStatus'),
    )
  })

  test('refuses what it cannot take, all of it at once', async () => {
    const service = await openService()
    expect(await control(service, 'POST', '/sandbox/challenge', { outcome: 'maybe' })).toMatchObject({
      ...refusal(422, 'RequestValidationError'),
      body: {
        error: {
          validationErrors: [
            {
              errors: [
                { path: '$.clientToken', description: 'is required' },
                { path: '$.outcome', description: 'must be pass or fail' },
              ],
            },
          ],
        },
      },
    })
  })

  test('refuses a token of nobody, and one that has expired', async () => {
    const service = await openService()
    const clientToken = await waiting(service)
    await service.sandbox.clock.advance(25 * 3_600_000)
    for (const token of ['nobody', clientToken])
      expect(
        await control(service, 'POST', '/sandbox/challenge', { clientToken: token, outcome: 'pass' }),
      ).toMatchObject(refusal(400, 'ClientSessionValidationError'))
  })
})

describe('clock', () => {
  test.each([
    [{ duration: '2h' }, 7_200_000],
    [{ ms: 5 }, 5],
    [{ ms: 0 }, 0],
  ])('%j moves it', async (body, offsetMs) => {
    const service = await openService()
    const time = { now: new Date(NOW.getTime() + offsetMs).toISOString(), offsetMs }
    expect((await control(service, 'POST', '/sandbox/clock/advance', body)).body).toEqual(time)
    expect((await control(service, 'GET', '/sandbox/clock')).body).toEqual(time)
  })

  test.each([
    [{}],
    [{ duration: '2h', ms: 5 }],
    [{ duration: '2' }],
    [{ duration: 2 }],
    [{ duration: '' }],
    [{ ms: -1 }],
    [{ ms: 1.5 }],
    [{ ms: '5' }],
    [{ ms: 2 ** 53 }],
    [{ ms: 2 ** 52 }],
  ])('%j does not', async (body) => {
    const service = await openService()
    expect(await control(service, 'POST', '/sandbox/clock/advance', body)).toMatchObject(
      refusal(422, 'RequestValidationError'),
    )
    expect(await service.sandbox.clock.show()).toMatchObject({ offsetMs: 0 })
  })
})

describe('faults', () => {
  test('are added, listed in their order with what they have seen, and cleared', async () => {
    const service = await openService()
    const added = await control(service, 'POST', '/sandbox/faults', {
      ...REFUNDS,
      rate: 0.5,
      seed: 7,
      times: 2,
      skip: 1,
    })
    expect(added.body).toEqual({
      id: 1,
      ...REFUNDS,
      rate: 0.5,
      seed: 7,
      times: 2,
      skip: 1,
      matched: 0,
      fired: 0,
    })
    await control(service, 'POST', '/sandbox/faults', { on: 'get /payments', do: 'status=503' })
    expect(await service.call('GET', '/payments')).toMatchObject({ status: 503 })
    expect((await control(service, 'GET', '/sandbox/faults')).body).toEqual({
      data: [
        added.body,
        {
          id: 2,
          on: 'GET /payments',
          do: 'status=503',
          rate: 1,
          seed: expect.any(Number),
          skip: 0,
          matched: 1,
          fired: 1,
        },
      ],
    })
    expect((await control(service, 'DELETE', '/sandbox/faults')).body).toEqual({ cleared: 2 })
    expect((await control(service, 'GET', '/sandbox/faults')).body).toEqual({ data: [] })
    expect(await service.call('GET', '/payments')).toMatchObject({ status: 200 })
  })

  test('that are none are refused with every reason', async () => {
    const service = await openService()
    const wrong = { on: 'payments', do: 'explode', rate: 2, tims: 1 }
    expect(await control(service, 'POST', '/sandbox/faults', wrong)).toMatchObject({
      ...refusal(422, 'RequestValidationError'),
      body: {
        error: {
          validationErrors: [
            { errors: [{ path: '$.tims' }, { path: '$.on' }, { path: '$.do' }, { path: '$.rate' }] },
          ],
        },
      },
    })
    expect(await service.sandbox.faults.list()).toEqual([])
  })

  test('beyond a hundred are refused with what to do', async () => {
    const service = await openService()
    for (let added = 0; added < 100; added += 1) await control(service, 'POST', '/sandbox/faults', REFUNDS)
    const refused = await control(service, 'POST', '/sandbox/faults', REFUNDS)
    expect(refused).toMatchObject({
      ...refusal(422, 'RequestValidationError'),
      body: { error: { recoverySuggestion: 'Clear them first: pay sandbox faults clear' } },
    })
    expect(await service.sandbox.faults.list()).toHaveLength(100)
  })
})

describe('requests', () => {
  test('come newest first, as many as are wanted, and by where they went', async () => {
    const service = await openService()
    const id = textAt(await createPayment(service, 'tok_visa'), 'id')
    await service.ok('POST', `/payments/${id}/capture`)
    await service.ok('GET', `/payments/${id}`)
    const operations = async (query: string) => {
      const { body } = await control(service, 'GET', `/sandbox/requests${query}`)
      return Array.isArray(body['data']) ? body['data'].map((row) => textAt(row, 'operation')) : []
    }
    expect(await operations('')).toEqual(['payment.get', 'payment.capture', 'payment.create'])
    expect(await operations('?limit=1')).toEqual(['payment.get'])
    expect(await operations('?on=POST+/**')).toEqual(['payment.capture', 'payment.create'])
    expect(await operations('?on=POST%20/**&limit=1')).toEqual(['payment.capture'])
    expect(await operations('?on=/payments/*')).toEqual(['payment.get'])
    expect((await control(service, 'DELETE', '/sandbox/requests')).body).toEqual({ data: [] })
    expect(await operations('')).toEqual([])
  })

  test.each([
    'limit=0',
    'limit=',
    'limit=x',
    'limit=-1',
    'limit=1.5',
    'limit=10001',
    'limit=1&limit=2',
    'on=',
    'on=POST',
    'offset=1',
  ])('%s is refused', async (query) => {
    expect(await control(await openService(), 'GET', `/sandbox/requests?${query}`)).toMatchObject(
      refusal(422, 'RequestValidationError'),
    )
  })
})

test('reset empties it, faults and log too', async () => {
  const service = await openService()
  await createPayment(service, 'tok_visa')
  await control(service, 'POST', '/sandbox/faults', REFUNDS)
  await control(service, 'POST', '/sandbox/clock/advance', { duration: '1h' })
  expect(await control(service, 'POST', '/sandbox/reset')).toMatchObject({
    status: 200,
    body: { reset: true },
  })
  expect(await service.sandbox.faults.list()).toEqual([])
  expect(await service.sandbox.requests.list(10)).toEqual([])
  expect(await service.sandbox.clock.show()).toMatchObject({ offsetMs: 0 })
  expect(await service.ok('GET', '/payments')).toEqual({ data: [] })
})

test('a sandbox that cannot work is no refusal, and reset mends a damaged one', async () => {
  const service = await openService()
  writeFileSync(join(service.folder, 'sandbox.db'), 'no database, '.repeat(1000))
  for (const [method, path, body] of [
    ['GET', '/sandbox/faults', undefined],
    ['POST', '/sandbox/tokenize', CARD],
  ] as const)
    await expect(control(service, method, path, body)).rejects.toMatchObject({ code: 'sandbox_damaged' })
  expect(await control(service, 'POST', '/sandbox/reset')).toMatchObject({ status: 200 })
  expect(await control(service, 'GET', '/sandbox/faults')).toMatchObject({ body: { data: [] } })
})
