import { describe, expect, test } from 'vitest'
import { at, createPayment, HOUR_MS, openService, refusal, settledPayment, textAt } from './service.ts'
import type { Json, Service } from './service.ts'

const made = async (service: Service, token: string, more: Json = {}) =>
  textAt(await createPayment(service, token, more), 'id')
const post = (service: Service, id: string, verb: string, body?: Json) =>
  service.call('POST', `/payments/${id}/${verb}`, body)
const ESTIMATED = { paymentMethod: { authorizationType: 'ESTIMATED' } }

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

  test('a payment that was authorized so can be captured', async () => {
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

  test('chooses among processors that share a merchant id by name', async () => {
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

  test('refuses what is authorized already, before it looks at the processor', async () => {
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

  test('ends a wait: the payment cannot be resumed then', async () => {
    const service = await openService()
    const payment = await createPayment(service, 'tok_3ds')
    const id = textAt(payment, 'id')
    const clientToken = textAt(payment, 'requiredAction', 'clientToken')
    const { resumeToken } = await service.sandbox.challenge({ clientToken, outcome: 'fail' })
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

describe('adjust', () => {
  test('sets the authorized amount, up or down', async () => {
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

  test('looks at the authorization type, then the status, then the method', async () => {
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

  test('leaves the amount of the order aside', async () => {
    const service = await openService()
    const order = { lineItems: [{ amount: 900 }] }
    const id = await made(service, 'tok_visa', { ...ESTIMATED, amount: undefined, order })
    const { body } = await post(service, id, 'adjust-authorization', { amount: 1200 })
    expect(body).toMatchObject({ amount: 1200, order })
  })

  test('refuses after a capture', async () => {
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

describe('cancel', () => {
  test.each(['tok_visa', 'tok_3ds'])('ends a payment of %s, and keeps the reason', async (token) => {
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
    const { resumeToken } = await service.sandbox.challenge({ clientToken, outcome })
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
    const { resumeToken } = await service.sandbox.challenge({ clientToken, outcome: 'pass' })
    const { body } = await resume(resumeToken)
    expect(body).toMatchObject({ paymentMethod: { isVaulted: true, paymentType: 'FIRST_PAYMENT' } })
  })

  test.each(['tok_visa', 'tok_declined', 'tok_failed', 'tok_autocapture'])(
    'refuses a payment of %s, which waits for nobody',
    async (token) => {
      const service = await openService()
      const answer = await post(service, await made(service, token), 'resume', { resumeToken: 'x' })
      expect(answer).toMatchObject(refusal(400, 'InvalidPaymentStatus'))
    },
  )

  test('by the client token of the open challenge is answered 202, and changes nothing', async () => {
    const { service, id, clientToken, resume } = await challenged()
    expect(await resume(clientToken)).toMatchObject(refusal(202, 'NoActionsToHandle'))
    expect(await service.ok('GET', `/payments/${id}`)).toMatchObject({ status: 'PENDING' })
  })

  test('is refused for any other token while the challenge is open', async () => {
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

  test('refuses another token than the last one', async () => {
    const { service, clientToken, resume } = await challenged()
    const first = await service.sandbox.challenge({ clientToken, outcome: 'pass' })
    const second = await service.sandbox.challenge({ clientToken, outcome: 'fail' })
    expect(await resume(first.resumeToken)).toMatchObject(refusal(422, 'RequestValidationError'))
    expect((await resume(second.resumeToken)).body).toMatchObject({ status: 'DECLINED' })
  })

  test('works once', async () => {
    const { service, clientToken, resume } = await challenged()
    const { resumeToken } = await service.sandbox.challenge({ clientToken, outcome: 'pass' })
    await resume(resumeToken)
    expect(await resume(resumeToken)).toMatchObject(refusal(400, 'InvalidPaymentStatus'))
    await expect(service.sandbox.challenge({ clientToken, outcome: 'pass' })).rejects.toMatchObject({
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

  test('a challenge is refused for an unknown, a foreign and an expired client token', async () => {
    const { service, clientToken } = await challenged()
    const session = textAt(await service.ok('POST', '/client-session'), 'clientToken')
    for (const unknown of ['nothing', session]) {
      const failure = service.sandbox.challenge({ clientToken: unknown, outcome: 'pass' })
      await expect(failure).rejects.toMatchObject({ code: 'unknown_client_token', exitCode: 2 })
    }
    await service.sandbox.clock.advance(24 * HOUR_MS)
    const late = service.sandbox.challenge({ clientToken, outcome: 'pass' })
    await expect(late).rejects.toMatchObject({ code: 'expired_client_token' })
  })
})

describe('a wait for a third party', () => {
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
  ])('%s waits with %s', async (token, name, paymentMethodType) => {
    const { service, id, payment, clientToken, read } = await waiting(token)
    expect(payment).toMatchObject({
      status: 'PENDING',
      requiredAction: { name, description: expect.any(String) },
      paymentMethod: { paymentMethodType },
    })
    expect(await post(service, id, 'resume', { resumeToken: clientToken })).toMatchObject(
      refusal(202, 'NoActionsToHandle'),
    )
    await service.sandbox.clock.advance(HOUR_MS - 1)
    expect(await read()).toEqual(payment)
  })

  test.each(THIRD_PARTIES)('ends by the clock for %s', async (token) => {
    const more = { customerId: 'c', paymentMethod: { vaultOnSuccess: true } }
    const { service, id, read } = await waiting(token, more)
    await service.sandbox.clock.advance(HOUR_MS)
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
    const { resumeToken } = await service.sandbox.challenge({ clientToken, outcome })
    expect(await read()).toMatchObject({ status: 'PENDING' })
    if (by === 'resume') await post(service, id, 'resume', { resumeToken })
    else await service.sandbox.clock.advance(HOUR_MS)
    const after = await read()
    expect(after).toMatchObject({ status, transactions: [{ processorStatus: status }] })
    expect('statusReason' in after).toBe(outcome === 'fail')
    await service.sandbox.clock.advance(HOUR_MS)
    expect(await read()).toEqual(after)
  })

  test.each([
    ['cancel', {}, 'CANCELLED'],
    ['authorize', { processor: { processorMerchantId: 'beta-1' } }, 'AUTHORIZED'],
  ])('that was ended by %s is left alone by the clock', async (verb, body, status) => {
    const { service, id, read } = await waiting('tok_voucher')
    await post(service, id, verb, body)
    await service.sandbox.clock.advance(2 * HOUR_MS)
    expect(await read()).toMatchObject({ status })
  })
})
