import { describe, expect, test } from 'vitest'
import { failureOf } from '../../support/transports.ts'
import { createProxyBench, LOADS, proxyTo, timeoutMs } from './proxy-bench.ts'
import { serve, serveRaw } from './transport-bench.ts'

describe.each(LOADS)('$kind requests', ({ connections }) => {
  const { create, sendThrough } = createProxyBench(connections)

  test('a transport that is closed while a tunnel opens has sent nothing', async () => {
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
    test('reaches the service unchanged', async () => {
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

    test('goes directly to this machine and to hosts in NO_PROXY', async () => {
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

    test('goes directly to https when only HTTP_PROXY is set', async () => {
      const proxy = await proxyTo(await serve([]))
      const transport = await create({ HTTP_PROXY: `127.0.0.1:${proxy.port}` })
      const request = { method: 'GET', url: 'https://pay.invalid', headers: {}, body: undefined }
      expect(await failureOf(transport.send(request, { timeoutMs }))).toMatchObject({ reason: 'dns' })
      expect(proxy.connects).toEqual([])
    })

    // About once in a thousand runs, Linux reports a reset as an end.
    test('fails on a reset', { retry: 2 }, async () => {
      let requests = 0
      const proxy = await serveRaw((socket) => {
        socket.once('data', () => {
          socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
          socket.once('data', () => {
            requests += 1
            socket.write('HTTP/1.1 200 OK\r\n\r\n{}', () => setTimeout(() => socket.resetAndDestroy(), 20))
          })
        })
      })
      expect(await failureOf(sendThrough(`127.0.0.1:${proxy.port}`))).toMatchObject({
        reason: 'cut',
        sent: true,
      })
      expect(requests).toBe(1)
    })

    test('accepts a proxy without a scheme', async () => {
      const proxy = await proxyTo(await serve([{ body: 'ok' }]))
      expect(await sendThrough(`127.0.0.1:${proxy.port}`)).toMatchObject({ body: 'ok' })
    })

    test.each([
      ['user:pass', 'user:pass'],
      ['us%40er:p%3Ass', 'us@er:p:ss'],
      ['user', 'user:'],
      ['user:100%', 'user:100%'],
    ])('sends the credentials %s to the proxy only', async (written, plain) => {
      const server = await serve([{ body: 'ok' }])
      const proxy = await proxyTo(server)
      await sendThrough(`http://${written}@127.0.0.1:${proxy.port}`)
      expect(proxy.connects[0]?.headers['proxy-authorization']).toBe(
        `Basic ${Buffer.from(plain).toString('base64')}`,
      )
      expect(JSON.stringify(server.requests)).not.toContain('authorization')
    })
  })
})
