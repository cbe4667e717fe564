import { describe, expect, test } from 'vitest'
import { createPayment, openService, textAt, loggedIn, tokenized } from '../service.ts'
import type { Service } from '../service.ts'

const log = (service: Service, limit = 100) => loggedIn(service, limit)

const newest = async (service: Service) => (await log(service, 1))[0]

describe('no secrets', () => {
  const everything = async (service: Service) => JSON.stringify(await log(service))

  test('logs an unknown key as "unknown", and a missing one not at all', async () => {
    const service = await openService()
    await service.call('GET', '/payments', undefined, { key: 'sk_live_0123456789' })
    expect(await newest(service)).toMatchObject({ key: 'unknown' })
    expect(await everything(service)).not.toContain('sk_live')
    await service.call('GET', '/payments', undefined, { key: '' })
    expect(await newest(service)).not.toHaveProperty('key')
  })

  test('hides the token of a saved method, known or not', async () => {
    const service = await openService()
    const vault = { customerId: 'C-1' }
    const { body } = await service.call('POST', '/payment-instruments/tok_visa/vault', vault)
    const token = textAt(body, 'token')
    await service.ok('POST', `/payment-instruments/${token}/default`)
    await service.ok('DELETE', `/payment-instruments/${token}`)
    await service.call('GET', `/payment-instruments/${token}`)
    await service.call('GET', `/v2/Payment-Instruments/${token}/vault/more`)
    expect(await everything(service)).not.toContain(token)
    expect((await log(service)).map(({ path }) => path)).toEqual([
      '/v2/Payment-Instruments/{paymentMethodToken}/vault/more',
      '/payment-instruments/{paymentMethodToken}',
      '/payment-instruments/{paymentMethodToken}',
      '/payment-instruments/{paymentMethodToken}/default',
      '/payment-instruments/{paymentMethodToken}/vault',
    ])
  })

  test.each([
    ['/payment-instruments//tok_secret/vault', '/payment-instruments//{paymentMethodToken}/vault'],
    ['/payment%2Dinstruments/tok_secret/vault', '/payment-instruments/{paymentMethodToken}/vault'],
    ['/payment-instruments%2ftok_secret/vault', '/payment-instruments/{paymentMethodToken}/vault'],
    ['/p%41yment%252dinstruments%252Ftok_secret', '/pAyment-instruments/{paymentMethodToken}'],
    ['/%50ayment-Instruments/%2F/tok_secret', '/Payment-Instruments///{paymentMethodToken}'],
    ['/payment-instruments/tok_secret%/vault', '/payment-instruments/{paymentMethodToken}/vault'],
    ['/payment%2Dinstruments/%FFtok_secret', '/payment-instruments/{paymentMethodToken}'],
    ['/v2//payment-instruments/tok_secret', '/v2//payment-instruments/{paymentMethodToken}'],
    ['/payments/payment-instruments%2Ftok_secret', '/payments/payment-instruments/{paymentMethodToken}'],
  ])('hides the token in %s', async (sent, path) => {
    const service = await openService()
    await service.call('GET', sent)
    expect(await log(service)).toMatchObject([{ path }])
  })

  test('hides a token in place of a payment id, but keeps other ids', async () => {
    const service = await openService()
    const token = await tokenized(service, { card: '4111111111111111' })
    const uuid = '0b8e5c4e-1111-4222-a333-444455556666'
    const record = `record_${'x'.repeat(29)}`
    await service.call('GET', `/payments/${token}`)
    await service.call('GET', `/nowhere/${token}/more`)
    await service.call('GET', `/payments/${uuid}`)
    await service.call('PATCH', `/observability/payments/${record}`, { amount: 1 })
    expect((await log(service)).map(({ path }) => path)).toEqual([
      `/observability/payments/${record}`,
      `/payments/${uuid}`,
      '/nowhere/{paymentMethodToken}/more',
      '/payments/{paymentMethodToken}',
    ])
  })

  test('hides a client token in the query and in the path', async () => {
    const service = await openService()
    const clientToken = textAt(await service.ok('POST', '/client-session', {}), 'clientToken')
    await service.ok('GET', `/client-session?clientToken=${clientToken}`)
    await service.call('GET', `/client-session/${clientToken}`)
    await service.call('GET', `/client-session%2F${clientToken}`)
    await service.call('PATCH', '/client-session', { clientToken })
    const text = await everything(service)
    for (const part of clientToken.split('.')) expect(text).not.toContain(part)
    expect(text).toContain('/client-session/{clientToken}')
  })

  test('logs nothing from bodies', async () => {
    const service = await openService()
    await createPayment(service, 'tok_visa', { customer: { emailAddress: 'jo@example.com' } })
    expect(await everything(service)).not.toMatch(/jo@example|tok_visa/)
  })
})
