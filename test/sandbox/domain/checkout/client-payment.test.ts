import { describe, expect, test } from 'vitest'
import { DECLINED, openCheckout, VISA } from '../../checkout-calls.ts'
import type { Checkout } from '../../checkout-calls.ts'
import {
  at,
  createPayment,
  HOUR_MS,
  openService,
  refusal,
  textAt,
  advance,
  changeSettings,
  tokenized,
} from '../../service.ts'
import type { Json, Service } from '../../service.ts'

const FORBIDDEN = refusal(403, 'Forbidden')
const THREE_DS = { card: '4916994064252017' }

const tokenOf = (checkout: Checkout, method: Json = VISA) => checkout.tokenize(method)
const payWith = (checkout: Checkout, paymentMethodToken: string, more: Json = {}, headers: Json = {}) =>
  checkout.call('POST', '/payments', { paymentMethodToken, ...more }, headers)

const savedMethod = async (service: Service, customerId: string) =>
  textAt(await service.ok('POST', '/payment-instruments/tok_visa/vault', { customerId }), 'token')

describe('a payment with a client token', () => {
  test('takes everything but the token from the session', async () => {
    const service = await openService()
    const checkout = await openCheckout(service, {
      orderId: 'order-7',
      currencyCode: 'EUR',
      order: { lineItems: [{ amount: 500, quantity: 2 }] },
      customerId: 'ada',
      metadata: { shop: 'north' },
      paymentMethod: { vaultOnSuccess: true, descriptor: 'NORTH', authorizationType: 'ESTIMATED' },
    })
    const { body } = await checkout.pay(VISA)
    expect(body).toMatchObject({
      status: 'AUTHORIZED',
      orderId: 'order-7',
      amount: 1000,
      customerId: 'ada',
      metadata: { shop: 'north' },
      paymentMethod: { isVaulted: true, descriptor: 'NORTH', authorizationType: 'ESTIMATED' },
    })
    expect(await service.ok('GET', `/payments/${textAt(body, 'id')}`)).toEqual(body)
  })

  test.each([
    { amount: 1 },
    { orderId: 'x' },
    { currencyCode: 'EUR' },
    { metadata: null },
    { paymentMethod: {} },
    { unknown: 1 },
    { amount: 'no number' },
  ])('may have no further field: %j', async (more) => {
    const checkout = await openCheckout(await openService())
    const token = await tokenOf(checkout)
    expect(await payWith(checkout, token, more)).toMatchObject(FORBIDDEN)
    expect(await payWith(checkout, token, more, { 'x-api-version': '2.5' })).toMatchObject(FORBIDDEN)
    expect(await payWith(checkout, token)).toMatchObject({ status: 200 })
  })

  test('needs the token of a method', async () => {
    const checkout = await openCheckout(await openService())
    for (const body of [{}, { paymentMethodToken: 4 }])
      expect(await checkout.call('POST', '/payments', body)).toMatchObject(
        refusal(422, 'RequestValidationError'),
      )
  })

  test('refuses tokens that were not made for the session', async () => {
    const service = await openService()
    const [checkout, other] = [await openCheckout(service), await openCheckout(service)]
    const ofNoSession = await tokenized(service, VISA)
    for (const token of [await tokenOf(other), ofNoSession, 'tok_visa', 'nothing', ''])
      expect(await payWith(checkout, token)).toMatchObject(FORBIDDEN)
    expect(await service.ok('GET', '/payments')).toEqual({ data: [] })
  })

  test("accepts a saved method of the session's customer, and no other", async () => {
    const service = await openService()
    const session = { orderId: 'o', currencyCode: 'EUR', amount: 5, customerId: 'ada' }
    const checkout = await openCheckout(service, session)
    const mine = await savedMethod(service, 'ada')
    for (const version of ['2.1', '2021-09-27'])
      expect(
        await payWith(checkout, await savedMethod(service, 'bob'), {}, { 'x-api-version': version }),
      ).toMatchObject(FORBIDDEN)
    const { body } = await payWith(checkout, mine)
    expect(body).toMatchObject({
      status: 'AUTHORIZED',
      customerId: 'ada',
      paymentMethod: { isVaulted: true, paymentMethodToken: mine },
    })
  })

  test('refuses a saved method that was deleted', async () => {
    const service = await openService()
    const session = { orderId: 'o', currencyCode: 'EUR', amount: 5, customerId: 'ada' }
    const checkout = await openCheckout(service, session)
    const mine = await savedMethod(service, 'ada')
    await service.ok('DELETE', `/payment-instruments/${mine}`)
    expect(await payWith(checkout, mine)).toMatchObject(refusal(400, 'PaymentError'))
  })

  test('names what the session lacks', async () => {
    const checkout = await openCheckout(await openService(), {})
    const answer = await checkout.pay({ method: 'PAYPAL' })
    expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
    expect(at(answer.body, 'error', 'description')).toMatch(/amount.*currencyCode.*orderId/)
  })
})

describe('the payments of a session', () => {
  test('can be read and resumed, and no others', async () => {
    const service = await openService()
    const [checkout, other] = [await openCheckout(service), await openCheckout(service)]
    const id = textAt((await checkout.pay(THREE_DS)).body, 'id')
    expect(await checkout.call('GET', `/payments/${id}`)).toMatchObject({ status: 200 })
    const { body } = await checkout.call('POST', '/sandbox/challenge', { paymentId: id, outcome: 'pass' })
    for (const [call, path] of [
      [other, `/payments/${id}`],
      [other, '/payments/nothing'],
      [checkout, `/payments/${textAt(await createPayment(service, 'tok_3ds'), 'id')}`],
    ] as const) {
      expect(await call.call('GET', path)).toMatchObject(FORBIDDEN)
      expect(await call.call('POST', `${path}/resume`, body)).toMatchObject(FORBIDDEN)
    }
    const further = { ...body, paymentId: id }
    expect(await checkout.call('POST', `/payments/${id}/resume`, further)).toMatchObject(FORBIDDEN)
    expect(await checkout.call('POST', `/payments/${id}/resume`, body)).toMatchObject({
      status: 200,
      body: { status: 'AUTHORIZED' },
    })
  })

  test('include declined attempts', async () => {
    const checkout = await openCheckout(await openService())
    const id = textAt((await checkout.pay(DECLINED)).body, 'id')
    expect(await checkout.call('GET', `/payments/${id}`)).toMatchObject({ body: { status: 'DECLINED' } })
  })

  test.each(['IDEAL', 'BOLETO'])('that wait for a third party continue by the clock: %s', async (method) => {
    const service = await openService()
    await changeSettings(service, { methods: [{ type: method, currencies: [], countries: [] }] })
    const checkout = await openCheckout(service)
    const { body } = await checkout.pay({ method })
    expect(body).toMatchObject({
      status: 'PENDING',
      paymentMethod: { paymentMethodType: method },
      requiredAction: { name: 'PAYMENT_METHOD_VOUCHER', clientToken: expect.any(String) },
    })
    await advance(service, HOUR_MS)
    expect(await checkout.call('GET', `/payments/${textAt(body, 'id')}`)).toMatchObject({
      body: { status: 'AUTHORIZED' },
    })
  })
})
