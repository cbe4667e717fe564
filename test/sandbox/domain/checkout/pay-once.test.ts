import { describe, expect, test } from 'vitest'
import { checkoutWith, DECLINED, openCheckout, VISA } from '../../checkout-calls.ts'
import type { Checkout } from '../../checkout-calls.ts'
import { at, newFolder, openService, refusal, textAt } from '../../service.ts'
import type { Json } from '../../service.ts'

const LIMIT = refusal(409, 'PaymentRequestLimitExceeded')
const THREE_DS = { card: '4916994064252017' }

const tokenOf = (checkout: Checkout) => checkout.tokenize(VISA)
const payWith = (checkout: Checkout, paymentMethodToken: string, headers: Json = {}) =>
  checkout.call('POST', '/payments', { paymentMethodToken }, headers)

describe('a session pays once', () => {
  test('and the refusal of a second payment names the first', async () => {
    const checkout = await openCheckout(await openService())
    const { body } = await checkout.pay(VISA)
    const again = await checkout.pay(VISA)
    expect(again).toMatchObject(LIMIT)
    expect(again.body).toMatchObject({ error: { paymentId: body['id'], paymentStatus: 'AUTHORIZED' } })
  })

  test('even with the token that it has already used', async () => {
    const checkout = await openCheckout(await openService())
    const token = await tokenOf(checkout)
    await payWith(checkout, token)
    expect(await payWith(checkout, token)).toMatchObject(LIMIT)
  })

  test.each([
    ['DECLINED', DECLINED],
    ['FAILED', { card: '4000000000000010' }],
  ])('and may try again after %s', async (status, card) => {
    const checkout = await openCheckout(await openService())
    for (let attempt = 0; attempt < 3; attempt += 1)
      expect(await checkout.pay(card)).toMatchObject({ status: 200, body: { status } })
    expect(await checkout.pay(VISA)).toMatchObject({ status: 200 })
    expect(await checkout.pay(DECLINED)).toMatchObject(LIMIT)
  })

  test('while it waits for the customer too, and again after the challenge failed', async () => {
    const checkout = await openCheckout(await openService())
    const { body } = await checkout.pay(THREE_DS)
    expect(await checkout.pay(VISA)).toMatchObject(LIMIT)
    const paymentId = textAt(body, 'id')
    const answered = await checkout.call('POST', '/sandbox/challenge', { paymentId, outcome: 'fail' })
    await checkout.call('POST', `/payments/${paymentId}/resume`, answered.body)
    expect(await checkout.pay(VISA)).toMatchObject({ status: 200 })
  })

  test('if the merchant cancelled the payment', async () => {
    const service = await openService()
    const checkout = await openCheckout(service)
    const { body } = await checkout.pay(VISA)
    await service.ok('POST', `/payments/${textAt(body, 'id')}/cancel`)
    expect(await checkout.pay(VISA)).toMatchObject(LIMIT)
  })

  test('if the merchant authorized a declined attempt', async () => {
    const service = await openService()
    const checkout = await openCheckout(service)
    const { body } = await checkout.pay(DECLINED)
    await checkout.pay(DECLINED)
    await service.ok('POST', `/payments/${textAt(body, 'id')}/authorize`, {
      processor: { processorMerchantId: 'beta-1' },
    })
    const again = await checkout.pay(VISA)
    expect(again).toMatchObject(LIMIT)
    expect(again.body).toMatchObject({ error: { paymentId: body['id'] } })
  })

  test('if an API key made the payment with a token of the session', async () => {
    const service = await openService()
    const checkout = await openCheckout(service)
    const [first, second] = [await tokenOf(checkout), await tokenOf(checkout)]
    await service.ok('POST', '/payments', { paymentMethodToken: first })
    expect(await checkout.pay(VISA)).toMatchObject(LIMIT)
    await service.ok('POST', '/payments', { paymentMethodToken: second })
  })

  test('when two requests arrive at the same time', async () => {
    const service = await openService()
    const checkout = await openCheckout(service)
    const tokens = await Promise.all(Array.from({ length: 10 }, () => tokenOf(checkout)))
    const answers = await Promise.all(tokens.map((token) => payWith(checkout, token)))
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200,
      ...Array(9).fill(409),
    ])
    expect(at(await service.ok('GET', '/payments'), 'data')).toHaveLength(1)
  })

  test('when they reach two processes', async () => {
    const folder = newFolder()
    const services = [await openService(folder, 1), await openService(folder, 2)] as const
    const { clientToken } = await openCheckout(services[0])
    const checkouts = services.map((service) => checkoutWith(service, clientToken))
    const answers = await Promise.all(checkouts.map((checkout) => checkout.pay(VISA)))
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
  })
})

describe('an idempotency key with a client token', () => {
  const KEY = { 'x-idempotency-key': 'k' }

  test('works as with an API key', async () => {
    const checkout = await openCheckout(await openService())
    const { body } = await checkout.pay(VISA, KEY)
    const again = await checkout.pay(VISA, KEY)
    expect(again).toMatchObject(refusal(409, 'IdempotencyKeyAlreadyExists'))
    expect(again.body).toMatchObject({ error: { paymentId: body['id'] } })
  })

  test('replays the payment of the session', async () => {
    const service = await openService(undefined, 1, undefined, 'replay')
    const checkout = await openCheckout(service)
    const token = await tokenOf(checkout)
    const { body } = await payWith(checkout, token, KEY)
    expect(await payWith(checkout, token, KEY)).toMatchObject({ status: 200, body })
  })

  test('says nothing about the payment of another session', async () => {
    const service = await openService(undefined, 1, undefined, 'replay')
    await (await openCheckout(service)).pay(VISA, KEY)
    const answer = await (await openCheckout(service)).pay(VISA, KEY)
    expect(answer).toMatchObject(refusal(409, 'IdempotencyKeyAlreadyExists'))
    expect(at(answer.body, 'error', 'paymentId')).toBeUndefined()
  })

  test('stays free if the session has already paid', async () => {
    const service = await openService()
    const checkout = await openCheckout(service)
    await checkout.pay(VISA)
    await checkout.pay(VISA, KEY)
    expect(await (await openCheckout(service)).pay(VISA, KEY)).toMatchObject({ status: 200 })
  })
})
