import { describe, expect, test } from 'vitest'
import { at, createPayment, openService, refusal, textAt, tokenized } from '../service.ts'
import type { Json, Service } from '../service.ts'

const vault = (service: Service, token: string, body: Json = { customerId: 'ada' }) =>
  service.call('POST', `/payment-instruments/${token}/vault`, body)
const vaulted = async (service: Service, token = 'tok_visa', customerId = 'ada') =>
  textAt((await vault(service, token, { customerId })).body, 'token')
const listOf = async (service: Service, customerId = 'ada') => {
  const { data } = await service.ok('GET', `/payment-instruments?customer_id=${customerId}`)
  return Array.isArray(data) ? data : []
}

describe('vault', () => {
  test('returns a new reusable token', async () => {
    const service = await openService()
    const { body } = await vault(service, 'tok_mastercard')
    expect(body).toMatchObject({
      createdAt: '2026-03-04T05:06:07.089000',
      deleted: false,
      tokenType: 'MULTI_USE',
      paymentMethodType: 'PAYMENT_CARD',
      paymentMethodData: { network: 'MASTERCARD', last4Digits: '4444' },
      customerId: 'ada',
      description: 'MASTERCARD ending in 4444',
      default: false,
      isVerified: false,
    })
    expect(body).not.toHaveProperty('deletedAt')
    expect(textAt(body, 'token')).toMatch(/^[\w-]{36}$/)
    expect(await listOf(service)).toEqual([body])
  })

  test('keeps a fixed token valid', async () => {
    const service = await openService()
    expect(await vaulted(service)).not.toBe(await vaulted(service))
    expect(await createPayment(service, 'tok_visa')).toMatchObject({ status: 'AUTHORIZED' })
  })

  test('spends a card token, and returns the same method when repeated', async () => {
    const service = await openService()
    const paymentMethodToken = await tokenized(service, { card: '4111111111111111' })
    const first = await vault(service, paymentMethodToken)
    expect((await vault(service, paymentMethodToken)).body).toEqual(first.body)
    expect(await listOf(service)).toHaveLength(1)
    const payment = await service.call('POST', '/payments', {
      paymentMethodToken,
      orderId: 'o',
      currencyCode: 'EUR',
      amount: 1,
    })
    expect(payment).toMatchObject(refusal(400, 'PaymentError'))
  })

  test('returns a vaulted token itself', async () => {
    const service = await openService()
    const { body } = await vault(service, 'tok_visa')
    expect((await vault(service, textAt(body, 'token'))).body).toEqual(body)
    const verified = await vault(service, textAt(body, 'token'), { customerId: 'ada', verify: true })
    expect(verified.body).toEqual({ ...body, isVerified: true })
  })

  test('verifies on request', async () => {
    const service = await openService()
    expect((await vault(service, 'tok_visa', { customerId: 'ada', verify: true })).body).toMatchObject({
      isVerified: true,
    })
    const failed = await vault(service, 'tok_declined', { customerId: 'ada', verify: true })
    expect(failed).toMatchObject(refusal(400, 'FailedVerification'))
    expect(await vault(service, 'tok_declined')).toMatchObject({ status: 200, body: { isVerified: false } })
  })

  test('refuses unknown, spent and deleted tokens, and those of other customers', async () => {
    const service = await openService()
    const spent = await tokenized(service, { card: '4111111111111111' })
    await createPayment(service, spent)
    const deleted = await vaulted(service)
    await service.ok('DELETE', `/payment-instruments/${deleted}`)
    const foreign = await vaulted(service, 'tok_visa', 'bea')
    for (const token of ['nothing', spent, deleted, foreign])
      expect(await vault(service, token)).toMatchObject(refusal(400, 'InvalidPaymentInstrumentToken'))
  })

  test('needs a customerId', async () => {
    for (const body of [{}, { customerId: '' }])
      expect(await vault(await openService(), 'tok_visa', body)).toMatchObject(
        refusal(422, 'RequestValidationError'),
      )
  })
})

describe('list', () => {
  test("returns one customer's methods, newest first, without deleted ones", async () => {
    const service = await openService()
    const [first, second, third] = [
      await vaulted(service),
      await vaulted(service, 'tok_paypal'),
      await vaulted(service),
    ]
    await vaulted(service, 'tok_visa', 'bea')
    await service.ok('DELETE', `/payment-instruments/${third}`)
    expect((await listOf(service)).map((row) => at(row, 'token'))).toEqual([second, first])
    expect(await listOf(service, 'nobody')).toEqual([])
  })

  test('needs a customer', async () => {
    const answer = await (await openService()).call('GET', '/payment-instruments')
    expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
  })
})

describe('default', () => {
  test('is set for one method per customer', async () => {
    const service = await openService()
    const [first, second] = [await vaulted(service), await vaulted(service)]
    const other = await vaulted(service, 'tok_visa', 'bea')
    for (const token of [other, first, second]) {
      const answer = await service.ok('POST', `/payment-instruments/${token}/default`)
      expect(answer).toMatchObject({ token, default: true })
      expect(answer).not.toHaveProperty('isVerified')
    }
    const defaults = [...(await listOf(service)), ...(await listOf(service, 'bea'))]
    expect(defaults.filter((row) => at(row, 'default') === true).map((row) => at(row, 'token'))).toEqual([
      second,
      other,
    ])
  })

  test('can be set again', async () => {
    const service = await openService()
    const token = await vaulted(service)
    const once = await service.ok('POST', `/payment-instruments/${token}/default`)
    expect(await service.ok('POST', `/payment-instruments/${token}/default`)).toEqual(once)
  })

  test.each(['nothing', 'tok_visa'])('refuses the token %s, which is not saved', async (token) => {
    const answer = await (await openService()).call('POST', `/payment-instruments/${token}/default`)
    expect(answer).toMatchObject(refusal(400, 'InvalidPaymentInstrumentToken'))
  })
})

describe('delete', () => {
  test('deletes the method and returns when', async () => {
    const service = await openService()
    const token = await vaulted(service)
    await service.ok('POST', `/payment-instruments/${token}/default`)
    expect(await service.ok('DELETE', `/payment-instruments/${token}`)).toMatchObject({
      token,
      deleted: true,
      deletedAt: '2026-03-04T05:06:07.089000',
      default: false,
      isVerified: false,
    })
  })

  test('refuses deleted and unsaved methods', async () => {
    const service = await openService()
    const token = await vaulted(service)
    await service.ok('DELETE', `/payment-instruments/${token}`)
    for (const gone of [token, 'nothing', 'tok_visa']) {
      const answer = await service.call('DELETE', `/payment-instruments/${gone}`)
      expect(answer).toMatchObject(refusal(400, 'InvalidPaymentInstrumentToken'))
    }
  })
})
