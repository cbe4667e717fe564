import { describe, expect, test } from 'vitest'
import { openService, refusal, textAt } from '../service.ts'
import type { Json, Service } from '../service.ts'

const create = (service: Service, body: Json = {}) => service.ok('POST', '/client-session', body)

/** A session with options for cards. */
const surcharged = (option: Json): Json => ({ paymentMethod: { options: { PAYMENT_CARD: option } } })

describe('create', () => {
  test('returns the given values, a JWT and an expiry 24 hours later', async () => {
    const service = await openService()
    const body = {
      orderId: 'order-1',
      currencyCode: 'EUR',
      amount: 700,
      order: { lineItems: [{ itemId: 'shoe', amount: 900 }], countryCode: 'DE' },
      customerId: 'customer-1',
      customer: { emailAddress: 'a@example.com', billingAddress: { city: 'Berlin', countryCode: 'DE' } },
      metadata: { shop: 'north', basket: 7 },
      paymentMethod: { vaultOnSuccess: true, paymentType: 'FIRST_PAYMENT' },
    }
    const session = await create(service, body)
    expect(session).toMatchObject(body)
    expect(session).not.toHaveProperty('warnings')
    expect(session).toMatchObject({ clientTokenExpirationDate: '2026-03-05T05:06:07.089000' })
    expect(textAt(session, 'clientToken')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
  })

  test.each([
    ['no body', undefined],
    ['a null body', null],
    ['an empty object', {}],
  ])('accepts %s and warns that data is missing', async (_, body) => {
    const service = await openService()
    const session = await service.ok('POST', '/client-session', body)
    expect(session).toMatchObject({ warnings: { code: 'MISSING_DATA' } })
  })

  test.each<[string, Json, number]>([
    ['lines by quantity', { lineItems: [{ amount: 1000, quantity: 3 }, { amount: 5 }] }, 3005],
    [
      'discount and tax for the whole line',
      { lineItems: [{ amount: 100, quantity: 2, discountAmount: 30, taxAmount: 7 }] },
      177,
    ],
    [
      'fees and shipping',
      { lineItems: [{ amount: 100 }], fees: [{ amount: 11 }, { amount: 2 }], shipping: { amount: 500 } },
      613,
    ],
    ['shipping alone', { shipping: { amount: 500 } }, 500],
    ['a fee alone', { fees: [{ amount: 5, type: 'HANDLING' }] }, 5],
    ['tax alone', { lineItems: [{ taxAmount: 5 }] }, 5],
    ['a quantity of 0', { lineItems: [{ amount: 100, quantity: 0 }, { amount: 1 }] }, 1],
  ])('calculates the amount from %s', async (_, order, amount) => {
    const service = await openService()
    expect(await create(service, { currencyCode: 'EUR', order })).toMatchObject({ amount })
  })

  const COMPLETE = { orderId: 'o', currencyCode: 'EUR', amount: 1 }
  const VAULTS = { paymentMethod: { vaultOnSuccess: true } }
  test.each<[string, Json, string]>([
    ['currencyCode', { orderId: 'o' }, 'MISSING_CURRENCY_CODE'],
    ['orderId', { ...COMPLETE, orderId: undefined }, 'MISSING_ORDER_ID'],
    ['amount', { ...COMPLETE, amount: undefined }, 'MISSING_AMOUNT'],
    ['customerId with vaultOnSuccess', { ...COMPLETE, ...VAULTS }, 'MISSING_CUSTOMER_ID'],
    ['an orderId that is not empty', { ...COMPLETE, orderId: '' }, 'MISSING_ORDER_ID'],
    ['everything', VAULTS, 'MISSING_CURRENCY_CODE'],
    ['all but the currency', { ...VAULTS, currencyCode: 'EUR' }, 'MISSING_ORDER_ID'],
    ['amount and customerId', { ...VAULTS, currencyCode: 'EUR', orderId: 'o' }, 'MISSING_AMOUNT'],
  ])('warns if %s is missing', async (_, body, type) => {
    const { warnings } = await create(await openService(), body)
    expect(warnings).toEqual({ type, code: 'MISSING_DATA' })
  })

  test('warns about an unavailable third party if the metadata asks for it', async () => {
    const service = await openService()
    const metadata = { sandbox: 'third-party-unavailable' }
    for (const body of [{ ...COMPLETE, metadata }, { metadata }])
      expect((await create(service, body))['warnings']).toEqual({
        type: 'PROCESSOR_UNAVAILABLE',
        code: 'THIRD_PARTY_UNAVAILABLE',
      })
    const other = { ...COMPLETE, metadata: { sandbox: 'something else' } }
    expect(await create(service, other)).not.toHaveProperty('warnings')
  })

  test.each<[string, Json]>([
    ['with an amount of 0', { ...COMPLETE, amount: 0 }],
    ['that vaults, with a customer', { ...COMPLETE, ...VAULTS, customerId: 'c' }],
    ['that does not vault, without a customer', { ...COMPLETE, paymentMethod: { vaultOnSuccess: false } }],
    ['with line items', { ...COMPLETE, amount: undefined, order: { lineItems: [{ amount: 5 }] } }],
  ])('does not warn about a session %s', async (_, body) => {
    expect(await create(await openService(), body)).not.toHaveProperty('warnings')
  })

  test('keeps undocumented fields of a surcharge', async () => {
    const service = await openService()
    const { paymentMethod } = surcharged({
      surcharge: { amount: 5, percentage: 1.5, tax: { rate: '19' } },
      networks: { VISA: { surcharge: { amount: 7, label: 'Card fee' }, since: 2026 } },
    })
    const session = await create(service, { currencyCode: 'EUR', paymentMethod })
    expect(session['paymentMethod']).toEqual(paymentMethod)
    const url = `/client-session?clientToken=${textAt(session, 'clientToken')}`
    expect((await service.ok('GET', url))['paymentMethod']).toEqual(paymentMethod)
  })

  test('a top-level amount overrides the calculated one', async () => {
    const service = await openService()
    const order = { lineItems: [{ amount: 100 }] }
    expect(await create(service, { currencyCode: 'EUR', amount: 0, order })).toMatchObject({ amount: 0 })
  })

  test('accepts orderDetails with top-level lineItems and returns order', async () => {
    const service = await openService()
    const session = await create(service, {
      currencyCode: 'EUR',
      orderDetails: { countryCode: 'FR' },
      lineItems: [{ amount: 250, quantity: 2, productType: 'PHYSICAL' }],
    })
    expect(session).toMatchObject({
      amount: 500,
      order: { countryCode: 'FR', lineItems: [{ amount: 250, quantity: 2, productType: 'PHYSICAL' }] },
    })
    expect(session).not.toHaveProperty('orderDetails')
    expect(session).not.toHaveProperty('lineItems')
  })

  test.each<[string, Json, string]>([
    ['an amount without a currency', { amount: 5 }, '$.currencyCode'],
    ['a line amount without a currency', { order: { lineItems: [{ amount: 5 }] } }, '$.currencyCode'],
    ['a discount without a currency', { order: { lineItems: [{ discountAmount: 0 }] } }, '$.currencyCode'],
    ['a tax without a currency', { order: { lineItems: [{}, { taxAmount: 5 }] } }, '$.currencyCode'],
    ['a fee without a currency', { order: { fees: [{ amount: 5 }] } }, '$.currencyCode'],
    ['shipping without a currency', { order: { shipping: { amount: 5 } } }, '$.currencyCode'],
    ['a top-level line without a currency', { lineItems: [{ amount: 5 }] }, '$.currencyCode'],
    ['orderDetails with a fee, no currency', { orderDetails: { fees: [{ amount: 5 }] } }, '$.currencyCode'],
    [
      'orderDetails with shipping, no currency',
      { orderDetails: { shipping: { amount: 5 } } },
      '$.currencyCode',
    ],
    ['a surcharge without a currency', surcharged({ surcharge: { amount: 5 } }), '$.currencyCode'],
    [
      "a card network's surcharge without a currency",
      surcharged({ networks: { VISA: { surcharge: { amount: 0 } } } }),
      '$.currencyCode',
    ],
    ['an unknown currency', { currencyCode: 'EUX' }, '$.currencyCode'],
    ['a country that ISO 3166-1 does not have', { order: { countryCode: 'XQ' } }, '$.order.countryCode'],
    [
      'a surcharge that is no object',
      surcharged({ surcharge: 5 }),
      '$.paymentMethod.options.PAYMENT_CARD.surcharge',
    ],
    [
      'an unknown field next to a surcharge',
      surcharged({ fee: 5 }),
      '$.paymentMethod.options.PAYMENT_CARD.fee',
    ],
    ['a negative amount', { amount: -1, currencyCode: 'EUR' }, '$.amount'],
    ['a fraction', { amount: 1.5, currencyCode: 'EUR' }, '$.amount'],
    ['text as an amount', { amount: '5', currencyCode: 'EUR' }, '$.amount'],
    ['null', { orderId: null }, '$.orderId'],
    ['an unknown field', { order: { lineItems: [{ amout: 5 }] } }, '$.order.lineItems[0].amout'],
    ['an unknown payment type', { paymentMethod: { paymentType: 'ONCE' } }, '$.paymentMethod.paymentType'],
    [
      'an unknown product type',
      { order: { lineItems: [{ productType: 'AIR' }] } },
      '$.order.lineItems[0].productType',
    ],
    ['metadata of another type', { metadata: { a: true } }, '$.metadata.a'],
    ['a fraction in metadata', { metadata: { a: 1.5 } }, '$.metadata.a'],
    ['order together with lineItems', { order: {}, lineItems: [] }, '$.lineItems'],
    ['order together with orderDetails', { order: {}, orderDetails: {} }, '$.orderDetails'],
    ['lines twice', { orderDetails: { lineItems: [] }, lineItems: [] }, '$.lineItems'],
    ['NUL in text', { customer: { firstName: 'a\0b' } }, '$.customer.firstName'],
    ['half a surrogate pair', { orderId: '\uD800' }, '$.orderId'],
    [
      'a sum above 2^53-1',
      { currencyCode: 'EUR', order: { lineItems: [{ amount: 2 ** 52, quantity: 2 }] } },
      '$.order',
    ],
    [
      'an order below nothing',
      { currencyCode: 'EUR', order: { lineItems: [{ amount: 1, discountAmount: 2 }] } },
      '$.order',
    ],
  ])('refuses %s', async (_, body, path) => {
    const service = await openService()
    const answer = await service.call('POST', '/client-session', body)
    expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
    expect(answer.body).toMatchObject({ error: { validationErrors: [{ errors: [{ path }] }] } })
  })

  test('reports every problem at once', async () => {
    const service = await openService()
    const answer = await service.call('POST', '/client-session', {
      amount: 'x',
      currencyCode: 'EUR',
      orderId: 5,
      extra: 1,
    })
    const errors = [{ path: '$.orderId' }, { path: '$.amount' }, { path: '$.extra' }]
    expect(answer.body).toMatchObject({
      error: { validationErrors: [{ model: 'SessionCreateAPIRequest', errors }] },
    })
  })

  test('refuses an empty metadata key with its own error id', async () => {
    const service = await openService()
    const answer = await service.call('POST', '/client-session', { metadata: { '': 'x' } })
    expect(answer).toMatchObject(refusal(400, 'MetadataContainsEmptyKey'))
  })

  test('keeps every digit of a long integer in metadata', async () => {
    const service = await openService()
    const text = '{"metadata":{"ticket":12345678901234567890123}}'
    const { clientToken } = await service.ok('POST', '/client-session', undefined, { text })
    const answer = await service.sandbox.handle({
      method: 'GET',
      url: `/client-session?clientToken=${String(clientToken)}`,
      headers: { 'x-api-key': 'sandbox_all' },
      body: undefined,
    })
    expect(answer.body).toContain('12345678901234567890123')
  })
})
