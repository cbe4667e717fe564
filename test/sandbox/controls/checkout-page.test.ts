import { describe, expect, test } from 'vitest'
import { DECLINED, openCheckout, VISA } from '../checkout-calls.ts'
import { at, openService, refusal, changeSettings } from '../service.ts'
import type { Json } from '../service.ts'
import { control } from './call-control.ts'

async function pageOf(session?: Json, settings = {}): Promise<Json> {
  const service = await openService()
  await changeSettings(service, settings)
  const checkout = await openCheckout(service, session)
  const { status, body } = await checkout.call('GET', '/sandbox/checkout')
  expect(status).toBe(200)
  return body
}

const order = { lineItems: [{ amount: 1000 }] }
const options = {
  PAYMENT_CARD: { surcharge: { amount: 10 }, networks: { MASTERCARD: { surcharge: { amount: 25 } } } },
  PAYPAL: { surcharge: { amount: 40 } },
}
const TERMS = { orderId: 'o', currencyCode: 'EUR' }

describe('the checkout of a session', () => {
  test('shows the methods with their names and prices', async () => {
    const page = await pageOf({ ...TERMS, order, paymentMethod: { options } })
    expect(page).toMatchObject({ currencyCode: 'EUR', amount: 1000, missing: [], showSurcharges: true })
    expect(page['methods']).toEqual([
      {
        type: 'PAYMENT_CARD',
        name: 'Card',
        asynchronous: false,
        amount: 1010,
        surcharge: 10,
        networks: { MASTERCARD: { amount: 1025, surcharge: 25 } },
      },
      { type: 'PAYPAL', name: 'PayPal', asynchronous: false, amount: 1040, surcharge: 40 },
      { type: 'KLARNA', name: 'Klarna', asynchronous: false, amount: 1000 },
      { type: 'IDEAL', name: 'iDEAL', asynchronous: true, amount: 1000 },
    ])
  })

  test('charges surcharges that the settings hide', async () => {
    const session = { ...TERMS, order, paymentMethod: { options } }
    const page = await pageOf(session, { showSurcharges: false })
    expect(page).toMatchObject({ showSurcharges: false })
    expect(page['methods']).toContainEqual({
      type: 'PAYPAL',
      name: 'PayPal',
      asynchronous: false,
      amount: 1040,
    })
    expect(JSON.stringify(page)).not.toContain('"surcharge"')
  })

  test('has no surcharge if there is a top-level amount', async () => {
    const page = await pageOf({ ...TERMS, order, amount: 900, paymentMethod: { options } })
    expect(page).toMatchObject({
      amount: 900,
      methods: [{ amount: 900, networks: { MASTERCARD: { amount: 900 } } }, { amount: 900 }, {}, {}],
    })
    expect(JSON.stringify(page)).not.toContain('"surcharge"')
  })

  test('names what the session lacks', async () => {
    expect(await pageOf({})).toMatchObject({ missing: ['amount', 'currencyCode', 'orderId'] })
    const vaulting = { ...TERMS, amount: 5, paymentMethod: { vaultOnSuccess: true } }
    expect(await pageOf({ ...vaulting, orderId: '' })).toMatchObject({ missing: ['orderId', 'customerId'] })
  })

  test('lists the test cards with their networks, unless cards are not offered', async () => {
    const { testCards } = await pageOf()
    expect(testCards).toContainEqual({
      number: '5555555555554444',
      network: 'MASTERCARD',
      outcome: 'AUTHORIZED',
      title: 'Mastercard',
      what: 'approved (Mastercard, credit)',
    })
    expect((await pageOf(undefined, { methods: [] }))['testCards']).toEqual([])
  })

  test('names the payment of the session, so that a reloaded page can continue', async () => {
    const service = await openService()
    const checkout = await openCheckout(service)
    const payment = async () => at((await checkout.call('GET', '/sandbox/checkout')).body, 'payment')
    expect(await payment()).toBeUndefined()
    const declined = await checkout.pay(DECLINED)
    expect(await payment()).toEqual({ id: declined.body['id'], status: 'DECLINED' })
    const paid = await checkout.pay(VISA)
    expect(await payment()).toEqual({ id: paid.body['id'], status: 'AUTHORIZED' })
  })

  test('is for client tokens only', async () => {
    const service = await openService()
    expect(await control(service, 'GET', '/sandbox/checkout')).toMatchObject(refusal(403, 'Forbidden'))
    expect(await control(service, 'GET', '/sandbox/checkout', undefined, { key: '' })).toMatchObject(
      refusal(401, 'Unauthorized'),
    )
  })
})
