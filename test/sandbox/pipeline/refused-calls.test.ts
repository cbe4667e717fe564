import { describe, expect, test } from 'vitest'
import { createPayment, openService, refusal, settledPayment, textAt } from '../service.ts'
import type { Json, Service } from '../service.ts'

const authorized = async (service: Service, token = 'tok_visa', more: Json = {}) =>
  textAt(await createPayment(service, token, more), 'id')

const post = (service: Service, id: string, verb: string, body?: Json) =>
  service.call('POST', `/payments/${id}/${verb}`, body)

const PAYMENT = { paymentMethodToken: 'tok_visa', orderId: 'o', currencyCode: 'EUR', amount: 1000 }

const read = (service: Service, id: string) => service.ok('GET', `/payments/${id}`)

describe('refused calls', () => {
  const manyTimes = async (times: number, send: () => Promise<unknown>) => {
    for (let count = 0; count < times; count += 1) await send()
  }
  const isUsable = async (service: Service, id: string) => (await post(service, id, 'capture')).status === 200

  test.each<[string, Json]>([
    ['capture', { amount: 1001 }],
    ['refund', {}],
    ['adjust-authorization', { amount: 5 }],
  ])('of %s are counted, and block the payment in the end', async (verb, body) => {
    const service = await openService()
    const id = await authorized(service)
    await manyTimes(100, () => post(service, id, verb, body))
    for (const [last, valid] of [
      ['capture', {}],
      ['cancel', {}],
      ['refund', {}],
      ['adjust-authorization', { amount: 5 }],
    ] as const)
      expect(await post(service, id, last, valid)).toMatchObject(refusal(409, 'PaymentRequestLimitExceeded'))
  })

  test('of cancel are counted', async () => {
    const service = await openService()
    const id = await settledPayment(service)
    await manyTimes(100, () => post(service, id, 'cancel'))
    expect(await post(service, id, 'refund')).toMatchObject(refusal(409, 'PaymentRequestLimitExceeded'))
  })

  test('of authorize and resume, or for a used key, are not counted', async () => {
    const service = await openService()
    const id = await authorized(service)
    const processor = { processorMerchantId: 'nothing' }
    const keyed = { headers: { 'x-idempotency-key': 'used' } }
    await service.ok('POST', '/payments', { ...PAYMENT, orderId: 'other' }, keyed)
    await manyTimes(100, () => post(service, id, 'authorize', { processor }))
    await manyTimes(100, () => post(service, id, 'resume', { resumeToken: 'x' }))
    await manyTimes(100, () => service.call('POST', `/payments/${id}/capture`, {}, keyed))
    expect(await isUsable(service, id)).toBe(true)
  })

  test('block a payment after a hundred', async () => {
    const service = await openService()
    const id = await authorized(service)
    const verbs = ['refund', 'capture', 'adjust-authorization']
    for (let count = 0; count < 100; count += 1)
      await post(service, id, verbs[count % 3] ?? '', { amount: 1_000_000 })
    expect(await post(service, id, 'capture')).toMatchObject(refusal(409, 'PaymentRequestLimitExceeded'))
    expect(await read(service, id)).toMatchObject({ status: 'AUTHORIZED' })
    expect(await post(service, await authorized(service), 'capture')).toMatchObject({ status: 200 })
  })

  test('ninety-nine leave the payment usable, and invalid bodies do not count', async () => {
    const service = await openService()
    const id = await authorized(service)
    for (let count = 0; count < 99; count += 1) await post(service, id, 'refund')
    for (let count = 0; count < 5; count += 1) await post(service, id, 'capture', { amount: 0 })
    expect(await post(service, id, 'capture')).toMatchObject({ status: 200 })
  })
})
