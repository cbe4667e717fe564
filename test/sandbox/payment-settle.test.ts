import { describe, expect, test } from 'vitest'
import {
  at,
  createPayment,
  HOUR_MS,
  newFolder,
  NOW,
  openService,
  refusal,
  settledPayment,
  textAt,
} from './service.ts'
import type { Json, Service } from './service.ts'

const authorized = async (service: Service, token = 'tok_visa', more: Json = {}) =>
  textAt(await createPayment(service, token, more), 'id')
const post = (service: Service, id: string, verb: string, body?: Json) =>
  service.call('POST', `/payments/${id}/${verb}`, body)
const figures = (payment: Json) => [
  payment['status'],
  at(payment, 'processor', 'amountCaptured'),
  at(payment, 'processor', 'amountRefunded'),
]
const PAYMENT = { paymentMethodToken: 'tok_visa', orderId: 'o', currencyCode: 'EUR', amount: 1000 }
const read = (service: Service, id: string) => service.ok('GET', `/payments/${id}`)

describe('capture', () => {
  test.each<[string, Json | undefined, string, number]>([
    ['no body', undefined, 'SETTLED', 1000],
    ['an empty body', {}, 'SETTLED', 1000],
    ['all of it', { amount: 1000 }, 'SETTLED', 1000],
    ['all of it, not final', { amount: 1000, final: false }, 'SETTLED', 1000],
    ['all by an omitted amount, not final', { final: false }, 'SETTLED', 1000],
    ['a part', { amount: 400 }, 'SETTLED', 400],
    ['a part, final', { amount: 400, final: true }, 'SETTLED', 400],
    ['a part, not final', { amount: 400, final: false }, 'PARTIALLY_SETTLED', 400],
  ])('with %s', async (_, body, status, captured) => {
    const service = await openService()
    const id = await authorized(service)
    const answer = await post(service, id, 'capture', body)
    expect(figures(answer.body)).toEqual([status, captured, 0])
    expect(await read(service, id)).toEqual(answer.body)
  })

  test('several parts add up, and the last one by default is what is left', async () => {
    const service = await openService()
    const id = await authorized(service)
    await post(service, id, 'capture', { amount: 300, final: false })
    expect(figures((await post(service, id, 'capture', { amount: 300, final: false })).body)).toEqual([
      'PARTIALLY_SETTLED',
      600,
      0,
    ])
    expect(figures((await post(service, id, 'capture')).body)).toEqual(['SETTLED', 1000, 0])
  })

  test.each([1001, Number.MAX_SAFE_INTEGER])('refuses %i of 1000', async (amount) => {
    const service = await openService()
    const id = await authorized(service)
    expect(await post(service, id, 'capture', { amount })).toMatchObject(
      refusal(422, 'UnprocessableCaptureAmount'),
    )
    expect(figures(await read(service, id))).toEqual(['AUTHORIZED', 0, 0])
  })

  test('refuses more than an earlier part has left', async () => {
    const service = await openService()
    const id = await authorized(service)
    await post(service, id, 'capture', { amount: 900, final: false })
    expect(await post(service, id, 'capture', { amount: 101 })).toMatchObject(
      refusal(422, 'UnprocessableCaptureAmount'),
    )
  })

  test('refuses another capture after a final one', async () => {
    const service = await openService()
    const id = await authorized(service)
    await post(service, id, 'capture', { amount: 1 })
    expect(await post(service, id, 'capture', { amount: 1 })).toMatchObject(
      refusal(400, 'InvalidPaymentStatus'),
    )
  })

  test.each(['tok_declined', 'tok_failed', 'tok_3ds', 'tok_autocapture'])(
    'refuses a payment of %s',
    async (token) => {
      const service = await openService()
      const id = await authorized(service, token)
      expect(await post(service, id, 'capture')).toMatchObject(refusal(400, 'InvalidPaymentStatus'))
    },
  )

  test.each([0, -1, 1.5, '5', null])('refuses the amount %j', async (amount) => {
    const service = await openService()
    const id = await authorized(service)
    expect(await post(service, id, 'capture', { amount })).toMatchObject(
      refusal(422, 'RequestValidationError'),
    )
  })

  test('refuses an unknown payment', async () => {
    expect(await post(await openService(), 'nothing', 'capture')).toMatchObject(refusal(400, 'PaymentError'))
  })

  test('of a part is refused by a processor that cannot', async () => {
    const service = await openService()
    const id = await authorized(service, 'tok_nopartial')
    expect(await post(service, id, 'capture', { amount: 999 })).toMatchObject(
      refusal(400, 'PartialCaptureNotSupported'),
    )
    expect(figures((await post(service, id, 'capture', { amount: 1000 })).body)).toEqual(['SETTLED', 1000, 0])
  })

  test('of an asynchronous method settles when the clock has moved an hour', async () => {
    const service = await openService()
    const id = await authorized(service, 'tok_async')
    expect(figures((await post(service, id, 'capture')).body)).toEqual(['SETTLING', 1000, 0])
    await service.sandbox.clock.advance(HOUR_MS - 1)
    expect(await read(service, id)).toMatchObject({ status: 'SETTLING' })
    await service.sandbox.clock.advance(1)
    expect(await read(service, id)).toMatchObject({ status: 'SETTLED' })
  })

  test.each<[string, Json, string, number]>([
    ['a part, not final', { amount: 400, final: false }, 'PARTIALLY_SETTLED', 400],
    ['a part, final', { amount: 400 }, 'SETTLING', 400],
    ['all, not final', { final: false }, 'SETTLING', 1000],
  ])('of an asynchronous method: %s', async (_, body, status, captured) => {
    const service = await openService()
    const id = await authorized(service, 'tok_async')
    expect(figures((await post(service, id, 'capture', body)).body)).toEqual([status, captured, 0])
  })

  test('refuses a payment that is SETTLING or CANCELLED', async () => {
    const service = await openService()
    const [settling, cancelled] = [await settledPayment(service, 'tok_async'), await authorized(service)]
    await post(service, cancelled, 'cancel')
    for (const id of [settling, cancelled])
      expect(await post(service, id, 'capture')).toMatchObject(refusal(400, 'InvalidPaymentStatus'))
  })

  test('settles by the passing of real time too, seen by whoever asks next', async () => {
    let now = NOW
    const service = await openService(newFolder(), 1, () => now)
    const id = await settledPayment(service, 'tok_async')
    now = new Date(NOW.getTime() + HOUR_MS)
    expect(await read(service, id)).toMatchObject({ status: 'SETTLED' })
  })

  test('takes the order of what was sent', async () => {
    const service = await openService()
    const id = await authorized(service)
    const order = { lineItems: [{ itemId: 'shoe', amount: 400 }] }
    expect((await post(service, id, 'capture', { amount: 400, order })).body).toMatchObject({ order })
  })

  test('merges its order into that of the payment, field by field', async () => {
    const service = await openService()
    const order = { countryCode: 'DE', fees: [{ amount: 5 }], lineItems: [{ amount: 400 }, { amount: 600 }] }
    const id = await authorized(service, 'tok_visa', { order })
    const first = { amount: 400, final: false, order: { lineItems: [{ amount: 400, name: 'Shoe' }] } }
    expect((await post(service, id, 'capture', first)).body['order']).toEqual({
      ...order,
      lineItems: [{ amount: 400, name: 'Shoe' }],
    })
    const { body } = await post(service, id, 'capture', { orderDetails: { shipping: { amount: 7 } } })
    expect(body['order']).toEqual({
      ...order,
      lineItems: [{ amount: 400, name: 'Shoe' }],
      shipping: { amount: 7 },
    })
  })

  test('leaves the authorized amount in amount, also a final one of a part', async () => {
    const service = await openService()
    const id = await authorized(service)
    const { body } = await post(service, id, 'capture', { amount: 400, final: true })
    expect(body).toMatchObject({ status: 'SETTLED', amount: 1000, processor: { amountCaptured: 400 } })
  })

  test('takes the other form of an order, and not both at once', async () => {
    const service = await openService()
    const id = await authorized(service)
    const lineItems = [{ itemId: 'shoe', amount: 400 }]
    expect(await post(service, id, 'capture', { order: {}, lineItems })).toMatchObject(
      refusal(422, 'RequestValidationError'),
    )
    const orderDetails = { countryCode: 'DE' }
    expect((await post(service, id, 'capture', { orderDetails, lineItems })).body).toMatchObject({
      order: { countryCode: 'DE', lineItems },
    })
  })

  test('of nothing settles a payment of 0', async () => {
    const service = await openService()
    const id = await authorized(service, 'tok_visa', { amount: 0 })
    expect(figures((await post(service, id, 'capture')).body)).toEqual(['SETTLED', 0, 0])
    expect(await post(service, id, 'refund')).toMatchObject(refusal(409, 'PaymentAlreadyRefunded'))
  })
})

describe('refund', () => {
  test('of all by default, as a step of its own that is PENDING', async () => {
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

  test('of a part keeps its own orderId and reason', async () => {
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

  test('refuses more than is left', async () => {
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

  test('is limited by what was captured, not by what was authorized', async () => {
    const service = await openService()
    const id = await authorized(service)
    await post(service, id, 'capture', { amount: 400 })
    expect(await post(service, id, 'refund', { amount: 401 })).toMatchObject(
      refusal(422, 'UnprocessableRefundAmount'),
    )
    expect(figures((await post(service, id, 'refund')).body)).toEqual(['SETTLED', 400, 400])
  })

  test('refuses when nothing is left', async () => {
    const service = await openService()
    const id = await settledPayment(service)
    await post(service, id, 'refund')
    for (const body of [{}, { amount: 1 }])
      expect(await post(service, id, 'refund', body)).toMatchObject(refusal(409, 'PaymentAlreadyRefunded'))
  })

  test('works between two partial captures and while settling', async () => {
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
    'refuses a payment of %s that has nothing captured',
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

  test('settles when the clock has moved an hour', async () => {
    const service = await openService()
    const id = await settledPayment(service)
    await post(service, id, 'refund', { amount: 1 })
    await service.sandbox.clock.advance(HOUR_MS - 1)
    expect(at(await read(service, id), 'transactions', 1, 'processorStatus')).toBe('PENDING')
    await service.sandbox.clock.advance(1)
    expect(at(await read(service, id), 'transactions', 1, 'processorStatus')).toBe('SETTLED')
  })

  test('that fails at the processor gives its amount back', async () => {
    const service = await openService()
    const id = await settledPayment(service, 'tok_refund_fails')
    expect(figures((await post(service, id, 'refund', { amount: 700 })).body)).toEqual(['SETTLED', 1000, 700])
    await service.sandbox.clock.advance(HOUR_MS)
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

describe('refused calls', () => {
  const manyTimes = async (times: number, send: () => Promise<unknown>) => {
    for (let count = 0; count < times; count += 1) await send()
  }
  const isUsable = async (service: Service, id: string) => (await post(service, id, 'capture')).status === 200

  test.each<[string, Json]>([
    ['capture', { amount: 1001 }],
    ['refund', {}],
    ['adjust-authorization', { amount: 5 }],
  ])('of %s are counted, and then nothing more is taken', async (verb, body) => {
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

  test('of authorize and resume are not counted, nor those for a used key', async () => {
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

  test('a hundred of them on one payment are enough', async () => {
    const service = await openService()
    const id = await authorized(service)
    const verbs = ['refund', 'capture', 'adjust-authorization']
    for (let count = 0; count < 100; count += 1)
      await post(service, id, verbs[count % 3] ?? '', { amount: 1_000_000 })
    expect(await post(service, id, 'capture')).toMatchObject(refusal(409, 'PaymentRequestLimitExceeded'))
    expect(await read(service, id)).toMatchObject({ status: 'AUTHORIZED' })
    expect(await post(service, await authorized(service), 'capture')).toMatchObject({ status: 200 })
  })

  test('ninety-nine leave the payment usable, and invalid bodies are not counted', async () => {
    const service = await openService()
    const id = await authorized(service)
    for (let count = 0; count < 99; count += 1) await post(service, id, 'refund')
    for (let count = 0; count < 5; count += 1) await post(service, id, 'capture', { amount: 0 })
    expect(await post(service, id, 'capture')).toMatchObject({ status: 200 })
  })
})
