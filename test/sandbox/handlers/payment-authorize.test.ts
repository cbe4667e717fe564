import { describe, expect, test } from 'vitest'
import { createPayment, openService, refusal, settledPayment, textAt, answered } from '../service.ts'
import type { Json, Service } from '../service.ts'
import { made, post } from './changing.ts'

const authorize = (service: Service, id: string, processor: Json) =>
  post(service, id, 'authorize', { processor })

describe('authorize', () => {
  test.each([
    ['tok_declined', 'AUTHORIZED'],
    ['tok_failed', 'AUTHORIZED'],
    ['tok_3ds', 'AUTHORIZED'],
    ['tok_hard_declined', 'DECLINED'],
  ])('%s becomes %s through another processor', async (token, status) => {
    const service = await openService()
    const id = await made(service, token)
    const { body } = await authorize(service, id, { processorMerchantId: 'beta-1' })
    expect(body).toMatchObject({
      status,
      processor: { name: 'SANDBOX_BETA', processorMerchantId: 'beta-1' },
      transactions: [
        { processorName: 'SANDBOX_ALPHA' },
        { processorName: 'SANDBOX_BETA', processorStatus: status },
      ],
    })
    expect(body).not.toHaveProperty('requiredAction')
    expect('statusReason' in body).toBe(status === 'DECLINED')
  })

  test('a manually authorized payment can be captured', async () => {
    const service = await openService()
    const id = await made(service, 'tok_failed')
    await authorize(service, id, { processorMerchantId: 'alpha-1' })
    expect((await post(service, id, 'capture')).body).toMatchObject({ status: 'SETTLED' })
  })

  test('vaults on success', async () => {
    const service = await openService()
    const id = await made(service, 'tok_failed', { customerId: 'c', paymentMethod: { vaultOnSuccess: true } })
    const { body } = await authorize(service, id, { processorMerchantId: 'alpha-1' })
    expect(body).toMatchObject({ paymentMethod: { isVaulted: true, paymentType: 'FIRST_PAYMENT' } })
  })

  test('chooses by name among processors that share a merchant id', async () => {
    const service = await openService()
    const id = await made(service, 'tok_failed')
    const conflict = await authorize(service, id, { processorMerchantId: 'shared-1' })
    expect(conflict).toMatchObject(refusal(400, 'MerchantAccountConflict'))
    const { body } = await authorize(service, id, { processorMerchantId: 'shared-1', name: 'SANDBOX_GAMMA' })
    expect(body).toMatchObject({ processor: { name: 'SANDBOX_GAMMA' } })
  })

  test.each<[string, Json]>([
    ['an unknown merchant id', { processorMerchantId: 'nothing' }],
    ['a merchant id of another processor', { processorMerchantId: 'alpha-1', name: 'SANDBOX_BETA' }],
  ])('refuses %s', async (_, processor) => {
    const service = await openService()
    const id = await made(service, 'tok_failed')
    expect(await authorize(service, id, processor)).toMatchObject(refusal(400, 'MerchantAccountNotFound'))
  })

  test('refuses an authorized payment before it checks the processor', async () => {
    const service = await openService()
    for (const id of [await made(service, 'tok_visa'), await settledPayment(service)]) {
      const answer = await authorize(service, id, { processorMerchantId: 'nothing' })
      expect(answer).toMatchObject(refusal(400, 'PaymentAlreadyAuthorized'))
    }
  })

  test.each<[string, string, Json | undefined]>([
    ['AUTHORIZED', 'tok_visa', undefined],
    ['PARTIALLY_SETTLED', 'tok_visa', { amount: 1, final: false }],
    ['SETTLING', 'tok_async', {}],
    ['SETTLED', 'tok_visa', {}],
  ])('refuses a payment that is %s', async (status, token, captured) => {
    const service = await openService()
    const id = await made(service, token)
    if (captured !== undefined) await post(service, id, 'capture', captured)
    expect(await service.ok('GET', `/payments/${id}`)).toMatchObject({ status })
    expect(await authorize(service, id, { processorMerchantId: 'beta-1' })).toMatchObject(
      refusal(400, 'PaymentAlreadyAuthorized'),
    )
  })

  test('ends the required action, so the payment cannot be resumed', async () => {
    const service = await openService()
    const payment = await createPayment(service, 'tok_3ds')
    const id = textAt(payment, 'id')
    const clientToken = textAt(payment, 'requiredAction', 'clientToken')
    const resumeToken = await answered(service, { clientToken, outcome: 'fail' })
    await authorize(service, id, { processorMerchantId: 'alpha-1' })
    expect(await post(service, id, 'resume', { resumeToken })).toMatchObject(
      refusal(400, 'InvalidPaymentStatus'),
    )
    expect(await service.ok('GET', `/payments/${id}`)).toMatchObject({ status: 'AUTHORIZED' })
  })

  test('refuses a cancelled payment', async () => {
    const service = await openService()
    const id = await made(service, 'tok_visa')
    await post(service, id, 'cancel')
    expect(await authorize(service, id, { processorMerchantId: 'alpha-1' })).toMatchObject(
      refusal(400, 'InvalidPaymentStatus'),
    )
  })

  test('refuses an unknown payment with 404, and a body without a processor', async () => {
    const service = await openService()
    const answer = await authorize(service, 'nothing', { processorMerchantId: 'alpha-1' })
    expect(answer).toMatchObject(refusal(404, 'PaymentNotFoundError'))
    expect(await post(service, 'nothing', 'authorize')).toMatchObject(refusal(422, 'RequestValidationError'))
    expect(await post(service, 'nothing', 'authorize', { processor: {} })).toMatchObject(
      refusal(422, 'RequestValidationError'),
    )
  })
})
