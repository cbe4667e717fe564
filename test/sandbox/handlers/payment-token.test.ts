import { describe, expect, test } from 'vitest'
import { createPayment, HOUR_MS, openService, refusal, textAt, advance, tokenized } from '../service.ts'
import { TERMS, pay, tokenOf } from './paying.ts'

describe('tokens', () => {
  test('are 36 URL-safe characters', async () => {
    expect(await tokenOf(await openService())).toMatch(/^[\w-]{36}$/)
  })

  test('a card token pays once, even if declined', async () => {
    const service = await openService()
    const token = await tokenOf(service, undefined, '4000000000000002')
    await createPayment(service, token)
    expect(await pay(service, { paymentMethodToken: token, ...TERMS })).toMatchObject(
      refusal(400, 'PaymentError'),
    )
  })

  test('a refused call does not use up the token', async () => {
    const service = await openService()
    const token = await tokenOf(service)
    await pay(service, { paymentMethodToken: token })
    expect(await pay(service, { paymentMethodToken: token, ...TERMS })).toMatchObject({ status: 200 })
  })

  test('a fixed token pays any number of times', async () => {
    const service = await openService()
    const ids = [await createPayment(service, 'tok_visa'), await createPayment(service, 'tok_visa')].map(
      (p) => p['id'],
    )
    expect(new Set(ids).size).toBe(2)
  })

  test('tokenize refuses unknown and expired client tokens', async () => {
    const service = await openService()
    const card = '4111111111111111'
    const clientToken = textAt(await service.ok('POST', '/client-session'), 'clientToken')
    await advance(service, 24 * HOUR_MS)
    await expect(tokenized(service, { card, clientToken: 'x.y.z' })).rejects.toMatchObject({
      code: 'unknown_client_token',
    })
    await expect(tokenized(service, { card, clientToken })).rejects.toMatchObject({
      code: 'expired_client_token',
    })
  })
})
