import { describe, expect, test } from 'vitest'
import { at, createPayment, openService, refusal, textAt } from '../service.ts'
import type { Service } from '../service.ts'
import { pay, tokenOf } from './paying.ts'

describe('surcharge', () => {
  const order = { lineItems: [{ amount: 1000 }] }
  const options = {
    PAYMENT_CARD: { surcharge: { amount: 10 }, networks: { MASTERCARD: { surcharge: { amount: 25 } } } },
    PAYPAL: { surcharge: { amount: 40 } },
  }
  test.each([
    ['tok_visa', 1010, [{ type: 'SURCHARGE', amount: 10 }]],
    ['tok_mastercard', 1025, [{ type: 'SURCHARGE', amount: 25 }]],
    ['tok_paypal', 1040, [{ type: 'SURCHARGE', amount: 40 }]],
    ['tok_async', 1000, undefined],
  ])('%s has its own surcharge', async (token, amount, fees) => {
    const body = { amount: undefined, order, paymentMethod: { options } }
    const payment = await createPayment(await openService(), token, body)
    expect(payment).toMatchObject({ amount })
    expect(at(payment, 'order', 'fees')).toEqual(fees)
  })

  test('refuses an unknown network', async () => {
    const paymentMethod = { options: { PAYMENT_CARD: { networks: { Visa: { surcharge: { amount: 7 } } } } } }
    const answer = await (await openService()).call('POST', '/client-session', { paymentMethod })
    expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
    expect(at(answer.body, 'error', 'description')).toContain('networks.Visa must be one of AMEX')
  })

  test("applies a network's surcharge only to cards", async () => {
    const networks = { OTHER: { surcharge: { amount: 7 } }, VISA: { surcharge: { amount: 8 } } }
    const payment = await createPayment(await openService(), 'tok_paypal', {
      amount: undefined,
      order,
      paymentMethod: { options: { PAYPAL: { networks } } },
    })
    expect(payment).toMatchObject({ amount: 1000 })
  })

  test('comes after the fees of the order, and also applies to a saved card', async () => {
    const service = await openService()
    const payment = await createPayment(service, await vaulted(service), {
      customerId: 'customer-1',
      amount: undefined,
      order: { ...order, fees: [{ type: 'HANDLING', amount: 3 }] },
      paymentMethod: { options },
    })
    expect(payment).toMatchObject({ amount: 1013 })
    expect(at(payment, 'order', 'fees')).toEqual([
      { type: 'HANDLING', amount: 3 },
      { type: 'SURCHARGE', amount: 10 },
    ])
  })

  test("comes from the session's options, unless that has a top-level amount", async () => {
    const service = await openService()
    const session = { orderId: 'o', currencyCode: 'EUR', order, paymentMethod: { options } }
    const [calculated, fixed] = [
      await tokenOf(service, session),
      await tokenOf(service, { ...session, amount: 900 }),
    ]
    expect((await pay(service, { paymentMethodToken: calculated })).body).toMatchObject({ amount: 1010 })
    const { body } = await pay(service, { paymentMethodToken: fixed })
    expect(body).toMatchObject({ amount: 900, order })
    expect(at(body, 'order', 'fees')).toBeUndefined()
  })

  test('is not added to a top-level amount', async () => {
    const payment = await createPayment(await openService(), 'tok_visa', {
      order,
      paymentMethod: { options },
    })
    expect(payment).toMatchObject({ amount: 1000, order })
    expect(at(payment, 'order', 'fees')).toBeUndefined()
  })
})

const vaulted = async (service: Service) =>
  textAt(
    await service.ok('POST', '/payment-instruments/tok_visa/vault', { customerId: 'customer-1' }),
    'token',
  )
