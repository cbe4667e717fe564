import { describe, expect, test } from 'vitest'
import { openService, settledPayment } from '../service.ts'
import { listening, listenTo } from './event-client.ts'
import { openServed, send } from './over-http.ts'
import { answersIn, openRaw, requestText } from './raw-client.ts'

const HOUR_MS = 3_600_000

const kinds = (client: { readonly events: readonly { readonly event: string }[] }) =>
  client.events.map(({ event }) => event)

const paths = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `/payments/p${from + at}`)

test('reports requests as the request log shows them, oldest first', async () => {
  const service = await openServed()
  await service.call('GET', '/payments/earlier')
  const client = await listening(service.server.url)
  expect(client.response.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
  })
  expect(client.events).toEqual([{ id: expect.stringMatching(/^1\.[\w-]+$/), event: 'changed', data: {} }])
  for (const path of paths(0, 3)) await service.call('GET', path)
  await expect.poll(client.paths).toEqual(paths(0, 3))
  const logged = await service.sandbox.requests.list(3)
  expect(client.events.slice(1).flatMap(({ data }) => data)).toEqual(
    JSON.parse(JSON.stringify(logged.toReversed())),
  )
})

test.each<[string, (service: Awaited<ReturnType<typeof openServed>>) => Promise<unknown>]>([
  ['the clock', ({ sandbox }) => sandbox.clock.advance(HOUR_MS)],
  ['a fault', ({ sandbox }) => sandbox.faults.add({ on: '* /x', do: 'hang', rate: 1, seed: 1, skip: 0 })],
  ['the end of all faults', ({ sandbox }) => sandbox.faults.clear()],
])('reports a change without a request: %s', async (_, change) => {
  const service = await openServed()
  const client = await listening(service.server.url)
  await change(service)
  await expect.poll(() => kinds(client)).toEqual(['changed', 'changed'])
})

test('reports an event that was due, together with the request that found it', async () => {
  let now = new Date('2026-03-04T05:06:07.089Z')
  const service = await openServed({}, { now: () => now })
  const id = await settledPayment(service, 'tok_async')
  const client = await listening(service.server.url)
  now = new Date(now.getTime() + 1000 * HOUR_MS)
  await service.ok('GET', `/payments/${id}`)
  await expect.poll(() => kinds(client)).toEqual(['changed', 'requests', 'changed'])
})

test.each(['reset', 'requests.clear'] as const)('says that nothing known is left after %s', async (what) => {
  const service = await openServed()
  await service.call('GET', '/payments/p0')
  const client = await listening(service.server.url)
  await (what === 'reset' ? service.sandbox.reset() : service.sandbox.requests.clear())
  await expect.poll(() => kinds(client)).toContain('resync')
  await service.call('GET', '/payments/p1')
  await expect.poll(client.paths).toEqual(['/payments/p1'])
})

describe('after a break', () => {
  test('resumes after the last event, without losing or repeating one', async () => {
    const service = await openServed()
    const first = await listening(service.server.url)
    for (const path of paths(0, 3)) await service.call('GET', path)
    await expect.poll(first.paths).toHaveLength(3)
    first.close()
    // Together, so that they share one row of the log.
    await Promise.all(paths(3, 400).map((path) => service.call('GET', path)))
    const second = await listening(service.server.url, { after: first.lastId() })
    await expect.poll(second.paths).toHaveLength(397)
    expect([...first.paths(), ...second.paths()].toSorted()).toEqual(paths(0, 400).toSorted())
    // What happened without a request is unknown.
    await expect.poll(() => kinds(second).at(-1)).toBe('changed')
    const third = await listening(service.server.url, { after: second.events[0]?.id })
    await expect.poll(third.paths).toEqual(second.paths().slice(200))
  })

  test.each(['', 'x', '5', '1.', '0.x', '999999.11111111-1111-1111-1111-111111111111', '1.other', '-1.x'])(
    'asks to fetch everything again after the unknown id %j',
    async (after) => {
      const service = await openServed()
      await service.call('GET', '/payments/p0')
      const client = await listening(service.server.url, { after })
      expect(client.events).toMatchObject([{ event: 'resync', id: expect.stringMatching(/^1\./) }])
    },
  )

  test('asks to fetch everything again if the log was emptied and filled in between', async () => {
    const service = await openServed()
    await service.call('GET', '/payments/p0')
    const first = await listening(service.server.url)
    first.close()
    await service.sandbox.reset()
    for (const path of paths(1, 4)) await service.call('GET', path)
    const second = await listening(service.server.url, { after: first.lastId() })
    expect(kinds(second)).toEqual(['resync'])
  })

  test('asks to fetch everything again if the log has dropped what comes next', async () => {
    const service = await openServed()
    await service.call('GET', '/payments/p0')
    const first = await listening(service.server.url)
    first.close()
    for (let group = 0; group < 101; group += 1)
      await Promise.all(
        paths(0, 100).map((url) =>
          service.sandbox.handle({ method: 'GET', url, headers: {}, body: undefined }),
        ),
      )
    const second = await listening(service.server.url, { after: first.lastId() })
    expect(kinds(second)).toEqual(['resync'])
  })
})

test('reports what other processes do to the folder', async () => {
  const service = await openServed()
  const client = await listening(service.server.url)
  const other = await openService(service.folder, 2)
  await other.sandbox.handle({ method: 'GET', url: '/payments/other', headers: {}, body: undefined })
  await expect.poll(client.paths).toEqual(['/payments/other'])
  await other.sandbox.clock.advance(HOUR_MS)
  await expect.poll(() => kinds(client)).toEqual(['changed', 'requests', 'changed'])
})

test('tells every client everything, in the same order', async () => {
  const service = await openServed()
  const clients = await Promise.all([listening(service.server.url), listening(service.server.url)])
  await Promise.all(paths(0, 300).map((path) => service.call('GET', path)))
  for (const client of clients) await expect.poll(client.paths).toHaveLength(300)
  expect(clients[0]?.paths()).toEqual(clients[1]?.paths())
  expect(new Set(clients[0]?.paths()).size).toBe(300)
})

test('serves a limited number of clients', async () => {
  const { server } = await openServed()
  const clients = await Promise.all(Array.from({ length: 64 }, () => listening(server.url)))
  const refused = await listenTo(server.url)
  expect(refused.response.statusCode).toBe(503)
  clients[0]?.close()
  await expect.poll(async () => (await listenTo(server.url)).response.statusCode).toBe(200)
})

describe('the route', () => {
  test.each([
    ['no key', '', 401],
    ['another key', 'sandbox_readonly', 403],
  ])('refuses %s', async (_, key, status) => {
    const { server } = await openServed()
    const client = await listenTo(server.url, { key })
    await client.closed
    expect(client.response.statusCode).toBe(status)
    expect(client.events).toEqual([])
  })

  test('answers HEAD without a stream, OPTIONS, and other methods', async () => {
    const { server } = await openServed()
    const answered = async (method: string) => {
      const { status, headers, body } = await send(server.url, {
        method,
        url: '/sandbox/events',
        headers: { 'x-api-key': 'sandbox_all' },
        body: undefined,
      })
      return { status, allow: headers['allow'], type: headers['content-type'], isEmpty: body === '' }
    }
    expect(await answered('HEAD')).toMatchObject({
      status: 200,
      type: 'text/event-stream; charset=utf-8',
      isEmpty: true,
    })
    expect(await answered('OPTIONS')).toMatchObject({ status: 204, allow: 'GET, HEAD, OPTIONS' })
    expect(await answered('POST')).toMatchObject({ status: 405, allow: 'GET, HEAD, OPTIONS' })
  })

  test('answers earlier requests of the connection first', async () => {
    const { server } = await openServed()
    const client = await openRaw(server.port)
    client.send(
      requestText('GET', '/payments') +
        requestText('GET', '/sandbox/events') +
        requestText('GET', '/payments'),
    )
    const text = await client.until(/event: changed/)
    expect(answersIn(text)[0]).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } })
    expect(text.indexOf('{"data":[]}')).toBeLessThan(text.indexOf('text/event-stream'))
  })
})
