import { describe, expect, test } from 'vitest'
import { HOUR_MS, newFolder, NOW, openService, refusal, settledPayment, advance } from '../service.ts'
import type { Json } from '../service.ts'
import { authorized, figures, post, read } from './changing.ts'

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

  test('partial captures add up, and the last one defaults to the rest', async () => {
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

  test('refuses more than earlier captures left', async () => {
    const service = await openService()
    const id = await authorized(service)
    await post(service, id, 'capture', { amount: 900, final: false })
    expect(await post(service, id, 'capture', { amount: 101 })).toMatchObject(
      refusal(422, 'UnprocessableCaptureAmount'),
    )
  })

  test('refuses a capture after a final one', async () => {
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

  test('refuses a partial capture if the processor does not support it', async () => {
    const service = await openService()
    const id = await authorized(service, 'tok_nopartial')
    expect(await post(service, id, 'capture', { amount: 999 })).toMatchObject(
      refusal(400, 'PartialCaptureNotSupported'),
    )
    expect(figures((await post(service, id, 'capture', { amount: 1000 })).body)).toEqual(['SETTLED', 1000, 0])
  })

  test('settles an asynchronous method after an hour on the clock', async () => {
    const service = await openService()
    const id = await authorized(service, 'tok_async')
    expect(figures((await post(service, id, 'capture')).body)).toEqual(['SETTLING', 1000, 0])
    await advance(service, HOUR_MS - 1)
    expect(await read(service, id)).toMatchObject({ status: 'SETTLING' })
    await advance(service, 1)
    expect(await read(service, id)).toMatchObject({ status: 'SETTLED' })
  })

  test.each<[string, Json, string, number]>([
    ['a part, not final', { amount: 400, final: false }, 'PARTIALLY_SETTLED', 400],
    ['a part, final', { amount: 400 }, 'SETTLING', 400],
    ['all, not final', { final: false }, 'SETTLING', 1000],
  ])('settles an asynchronous method: %s', async (_, body, status, captured) => {
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

  test('also settles as real time passes', async () => {
    let now = NOW
    const service = await openService(newFolder(), 1, () => now)
    const id = await settledPayment(service, 'tok_async')
    now = new Date(NOW.getTime() + HOUR_MS)
    expect(await read(service, id)).toMatchObject({ status: 'SETTLED' })
  })

  test('stores the order that is sent', async () => {
    const service = await openService()
    const id = await authorized(service)
    const order = { lineItems: [{ itemId: 'shoe', amount: 400 }] }
    expect((await post(service, id, 'capture', { amount: 400, order })).body).toMatchObject({ order })
  })

  test("merges the order into the payment's order field by field", async () => {
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

  test('keeps the authorized amount in amount, even after a final partial capture', async () => {
    const service = await openService()
    const id = await authorized(service)
    const { body } = await post(service, id, 'capture', { amount: 400, final: true })
    expect(body).toMatchObject({ status: 'SETTLED', amount: 1000, processor: { amountCaptured: 400 } })
  })

  test('accepts either form of an order, but not both', async () => {
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

  test('settles a payment of 0', async () => {
    const service = await openService()
    const id = await authorized(service, 'tok_visa', { amount: 0 })
    expect(figures((await post(service, id, 'capture')).body)).toEqual(['SETTLED', 0, 0])
    expect(await post(service, id, 'refund')).toMatchObject(refusal(409, 'PaymentAlreadyRefunded'))
  })
})
