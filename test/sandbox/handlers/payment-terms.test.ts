import { describe, expect, test } from 'vitest'
import { at, createPayment, HOUR_MS, openService, refusal, textAt, advance, tokenized } from '../service.ts'
import type { Json } from '../service.ts'
import { TERMS, pay, tokenOf } from './paying.ts'

describe('terms', () => {
  test.each(['amount', 'currencyCode', 'orderId'])('needs %s', async (field) => {
    const answer = await pay(await openService(), {
      paymentMethodToken: 'tok_visa',
      ...TERMS,
      [field]: undefined,
    })
    expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
    expect(at(answer.body, 'error', 'validationErrors', 0, 'errors')).toMatchObject([{ path: `$.${field}` }])
  })

  test.each<[string, Json]>([
    ['orderId', { orderId: '' }],
    ['customerId', { customerId: '', paymentMethod: { vaultOnSuccess: true } }],
  ])('treats an empty %s as missing', async (field, more) => {
    const answer = await pay(await openService(), { paymentMethodToken: 'tok_visa', ...TERMS, ...more })
    expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
    expect(at(answer.body, 'error', 'validationErrors', 0, 'errors')).toMatchObject([{ path: `$.${field}` }])
  })

  test('accepts an amount of 0 and refuses negative ones', async () => {
    const service = await openService()
    expect(await createPayment(service, 'tok_visa', { amount: 0 })).toMatchObject({ amount: 0 })
    const answer = await pay(service, { paymentMethodToken: 'tok_visa', ...TERMS, amount: -1 })
    expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
  })

  test('accepts 2^53-1 and refuses anything above', async () => {
    const service = await openService()
    const most = Number.MAX_SAFE_INTEGER
    expect(await createPayment(service, 'tok_visa', { amount: most })).toMatchObject({ amount: most })
    const text = JSON.stringify({ paymentMethodToken: 'tok_visa', ...TERMS }).replace(
      '1000',
      '9007199254740992',
    )
    const answer = await service.call('POST', '/payments', undefined, { text })
    expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
  })

  test('calculates the amount from the order', async () => {
    const service = await openService()
    const order = { lineItems: [{ amount: 300, quantity: 2 }], shipping: { amount: 50 } }
    expect(await createPayment(service, 'tok_visa', { amount: undefined, order })).toMatchObject({
      amount: 650,
      order,
    })
  })

  test.each<[string, Json, number]>([
    [
      'discount and tax, for the whole line',
      { lineItems: [{ amount: 100, quantity: 3, discountAmount: 30, taxAmount: 7 }] },
      277,
    ],
    ['a line without a quantity', { lineItems: [{ amount: 100 }] }, 100],
    ['fees', { lineItems: [{ amount: 100 }], fees: [{ amount: 11 }, { amount: 2 }] }, 113],
  ])('includes %s in the amount', async (_, order, amount) => {
    const service = await openService()
    expect(await createPayment(service, 'tok_visa', { amount: undefined, order })).toMatchObject({ amount })
  })

  test('a top-level amount overrides the calculated one', async () => {
    const order = { lineItems: [{ amount: 300 }] }
    expect(await createPayment(await openService(), 'tok_visa', { order })).toMatchObject({
      amount: 1000,
      order,
    })
  })

  test('accepts orderDetails with lineItems and returns order', async () => {
    const payment = await createPayment(await openService(), 'tok_visa', {
      amount: undefined,
      orderDetails: { countryCode: 'DE' },
      lineItems: [{ amount: 300, quantity: 2 }],
    })
    expect(payment).toMatchObject({
      amount: 600,
      order: { countryCode: 'DE', lineItems: [{ amount: 300, quantity: 2 }] },
    })
    expect(payment).not.toHaveProperty('orderDetails')
    expect(payment).not.toHaveProperty('lineItems')
  })

  test.each([{ lineItems: [] }, { orderDetails: {} }])('refuses order together with %j', async (other) => {
    const answer = await pay(await openService(), {
      paymentMethodToken: 'tok_visa',
      ...TERMS,
      order: {},
      ...other,
    })
    expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
  })

  test('needs a token', async () => {
    expect(await pay(await openService(), TERMS)).toMatchObject(refusal(422, 'RequestValidationError'))
  })

  test('refuses an unknown token before missing fields', async () => {
    const answer = await pay(await openService(), { paymentMethodToken: 'nonsense' })
    expect(answer).toMatchObject(refusal(400, 'PaymentError'))
  })
})

describe('merging with the client session', () => {
  const session = {
    orderId: 'session-order',
    currencyCode: 'EUR',
    customerId: 'customer-1',
    order: { countryCode: 'DE', lineItems: [{ amount: 400, name: 'Shoe' }] },
    customer: { firstName: 'Ada', billingAddress: { city: 'Berlin' } },
    metadata: { a: 1, b: 1 },
    paymentMethod: { descriptor: 'Session shop', paymentType: 'ECOMMERCE' },
  }

  test('takes missing values from the session', async () => {
    const service = await openService()
    const { paymentMethod, ...rest } = session
    const answer = await pay(service, { paymentMethodToken: await tokenOf(service, session) })
    expect(answer).toMatchObject({ status: 200, body: { ...rest, amount: 400, paymentMethod } })
  })

  test('merges nested objects, with values of the request winning', async () => {
    const service = await openService()
    const { body } = await pay(service, {
      paymentMethodToken: await tokenOf(service, session),
      orderId: 'request-order',
      order: { lineItems: [{ amount: 90 }] },
      customer: { emailAddress: 'a@example.com', billingAddress: { postalCode: '10115' } },
      metadata: { b: 2 },
      paymentMethod: { descriptor: 'Request shop' },
    })
    expect(body).toMatchObject({ orderId: 'request-order', amount: 90, currencyCode: 'EUR' })
    expect(body['order']).toEqual({ countryCode: 'DE', lineItems: [{ amount: 90 }] })
    expect(body['customer']).toEqual({
      firstName: 'Ada',
      emailAddress: 'a@example.com',
      billingAddress: { city: 'Berlin', postalCode: '10115' },
    })
    expect(body['metadata']).toEqual({ a: 1, b: 2 })
    expect(body['paymentMethod']).toMatchObject({ descriptor: 'Request shop', paymentType: 'ECOMMERCE' })
  })

  test('also merges the 2.1 form of an order', async () => {
    const service = await openService()
    const paymentMethodToken = await tokenOf(service, session)
    const { body } = await pay(service, { paymentMethodToken, lineItems: [{ amount: 5 }] })
    expect(body).toMatchObject({ amount: 5, order: { countryCode: 'DE', lineItems: [{ amount: 5 }] } })
  })

  test('a top-level amount of the session wins, and one of the request wins over that', async () => {
    const service = await openService()
    const token = () => tokenOf(service, { ...session, amount: 77 })
    expect((await pay(service, { paymentMethodToken: await token() })).body).toMatchObject({ amount: 77 })
    expect((await pay(service, { paymentMethodToken: await token(), amount: 8 })).body).toMatchObject({
      amount: 8,
    })
  })

  test('accepts metadata that only a session update may contain', async () => {
    const service = await openService()
    const made = await service.ok('POST', '/client-session', { ...TERMS, metadata: { a: 1 } })
    const clientToken = textAt(made, 'clientToken')
    const metadata = { open: true, lines: [{ n: 1.5 }], nested: { b: null } }
    await service.ok('PATCH', '/client-session', { clientToken, metadata })
    const token = await tokenized(service, { card: '4111111111111111', clientToken })
    expect(
      await service.ok('POST', '/payments', { paymentMethodToken: token, metadata: { shop: 'north' } }),
    ).toMatchObject({ metadata: { ...metadata, shop: 'north' } })
  })

  test('sees an update of the session', async () => {
    const service = await openService()
    const clientToken = textAt(await service.ok('POST', '/client-session', session), 'clientToken')
    const paymentMethodToken = await tokenized(service, { card: '4111111111111111', clientToken })
    await service.ok('PATCH', '/client-session', { clientToken, orderId: 'changed' })
    expect((await pay(service, { paymentMethodToken })).body).toMatchObject({ orderId: 'changed' })
  })

  test('a token without a session takes nothing from any session', async () => {
    const service = await openService()
    await tokenOf(service, session)
    const answer = await pay(service, { paymentMethodToken: await tokenOf(service) })
    expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
  })

  test('a token still works after its session has expired', async () => {
    const service = await openService()
    const paymentMethodToken = await tokenOf(service, session)
    await advance(service, 25 * HOUR_MS)
    expect(await pay(service, { paymentMethodToken })).toMatchObject({
      status: 200,
      body: { orderId: 'session-order', amount: 400 },
    })
  })

  test("vaults for the session's customer if the session says so", async () => {
    const service = await openService()
    const paymentMethodToken = await tokenOf(service, { ...session, paymentMethod: { vaultOnSuccess: true } })
    expect(await pay(service, { paymentMethodToken })).toMatchObject({
      status: 200,
      body: { paymentMethod: { isVaulted: true } },
    })
    expect(await service.ok('GET', '/payment-instruments?customer_id=customer-1')).toMatchObject({
      data: [{ customerId: 'customer-1' }],
    })
  })

  test('needs values that neither has', async () => {
    const service = await openService()
    const paymentMethodToken = await tokenOf(service, { orderId: 'o' })
    expect(await pay(service, { paymentMethodToken })).toMatchObject(refusal(422, 'RequestValidationError'))
    const again = await pay(service, { paymentMethodToken, currencyCode: 'EUR', amount: 5 })
    expect(again).toMatchObject({ status: 200, body: { orderId: 'o' } })
  })
})
