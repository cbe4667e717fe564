import { describe, expect, test } from 'vitest'
import { openService, refusal } from '../service.ts'
import type { Json, Service } from '../service.ts'

const MINIMAL = {
  paymentId: 'ext-1',
  currencyCode: 'EUR',
  processor: { name: 'ADYEN' },
  amount: 700,
  createdAt: '2026-01-31T09:30:00Z',
  order: { id: 'order-1' },
  paymentMethod: { paymentMethodType: 'PAYMENT_CARD' },
}
/** With the fields that the service adds. */
const ANSWERED = {
  ...MINIMAL,
  processor: { name: 'ADYEN', merchantId: 'external-1' },
  order: { id: 'order-1', countryCode: 'US' },
}
const push = (service: Service, body: Json = MINIMAL) => service.call('POST', '/observability/payments', body)
const update = (service: Service, body: Json, id = 'ext-1') =>
  service.call('PATCH', `/observability/payments/${id}`, body)

describe('push', () => {
  test('returns the full record', async () => {
    const full = {
      ...MINIMAL,
      processor: { name: 'ADYEN', merchantId: 'm-1' },
      order: { id: 'order-1', countryCode: 'DE' },
      paymentMethod: {
        paymentMethodType: 'PAYMENT_CARD',
        data: { first6Digits: '411111', binData: { network: 'VISA', accountFundingType: 'CREDIT' } },
        threeDSecureAuthentication: { responseCode: 'AUTH_SUCCESS', eci: '05', challengeIssued: false },
      },
      status: 'DECLINED',
      statusReason: { type: 'ISSUER_DECLINED', code: 'DO_NOT_HONOR' },
      metadata: { shop: 'north', till: 4 },
      paymentType: 'ECOMMERCE',
      descriptor: 'Shop',
    }
    expect(await push(await openService(), full)).toMatchObject({ status: 200, body: full })
  })

  test('accepts a minimal record, and an amount of 0', async () => {
    const service = await openService()
    expect((await push(service)).body).toEqual(ANSWERED)
    expect(await push(service, { ...MINIMAL, paymentId: 'ext-2', amount: 0 })).toMatchObject({ status: 200 })
  })

  test('refuses an existing paymentId and keeps that record', async () => {
    const service = await openService()
    await push(service)
    expect(await push(service, { ...MINIMAL, amount: 1 })).toMatchObject(refusal(409, 'EntityAlreadyExists'))
    expect((await update(service, {})).body).toEqual(ANSWERED)
  })

  test.each(Object.keys(MINIMAL))('needs %s', async (field) => {
    const answer = await push(await openService(), { ...MINIMAL, [field]: undefined })
    expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
    expect(answer.body).toMatchObject({ error: { validationErrors: [{ errors: [{ path: `$.${field}` }] }] } })
  })

  test.each<[string, Json]>([
    ['a negative amount', { amount: -1 }],
    ['a date without a time', { createdAt: '2026-01-31' }],
    ['a date with an offset', { createdAt: '2026-01-31T09:30:00+01:00' }],
    ['a leap second', { createdAt: '2026-06-30T23:59:60Z' }],
    ['31 February', { createdAt: '2026-02-31T09:30:00Z' }],
    ['an unknown currency', { currencyCode: 'euro' }],
    ['an unknown status', { status: 'DONE' }],
    ['a flag in metadata', { metadata: { a: true } }],
    ['an empty paymentId', { paymentId: '' }],
    ['an unknown nested field', { processor: { name: 'A', merchant: 'x' } }],
  ])('refuses %s', async (_, change) => {
    const answer = await push(await openService(), { ...MINIMAL, ...change })
    expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
  })

  test.each<[string, Json, Json]>([
    [
      'a processor of the sandbox',
      { processor: { name: 'SANDBOX_ALPHA' } },
      { processor: { merchantId: 'alpha-1' }, order: { countryCode: 'US' } },
    ],
    [
      'a card whose issuer has a country',
      {
        paymentMethod: { paymentMethodType: 'PAYMENT_CARD', data: { binData: { issuerCountryCode: 'FR' } } },
      },
      { processor: { merchantId: 'external-1' }, order: { countryCode: 'FR' } },
    ],
    [
      'its own values',
      { processor: { name: 'SANDBOX_ALPHA', merchantId: 'm-1' }, order: { id: 'o', countryCode: 'DE' } },
      { processor: { merchantId: 'm-1' }, order: { countryCode: 'DE' } },
    ],
  ])('adds merchantId and countryCode for %s', async (_, more, answered) => {
    const service = await openService()
    expect((await push(service, { ...MINIMAL, ...more })).body).toMatchObject(answered)
    expect((await update(service, { amount: 1 })).body).toMatchObject(answered)
  })

  test('an added merchantId changes with the processor', async () => {
    const service = await openService()
    await push(service)
    expect((await update(service, { processor: { name: 'SANDBOX_BETA' } })).body).toMatchObject({
      processor: { name: 'SANDBOX_BETA', merchantId: 'shared-1' },
    })
  })

  test.each([
    ['2026-01-31T09:30:00+00:00', '2026-01-31T09:30:00Z'],
    ['2026-01-31T09:30:00.123456', '2026-01-31T09:30:00.123456Z'],
  ])('returns %s as %s', async (createdAt, answered) => {
    expect((await push(await openService(), { ...MINIMAL, createdAt })).body).toMatchObject({
      createdAt: answered,
    })
  })
})

const change = async (body: Json) => {
  const service = await openService()
  await push(service, {
    ...MINIMAL,
    processor: { name: 'ADYEN', merchantId: 'm-1' },
    metadata: { a: 1, b: 1 },
  })
  return update(service, body)
}

describe('update', () => {
  test('needs only the changed parts of nested fields', async () => {
    const { body } = await change({
      processor: { name: 'STRIPE' },
      metadata: { b: 2 },
      paymentMethod: { data: { first6Digits: '411111' } },
      status: 'SETTLED',
    })
    expect(body).toEqual({
      ...ANSWERED,
      processor: { name: 'STRIPE', merchantId: 'm-1' },
      metadata: { a: 1, b: 2 },
      paymentMethod: { paymentMethodType: 'PAYMENT_CARD', data: { first6Digits: '411111' } },
      status: 'SETTLED',
    })
  })

  test('accepts only its own paymentId in the body', async () => {
    expect(await change({ paymentId: 'ext-1', amount: 5 })).toMatchObject({
      status: 200,
      body: { amount: 5 },
    })
    expect(await change({ paymentId: 'ext-2' })).toMatchObject(refusal(422, 'RequestValidationError'))
  })

  const OTHER = 'must be the date and time of the record, in ISO 8601: it cannot be changed'

  test.each([
    ['2026-01-31T09:30:00.001Z', 'cannot be changed'],
    ['2026-01-31T09:30:00+01:00', 'cannot be changed'],
    ['2026-01-31T09:29:60Z', OTHER],
    ['2026-01-30T24:00:00Z', OTHER],
    ['2026-02-31T09:30:00Z', OTHER],
    ['2026-01-31', OTHER],
    ['yesterday', OTHER],
    ['', OTHER],
  ])('refuses to change createdAt: %j', async (createdAt, description) => {
    const answer = await change({ createdAt, amount: 1 })
    expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
    const reason = { path: '$.createdAt', description }
    expect(answer.body).toMatchObject({ error: { validationErrors: [{ errors: [reason] }] } })
  })

  test.each([
    '2026-01-31T09:30:00Z',
    '2026-01-31T09:30:00',
    '2026-01-31T09:30:00.000000Z',
    '2026-01-31T09:30:00+00:00',
    '2026-01-31T10:30:00+01:00',
    '2026-01-31 04:30:00-0500',
    '2026-01-31T09:30Z',
  ])('accepts createdAt %s, which is the same instant', async (createdAt) => {
    expect(await change({ createdAt, amount: 1 })).toMatchObject({
      status: 200,
      body: { createdAt: MINIMAL.createdAt, amount: 1 },
    })
  })

  test('compares instants to the nanosecond', async () => {
    const service = await openService()
    const send = async (id: string, [created, sent]: readonly [string, string]) => {
      await push(service, { ...MINIMAL, paymentId: id, createdAt: created })
      return (await update(service, { createdAt: sent }, id)).status
    }
    expect(await send('b', ['2026-01-31T09:30:00.123456789Z', '2026-01-31T09:30:00.123456788Z'])).toBe(422)
    expect(await send('c', ['2026-01-31T09:30:00.1Z', '2026-01-31T10:30:00.100+01:00'])).toBe(200)
  })

  test('refuses an invalid body before an unknown record', async () => {
    const service = await openService()
    for (const body of [{ paymentId: 'ext-2' }, { amount: -1 }])
      expect(await update(service, body)).toMatchObject(refusal(422, 'RequestValidationError'))
  })

  test('refuses null', async () => {
    expect(await change({ metadata: null })).toMatchObject(refusal(422, 'RequestValidationError'))
  })

  test.each(['', 'null'])('needs a body, not %j', async (text) => {
    const service = await openService()
    await push(service)
    const answer = await service.call('PATCH', '/observability/payments/ext-1', undefined, { text })
    expect(answer).toMatchObject({
      ...refusal(422, 'RequestValidationError'),
      body: { error: { validationErrors: [{ errors: [{ path: '$', description: 'is required' }] }] } },
    })
  })

  test('refuses an unknown record', async () => {
    expect(await update(await openService(), {})).toMatchObject(refusal(404, 'EntityNotFound'))
  })

  test('finds a percent-encoded paymentId', async () => {
    const service = await openService()
    await push(service, { ...MINIMAL, paymentId: 'a/b c' })
    expect(await update(service, { amount: 1 }, 'a%2Fb%20c')).toMatchObject({
      body: { paymentId: 'a/b c', amount: 1 },
    })
  })
})
