import { describe, expect, test } from 'vitest'
import { openCheckout } from '../../checkout-calls.ts'
import type { CheckoutSettings } from '../../../../src/api/checkout-settings.ts'
import { at, createPayment, openService, refusal, textAt, changeSettings, tokenized } from '../../service.ts'
import type { Json } from '../../service.ts'

async function paid(method: Json, settings: Partial<CheckoutSettings>, session?: Json) {
  const service = await openService()
  await changeSettings(service, settings)
  const checkout = await openCheckout(service, session)
  const { body } = await checkout.pay(method)
  return { service, checkout, payment: body, id: textAt(body, 'id') }
}

const CHALLENGED = { status: 'PENDING', requiredAction: { name: '3DS_AUTHENTICATION' } }
const responseCode = (payment: Json) =>
  at(payment, 'paymentMethod', 'threeDSecureAuthentication', 'responseCode')

describe('3DS always', () => {
  const always = { threeDSecure: 'always' } as const

  test.each([
    ['4111111111111111', 'AUTHORIZED', undefined],
    ['4000000000000002', 'DECLINED', 'INSUFFICIENT_FUNDS'],
    ['4000000000000010', 'FAILED', 'ERROR'],
    ['4100000000000019', 'DECLINED', 'SUSPECTED_FRAUD'],
  ])('challenges %s, which is %s afterwards', async (card, status, code) => {
    const { checkout, payment, id } = await paid({ card }, always)
    expect(payment).toMatchObject({ ...CHALLENGED, transactions: [{ processorStatus: 'PENDING' }] })
    expect(at(payment, 'statusReason')).toBeUndefined()
    const { body } = await checkout.call('POST', '/sandbox/challenge', { paymentId: id, outcome: 'pass' })
    const resumed = await checkout.call('POST', `/payments/${id}/resume`, body)
    expect(resumed.body).toMatchObject({ status, transactions: [{ processorStatus: status }] })
    expect(responseCode(resumed.body)).toBe('AUTH_SUCCESS')
    expect(at(resumed.body, 'statusReason', 'code')).toBe(code)
    expect(at(resumed.body, 'transactions', 0, 'processorStatusReason', 'code')).toBe(code)
  })

  test('declines a card whose customer fails', async () => {
    const { checkout, id } = await paid({ card: '4000000000000010' }, always)
    const { body } = await checkout.call('POST', '/sandbox/challenge', { paymentId: id, outcome: 'fail' })
    const resumed = await checkout.call('POST', `/payments/${id}/resume`, body)
    expect(resumed.body).toMatchObject({
      status: 'DECLINED',
      statusReason: { code: 'AUTHENTICATION_REQUIRED' },
    })
    expect(responseCode(resumed.body)).toBe('AUTH_FAILED')
  })

  test.each([
    ['4916994064252017', 'CHALLENGE'],
    ['4929251897047956', 'AUTH_SUCCESS'],
    ['4000000000003055', 'NOT_PERFORMED'],
  ])('leaves %s its own scenario: %s', async (card, code) => {
    expect(responseCode((await paid({ card }, always)).payment)).toBe(code)
  })

  test("leaves the processor's own check and other methods", async () => {
    expect((await paid({ card: '4000000000003220' }, always)).payment).toMatchObject({
      requiredAction: { name: 'PROCESSOR_3DS' },
    })
    expect((await paid({ method: 'PAYPAL' }, always)).payment).toMatchObject({ status: 'AUTHORIZED' })
  })

  test('challenges a saved card too', async () => {
    const service = await openService()
    await changeSettings(service, always)
    const saved = await service.ok('POST', '/payment-instruments/tok_visa/vault', { customerId: 'ada' })
    const session = { orderId: 'o', currencyCode: 'EUR', amount: 5, customerId: 'ada' }
    const checkout = await openCheckout(service, session)
    const { body } = await checkout.pay({ savedMethod: saved['token'] })
    expect(body).toMatchObject(CHALLENGED)
  })

  test('saves the card after the challenge', async () => {
    const session = {
      orderId: 'o',
      currencyCode: 'EUR',
      amount: 5,
      customerId: 'ada',
      paymentMethod: { vaultOnSuccess: true },
    }
    const { checkout, id } = await paid({ card: '4111111111111111' }, always, session)
    const { body } = await checkout.call('POST', '/sandbox/challenge', { paymentId: id, outcome: 'pass' })
    const resumed = await checkout.call('POST', `/payments/${id}/resume`, body)
    expect(resumed.body).toMatchObject({ paymentMethod: { isVaulted: true } })
  })
})

describe('3DS never', () => {
  const never = { threeDSecure: 'never' } as const

  test('approves a card that would get a challenge', async () => {
    const { payment } = await paid({ card: '4916994064252017' }, never)
    expect(payment).toMatchObject({ status: 'AUTHORIZED' })
    expect(responseCode(payment)).toBe('SKIPPED')
    expect(at(payment, 'requiredAction')).toBeUndefined()
  })

  test.each([
    ['4111111111111111', 'AUTHORIZED'],
    ['4000000000000002', 'DECLINED'],
    ['4000000000003220', 'PENDING'],
  ])('leaves %s as it is: %s', async (card, status) => {
    expect((await paid({ card }, never)).payment).toMatchObject({ status })
  })
})

describe('3DS auto', () => {
  test.each([
    ['4111111111111111', 'AUTHORIZED'],
    ['4916994064252017', 'PENDING'],
  ])('lets the card decide: %s is %s', async (card, status) => {
    expect((await paid({ card }, {})).payment).toMatchObject({ status })
  })
})

describe('the authorization type of the settings', () => {
  const estimated = { authorizationType: 'ESTIMATED' } as const
  const TERMS = { orderId: 'o', currencyCode: 'EUR', amount: 5 }
  const VISA = { card: '4111111111111111' }

  test('is used if the session names none', async () => {
    const { payment } = await paid(VISA, estimated)
    expect(payment).toMatchObject({ paymentMethod: { authorizationType: 'ESTIMATED' } })
  })

  test('gives way to that of the session', async () => {
    const session = { ...TERMS, paymentMethod: { authorizationType: 'FINAL' } }
    const { payment } = await paid(VISA, estimated, session)
    expect(payment).toMatchObject({ paymentMethod: { authorizationType: 'FINAL' } })
  })
})

test('the settings leave payments with an API key as they are', async () => {
  const { service, checkout } = await paid(
    { card: '4000000000000002' },
    { threeDSecure: 'always', authorizationType: 'ESTIMATED' },
  )
  await changeSettings(service, { methods: [] })
  expect(await createPayment(service, 'tok_visa')).toMatchObject({
    status: 'AUTHORIZED',
    paymentMethod: { authorizationType: 'FINAL' },
  })
  const { clientToken } = checkout
  const paymentMethodToken = await tokenized(service, { card: '4111111111111111', clientToken })
  expect(await service.ok('POST', '/payments', { paymentMethodToken })).toMatchObject({
    status: 'AUTHORIZED',
  })
})

test('a method that is not offered anymore cannot pay', async () => {
  const service = await openService()
  const checkout = await openCheckout(service)
  const paymentMethodToken = await checkout.tokenize({ method: 'PAYPAL' })
  await changeSettings(service, { methods: [] })
  expect(await checkout.call('POST', '/payments', { paymentMethodToken })).toMatchObject(
    refusal(400, 'PaymentError'),
  )
})
