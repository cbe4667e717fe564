import { describe, expect, test } from 'vitest'
import { HOUR_MS, openService, refusal, textAt, advance } from '../service.ts'
import type { Json, Service } from '../service.ts'

const create = (service: Service, body: Json = {}) => service.ok('POST', '/client-session', body)

describe('get', () => {
  test('returns the session without token and warnings', async () => {
    const service = await openService()
    const { clientToken } = await create(service, { orderId: 'order-1' })
    const session = await service.ok('GET', `/client-session?clientToken=${String(clientToken)}`)
    expect(session).toEqual({ orderId: 'order-1' })
  })

  test.each(['nonsense', 'a.b.c', ''])('refuses the token %j', async (token) => {
    const service = await openService()
    const answer = await service.call('GET', `/client-session?clientToken=${token}`)
    expect(answer).toMatchObject(refusal(400, 'ClientSessionValidationError'))
  })

  test('refuses a token with another signature or from another sandbox', async () => {
    const [one, other] = [await openService(), await openService()]
    const token = textAt(await create(one), 'clientToken')
    const forged = `${token.slice(0, -4)}AAAA`
    for (const [service, bad] of [
      [one, forged],
      [other, token],
    ] as const) {
      const answer = await service.call('GET', `/client-session?clientToken=${bad}`)
      expect(answer).toMatchObject(refusal(400, 'ClientSessionValidationError'))
    }
  })

  test('refuses a request without a token', async () => {
    const service = await openService()
    expect(await service.call('GET', '/client-session')).toMatchObject(refusal(422, 'RequestValidationError'))
  })

  test('accepts a token for 24 hours', async () => {
    const service = await openService()
    const { clientToken } = await create(service)
    const get = () => service.call('GET', `/client-session?clientToken=${String(clientToken)}`)
    await advance(service, 24 * HOUR_MS - 1)
    expect(await get()).toMatchObject({ status: 200 })
    await advance(service, 1)
    expect(await get()).toMatchObject(refusal(400, 'ClientSessionValidationError'))
  })
})
