import { describe, expect, test } from 'vitest'
import { at, HOUR_MS, openService, refusal, settledPayment, advance } from '../service.ts'
import { authorized, figures, post, read } from './changing.ts'

describe('refund', () => {
  test('refunds everything by default, in its own PENDING transaction', async () => {
    const service = await openService()
    const id = await settledPayment(service)
    const { body } = await post(service, id, 'refund')
    expect(figures(body)).toEqual(['SETTLED', 1000, 1000])
    expect(at(body, 'transactions', 1)).toMatchObject({
      transactionType: 'REFUND',
      amount: 1000,
      processorStatus: 'PENDING',
      orderId: 'order-1',
    })
  })

  test('a partial refund has its own orderId and reason', async () => {
    const service = await openService()
    const id = await settledPayment(service)
    const { body } = await post(service, id, 'refund', {
      amount: 300,
      orderId: 'return-1',
      reason: 'too small',
    })
    expect(at(body, 'transactions', 1)).toMatchObject({
      amount: 300,
      orderId: 'return-1',
      reason: 'too small',
    })
    expect(body).toMatchObject({ orderId: 'order-1' })
    expect(figures((await post(service, id, 'refund')).body)).toEqual(['SETTLED', 1000, 1000])
  })

  test('refuses more than the rest', async () => {
    const service = await openService()
    const id = await settledPayment(service)
    expect(await post(service, id, 'refund', { amount: 1001 })).toMatchObject(
      refusal(422, 'UnprocessableRefundAmount'),
    )
    await post(service, id, 'refund', { amount: 600 })
    expect(await post(service, id, 'refund', { amount: 401 })).toMatchObject(
      refusal(422, 'UnprocessableRefundAmount'),
    )
    expect(figures(await read(service, id))).toEqual(['SETTLED', 1000, 600])
  })

  test('is limited by the captured amount, not the authorized one', async () => {
    const service = await openService()
    const id = await authorized(service)
    await post(service, id, 'capture', { amount: 400 })
    expect(await post(service, id, 'refund', { amount: 401 })).toMatchObject(
      refusal(422, 'UnprocessableRefundAmount'),
    )
    expect(figures((await post(service, id, 'refund')).body)).toEqual(['SETTLED', 400, 400])
  })

  test('refuses if nothing is left', async () => {
    const service = await openService()
    const id = await settledPayment(service)
    await post(service, id, 'refund')
    for (const body of [{}, { amount: 1 }])
      expect(await post(service, id, 'refund', body)).toMatchObject(refusal(409, 'PaymentAlreadyRefunded'))
  })

  test('works between partial captures and while SETTLING', async () => {
    const service = await openService()
    const partial = await authorized(service)
    await post(service, partial, 'capture', { amount: 400, final: false })
    expect(figures((await post(service, partial, 'refund')).body)).toEqual(['PARTIALLY_SETTLED', 400, 400])
    expect(figures((await post(service, partial, 'capture')).body)).toEqual(['SETTLED', 1000, 400])
    const settling = await settledPayment(service, 'tok_async')
    expect(figures((await post(service, settling, 'refund', { amount: 5 })).body)).toEqual([
      'SETTLING',
      1000,
      5,
    ])
  })

  test.each(['tok_visa', 'tok_declined', 'tok_3ds'])(
    'refuses a payment of %s, which has nothing captured',
    async (token) => {
      const service = await openService()
      const id = await authorized(service, token)
      expect(await post(service, id, 'refund')).toMatchObject(refusal(400, 'InvalidPaymentStatus'))
    },
  )

  test('refuses a failed and a cancelled payment', async () => {
    const service = await openService()
    const [failed, cancelled] = [await authorized(service, 'tok_failed'), await authorized(service)]
    await post(service, cancelled, 'cancel')
    for (const id of [failed, cancelled])
      expect(await post(service, id, 'refund')).toMatchObject(refusal(400, 'InvalidPaymentStatus'))
  })

  test('refuses an unknown payment and an amount of 0', async () => {
    const service = await openService()
    expect(await post(service, 'nothing', 'refund')).toMatchObject(refusal(400, 'PaymentError'))
    const id = await settledPayment(service)
    expect(await post(service, id, 'refund', { amount: 0 })).toMatchObject(
      refusal(422, 'RequestValidationError'),
    )
  })

  test('settles after an hour on the clock', async () => {
    const service = await openService()
    const id = await settledPayment(service)
    await post(service, id, 'refund', { amount: 1 })
    await advance(service, HOUR_MS - 1)
    expect(at(await read(service, id), 'transactions', 1, 'processorStatus')).toBe('PENDING')
    await advance(service, 1)
    expect(at(await read(service, id), 'transactions', 1, 'processorStatus')).toBe('SETTLED')
  })

  test('makes the amount refundable again if the processor fails', async () => {
    const service = await openService()
    const id = await settledPayment(service, 'tok_refund_fails')
    expect(figures((await post(service, id, 'refund', { amount: 700 })).body)).toEqual(['SETTLED', 1000, 700])
    await advance(service, HOUR_MS)
    const payment = await read(service, id)
    expect(figures(payment)).toEqual(['SETTLED', 1000, 0])
    expect(at(payment, 'transactions', 1)).toMatchObject({
      amount: 700,
      processorStatus: 'FAILED',
      processorStatusReason: { type: 'GATEWAY_REJECTED' },
    })
    expect(figures((await post(service, id, 'refund')).body)).toEqual(['SETTLED', 1000, 1000])
  })
})
