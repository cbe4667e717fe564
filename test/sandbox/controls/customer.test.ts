import { describe, expect, test } from 'vitest'
import { createPayment, openService, refusal, textAt, advance } from '../service.ts'
import type { Service } from '../service.ts'
import { control } from './call-control.ts'

const CARD = { card: '4111111111111111' }

describe('tokenize', () => {
  test('creates a token that pays once', async () => {
    const service = await openService()
    const { body } = await control(service, 'POST', '/sandbox/tokenize', CARD)
    expect(body).toEqual({ paymentMethodToken: expect.stringMatching(/^[\w-]{36}$/) })
    expect(await createPayment(service, textAt(body, 'paymentMethodToken'))).toMatchObject({
      status: 'AUTHORIZED',
    })
  })

  test('ties the token to a client session', async () => {
    const service = await openService()
    const session = await service.ok('POST', '/client-session', {
      orderId: 'A-1',
      currencyCode: 'EUR',
      amount: 5,
    })
    const { body } = await control(service, 'POST', '/sandbox/tokenize', {
      ...CARD,
      clientToken: session['clientToken'],
    })
    const { paymentMethodToken } = body
    expect(await service.ok('POST', '/payments', { paymentMethodToken })).toMatchObject({
      orderId: 'A-1',
      amount: 5,
    })
  })

  test.each([
    [{}, 422, 'RequestValidationError'],
    [{ card: 4111111111111111 }, 422, 'RequestValidationError'],
    [{ card: '4012888888881881' }, 422, 'RequestValidationError'],
    [{ ...CARD, clientToken: null }, 422, 'RequestValidationError'],
    [{ ...CARD, clientToken: 'nobody' }, 400, 'ClientSessionValidationError'],
  ])('refuses %j without repeating it', async (body, status, errorId) => {
    const answer = await control(await openService(), 'POST', '/sandbox/tokenize', body)
    expect(answer).toMatchObject(refusal(status, errorId))
    expect(JSON.stringify(answer)).not.toMatch(/4012888888881881|nobody/)
  })
})

describe('challenge', () => {
  async function waiting(service: Service): Promise<string> {
    return textAt(await createPayment(service, 'tok_3ds'), 'requiredAction', 'clientToken')
  }

  test.each([
    ['pass', 'AUTHORIZED'],
    ['fail', 'DECLINED'],
  ])('%s leads to %s', async (outcome, status) => {
    const service = await openService()
    const payment = await createPayment(service, 'tok_3ds')
    const clientToken = textAt(payment, 'requiredAction', 'clientToken')
    const { body } = await control(service, 'POST', '/sandbox/challenge', { clientToken, outcome })
    const resume = `/payments/${textAt(payment, 'id')}/resume`
    expect(await service.ok('POST', resume, { resumeToken: body['resumeToken'] })).toMatchObject({ status })
    expect(await control(service, 'POST', '/sandbox/challenge', { clientToken, outcome })).toMatchObject(
      refusal(400, 'InvalidPaymentStatus'),
    )
  })

  test('refuses invalid input and reports every problem', async () => {
    const service = await openService()
    expect(await control(service, 'POST', '/sandbox/challenge', { outcome: 'maybe' })).toMatchObject({
      ...refusal(422, 'RequestValidationError'),
      body: {
        error: {
          validationErrors: [
            {
              errors: [
                { path: '$.clientToken', description: 'is required' },
                { path: '$.outcome', description: 'must be pass or fail' },
              ],
            },
          ],
        },
      },
    })
  })

  test('refuses unknown and expired tokens', async () => {
    const service = await openService()
    const clientToken = await waiting(service)
    await advance(service, 25 * 3_600_000)
    for (const token of ['nobody', clientToken])
      expect(
        await control(service, 'POST', '/sandbox/challenge', { clientToken: token, outcome: 'pass' }),
      ).toMatchObject(refusal(400, 'ClientSessionValidationError'))
  })
})
