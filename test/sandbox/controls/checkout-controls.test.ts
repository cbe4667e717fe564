import { describe, expect, test } from 'vitest'
import { checkoutWith, openCheckout } from '../checkout-calls.ts'
import { createPayment, openService, refusal, textAt } from '../service.ts'
import { control } from './call-control.ts'

const FORBIDDEN = refusal(403, 'Forbidden')
const INVALID = refusal(422, 'RequestValidationError')

describe('a challenge by payment ID', () => {
  const answerOf = (paymentId: unknown) => ({ paymentId, outcome: 'pass' })

  test.each(['tok_3ds', 'tok_voucher', 'tok_ideal', 'tok_processor_3ds'])(
    'is answered with the API key: %s',
    async (token) => {
      const service = await openService()
      const { id } = await createPayment(service, token)
      const { body } = await control(service, 'POST', '/sandbox/challenge', answerOf(id))
      expect(await service.ok('POST', `/payments/${String(id)}/resume`, body)).toMatchObject({
        status: 'AUTHORIZED',
      })
      expect(await control(service, 'POST', '/sandbox/challenge', answerOf(id))).toMatchObject(
        refusal(400, 'InvalidPaymentStatus'),
      )
    },
  )

  test('needs a payment that waits', async () => {
    const service = await openService()
    const { id } = await createPayment(service, 'tok_visa')
    expect(await control(service, 'POST', '/sandbox/challenge', answerOf(id))).toMatchObject(
      refusal(400, 'InvalidPaymentStatus'),
    )
    expect(await control(service, 'POST', '/sandbox/challenge', answerOf('nothing'))).toMatchObject(
      refusal(400, 'PaymentError'),
    )
  })

  test('is not given together with a client token', async () => {
    const service = await openService()
    const body = { ...answerOf('x'), clientToken: 'y' }
    expect(await control(service, 'POST', '/sandbox/challenge', body)).toMatchObject(INVALID)
  })

  test('belongs to the session of the client token', async () => {
    const service = await openService()
    const checkout = await openCheckout(service)
    const { body } = await checkout.pay({ card: '4916994064252017' })
    const challenge = (paymentId: unknown, more = {}) =>
      checkout.call('POST', '/sandbox/challenge', { ...answerOf(paymentId), ...more })
    const other = await createPayment(service, 'tok_3ds')
    for (const id of [other['id'], 'nothing']) expect(await challenge(id)).toMatchObject(FORBIDDEN)
    const clientToken = textAt(body, 'requiredAction', 'clientToken')
    expect(await challenge(body['id'], { clientToken })).toMatchObject(FORBIDDEN)
    expect(await challenge(undefined)).toMatchObject(INVALID)
    expect(await challenge(body['id'], { outcome: 'maybe' })).toMatchObject(INVALID)
    expect(await challenge(body['id'])).toEqual({
      status: 200,
      body: { resumeToken: expect.stringMatching(/./) },
    })
  })
})

describe('controls with a client token', () => {
  test.each([
    ['GET', '/sandbox/scenarios'],
    ['GET', '/sandbox/clock'],
    ['POST', '/sandbox/clock/advance'],
    ['GET', '/sandbox/faults'],
    ['POST', '/sandbox/faults'],
    ['DELETE', '/sandbox/faults'],
    ['GET', '/sandbox/requests'],
    ['DELETE', '/sandbox/requests'],
    ['POST', '/sandbox/reset'],
    ['GET', '/sandbox/settings'],
    ['PUT', '/sandbox/settings'],
    ['GET', '/sandbox/status'],
    ['POST', '/sandbox/stop'],
    ['GET', '/sandbox/changes'],
    ['GET', '/sandbox/nothing'],
    ['GET', '/sandbox/tokenize'],
  ])('%s %s is Forbidden', async (method, path) => {
    const service = await openService()
    const checkout = await openCheckout(service)
    expect(await checkout.call(method, path)).toMatchObject(FORBIDDEN)
    expect(await checkoutWith(service, 'forged').call(method, path)).toMatchObject(
      refusal(401, 'Unauthorized'),
    )
    expect(await checkout.call('GET', '/client-session')).toMatchObject({ status: 200 })
  })
})
