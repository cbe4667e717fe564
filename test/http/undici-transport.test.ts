import { describe, expect, test } from 'vitest'
import { startScriptedServer } from '../support/scripted-server.ts'
import { TRANSPORTS, failureOf } from '../support/transports.ts'
import { closeAfterTest, post, serve } from './transport-bench.ts'

describe.each(TRANSPORTS.filter(([kind]) => kind === 'undici'))(
  'connections that are counted, over %s',
  (_, create) => {
    test('lets time run out while another request has the connection: not sent, then or later', async () => {
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

    test('opens as many connections as asked for, and each carries one request at a time', async () => {
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

    test('each of many at once gets its own answer', async () => {
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

    test('gives up what waits for a connection, and leaves alone what is under way', async () => {
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

    test('one that is cut is replaced, and what waits behind it is sent', async () => {
      const server = await serve((_request, index) => (index === 0 ? { drop: 'before' } : { body: 'x' }))
      const transport = closeAfterTest(create(1))
      const [first, second] = ['/first', '/second'].map((path) =>
        transport.send(post(server.url + path), { timeoutMs: 20_000 }),
      )
      expect(await failureOf(first ?? Promise.resolve())).toMatchObject({ reason: 'cut', sent: true })
      expect(await second).toMatchObject({ status: 200 })
    })

    test('nobody listens: each of those that wait is told, and nothing was sent', async () => {
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
