import { describe, expect, test } from 'vitest'
import { MAX_LOGGED_REQUESTS } from '../../../src/sandbox/log/logged-request.ts'
import { newFolder, openService, settledPayment, advance, loggedIn } from '../service.ts'
import type { CallOptions, Service } from '../service.ts'

const log = (service: Service, limit = 100) => loggedIn(service, limit)

const newest = async (service: Service) => (await log(service, 1))[0]

test('logs keys, operation, response, and whether the request changed anything', async () => {
  const service = await openService()
  const id = await settledPayment(service)
  const answer = await service.call(
    'POST',
    `/payments/${id}/refund`,
    {},
    { headers: { 'x-idempotency-key': 'k-1' } },
  )
  expect(await newest(service)).toEqual({
    at: '2026-03-04T05:06:07.089000',
    requestId: answer.headers['x-request-id'],
    method: 'POST',
    path: `/payments/${id}/refund`,
    operation: 'payment.refund',
    payment: id,
    key: 'sandbox_all',
    idempotencyKey: 'k-1',
    status: 200,
    applied: true,
    durationMs: 0,
  })
})

test('lists the newest first, up to a limit', async () => {
  const service = await openService()
  const id = await settledPayment(service)
  await service.ok('GET', `/payments/${id}`)
  const operations = async (limit: number) => (await log(service, limit)).map(({ operation }) => operation)
  expect(await operations(10)).toEqual(['payment.get', 'payment.capture', 'payment.create'])
  expect(await operations(2)).toEqual(['payment.get', 'payment.capture'])
})

test('lists requests of one transaction in order of arrival', async () => {
  const service = await openService()
  const paths = Array.from({ length: 50 }, (_, number) => `/payments/p${number}`)
  await Promise.all(paths.map((path) => service.call('GET', path)))
  await service.call('GET', '/payments/last')
  expect((await log(service)).map(({ path }) => path)).toEqual(['/payments/last', ...paths.toReversed()])
  expect((await log(service, 3)).map(({ path }) => path)).toEqual([
    '/payments/last',
    '/payments/p49',
    '/payments/p48',
  ])
})

describe('applied', () => {
  test.each([
    ['a read', 'GET', '/payments', undefined, 200, false],
    ['a write', 'POST', '/client-session', {}, 200, true],
    ['a decline, which is a payment', 'POST', '/payments', { paymentMethodToken: 'tok_declined' }, 200, true],
    ['a refusal', 'POST', '/payments', { paymentMethodToken: 'tok_unknown' }, 400, false],
    ['a body that is not valid', 'POST', '/payments', { amount: -1 }, 422, false],
  ])('%s: %s %s', async (_, method, path, body, status, applied) => {
    const service = await openService()
    const terms = { orderId: 'A-1', currencyCode: 'EUR', amount: 100 }
    await service.call(
      method,
      path,
      path === '/payments' && body !== undefined ? { ...terms, ...body } : body,
    )
    expect(await newest(service)).toMatchObject({ status, applied })
  })

  test('a used key changes nothing', async () => {
    const service = await openService()
    const id = await settledPayment(service)
    for (let count = 0; count < 3; count += 1)
      await service.call(
        'POST',
        `/payments/${id}/refund`,
        { amount: 1 },
        { headers: { 'x-idempotency-key': 'k' } },
      )
    expect((await log(service, 3)).map(({ status, applied }) => [status, applied])).toEqual([
      [409, false],
      [409, false],
      [200, true],
    ])
  })
})

describe('refused before processing', () => {
  test.each<[string, string, string, CallOptions, number, string]>([
    ['a path that is none', 'GET', '/nothing', {}, 404, 'NotFound'],
    ['a method that it does not take', 'PUT', '/payments', {}, 405, 'MethodNotAllowed'],
    ['no key', 'GET', '/payments', { key: '' }, 401, 'Unauthorized'],
    ['a key without the scope', 'POST', '/payments', { key: 'sandbox_readonly' }, 403, 'Forbidden'],
    [
      'an unknown version',
      'GET',
      '/payments',
      { headers: { 'x-api-version': '9' } },
      400,
      'UnsupportedApiVersion',
    ],
    ['broken JSON', 'POST', '/payments', { text: '{' }, 400, 'MalformedJson'],
    ['version 1', 'POST', '/auth/client-token', {}, 410, 'VersionRetired'],
  ])('logs %s', async (_, method, path, options, status, errorId) => {
    const service = await openService()
    await service.call(method, path, undefined, options)
    expect(await newest(service)).toMatchObject({ method, path, status, errorId, applied: false })
  })
})

test.each(['/' + 'x'.repeat(16_000), `/payments/${'y'.repeat(16_000)}`])(
  'shortens a long path: %#',
  async (path) => {
    const service = await openService()
    await service.call('GET', path, undefined, { headers: { 'x-idempotency-key': 'z'.repeat(16_000) } })
    const { path: logged = '', idempotencyKey = '' } = (await newest(service)) ?? {}
    expect(logged).toBe(`${path.slice(0, 300)}…`)
    expect(idempotencyKey).toBe(`${'z'.repeat(300)}…`)
  },
)

test('logs the sandbox time', async () => {
  const service = await openService()
  await advance(service, 24 * 3_600_000)
  await service.ok('GET', '/payments')
  expect(await newest(service)).toMatchObject({ at: '2026-03-05T05:06:07.089000' })
})

test('survives the process and is shared by everyone on the folder', async () => {
  const folder = newFolder()
  const first = await openService(folder, 1)
  const second = await openService(folder, 2)
  await first.call('GET', '/payments/by-first')
  await second.call('GET', '/payments/by-second')
  await first.call('GET', '/payments/by-first-again')
  await first.sandbox.close()
  const third = await openService(folder, 3)
  for (const service of [second, third])
    expect((await log(service)).map(({ path }) => path)).toEqual([
      '/payments/by-first-again',
      '/payments/by-second',
      '/payments/by-first',
    ])
})

test('drops the oldest beyond ten thousand', async () => {
  const service = await openService()
  const entry = { at: '', requestId: '', method: 'GET', applied: false }
  // In groups, as on a busy server, of a size that doesn't divide the limit.
  const groups = Array.from({ length: 150 }, (_, group) =>
    Array.from({ length: 70 }, (__, at) => ({ ...entry, path: `/n/${group * 70 + at}` })),
  )
  await service.sandbox.write(({ store }) => {
    for (const group of groups) store.requests.append(group, [])
  })
  const all = await log(service, 2 * MAX_LOGGED_REQUESTS)
  expect(all[0]).toMatchObject({ path: '/n/10499' })
  expect(all.length).toBeGreaterThanOrEqual(MAX_LOGGED_REQUESTS)
  // A group is dropped as a whole.
  expect(all.length).toBeLessThan(MAX_LOGGED_REQUESTS + 70)
  expect(await log(service, MAX_LOGGED_REQUESTS)).toHaveLength(MAX_LOGGED_REQUESTS)
})
