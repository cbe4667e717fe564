import { describe, expect, test } from 'vitest'
import { openService, refusal } from '../service.ts'
import type { Json } from '../service.ts'
import { made, post } from './changing.ts'

const ESTIMATED = { paymentMethod: { authorizationType: 'ESTIMATED' } }

describe('adjust', () => {
  test('raises or lowers the authorized amount', async () => {
    const service = await openService()
    const id = await made(service, 'tok_visa', ESTIMATED)
    for (const amount of [1500, 200]) {
      const { body } = await post(service, id, 'adjust-authorization', { amount })
      expect(body).toMatchObject({ status: 'AUTHORIZED', amount, transactions: [{ amount }] })
    }
    expect(await post(service, id, 'capture', { amount: 201 })).toMatchObject(
      refusal(422, 'UnprocessableCaptureAmount'),
    )
    expect((await post(service, id, 'capture')).body).toMatchObject({ processor: { amountCaptured: 200 } })
  })

  test.each<[string, string, Json, string]>([
    ['a FINAL authorization', 'tok_visa', {}, 'IncorrectPaymentAuthorizationType'],
    ['a payment that is not authorized', 'tok_declined', ESTIMATED, 'PaymentIsNotAuthorizedYet'],
    ['a payment that is no card', 'tok_paypal', ESTIMATED, 'AdjustAuthorizationNonCardPayment'],
    ['a processor that cannot', 'tok_noadjust', ESTIMATED, 'AdjustAuthorizationNotSupported'],
  ])('refuses %s', async (_, token, more, errorId) => {
    const service = await openService()
    const id = await made(service, token, more)
    expect(await post(service, id, 'adjust-authorization', { amount: 5 })).toMatchObject(
      refusal(400, errorId),
    )
  })

  test('checks the authorization type, then the status, then the method', async () => {
    const service = await openService()
    const declined = await made(service, 'tok_declined')
    const cancelled = await made(service, 'tok_paypal', ESTIMATED)
    await post(service, cancelled, 'cancel')
    const finalPaypal = await made(service, 'tok_paypal')
    for (const [id, errorId] of [
      [declined, 'IncorrectPaymentAuthorizationType'],
      [finalPaypal, 'IncorrectPaymentAuthorizationType'],
      [cancelled, 'PaymentIsNotAuthorizedYet'],
    ] as const)
      expect(await post(service, id, 'adjust-authorization', { amount: 5 })).toMatchObject(
        refusal(400, errorId),
      )
  })

  test('ignores the amount of the order', async () => {
    const service = await openService()
    const order = { lineItems: [{ amount: 900 }] }
    const id = await made(service, 'tok_visa', { ...ESTIMATED, amount: undefined, order })
    const { body } = await post(service, id, 'adjust-authorization', { amount: 1200 })
    expect(body).toMatchObject({ amount: 1200, order })
  })

  test('refuses a payment after a capture', async () => {
    const service = await openService()
    const id = await made(service, 'tok_visa', ESTIMATED)
    await post(service, id, 'capture', { amount: 5, final: false })
    const answer = await post(service, id, 'adjust-authorization', { amount: 1 })
    expect(answer).toMatchObject(refusal(400, 'PaymentIsNotAuthorizedYet'))
  })

  test('needs an amount of at least 1', async () => {
    const service = await openService()
    const id = await made(service, 'tok_visa', ESTIMATED)
    for (const body of [undefined, {}, { amount: 0 }])
      expect(await post(service, id, 'adjust-authorization', body)).toMatchObject(
        refusal(422, 'RequestValidationError'),
      )
  })

  test('refuses an unknown payment', async () => {
    const answer = await post(await openService(), 'nothing', 'adjust-authorization', { amount: 5 })
    expect(answer).toMatchObject(refusal(404, 'EntityNotFound'))
  })
})
