import { fileURLToPath } from 'node:url'
import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { openTransport } from '../../src/http/transport.ts'
import { startConnectProxy } from '../support/connect-proxy.ts'
import { startRawServer } from '../support/raw-server.ts'
import { runBundled } from '../support/run-bundled.ts'
import { startScriptedServer } from '../support/scripted-server.ts'
import { failureOf } from '../support/transports.ts'

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url))
const TLS = {
  key: readFileSync(fixture('server-key.pem'), 'utf8'),
  cert: readFileSync(fixture('server.pem'), 'utf8'),
}

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})
const serve: typeof startScriptedServer = async (...args) => {
  const server = await startScriptedServer(...args)
  closers.push(() => server.close())
  return server
}
const proxyTo: typeof startConnectProxy = async (to) => {
  const proxy = await startConnectProxy(to)
  closers.push(() => proxy.close())
  return proxy
}

const monotonicMs = () => performance.now()
const timeoutMs = 20_000
const nodeVersion = process.versions.node

/** A command that sends a few requests, and one that sends many. */
const WAYS = [
  { kind: 'a few', connections: undefined },
  { kind: 'many', connections: 8 },
] as const

describe.each(WAYS)('$kind requests', ({ connections }) => {
  const create = async (env: Readonly<Record<string, string>>) => {
    const transport = await openTransport({ env, monotonicMs, connections, nodeVersion })
    closers.push(() => transport.close())
    return transport
  }
  const source = `import { openTransport } from './src/http/transport.ts'
       const monotonicMs = () => performance.now()
       const opened = openTransport({ env: process.env, monotonicMs, connections: ${connections}, nodeVersion: process.versions.node })`
  const sendThrough = async (proxy: string, url = 'http://api.example.test/payments') => {
    const transport = await create({ HTTP_PROXY: proxy, HTTPS_PROXY: proxy })
    return transport.send({ method: 'POST', url, headers: {}, body: '{}' }, { timeoutMs })
  }
  const sendAndPrint = (url: string, env: Readonly<Record<string, string>>) =>
    runBundled(
      `${source}
       opened.then((transport) => transport
         .send({ method: 'GET', url: '${url}', headers: {}, body: undefined }, { timeoutMs: 20000 })
         .then((answer) => console.log(answer.body), (failure) => console.log(failure.reason, failure.sent))
         .finally(() => transport.close()))`,
      env,
    )

  test('a transport that is closed while a tunnel opens has sent nothing, and ends quietly', async () => {
    const server = await serve([{ body: 'ok' }])
    const proxy = await proxyTo(server)
    const transport = await create({ HTTP_PROXY: `http://127.0.0.1:${proxy.port}` })
    const url = 'http://api.example.test/payments'
    const send = () =>
      failureOf(transport.send({ method: 'POST', url, headers: {}, body: '{}' }, { timeoutMs }))
    const failure = send()
    await transport.close()
    expect(await failure).toMatchObject({ sent: false })
    expect(server.requests).toEqual([])
  })

  describe('a request through a proxy', () => {
    test('reaches the service as it would without one', async () => {
      const server = await serve([{ body: { id: 'p' } }])
      const proxy = await proxyTo(server)
      expect(await sendThrough(`http://127.0.0.1:${proxy.port}`)).toMatchObject({
        status: 200,
        body: '{"id":"p"}',
      })
      expect(proxy.connects).toMatchObject([
        { target: 'api.example.test:80', headers: { host: 'api.example.test' } },
      ])
      expect(server.requests).toMatchObject([
        { url: '/payments', headers: { host: 'api.example.test' }, body: '{}' },
      ])
      expect(server.requests[0]?.headers).not.toHaveProperty('proxy-authorization')
    })

    test('is none for this machine, and for what NO_PROXY names', async () => {
      const server = await serve(() => ({ body: 'ok' }))
      const proxy = await proxyTo(server)
      const proxies = { HTTP_PROXY: `127.0.0.1:${proxy.port}`, HTTPS_PROXY: `127.0.0.1:${proxy.port}` }
      const transport = await create({ ...proxies, NO_PROXY: '192.0.2.0/24, .invalid' })
      const get = (url: string) =>
        transport.send({ method: 'GET', url, headers: {}, body: undefined }, { timeoutMs: 500 })
      expect(await get(server.url)).toMatchObject({ body: 'ok' })
      for (const url of ['http://192.0.2.7', 'https://pay.invalid'])
        expect(await failureOf(get(url))).toMatchObject({ sent: false })
      expect(proxy.connects).toEqual([])
    })

    test('is one for https only where HTTPS_PROXY names it', async () => {
      const proxy = await proxyTo(await serve([]))
      const transport = await create({ HTTP_PROXY: `127.0.0.1:${proxy.port}` })
      const request = { method: 'GET', url: 'https://pay.invalid', headers: {}, body: undefined }
      expect(await failureOf(transport.send(request, { timeoutMs }))).toMatchObject({ reason: 'dns' })
      expect(proxy.connects).toEqual([])
    })

    // Once in a thousand times Linux reports a reset as an end.
    test('gets no answer from a reset either', { retry: 2 }, async () => {
      let requests = 0
      const proxy = await startRawServer((socket) => {
        socket.once('data', () => {
          socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
          socket.once('data', () => {
            requests += 1
            socket.write('HTTP/1.1 200 OK\r\n\r\n{}', () => setTimeout(() => socket.resetAndDestroy(), 20))
          })
        })
      })
      closers.push(() => proxy.close())
      expect(await failureOf(sendThrough(`127.0.0.1:${proxy.port}`))).toMatchObject({
        reason: 'cut',
        sent: true,
      })
      expect(requests).toBe(1)
    })

    test('takes a proxy without a scheme', async () => {
      const proxy = await proxyTo(await serve([{ body: 'ok' }]))
      expect(await sendThrough(`127.0.0.1:${proxy.port}`)).toMatchObject({ body: 'ok' })
    })

    test.each([
      ['user:pass', 'user:pass'],
      ['us%40er:p%3Ass', 'us@er:p:ss'],
      ['user', 'user:'],
      ['user:100%', 'user:100%'],
    ])('shows the proxy, and it alone, the credentials %s', async (written, plain) => {
      const server = await serve([{ body: 'ok' }])
      const proxy = await proxyTo(server)
      await sendThrough(`http://${written}@127.0.0.1:${proxy.port}`)
      expect(proxy.connects[0]?.headers['proxy-authorization']).toBe(
        `Basic ${Buffer.from(plain).toString('base64')}`,
      )
      expect(JSON.stringify(server.requests)).not.toContain('authorization')
    })
  })

  describe('a proxy that fails: nothing was sent to the service, and no credentials show', () => {
    test.each([
      [407, 'http://', 'asks for a user name and password (407)'],
      [407, 'http://user:hunter2@', 'refused the user name and password in its URL (407)'],
      [403, 'http://user:hunter2@', 'refused the connection (403)'],
      [502, 'http://', 'refused the connection (502)'],
    ])('it answers %i to %s', async (status, scheme, words) => {
      const proxy = await proxyTo({ status })
      const failure = await failureOf(sendThrough(`${scheme}127.0.0.1:${proxy.port}`))
      expect(failure).toMatchObject({
        reason: 'proxy',
        sent: false,
        message: `the proxy that the environment names ${words}`,
      })
    })

    test.each([
      ['nobody listens', 'http://user:hunter2@127.0.0.1:1', 'could not be used (ECONNREFUSED)'],
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

    test('it does not do TLS', async () => {
      const proxy = await proxyTo({ status: 200 })
      expect(await failureOf(sendThrough(`https://127.0.0.1:${proxy.port}`))).toMatchObject({
        reason: 'proxy',
        sent: false,
      })
    })

    test('it takes its time', async () => {
      const { port } = await proxyTo({ hang: true })
      const transport = await create({ HTTP_PROXY: `127.0.0.1:${port}` })
      const request = { method: 'POST', url: 'http://api.example.test/', headers: {}, body: '{}' }
      expect(await failureOf(transport.send(request, { timeoutMs: 200 }))).toMatchObject({
        reason: 'connect-timeout',
        sent: false,
      })
    })

    test('it ends each connection', async () => {
      let opened = 0
      const server = await startRawServer((socket) => {
        opened += 1
        socket.once('data', () => socket.destroy())
      })
      closers.push(() => server.close())
      expect(await failureOf(sendThrough(`http://127.0.0.1:${server.port}`))).toMatchObject({
        reason: 'proxy',
        sent: false,
      })
      expect(opened).toBe(1)
    })

    test('the connection through it ends in the middle of the TLS handshake', async () => {
      const server = await startRawServer((socket) => {
        socket.once('data', () => socket.destroy())
      })
      closers.push(() => server.close())
      const proxy = await proxyTo(server)
      const url = 'https://api.example.test/payments'
      expect(await failureOf(sendThrough(`http://127.0.0.1:${proxy.port}`, url))).toMatchObject({
        reason: 'refused',
        sent: false,
      })
      expect(proxy.connects).toHaveLength(1)
    })

    test('the service behind it has a certificate that nobody trusts', async () => {
      const server = await serve([], { tls: TLS })
      const proxy = await proxyTo(server)
      const failure = await failureOf(
        sendThrough(`http://127.0.0.1:${proxy.port}`, 'https://api.example.test/payments'),
      )
      expect(failure).toMatchObject({ reason: 'tls', sent: false })
      expect(server.requests).toEqual([])
    })
  })

  describe('a process of its own', () => {
    test('trusts the authorities of NODE_EXTRA_CA_CERTS', async () => {
      const server = await serve([{ body: 'over TLS' }], { tls: TLS })
      const trusting = { NODE_EXTRA_CA_CERTS: fixture('ca.pem') }
      expect(await sendAndPrint(server.url, trusting)).toMatchObject({ stdout: 'over TLS\n', stderr: '' })
      expect(await sendAndPrint(server.url, {})).toMatchObject({ stdout: 'tls false\n' })
    })

    test('does not trust a certificate of such an authority for another host', async () => {
      const server = await serve([], {
        tls: { ...TLS, cert: readFileSync(fixture('other-host.pem'), 'utf8') },
      })
      const trusting = { NODE_EXTRA_CA_CERTS: fixture('ca.pem') }
      expect(await sendAndPrint(server.url, trusting)).toMatchObject({ stdout: 'tls false\n' })
      expect(server.requests).toEqual([])
    })

    test('does TLS with the service through a proxy', async () => {
      const server = await serve([{ body: 'over TLS' }], { tls: TLS })
      const proxy = await proxyTo(server)
      const env = { NODE_EXTRA_CA_CERTS: fixture('ca.pem'), HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` }
      expect(await sendAndPrint('https://api.example.test/x', env)).toMatchObject({ stdout: 'over TLS\n' })
      expect(proxy.connects).toMatchObject([{ target: 'api.example.test:443' }])
      expect(server.requests).toMatchObject([{ url: '/x', headers: { host: 'api.example.test' } }])
    })

    test.each(['http', 'https'])(
      'ends at once when it gives up a connection that does not come about (%s)',
      async (scheme) => {
        const silent = await startRawServer()
        closers.push(() => silent.close())
        const env: Record<string, string> =
          scheme === 'http' ? { HTTP_PROXY: `127.0.0.1:${silent.port}` } : {}
        const url = scheme === 'http' ? 'http://api.example.test/' : `https://127.0.0.1:${silent.port}/`
        const ran = await runBundled(
          `${source}
       opened.then((transport) => transport
         .send({ method: 'GET', url: '${url}', headers: {}, body: undefined }, { timeoutMs: 300 })
         .catch((failure) => console.log(failure.reason, failure.sent))
         .then(() => transport.close()))
         .then(() => setTimeout(() => console.log('still there'), 3000).unref())`,
          env,
        )
        expect(ran).toMatchObject({ stdout: 'connect-timeout false\n', stderr: '' })
      },
    )
  })
})
