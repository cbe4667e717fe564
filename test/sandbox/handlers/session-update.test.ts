import { describe, expect, test } from 'vitest'
import { HOUR_MS, openService, refusal, textAt, advance } from '../service.ts'
import type { Json, Service } from '../service.ts'

const create = (service: Service, body: Json = {}) => service.ok('POST', '/client-session', body)

const patch = (service: Service, clientToken: string, body: Json) =>
  service.call('PATCH', '/client-session', { clientToken, ...body })

describe('update', () => {
  const before = {
    orderId: 'order-1',
    currencyCode: 'EUR',
    customerId: 'customer-1',
    order: { countryCode: 'DE', lineItems: [{ amount: 100 }] },
    customer: { emailAddress: 'a@example.com', firstName: 'Ada' },
    metadata: { a: 1 },
    paymentMethod: { descriptor: 'Shop', options: { PAYMENT_CARD: { surcharge: { amount: 5 } } } },
  }
  const change = async (body: Json) => {
    const service = await openService()
    const token = textAt(await create(service, before), 'clientToken')
    const answer = await patch(service, token, body)
    if (answer.status === 200)
      expect(await service.ok('GET', `/client-session?clientToken=${token}`)).toEqual(answer.body)
    return answer
  }

  test('changes only what was sent', async () => {
    expect(await change({})).toMatchObject({ status: 200, body: { ...before, amount: 100 } })
  })

  test('returns neither token nor warnings', async () => {
    const { body } = await change({ orderId: null })
    expect(body).not.toHaveProperty('clientToken')
    expect(body).not.toHaveProperty('warnings')
  })

  test.each<[string, Json, Json]>([
    [
      'customer',
      { customer: { emailAddress: 'b@example.com' } },
      { customer: { emailAddress: 'b@example.com' } },
    ],
    ['metadata', { metadata: { b: 2 } }, { metadata: { b: 2 } }],
    [
      'order',
      { order: { lineItems: [{ amount: 30 }] } },
      { order: { lineItems: [{ amount: 30 }] }, amount: 30 },
    ],
    [
      'lineItems alone in the 2.1 form',
      { lineItems: [{ amount: 7 }] },
      { order: { countryCode: 'DE', lineItems: [{ amount: 7 }] }, amount: 7 },
    ],
    [
      'orderDetails alone in the 2.1 form',
      { orderDetails: { countryCode: 'FR' } },
      { order: { countryCode: 'FR', lineItems: [{ amount: 100 }] } },
    ],
    [
      'lineItems, cleared, by those of orderDetails',
      { lineItems: null, orderDetails: { lineItems: [{ amount: 7 }] } },
      { order: { lineItems: [{ amount: 7 }] }, amount: 7 },
    ],
  ])('replaces %s as a whole', async (_, body, after) => {
    const answer = await change(body)
    for (const [field, value] of Object.entries(after)) expect(answer.body[field]).toEqual(value)
  })

  test('replaces an array instead of merging it', async () => {
    const fees = [{ amount: 1 }, { amount: 2 }]
    const lines = [{ amount: 100, name: 'Shoe' }, { amount: 5 }]
    const service = await openService()
    const order = { lineItems: lines, fees }
    const token = textAt(await create(service, { currencyCode: 'EUR', order }), 'clientToken')
    const { body } = await patch(service, token, { order: { lineItems: [{ amount: 9 }], fees } })
    expect(body).toMatchObject({ amount: 12 })
    expect(body['order']).toEqual({ lineItems: [{ amount: 9 }], fees })
  })

  test('sets vaultOnSuccess', async () => {
    expect((await change({ paymentMethod: { vaultOnSuccess: true } })).body).toMatchObject({
      paymentMethod: { vaultOnSuccess: true },
    })
    expect((await change({ paymentMethod: { vaultOnSuccess: false } })).body).toMatchObject({
      paymentMethod: { vaultOnSuccess: false },
    })
  })

  test('does not extend the life of the token', async () => {
    const service = await openService()
    const token = textAt(await create(service), 'clientToken')
    await advance(service, 24 * HOUR_MS - 1)
    expect(await patch(service, token, { orderId: 'late' })).toMatchObject({ status: 200 })
    await advance(service, 1)
    expect(await patch(service, token, { orderId: 'too-late' })).toMatchObject(
      refusal(400, 'ClientSessionValidationError'),
    )
  })

  test('replaces paymentMethod but keeps its options', async () => {
    const { body } = await change({ paymentMethod: { vaultOnSuccess: true } })
    expect(body['paymentMethod']).toEqual({
      vaultOnSuccess: true,
      options: { PAYMENT_CARD: { surcharge: { amount: 5 } } },
    })
  })

  test.each(['orderId', 'order', 'customerId', 'customer', 'metadata'])('null clears %s', async (field) => {
    const { body } = await change({ [field]: null })
    expect(body).not.toHaveProperty(field)
    expect(Object.keys(body)).toHaveLength(field === 'order' ? 6 : 7)
  })

  test('null clears a currency if nothing has an amount', async () => {
    const service = await openService()
    const { paymentMethod: _, ...plain } = before
    const token = textAt(await create(service, plain), 'clientToken')
    const answer = await patch(service, token, { currencyCode: null, order: { countryCode: 'DE' } })
    expect(answer).toMatchObject({ status: 200, body: { orderId: 'order-1' } })
    expect(answer.body).not.toHaveProperty('currencyCode')
    expect(answer.body).not.toHaveProperty('amount')
  })

  test('null clears paymentMethod with its options', async () => {
    const service = await openService()
    const token = textAt(await create(service, before), 'clientToken')
    const answer = await patch(service, token, { paymentMethod: null })
    expect(answer.status).toBe(200)
    expect(answer.body).not.toHaveProperty('paymentMethod')
    const read = await service.ok('GET', `/client-session?clientToken=${token}`)
    expect(read).not.toHaveProperty('paymentMethod')
  })

  test('null clears an amount, which is then calculated', async () => {
    const service = await openService()
    const token = textAt(await create(service, { ...before, amount: 5 }), 'clientToken')
    expect((await patch(service, token, { amount: null })).body).toMatchObject({ amount: 100 })
  })

  test('null inside a replaced object removes that field', async () => {
    const { body } = await change({ customer: { emailAddress: null, firstName: 'Bea' } })
    expect(body['customer']).toEqual({ firstName: 'Bea' })
  })

  test.each<[string, Json]>([
    ['other options', { paymentMethod: { options: {} } }],
    ['the same options', { paymentMethod: before.paymentMethod }],
    ['options of null', { paymentMethod: { vaultOnSuccess: true, options: null } }],
  ])('refuses %s because they cannot be updated', async (_, body) => {
    const answer = await change(body)
    expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
    const reason = { path: '$.paymentMethod.options', description: 'cannot be updated by this operation' }
    expect(answer.body).toMatchObject({ error: { validationErrors: [{ errors: [reason] }] } })
  })

  test('a top-level amount stays when the order changes', async () => {
    const service = await openService()
    const token = textAt(await create(service, { ...before, amount: 5 }), 'clientToken')
    const { body } = await patch(service, token, { order: { lineItems: [{ amount: 900 }] } })
    expect(body).toMatchObject({ amount: 5, order: { lineItems: [{ amount: 900 }] } })
  })

  test.each<[string, Json, string]>([
    ['a currency that a surcharge needs', { currencyCode: null, order: null }, '$.currencyCode'],
    ['an amount whose currency is cleared', { currencyCode: null }, '$.currencyCode'],
    ['an unknown field set to null', { amout: null }, '$.amout'],
  ])('refuses %s', async (_, body, path) => {
    const answer = await change(body)
    expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
    expect(answer.body).toMatchObject({ error: { validationErrors: [{ errors: [{ path }] }] } })
  })

  test.each<[string, Json]>([
    ['an amount', { amount: 5 }],
    ['a line amount', { lineItems: [{ amount: 5 }] }],
    ['a tax', { order: { lineItems: [{ taxAmount: 0 }] } }],
  ])('refuses %s if neither session nor request has a currency', async (_, body) => {
    const service = await openService()
    const token = textAt(await create(service), 'clientToken')
    expect(await patch(service, token, body)).toMatchObject(refusal(422, 'RequestValidationError'))
    expect(await patch(service, token, { ...body, currencyCode: 'EUR' })).toMatchObject({ status: 200 })
  })

  test('accepts an amount if the session has a currency', async () => {
    expect((await change({ amount: 9 })).body).toMatchObject({ amount: 9, currencyCode: 'EUR' })
  })

  test('needs the client token', async () => {
    const service = await openService()
    const answer = await service.call('PATCH', '/client-session', { clientToken: null })
    expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
  })

  test('refuses an unknown client token', async () => {
    const answer = await patch(await openService(), 'x.y.z', {})
    expect(answer).toMatchObject(refusal(400, 'ClientSessionValidationError'))
  })
})
