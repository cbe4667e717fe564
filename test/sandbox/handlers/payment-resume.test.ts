import { describe, expect, test } from 'vitest'
import { at, createPayment, HOUR_MS, openService, refusal, textAt, advance, answered } from '../service.ts'
import type { Json } from '../service.ts'
import { made, post } from './changing.ts'

const challenged = async (more: Json = {}) => {
  const service = await openService()
  const payment = await createPayment(service, 'tok_3ds', more)
  const id = textAt(payment, 'id')
  const clientToken = textAt(payment, 'requiredAction', 'clientToken')
  const resume = (resumeToken: string) => post(service, id, 'resume', { resumeToken })
  return { service, id, clientToken, resume }
}

describe('resume', () => {
  test.each([
    ['pass', 'AUTHORIZED', 'AUTH_SUCCESS'],
    ['fail', 'DECLINED', 'AUTH_FAILED'],
  ] as const)('after a %s comes to %s', async (outcome, status, responseCode) => {
    const { service, clientToken, resume } = await challenged()
    const resumeToken = await answered(service, { clientToken, outcome })
    const { body } = await resume(resumeToken)
    expect(body).toMatchObject({ status, paymentMethod: { threeDSecureAuthentication: { responseCode } } })
    expect(body).not.toHaveProperty('requiredAction')
    expect(at(body, 'statusReason', 'code')).toBe(outcome === 'fail' ? 'AUTHENTICATION_REQUIRED' : undefined)
    const reasonCode = at(body, 'paymentMethod', 'threeDSecureAuthentication', 'reasonCode')
    expect(reasonCode).toBe(outcome === 'fail' ? 'CARD_AUTHENTICATION_FAILED' : undefined)
  })

  test('vaults after a pass', async () => {
    const { service, clientToken, resume } = await challenged({
      customerId: 'customer-1',
      paymentMethod: { vaultOnSuccess: true },
    })
    const resumeToken = await answered(service, { clientToken, outcome: 'pass' })
    const { body } = await resume(resumeToken)
    expect(body).toMatchObject({ paymentMethod: { isVaulted: true, paymentType: 'FIRST_PAYMENT' } })
  })

  test.each(['tok_visa', 'tok_declined', 'tok_failed', 'tok_autocapture'])(
    'refuses a payment of %s, which has no required action',
    async (token) => {
      const service = await openService()
      const answer = await post(service, await made(service, token), 'resume', { resumeToken: 'x' })
      expect(answer).toMatchObject(refusal(400, 'InvalidPaymentStatus'))
    },
  )

  test('answers 202 to the client token of the open challenge and changes nothing', async () => {
    const { service, id, clientToken, resume } = await challenged()
    expect(await resume(clientToken)).toMatchObject(refusal(202, 'NoActionsToHandle'))
    expect(await service.ok('GET', `/payments/${id}`)).toMatchObject({ status: 'PENDING' })
  })

  test('refuses any other token while the challenge is open', async () => {
    const { service, id, clientToken, resume } = await challenged()
    const other = textAt(await createPayment(service, 'tok_3ds'), 'requiredAction', 'clientToken')
    const session = textAt(await service.ok('POST', '/client-session'), 'clientToken')
    for (const token of ['anything', '', `${clientToken}x`, other, session]) {
      const answer = await resume(token)
      expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
      expect(answer.body).toMatchObject({
        error: { validationErrors: [{ errors: [{ path: '$.resumeToken' }] }] },
      })
    }
    expect(await service.ok('GET', `/payments/${id}`)).toMatchObject({ status: 'PENDING' })
  })

  test('refuses all but the latest token', async () => {
    const { service, clientToken, resume } = await challenged()
    const first = await answered(service, { clientToken, outcome: 'pass' })
    const second = await answered(service, { clientToken, outcome: 'fail' })
    expect(await resume(first)).toMatchObject(refusal(422, 'RequestValidationError'))
    expect((await resume(second)).body).toMatchObject({ status: 'DECLINED' })
  })

  test('works once', async () => {
    const { service, clientToken, resume } = await challenged()
    const resumeToken = await answered(service, { clientToken, outcome: 'pass' })
    await resume(resumeToken)
    expect(await resume(resumeToken)).toMatchObject(refusal(400, 'InvalidPaymentStatus'))
    await expect(answered(service, { clientToken, outcome: 'pass' })).rejects.toMatchObject({
      code: 'challenge_over',
    })
  })

  test('refuses an unknown payment, and a body without a token', async () => {
    const service = await openService()
    expect(await post(service, 'nothing', 'resume', { resumeToken: 'x' })).toMatchObject(
      refusal(400, 'PaymentError'),
    )
    expect(await post(service, 'nothing', 'resume')).toMatchObject(refusal(422, 'RequestValidationError'))
  })

  test('challenge refuses unknown, foreign and expired client tokens', async () => {
    const { service, clientToken } = await challenged()
    const session = textAt(await service.ok('POST', '/client-session'), 'clientToken')
    for (const unknown of ['nothing', session]) {
      const failure = answered(service, { clientToken: unknown, outcome: 'pass' })
      await expect(failure).rejects.toMatchObject({ code: 'unknown_client_token', exitCode: 2 })
    }
    await advance(service, 24 * HOUR_MS)
    const late = answered(service, { clientToken, outcome: 'pass' })
    await expect(late).rejects.toMatchObject({ code: 'expired_client_token' })
  })
})

describe('an action of a third party', () => {
  const THIRD_PARTIES = ['tok_processor_3ds', 'tok_voucher'] as const

  async function waiting(token: string, more: Json = {}) {
    const service = await openService()
    const payment = await createPayment(service, token, more)
    const id = textAt(payment, 'id')
    const clientToken = textAt(payment, 'requiredAction', 'clientToken')
    return { service, payment, id, clientToken, read: () => service.ok('GET', `/payments/${id}`) }
  }

  test.each([
    ['tok_processor_3ds', 'PROCESSOR_3DS', 'PAYMENT_CARD'],
    ['tok_voucher', 'PAYMENT_METHOD_VOUCHER', 'BOLETO'],
  ])('%s stays PENDING with %s', async (token, name, paymentMethodType) => {
    const { service, id, payment, clientToken, read } = await waiting(token)
    expect(payment).toMatchObject({
      status: 'PENDING',
      requiredAction: { name, description: expect.any(String) },
      paymentMethod: { paymentMethodType },
    })
    expect(await post(service, id, 'resume', { resumeToken: clientToken })).toMatchObject(
      refusal(202, 'NoActionsToHandle'),
    )
    await advance(service, HOUR_MS - 1)
    expect(await read()).toEqual(payment)
  })

  test.each(THIRD_PARTIES)('ends by the clock for %s', async (token) => {
    const more = { customerId: 'c', paymentMethod: { vaultOnSuccess: true } }
    const { service, id, read } = await waiting(token, more)
    await advance(service, HOUR_MS)
    const after = await read()
    expect(after).toMatchObject({
      status: 'AUTHORIZED',
      paymentMethod: { isVaulted: true },
      transactions: [{ processorStatus: 'AUTHORIZED' }],
    })
    expect(after).not.toHaveProperty('requiredAction')
    expect((await post(service, id, 'capture')).body).toMatchObject({ status: 'SETTLED' })
  })

  test.each(
    THIRD_PARTIES.flatMap((token) =>
      (['resume', 'clock'] as const).flatMap((by) => [
        [token, 'pass', by, 'AUTHORIZED'] as const,
        [token, 'fail', by, 'DECLINED'] as const,
      ]),
    ),
  )('comes to what was answered: %s, %s, %s', async (token, outcome, by, status) => {
    const { service, id, clientToken, read } = await waiting(token)
    const resumeToken = await answered(service, { clientToken, outcome })
    expect(await read()).toMatchObject({ status: 'PENDING' })
    if (by === 'resume') await post(service, id, 'resume', { resumeToken })
    else await advance(service, HOUR_MS)
    const after = await read()
    expect(after).toMatchObject({ status, transactions: [{ processorStatus: status }] })
    expect('statusReason' in after).toBe(outcome === 'fail')
    await advance(service, HOUR_MS)
    expect(await read()).toEqual(after)
  })

  test.each([
    ['cancel', {}, 'CANCELLED'],
    ['authorize', { processor: { processorMerchantId: 'beta-1' } }, 'AUTHORIZED'],
  ])('is unaffected by the clock after %s', async (verb, body, status) => {
    const { service, id, read } = await waiting('tok_voucher')
    await post(service, id, verb, body)
    await advance(service, 2 * HOUR_MS)
    expect(await read()).toMatchObject({ status })
  })
})
