import { describe, expect, test } from 'vitest'
import { OPERATIONS } from '../../../src/api/table.ts'
import { checkoutWith, DECLINED, openCheckout, VISA } from '../checkout-calls.ts'
import { at, createPayment, HOUR_MS, openService, refusal, textAt, advance, loggedIn } from '../service.ts'

const FORBIDDEN = refusal(403, 'Forbidden')
const ALLOWED = ['session.get', 'instrument.list', 'payment.create', 'payment.get', 'payment.resume']

describe('a client token', () => {
  test('reads its session without naming it', async () => {
    const checkout = await openCheckout(await openService())
    expect(await checkout.call('GET', '/client-session')).toMatchObject({
      status: 200,
      body: { orderId: 'order-1', amount: 1000 },
    })
    const named = `/client-session?clientToken=${checkout.clientToken}`
    expect(await checkout.call('GET', named)).toMatchObject({ status: 200 })
  })

  test("doesn't read another session", async () => {
    const service = await openService()
    const [checkout, other] = [await openCheckout(service), await openCheckout(service)]
    for (const token of [other.clientToken, 'nobody'])
      expect(await checkout.call('GET', `/client-session?clientToken=${token}`)).toMatchObject(FORBIDDEN)
  })

  test("lists the saved methods of the session's customer", async () => {
    const service = await openService()
    for (const customerId of ['ada', 'bob'])
      await service.ok('POST', '/payment-instruments/tok_visa/vault', { customerId })
    const checkout = await openCheckout(service, { customerId: 'ada' })
    for (const path of ['/payment-instruments', '/payment-instruments?customer_id=ada']) {
      const { body } = await checkout.call('GET', path)
      expect(body).toEqual({ data: [expect.objectContaining({ customerId: 'ada' })] })
    }
    expect(await checkout.call('GET', '/payment-instruments?customer_id=bob')).toMatchObject(FORBIDDEN)
  })

  test.each([{}, { customerId: '' }])('lists no methods for the session %j', async (session) => {
    const service = await openService()
    await service.ok('POST', '/payment-instruments/tok_visa/vault', { customerId: 'ada' })
    const checkout = await openCheckout(service, session)
    expect(await checkout.call('GET', '/payment-instruments')).toEqual({ status: 200, body: { data: [] } })
    expect(await checkout.call('GET', '/payment-instruments?customer_id=ada')).toMatchObject(FORBIDDEN)
  })

  test.each(OPERATIONS.filter(({ id }) => !ALLOWED.includes(id)).map(({ id, ...row }) => [id, row] as const))(
    'may not call %s',
    async (_, { method, path }) => {
      const service = await openService()
      const checkout = await openCheckout(service)
      const { body } = await checkout.pay(VISA)
      const url = path.replace('{id}', textAt(body, 'id')).replace(/\{\w+\}/, 'tok_visa')
      expect(await checkout.call(method, url, method === 'GET' ? undefined : {})).toMatchObject(FORBIDDEN)
    },
  )

  test('may not learn that an operation is retired', async () => {
    const checkout = await openCheckout(await openService())
    expect(await checkout.call('POST', '/auth/client-token')).toMatchObject(FORBIDDEN)
  })

  test('is refused before the version and the body', async () => {
    const checkout = await openCheckout(await openService())
    const old = { 'x-api-version': '9' }
    expect(await checkout.call('GET', '/payments?limit=x', undefined, old)).toMatchObject(FORBIDDEN)
    expect(await checkout.call('GET', '/client-session', undefined, old)).toMatchObject(
      refusal(400, 'UnsupportedApiVersion'),
    )
    expect(await checkout.call('GET', '/nowhere')).toMatchObject(refusal(404, 'NotFound'))
  })
})

describe('a client token is Unauthorized', () => {
  test('24 hours after the session was created', async () => {
    const service = await openService()
    const checkout = await openCheckout(service)
    await advance(service, 24 * HOUR_MS - 1)
    expect(await checkout.call('GET', '/client-session')).toMatchObject({ status: 200 })
    await advance(service, 1)
    for (const path of ['/client-session', '/payments', '/sandbox/checkout', '/sandbox/status'])
      expect(await checkout.call('GET', path)).toMatchObject(refusal(401, 'Unauthorized'))
  })

  test('if another sandbox signed it', async () => {
    const { clientToken } = await openCheckout(await openService())
    const service = await openService()
    expect(await checkoutWith(service, clientToken).call('GET', '/client-session')).toMatchObject(
      refusal(401, 'Unauthorized'),
    )
  })

  test.each(['', 'nobody', 'a.b.c', 'sandbox_all', 'x y'])('if it is %j', async (token) => {
    const service = await openService()
    const checkout = checkoutWith(service, token)
    for (const path of ['/client-session', '/payments', '/sandbox/checkout', '/sandbox/faults'])
      expect(await checkout.call('GET', path)).toMatchObject(refusal(401, 'Unauthorized'))
    expect(await checkout.call('POST', '/auth/client-token')).toMatchObject(refusal(401, 'Unauthorized'))
  })

  test('if its signature or its claims were changed', async () => {
    const service = await openService()
    const { clientToken } = await openCheckout(service)
    const [header = '', payload = '', signature = ''] = clientToken.split('.')
    const claims = Buffer.from(payload, 'base64url').toString().replace(/}$/, ',"x":1}')
    const forged = `${header}.${Buffer.from(claims).toString('base64url')}.${signature}`
    const last = signature.endsWith('A') ? 'B' : 'A'
    for (const token of [forged, `${header}.${payload}.${signature.slice(0, -1)}${last}`])
      expect(await checkoutWith(service, token).call('GET', '/client-session')).toMatchObject(
        refusal(401, 'Unauthorized'),
      )
  })

  test("if it is for a payment's required action", async () => {
    const service = await openService()
    const action = textAt(await createPayment(service, 'tok_3ds'), 'requiredAction', 'clientToken')
    expect(await checkoutWith(service, action).call('GET', '/client-session')).toMatchObject(
      refusal(401, 'Unauthorized'),
    )
  })

  test('after a reset', async () => {
    const service = await openService()
    const checkout = await openCheckout(service)
    await service.sandbox.reset()
    expect(await checkout.call('GET', '/client-session')).toMatchObject(refusal(401, 'Unauthorized'))
  })

  test.each(['Basic abc', 'Bearer', 'token'])('in the header %j', async (authorization) => {
    const answer = await (
      await openService()
    ).call('GET', '/client-session', undefined, { key: '', headers: { authorization } })
    expect(answer).toMatchObject(refusal(401, 'Unauthorized'))
    expect(at(answer.body, 'error', 'description')).toContain('Bearer CLIENT_TOKEN')
  })
})

describe('an API key together with a client token', () => {
  test('counts alone', async () => {
    const service = await openService()
    const { clientToken } = await openCheckout(service)
    const headers = { authorization: `Bearer ${clientToken}` }
    expect(await service.call('GET', '/payments', undefined, { headers })).toMatchObject({ status: 200 })
    expect(await service.call('GET', '/client-session', undefined, { key: 'none', headers })).toMatchObject(
      refusal(401, 'Unauthorized'),
    )
  })
})

describe('the request log', () => {
  test('shows that there was a client token, and not which', async () => {
    const service = await openService()
    const checkout = await openCheckout(service)
    const token = await checkout.tokenize(DECLINED)
    await checkout.call('POST', '/payments', { paymentMethodToken: token })
    await checkout.call('GET', `/client-session?clientToken=${checkout.clientToken}`)
    await checkoutWith(service, 'forged').call('GET', `/payments/${checkout.clientToken}`)
    const log = await loggedIn(service, 10)
    expect(log.map(({ key, method, status }) => [method, key, status])).toEqual([
      ['GET', 'client token', 401],
      ['GET', 'client token', 200],
      ['POST', 'client token', 200],
      ['POST', 'sandbox_all', 200],
    ])
    const exchanges = await Promise.all(
      log.map(({ requestId }) => service.sandbox.read(({ store }) => store.requests.find(requestId))),
    )
    expect(exchanges).toHaveLength(4)
    const text = JSON.stringify([log, exchanges])
    for (const secret of [checkout.clientToken, 'forged', token]) expect(text).not.toContain(secret)
  })
})
