import { describe, expect, test } from 'vitest'
import { startScriptedServer } from '../../support/scripted-server.ts'
import { TRANSPORTS, failureOf } from '../../support/transports.ts'
import { closeAfterTest, post, serve } from './transport-bench.ts'

describe.each(TRANSPORTS.filter(([kind]) => kind === 'undici'))(
  'a limited number of connections, over %s',
  (_, create) => {
    test('times out as not sent while another request uses the connection', async () => {
      const server = await serve(({ url }) => (url === '/first' ? { hang: true } : { body: 'x' }))
      const transport = closeAfterTest(create(1))
      const abort = new AbortController()
      const first = failureOf(
        transport.send(post(`${server.url}/first`), { timeoutMs: 20_000, signal: abort.signal }),
      )
      await server.arrived(1)
      expect(await failureOf(transport.send(post(`${server.url}/second`), { timeoutMs: 50 }))).toMatchObject({
        reason: 'connect-timeout',
        sent: false,
        message: 'no connection was made within 0.05 s',
      })
      abort.abort()
      await first
      await transport.send(post(`${server.url}/third`), { timeoutMs: 20_000 })
      expect(server.requests.map(({ url }) => url)).toEqual(['/first', '/third'])
    })

    test('opens as many connections as allowed, each with one request at a time', async () => {
      const server = await serve(() => ({ hang: true }))
      const transport = closeAfterTest(create(3))
      const all = Array.from({ length: 5 }, async () =>
        failureOf(transport.send(post(server.url), { timeoutMs: 20_000 })),
      )
      await server.arrived(3)
      await transport.close()
      const ended = await Promise.all(all)
      expect(new Set(server.requests.map(({ connection }) => connection)).size).toBe(3)
      expect(ended.filter(({ sent }) => sent)).toHaveLength(3)
    })

    test('gives each of many simultaneous requests its own response', async () => {
      const server = await serve(({ body }) => ({ body, delayMs: Number(body) % 3 }))
      const transport = closeAfterTest(create(4))
      const bodies = Array.from({ length: 200 }, (_ignored, index) => String(index))
      const answers = await Promise.all(
        bodies.map(
          async (body) => (await transport.send(post(server.url, body), { timeoutMs: 20_000 })).body,
        ),
      )
      expect(answers).toEqual(bodies)
      expect(new Set(server.requests.map(({ connection }) => connection)).size).toBe(4)
    })

    test('aborts a request that waits for a connection, but not one in flight', async () => {
      const server = await serve(({ url }) => ({ body: url, delayMs: 60 }))
      const transport = closeAfterTest(create(1))
      const halt = new AbortController()
      const { signal } = new AbortController()
      const options = { timeoutMs: 20_000, signal, signalBeforeSent: halt.signal }
      const first = transport.send(post(`${server.url}/first`), options)
      await server.arrived(1)
      const second = failureOf(transport.send(post(`${server.url}/second`), options))
      halt.abort()
      expect(await second).toMatchObject({ reason: 'aborted', sent: false })
      expect((await first).body).toBe('/first')
      expect(server.requests).toHaveLength(1)
    })

    test('replaces a connection that was cut, and sends the request that waited for it', async () => {
      const server = await serve((_request, index) => (index === 0 ? { drop: 'before' } : { body: 'x' }))
      const transport = closeAfterTest(create(1))
      const [first, second] = ['/first', '/second'].map((path) =>
        transport.send(post(server.url + path), { timeoutMs: 20_000 }),
      )
      expect(await failureOf(first ?? Promise.resolve())).toMatchObject({ reason: 'cut', sent: true })
      expect(await second).toMatchObject({ status: 200 })
    })

    test('fails each waiting request as not sent when nothing listens', async () => {
      const server = await startScriptedServer([])
      await server.close()
      const transport = closeAfterTest(create(2))
      const failures = await Promise.all(
        Array.from({ length: 5 }, () => failureOf(transport.send(post(server.url), { timeoutMs: 20_000 }))),
      )
      expect(failures.map(({ reason, sent }) => [reason, sent])).toEqual(
        failures.map(() => ['refused', false]),
      )
    })
  },
)
