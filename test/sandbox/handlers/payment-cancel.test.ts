import { describe, expect, test } from 'vitest'
import { openService, refusal } from '../service.ts'
import type { Json } from '../service.ts'
import { made, post } from './changing.ts'

describe('cancel', () => {
  test.each(['tok_visa', 'tok_3ds'])('cancels a payment of %s and stores the reason', async (token) => {
    const service = await openService()
    const id = await made(service, token)
    const { body } = await post(service, id, 'cancel', { reason: 'out of stock' })
    expect(body).toMatchObject({
      status: 'CANCELLED',
      transactions: [{ processorStatus: 'CANCELLED', reason: 'out of stock' }],
    })
    expect(body).not.toHaveProperty('requiredAction')
    for (const verb of ['capture', 'refund', 'cancel'])
      expect(await post(service, id, verb)).toMatchObject(refusal(400, 'InvalidPaymentStatus'))
  })

  test.each(['tok_declined', 'tok_failed', 'tok_autocapture'])('refuses a payment of %s', async (token) => {
    const service = await openService()
    expect(await post(service, await made(service, token), 'cancel')).toMatchObject(
      refusal(400, 'InvalidPaymentStatus'),
    )
  })

  test.each<[string, string, Json]>([
    ['PARTIALLY_SETTLED', 'tok_visa', { amount: 1, final: false }],
    ['SETTLING', 'tok_async', {}],
    ['SETTLED', 'tok_visa', {}],
  ])('refuses a payment that is %s', async (status, token, captured) => {
    const service = await openService()
    const id = await made(service, token)
    expect((await post(service, id, 'capture', captured)).body).toMatchObject({ status })
    expect(await post(service, id, 'cancel')).toMatchObject(refusal(400, 'InvalidPaymentStatus'))
  })

  test('refuses an unknown payment', async () => {
    expect(await post(await openService(), 'nothing', 'cancel')).toMatchObject(refusal(400, 'PaymentError'))
  })
})
