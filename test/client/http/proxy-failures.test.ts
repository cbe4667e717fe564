import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { failureOf } from '../../support/transports.ts'
import { createProxyBench, LOADS, TLS, proxyTo } from './proxy-bench.ts'
import { serve, serveRaw } from './transport-bench.ts'

describe.each(LOADS)('$kind requests', ({ connections }) => {
  const { create, sendThrough } = createProxyBench(connections)

  describe('a failing proxy, with nothing sent to the service and no credentials shown', () => {
    test.each([
      [407, 'http://', 'asks for a user name and password (407)'],
      [407, 'http://user:hunter2@', 'refused the user name and password in its URL (407)'],
      [403, 'http://user:hunter2@', 'refused the connection (403)'],
      [502, 'http://', 'refused the connection (502)'],
    ])('responds %i to %s', async (status, scheme, words) => {
      const proxy = await proxyTo({ status })
      const failure = await failureOf(sendThrough(`${scheme}127.0.0.1:${proxy.port}`))
      expect(failure).toMatchObject({
        reason: 'proxy',
        sent: false,
        message: `the proxy that the environment names ${words}`,
      })
    })

    test.each([
      ['no program listens', 'http://user:hunter2@127.0.0.1:1', 'could not be used (ECONNREFUSED)'],
      ['it has no address', 'http://user:hunter2@proxy.invalid', 'could not be used (ENOTFOUND)'],
      [
        'it speaks no HTTP',
        'socks5://user:hunter2@127.0.0.1:1',
        'has the scheme socks5: only http and https are supported',
      ],
      ['it is no URL', 'http://user:hunter2@', 'is not a URL'],
    ])('%s', async (_, proxy, words) => {
      const failure = await failureOf(sendThrough(proxy))
      expect(failure).toMatchObject({ reason: 'proxy', sent: false })
      expect(failure.message).toBe(`the proxy that the environment names ${words}`)
      expect(inspect(failure, { depth: 9 })).not.toContain('hunter2')
    })

    test('does not speak TLS', async () => {
      const proxy = await proxyTo({ status: 200 })
      expect(await failureOf(sendThrough(`https://127.0.0.1:${proxy.port}`))).toMatchObject({
        reason: 'proxy',
        sent: false,
      })
    })

    test('does not respond', async () => {
      const { port } = await proxyTo({ hang: true })
      const transport = await create({ HTTP_PROXY: `127.0.0.1:${port}` })
      const request = { method: 'POST', url: 'http://api.example.test/', headers: {}, body: '{}' }
      expect(await failureOf(transport.send(request, { timeoutMs: 200 }))).toMatchObject({
        reason: 'connect-timeout',
        sent: false,
      })
    })

    test('closes each connection', async () => {
      let opened = 0
      const server = await serveRaw((socket) => {
        opened += 1
        socket.once('data', () => socket.destroy())
      })
      expect(await failureOf(sendThrough(`http://127.0.0.1:${server.port}`))).toMatchObject({
        reason: 'proxy',
        sent: false,
      })
      expect(opened).toBe(1)
    })

    test('loses the connection during the TLS handshake', async () => {
      const server = await serveRaw((socket) => {
        socket.once('data', () => socket.destroy())
      })
      const proxy = await proxyTo(server)
      const url = 'https://api.example.test/payments'
      expect(await failureOf(sendThrough(`http://127.0.0.1:${proxy.port}`, url))).toMatchObject({
        reason: 'refused',
        sent: false,
      })
      expect(proxy.connects).toHaveLength(1)
    })

    test('leads to a service with an untrusted certificate', async () => {
      const server = await serve([], { tls: TLS })
      const proxy = await proxyTo(server)
      const failure = await failureOf(
        sendThrough(`http://127.0.0.1:${proxy.port}`, 'https://api.example.test/payments'),
      )
      expect(failure).toMatchObject({ reason: 'tls', sent: false })
      expect(server.requests).toEqual([])
    })
  })
})
