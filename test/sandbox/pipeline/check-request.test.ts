import { describe, expect, test } from 'vitest'
import { at, createPayment, openService, refusal } from '../service.ts'
import type { CallOptions } from '../service.ts'

describe('the error envelope', () => {
  test('has the request id from its header', async () => {
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

  test('successful responses also have a request id, different each time', async () => {
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
  test('the method is checked with the route, before the key', async () => {
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
