import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openCheckout, VISA } from '../checkout-calls.ts'
import { at, createPayment, openService, refusal, textAt, changeSettings } from '../service.ts'
import type { Json, Service } from '../service.ts'
import { control } from './call-control.ts'

const FORBIDDEN = refusal(403, 'Forbidden')
const INVALID = refusal(422, 'RequestValidationError')
const SESSION = { orderId: 'o', currencyCode: 'EUR', amount: 5, customerId: 'ada' }

const tokenize = (service: Service, body: Json) => control(service, 'POST', '/sandbox/tokenize', body)
const saved = async (service: Service, customerId: string) =>
  textAt(await service.ok('POST', '/payment-instruments/tok_visa/vault', { customerId }), 'token')
const pathsIn = (answer: Json) => {
  const errors = at(answer, 'error', 'validationErrors', 0, 'errors')
  return Array.isArray(errors) ? errors.map((problem) => at(problem, 'path')) : []
}

describe('a method becomes a token', () => {
  test.each([
    ['PAYPAL', 'AUTHORIZED'],
    ['KLARNA', 'AUTHORIZED'],
    ['GOOGLE_PAY', 'AUTHORIZED'],
    ['IDEAL', 'PENDING'],
    ['BOLETO', 'PENDING'],
  ])('of type %s, whose payment is %s', async (method, status) => {
    const service = await openService()
    const { body } = await tokenize(service, { method })
    const token = textAt(body, 'paymentMethodToken')
    expect(token).toMatch(/^[\w-]{36}$/)
    expect(await createPayment(service, token)).toMatchObject({
      status,
      paymentMethod: { paymentMethodType: method },
    })
    const again = { paymentMethodToken: token, orderId: 'o', currencyCode: 'EUR', amount: 5 }
    expect(await service.call('POST', '/payments', again)).toMatchObject(refusal(400, 'PaymentError'))
  })

  test.each(['CASH', 'PAYMENT_CARD', '', 'constructor'])('but not %j', async (method) => {
    const answer = await tokenize(await openService(), { method })
    expect(answer).toMatchObject(INVALID)
    expect(pathsIn(answer.body)).toEqual(['$.method'])
  })

  test('in exactly one way', async () => {
    const service = await openService()
    const both = await tokenize(service, { ...VISA, method: 'PAYPAL' })
    expect(both).toMatchObject(INVALID)
    expect(pathsIn(both.body)).toEqual(['$.card', '$.method'])
    expect(JSON.stringify(both)).not.toContain(VISA.card)
    expect(await tokenize(service, {})).toMatchObject(INVALID)
  })
})

describe('a saved method becomes a token', () => {
  test('for one payment of the session, which shows the saved method', async () => {
    const service = await openService()
    const savedMethod = await saved(service, 'ada')
    const checkout = await openCheckout(service, SESSION)
    const paymentMethodToken = await checkout.tokenize({ savedMethod })
    expect(paymentMethodToken).not.toBe(savedMethod)
    const { body } = await checkout.call('POST', '/payments', { paymentMethodToken })
    expect(body).toMatchObject({
      status: 'AUTHORIZED',
      paymentMethod: { paymentMethodToken: savedMethod, isVaulted: true },
    })
    const used = await service.call('POST', '/payments', { ...SESSION, paymentMethodToken })
    expect(used).toMatchObject(refusal(400, 'PaymentError'))
    expect(await createPayment(service, savedMethod, { customerId: 'ada' })).toMatchObject({
      status: 'AUTHORIZED',
    })
  })

  test("unless it isn't one of the session's customer", async () => {
    const service = await openService()
    const [checkout, savedMethod] = [await openCheckout(service, SESSION), await saved(service, 'bob')]
    for (const token of [savedMethod, 'tok_visa', 'nothing'])
      expect(await checkout.call('POST', '/sandbox/tokenize', { savedMethod: token })).toMatchObject(
        FORBIDDEN,
      )
    const { clientToken } = checkout
    expect(await tokenize(service, { savedMethod, clientToken })).toMatchObject(
      refusal(400, 'InvalidPaymentInstrumentToken'),
    )
  })

  test.each(['tok_visa', 'nothing', ''])('but not %j', async (savedMethod) => {
    const answer = await tokenize(await openService(), { savedMethod })
    expect(answer).toMatchObject(refusal(400, 'InvalidPaymentInstrumentToken'))
  })

  test('and pays no more once it is deleted, or belongs to another customer', async () => {
    const service = await openService()
    const savedMethod = await saved(service, 'ada')
    const [checkout, other] = [await openCheckout(service, SESSION), await openCheckout(service, SESSION)]
    const [first, second] = [await checkout.tokenize({ savedMethod }), await other.tokenize({ savedMethod })]
    await service.ok('PATCH', '/client-session', { clientToken: other.clientToken, customerId: 'bob' })
    expect(await other.call('POST', '/payments', { paymentMethodToken: second })).toMatchObject(FORBIDDEN)
    await service.ok('DELETE', `/payment-instruments/${savedMethod}`)
    expect(await checkout.call('POST', '/payments', { paymentMethodToken: first })).toMatchObject(
      refusal(400, 'PaymentError'),
    )
  })
})

describe('tokenizing with a client token', () => {
  test('belongs to its session', async () => {
    const service = await openService()
    const [checkout, other] = [await openCheckout(service), await openCheckout(service)]
    expect(await checkout.pay(VISA)).toMatchObject({ status: 200 })
    const { clientToken } = other
    expect(await other.call('POST', '/sandbox/tokenize', { ...VISA, clientToken })).toMatchObject({
      status: 200,
    })
    expect(await checkout.call('POST', '/sandbox/tokenize', { ...VISA, clientToken })).toMatchObject(
      FORBIDDEN,
    )
  })

  test.each([{ amount: 5 }, { cvv: '123' }, { card: { number: '1' }, x: 1 }])(
    'takes no further field: %j',
    async (more) => {
      const checkout = await openCheckout(await openService())
      const answer = await checkout.call('POST', '/sandbox/tokenize', { ...VISA, ...more })
      expect(answer).toMatchObject(FORBIDDEN)
      expect(JSON.stringify(answer)).not.toContain(VISA.card)
    },
  )

  test.each([
    [{ method: 'KLARNA' }, '$.method'],
    [{ method: 'BOLETO' }, '$.method'],
  ])('takes only what the checkout offers: not %j for USD', async (method, path) => {
    const service = await openService()
    const checkout = await openCheckout(service, { ...SESSION, currencyCode: 'USD' })
    const answer = await checkout.call('POST', '/sandbox/tokenize', method)
    expect(answer).toMatchObject(INVALID)
    expect(pathsIn(answer.body)).toEqual([path])
    expect(await tokenize(service, method)).toMatchObject({ status: 200 })
  })

  test('takes no cards if the checkout offers none', async () => {
    const service = await openService()
    const checkout = await openCheckout(service, SESSION)
    const savedMethod = await saved(service, 'ada')
    await changeSettings(service, { methods: [] })
    for (const [method, path] of [
      [VISA, '$.card'],
      [{ savedMethod }, '$.savedMethod'],
    ] as const) {
      const answer = await checkout.call('POST', '/sandbox/tokenize', method)
      expect(answer).toMatchObject(INVALID)
      expect(pathsIn(answer.body)).toEqual([path])
    }
  })

  test('neither stores nor logs a card number, and refuses real ones', async () => {
    const service = await openService()
    const checkout = await openCheckout(service)
    const real = { card: '4012 8888 8888 1881' }
    const refused = await checkout.call('POST', '/sandbox/tokenize', real)
    expect(refused).toMatchObject(INVALID)
    expect(JSON.stringify(refused)).not.toMatch(/4012|1881/)
    await checkout.pay({ card: '4111 1111-1111 1111' })
    await service.sandbox.close()
    for (const file of ['sandbox.db', 'sandbox.db-wal'].map((name) => join(service.folder, name))) {
      const text = readText(file)
      expect(text).not.toMatch(/4111[ -]?1111[ -]?1111[ -]?1111|4012[ -]?8888[ -]?8888[ -]?1881/)
    }
  })
})

function readText(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}
