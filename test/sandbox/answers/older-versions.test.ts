import { describe, expect, test } from 'vitest'
import { at, createPayment, openService, refusal, textAt } from '../service.ts'
import type { CallOptions, Json, Service } from '../service.ts'

const OLD = { headers: { 'x-api-version': '2021-09-27' } }

async function vaultedPayment(service: Service) {
  const saved = await service.ok('POST', '/payment-instruments/tok_visa/vault', { customerId: 'ada' })
  const token = textAt(saved, 'token')
  const payment = await createPayment(service, token, { customerId: 'ada' })
  return { token, id: textAt(payment, 'id') }
}

describe('version 2021-09-27', () => {
  test('shows the vaulted token instead of isVaulted', async () => {
    const service = await openService()
    const { token, id } = await vaultedPayment(service)
    const now = await service.ok('GET', `/payments/${id}`)
    const then = await service.ok('GET', `/payments/${id}`, undefined, OLD)
    expect(at(now, 'paymentMethod')).toMatchObject({ isVaulted: true, paymentMethodToken: token })
    expect(at(now, 'paymentMethod')).not.toHaveProperty('vaultedPaymentMethodToken')
    expect(at(then, 'paymentMethod')).toMatchObject({
      vaultedPaymentMethodToken: token,
      paymentMethodToken: token,
    })
    expect(at(then, 'paymentMethod')).not.toHaveProperty('isVaulted')
  })

  test('shows neither field if the token is not vaulted', async () => {
    const service = await openService()
    const id = textAt(await createPayment(service, 'tok_visa'), 'id')
    const method = at(await service.ok('GET', `/payments/${id}`, undefined, OLD), 'paymentMethod')
    expect(method).not.toHaveProperty('isVaulted')
    expect(method).not.toHaveProperty('vaultedPaymentMethodToken')
    expect(method).toMatchObject({ paymentMethodToken: 'tok_visa' })
  })

  test('does the same in lists and in responses to writes', async () => {
    const service = await openService()
    const { token, id } = await vaultedPayment(service)
    const list = await service.ok('GET', '/payments', undefined, OLD)
    const captured = await service.ok('POST', `/payments/${id}/capture`, undefined, OLD)
    for (const payment of [at(list, 'data', 0), captured]) {
      expect(at(payment, 'paymentMethod')).toMatchObject({ vaultedPaymentMethodToken: token })
      expect(at(payment, 'paymentMethod')).not.toHaveProperty('isVaulted')
    }
  })

  test('differs in nothing else', async () => {
    const service = await openService()
    const id = textAt(await createPayment(service, 'tok_visa'), 'id')
    const now = await service.ok('GET', `/payments/${id}`)
    const then = await service.ok('GET', `/payments/${id}`, undefined, OLD)
    const { isVaulted: _, ...method } = Object(at(now, 'paymentMethod'))
    expect(then).toEqual({ ...now, paymentMethod: method })
  })

  test.each<[string, Json]>([
    ['of the whole', { amount: 5 }],
    ['of a line', { order: { lineItems: [{ amount: 5 }] } }],
    ['of a surcharge', { paymentMethod: { options: { PAYMENT_CARD: { surcharge: { amount: 5 } } } } }],
  ])('needs no currency with an amount %s', async (_, body) => {
    const service = await openService()
    const then = await service.ok('POST', '/client-session', body, OLD)
    const clientToken = textAt(then, 'clientToken')
    const update = { clientToken, order: { shipping: { amount: 1 } } }
    expect(await service.ok('PATCH', '/client-session', update, OLD)).not.toHaveProperty('currencyCode')
    for (const [method, refused] of [
      ['POST', body],
      ['PATCH', { clientToken }],
    ] as const)
      expect(await service.call(method, '/client-session', refused)).toMatchObject(
        refusal(422, 'RequestValidationError'),
      )
  })

  test('keeps rules that are older than 2.1', async () => {
    const service = await openService()
    for (const body of [{ amount: -1 }, { metadata: { a: true } }, { order: {}, lineItems: [] }])
      expect(await service.call('POST', '/client-session', body, OLD)).toMatchObject(
        refusal(422, 'RequestValidationError'),
      )
  })

  test('does not require or compare a customer with a vaulted token', async () => {
    const service = await openService()
    const { token } = await vaultedPayment(service)
    const body = { paymentMethodToken: token, orderId: 'o', currencyCode: 'EUR', amount: 5 }
    for (const more of [{}, { customerId: 'another' }]) {
      expect(await service.ok('POST', '/payments', { ...body, ...more }, OLD)).toMatchObject({
        status: 'AUTHORIZED',
        ...more,
      })
      expect((await service.call('POST', '/payments', { ...body, ...more })).status).not.toBe(200)
    }
    for (const needed of ['amount', 'currencyCode', 'orderId'])
      expect(await service.call('POST', '/payments', { ...body, [needed]: undefined }, OLD)).toMatchObject(
        refusal(422, 'RequestValidationError'),
      )
  })

  test('shows no isVerified for saved methods', async () => {
    const service = await openService()
    const vault = '/payment-instruments/tok_visa/vault'
    const ada = { customerId: 'ada', verify: true }
    const now = await service.ok('POST', vault, ada)
    const then = await service.ok('POST', vault, ada, OLD)
    const of = `/payment-instruments/${textAt(now, 'token')}`
    const list = (options?: CallOptions) =>
      service.ok('GET', '/payment-instruments?customer_id=ada', undefined, options)
    const later = [now, at(await list(), 'data', 0), await service.ok('POST', `${of}/default`)]
    const earlier = [
      then,
      at(await list(OLD), 'data', 0),
      await service.ok('POST', `${of}/default`, undefined, OLD),
    ]
    for (const method of later) expect(method).toMatchObject({ isVerified: true, customerId: 'ada' })
    earlier.push(await service.ok('DELETE', of, undefined, OLD))
    for (const method of earlier) {
      expect(method).toMatchObject({ customerId: 'ada' })
      expect(method).not.toHaveProperty('isVerified')
    }
  })

  test('is the default version', async () => {
    const service = await openService()
    const { id } = await vaultedPayment(service)
    const answer = await service.sandbox.handle({
      method: 'GET',
      url: `/payments/${id}`,
      headers: { 'x-api-key': 'sandbox_all' },
      body: undefined,
    })
    const named = await service.ok('GET', `/payments/${id}`, undefined, OLD)
    expect(JSON.parse(answer.body)).toEqual(named)
  })
})
