import { describe, expect, test } from 'vitest'
import { at, createPayment, openService, refusal, textAt } from '../service.ts'
import type { Service } from '../service.ts'
import { TERMS, pay, tokenOf } from './paying.ts'

describe('vaultOnSuccess', () => {
  const vaulting = { customerId: 'customer-1', paymentMethod: { vaultOnSuccess: true } }

  test('needs a customerId', async () => {
    const answer = await pay(await openService(), {
      paymentMethodToken: 'tok_visa',
      ...TERMS,
      paymentMethod: { vaultOnSuccess: true },
    })
    expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
    expect(at(answer.body, 'error', 'validationErrors', 0, 'errors', 0, 'path')).toBe('$.customerId')
  })

  test('returns a new reusable token and marks a first payment', async () => {
    const service = await openService()
    const used = await tokenOf(service)
    const payment = await createPayment(service, used, vaulting)
    expect(payment).toMatchObject({ paymentMethod: { isVaulted: true, paymentType: 'FIRST_PAYMENT' } })
    const saved = textAt(payment, 'paymentMethod', 'paymentMethodToken')
    expect(saved).not.toBe(used)
    for (const orderId of ['order-2', 'order-3']) {
      const again = await createPayment(service, saved, { orderId, customerId: 'customer-1' })
      expect(again).toMatchObject({ paymentMethod: { paymentMethodToken: saved, isVaulted: true } })
    }
    const list = await service.ok('GET', '/payment-instruments?customer_id=customer-1')
    expect(list).toMatchObject({ data: [{ token: saved, tokenType: 'MULTI_USE' }] })
  })

  test('marks a first payment regardless of the given type', async () => {
    const paymentMethod = { vaultOnSuccess: true, paymentType: 'SUBSCRIPTION' }
    const payment = await createPayment(await openService(), 'tok_visa', { ...vaulting, paymentMethod })
    expect(payment).toMatchObject({ paymentMethod: { paymentType: 'FIRST_PAYMENT' } })
  })

  test('does not save a saved method again, and keeps its payment type', async () => {
    const service = await openService()
    const saved = await vaulted(service)
    const paymentMethod = { vaultOnSuccess: true, paymentType: 'SUBSCRIPTION' }
    const payment = await createPayment(service, saved, { ...vaulting, paymentMethod })
    expect(payment).toMatchObject({
      paymentMethod: { paymentMethodToken: saved, isVaulted: true, paymentType: 'SUBSCRIPTION' },
    })
    const { data } = await service.ok('GET', '/payment-instruments?customer_id=customer-1')
    expect(data).toHaveLength(1)
  })

  test('nothing is saved without it', async () => {
    const service = await openService()
    const payment = await createPayment(service, 'tok_visa', { customerId: 'customer-1' })
    expect(payment).toMatchObject({ paymentMethod: { isVaulted: false } })
    expect(payment['paymentMethod']).not.toHaveProperty('paymentType')
    expect(await service.ok('GET', '/payment-instruments?customer_id=customer-1')).toEqual({ data: [] })
  })

  test.each(['tok_declined', 'tok_failed', 'tok_3ds'])(
    'saves nothing until %s has succeeded',
    async (token) => {
      const service = await openService()
      expect(await createPayment(service, token, vaulting)).toMatchObject({
        paymentMethod: { isVaulted: false },
      })
      expect(await service.ok('GET', '/payment-instruments?customer_id=customer-1')).toEqual({ data: [] })
    },
  )
})

const vaulted = async (service: Service) =>
  textAt(
    await service.ok('POST', '/payment-instruments/tok_visa/vault', { customerId: 'customer-1' }),
    'token',
  )

describe('a vaulted token', () => {
  test.each(['amount', 'currencyCode', 'orderId', 'customerId'])('needs %s', async (field) => {
    const service = await openService()
    const answer = await pay(service, {
      paymentMethodToken: await vaulted(service),
      ...TERMS,
      customerId: 'customer-1',
      [field]: undefined,
    })
    expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
    expect(at(answer.body, 'error', 'validationErrors', 0, 'errors')).toMatchObject([{ path: `$.${field}` }])
  })

  test('is refused for another customer', async () => {
    const service = await openService()
    const body = { paymentMethodToken: await vaulted(service), ...TERMS, customerId: 'customer-2' }
    expect(await pay(service, body)).toMatchObject(refusal(400, 'PaymentError'))
  })

  test('is refused once it is deleted', async () => {
    const service = await openService()
    const token = await vaulted(service)
    await service.ok('DELETE', `/payment-instruments/${token}`)
    const body = { paymentMethodToken: token, ...TERMS, customerId: 'customer-1' }
    expect(await pay(service, body)).toMatchObject(refusal(400, 'PaymentError'))
  })
})
