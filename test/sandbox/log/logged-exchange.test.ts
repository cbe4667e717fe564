import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BODIES_PER_SECOND } from '../../../src/sandbox/sandbox.ts'
import { MAX_LOGGED_BODY } from '../../../src/sandbox/log/logged-exchange.ts'
import { control } from '../controls/call-control.ts'
import {
  createPayment,
  newFolder,
  NOW,
  openService,
  settledPayment,
  textAt,
  addFault,
  loggedIn,
  tokenized,
} from '../service.ts'
import type { Service } from '../service.ts'

const newest = async (service: Service) => {
  const [entry] = await loggedIn(service, 1)
  return service.sandbox.read(({ store }) => store.requests.find(entry?.requestId ?? ''))
}

test('keeps headers and bodies of request and response', async () => {
  const service = await openService()
  const id = await settledPayment(service)
  const { body } = await service.call('POST', `/payments/${id}/refund`, { amount: 300, reason: 'damaged' })
  const found = await newest(service)
  expect(found).toMatchObject({
    operation: 'payment.refund',
    status: 200,
    request: {
      headers: { 'x-api-key': '{x-api-key}', 'x-api-version': '2.1' },
      body: '{"amount":300,"reason":"damaged"}',
    },
    response: { headers: { 'content-type': 'application/json', 'x-request-id': found?.requestId } },
  })
  expect(JSON.parse(found?.response?.body ?? '')).toEqual(body)
})

test('keeps the query, and no body where there was none', async () => {
  const service = await openService()
  await service.ok('GET', '/payments?status=SETTLED&limit=5')
  expect(await newest(service)).toMatchObject({
    path: '/payments',
    request: { query: 'status=SETTLED&limit=5' },
  })
  expect((await newest(service))?.request).not.toHaveProperty('body')
})

describe('stores no secret', () => {
  const CARD = '4111111111111111'

  test('in any file of the sandbox', async () => {
    const service = await openService()
    const { clientToken } = await service.ok('POST', '/client-session', { customerId: 'c-1' })
    const tokenize = () => tokenized(service, { card: CARD })
    const [spent, unknown] = [await tokenize(), `A${'b-_9'.repeat(8)}xyz`]
    const saved = textAt(
      await createPayment(service, spent, { customerId: 'c-1', paymentMethod: { vaultOnSuccess: true } }),
      'paymentMethod',
      'paymentMethodToken',
    )
    await service.call('GET', `/client-session?clientToken=${String(clientToken)}`)
    await service.call('PATCH', '/client-session', { clientToken, orderId: CARD })
    await service.call('POST', `/payment-instruments/${saved}/default`)
    await service.call('POST', '/payments', { paymentMethodToken: unknown, orderId: 'o', amount: 1 })
    await service.call('POST', `/payments/${unknown}/capture`, { amount: CARD })
    await service.call('GET', `/nothing/${unknown}`)
    await service.call('POST', '/payments', undefined, {
      text: `{"paymentMethodToken":"${unknown.slice(0, 30)}`,
    })
    await service.call('GET', '/payments', undefined, { key: 'sk_live_of_another_service' })
    await service.call('GET', '/payments', undefined, { headers: { authorization: 'Bearer secret-value' } })
    const details = JSON.stringify(
      await Promise.all(
        (await loggedIn(service, 100)).map(({ requestId }) =>
          service.sandbox.read(({ store }) => store.requests.find(requestId)),
        ),
      ),
    )
    for (const secret of [
      String(clientToken),
      spent,
      saved,
      unknown.slice(0, 30),
      CARD,
      'sk_live_of_another',
      'secret-value',
    ])
      expect(details).not.toContain(secret)
    await service.sandbox.close()
    const stored = readdirSync(service.folder).map((name) =>
      readFileSync(join(service.folder, name), 'latin1'),
    )
    for (const secret of [String(clientToken), unknown.slice(0, 30), 'sk_live_of_another', 'secret-value'])
      expect(stored.join('\n')).not.toContain(secret)
  })

  test('where an error repeats the path', async () => {
    const service = await openService()
    const token = `A${'b-_9'.repeat(8)}xyz`
    const { body } = await service.call('GET', `/payment-instrument%73/${token}/x`)
    expect(JSON.stringify(body)).toContain(token)
    expect((await newest(service))?.response?.body).toContain('{paymentMethodToken}')
    expect((await newest(service))?.response?.body).not.toContain(token)
  })
})

test('cuts long bodies and says how long they were', async () => {
  const service = await openService()
  const text = JSON.stringify({ orderId: 'o', metadata: { note: 'x'.repeat(2 * MAX_LOGGED_BODY) } })
  await service.call('POST', '/client-session', undefined, { text })
  const found = await newest(service)
  expect(found?.request?.body).toHaveLength(MAX_LOGGED_BODY)
  expect(found?.request?.bodyLength).toBe(text.length)
})

test('cuts no secret in half', async () => {
  const service = await openService()
  const token = `A${'b-_9'.repeat(8)}xyz`
  const start = '{"metadata":{"a":"'
  const filler = 'x '.repeat((MAX_LOGGED_BODY - start.length - 18) / 2)
  const text = `${start}${filler}${token}"}}${' '.repeat(MAX_LOGGED_BODY)}`
  await service.call('POST', '/client-session', undefined, { text })
  expect((await newest(service))?.request?.body).not.toContain(token.slice(0, 10))
})

test('cuts no secret in half where placeholders have shortened the text', async () => {
  const service = await openService()
  const token = `A${'b-_9'.repeat(8)}xyz`
  // The end of what is redacted falls into the last token.
  const others = JSON.stringify({
    metadata: Object.fromEntries(Array.from({ length: 450 }, (_, at) => [`k${at}`, token])),
  })
  for (let shift = 0; shift < token.length; shift += 9) {
    const text = `{"x":"${'y'.repeat(shift)}",${others.slice(1)}`
    await service.call('POST', '/client-session', undefined, { text })
    expect((await newest(service))?.request?.body).not.toContain(token.slice(0, 3))
  }
})

test('keeps the whole body if its end was redacted too', async () => {
  const service = await openService()
  const text = JSON.stringify({ orderId: 'o', metadata: { note: 'x'.repeat(MAX_LOGGED_BODY) } })
  await service.call('POST', '/client-session', undefined, { text })
  expect((await newest(service))?.request?.body).toBe(text.slice(0, MAX_LOGGED_BODY))
})

test('keeps bodies only for the first requests of a second', async () => {
  let nowMs = NOW.getTime()
  const service = await openService(newFolder(), 1, () => new Date(nowMs))
  for (let count = 0; count < BODIES_PER_SECOND + 1; count += 1) await service.ok('GET', '/payments')
  expect(await newest(service)).not.toHaveProperty('request')
  expect(await newest(service)).not.toHaveProperty('durationMs')
  nowMs += 1000
  await service.ok('GET', '/payments')
  expect(await newest(service)).toHaveProperty('request')
})

test.each([
  ['drop-after', undefined],
  ['status=503', 503],
])('fault %s', async (effect, status) => {
  const service = await openService()
  await addFault(service, { on: '* /payments', do: effect, rate: 1, seed: 1, times: 1, skip: 0 })
  await service.call('GET', '/payments').catch(() => undefined)
  const found = await newest(service)
  expect(found).toMatchObject({ fault: effect, request: { headers: {} } })
  expect([found?.status, found?.response === undefined]).toEqual([status, status === undefined])
})

test('bodies survive the process, are shared, and go with the log', async () => {
  const folder = newFolder()
  const first = await openService(folder, 1)
  await first.ok('GET', '/payments')
  const id = (await newest(first))?.requestId ?? ''
  await first.sandbox.close()
  const second = await openService(folder, 2)
  expect(await second.sandbox.read(({ store }) => store.requests.find(id))).toMatchObject({
    response: { body: '{"data":[]}' },
  })
  await second.sandbox.reset()
  expect(await second.sandbox.read(({ store }) => store.requests.find(id))).toBeUndefined()
})

test('finds the requests of a payment by its path and by what was answered', async () => {
  const service = await openService()
  const id = await settledPayment(service)
  const other = await settledPayment(service)
  await service.call(
    'POST',
    `/payments/${id}/refund`,
    { amount: 1 },
    { headers: { 'x-idempotency-key': 'k' } },
  )
  await service.call(
    'POST',
    `/payments/${other}/refund`,
    { amount: 1 },
    { headers: { 'x-idempotency-key': 'k' } },
  )
  await service.ok('GET', `/observability/payments/${id}`)
  await service.ok('GET', '/payments')
  const { body } = await control(service, 'GET', `/sandbox/requests?payment=${id}`)
  const shown = Array.isArray(body['data']) ? body['data'] : []
  expect(
    shown.map(({ method, path }) => `${method} ${path.replaceAll(id, 'ID').replaceAll(other, 'OTHER')}`),
  ).toEqual([
    'GET /observability/payments/ID',
    'POST /payments/ID/refund',
    'POST /payments/ID/capture',
    'POST /payments',
  ])
  expect((await control(service, 'GET', '/sandbox/requests?payment=nothing')).body).toEqual({ data: [] })
  expect(
    (await control(service, 'GET', `/sandbox/requests?payment=${id}&limit=1`)).body['data'],
  ).toHaveLength(1)
})

test('over HTTP, one request by its id', async () => {
  const service = await openService()
  const answer = await service.call('GET', '/payments')
  const id = answer.headers['x-request-id'] ?? ''
  expect((await control(service, 'GET', `/sandbox/requests/${id}`)).body).toMatchObject({
    requestId: id,
    response: { body: '{"data":[]}' },
  })
  expect(await control(service, 'GET', '/sandbox/requests/unknown')).toMatchObject({ status: 404 })
  expect(await control(service, 'DELETE', `/sandbox/requests/${id}`)).toMatchObject({ status: 405 })
  expect(
    await control(service, 'GET', `/sandbox/requests/${id}`, undefined, { key: 'sandbox_readonly' }),
  ).toMatchObject({ status: 403 })
})
