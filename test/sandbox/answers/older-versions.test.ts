import { describe, expect, test } from 'vitest'
import { at, createPayment, openService, refusal, textAt, loggedIn } from '../service.ts'
import type { CallOptions, Json, Service } from '../service.ts'

const OLD = { headers: { 'x-api-version': '2021-09-27' } }
const IGNORED = 'x-sandbox-ignored'
const PAYMENT = { paymentMethodToken: 'tok_visa', orderId: 'o', currencyCode: 'EUR', amount: 1000 }

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

  test('ignores what 2.1 added to sessions, and names it', async () => {
    const service = await openService()
    const lines = [
      { name: 'a', amount: 5, productType: 'DIGITAL' },
      { name: 'b', productType: 'no set' },
    ]
    const added = {
      paymentMethod: { paymentType: 'MOTO', descriptor: 5, vaultOnSuccess: false },
      currencyCode: 'EUR',
    }
    const names = '$.paymentMethod.paymentType, $.paymentMethod.descriptor'
    for (const [body, field] of [
      [{ ...added, order: { lineItems: lines } }, '$.order.lineItems[*]'],
      [{ ...added, orderDetails: { lineItems: lines } }, '$.orderDetails.lineItems[*]'],
      [{ ...added, lineItems: lines }, '$.lineItems[*]'],
    ] as const) {
      const created = await service.call('POST', '/client-session', body, OLD)
      const { clientToken } = created.body
      const updated = await service.call('PATCH', '/client-session', { clientToken, ...body }, OLD)
      for (const answer of [created, updated]) {
        expect(answer.headers[IGNORED]).toBe(`${names}, ${field}.productType`)
        expect(answer).toMatchObject({ status: 200 })
      }
      expect(await service.ok('GET', `/client-session?clientToken=${textAt(clientToken)}`)).toMatchObject({
        amount: 5,
        order: { lineItems: [{ name: 'a', amount: 5 }, { name: 'b' }] },
        paymentMethod: { vaultOnSuccess: false },
      })
      expect(JSON.stringify([created.body, updated.body])).not.toMatch(/paymentType|descriptor|productType/)
    }
  })

  test('ignores what 2.1 added to payments, and names it', async () => {
    const service = await openService()
    const order = { lineItems: [{ amount: 1000, productType: 'DIGITAL' }] }
    const body = { ...PAYMENT, order }
    const created = await service.call('POST', '/payments', body, OLD)
    expect(created.headers[IGNORED]).toBe('$.order.lineItems[*].productType')
    expect(at(created.body, 'order')).toEqual({ lineItems: [{ amount: 1000 }] })
    const captured = await service.call(
      'POST',
      `/payments/${textAt(created.body, 'id')}/capture`,
      { order },
      OLD,
    )
    expect(captured.headers[IGNORED]).toBe('$.order.lineItems[*].productType')
    expect(at(captured.body, 'order')).toEqual({ lineItems: [{ amount: 1000 }] })
  })

  test.each([OLD, { headers: {} }])('ignores verify, and names it and logs it: %j', async ({ headers }) => {
    const service = await openService()
    const answer = await service.handle({
      method: 'POST',
      url: '/payment-instruments/tok_declined/vault',
      headers: { 'x-api-key': 'sandbox_all', ...headers },
      body: '{"customerId":"ada","verify":true}',
    })
    expect([answer.status, answer.headers[IGNORED]]).toEqual([200, '$.verify'])
    expect(await loggedIn(service, 1)).toMatchObject([{ ignored: ['$.verify'] }])
    expect(await service.ok('GET', '/payment-instruments?customer_id=ada')).toMatchObject({
      data: [{ isVerified: false }],
    })
  })

  test('keeps the fields of payments that are older than 2.1', async () => {
    const service = await openService()
    const paymentMethod = { paymentType: 'MOTO', descriptor: 'SHOP' }
    const answer = await service.call('POST', '/payments', { ...PAYMENT, paymentMethod }, OLD)
    expect(answer).toMatchObject({ status: 200, body: { paymentMethod } })
    expect(answer.headers).not.toHaveProperty(IGNORED)
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
    const later = [now, at(await list(), 'data', 1)]
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
