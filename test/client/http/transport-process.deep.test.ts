import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { runBundled } from '../../support/run-bundled.ts'
import { LOADS, TLS, fixture, proxyTo } from './proxy-bench.ts'
import { serve, serveRaw } from './transport-bench.ts'

describe.each(LOADS)('$kind requests', ({ connections }) => {
  const source = `import { openTransport } from './src/client/http/transport.ts'
       const monotonicMs = () => performance.now()
       const opened = openTransport({ env: process.env, monotonicMs, connections: ${connections} })`
  const sendAndPrint = (url: string, env: Readonly<Record<string, string>>) =>
    runBundled(
      `${source}
       opened.then((transport) => transport
         .send({ method: 'GET', url: '${url}', headers: {}, body: undefined }, { timeoutMs: 20000 })
         .then((answer) => console.log(answer.body), (failure) => console.log(failure.reason, failure.sent))
         .finally(() => transport.close()))`,
      env,
    )

  describe('a separate process', () => {
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

    test('speaks TLS with the service through a proxy', async () => {
      const server = await serve([{ body: 'over TLS' }], { tls: TLS })
      const proxy = await proxyTo(server)
      const env = { NODE_EXTRA_CA_CERTS: fixture('ca.pem'), HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` }
      expect(await sendAndPrint('https://api.example.test/x', env)).toMatchObject({ stdout: 'over TLS\n' })
      expect(proxy.connects).toMatchObject([{ target: 'api.example.test:443' }])
      expect(server.requests).toMatchObject([{ url: '/x', headers: { host: 'api.example.test' } }])
    })

    test.each(['http', 'https'])('ends at once after a connect timeout (%s)', async (scheme) => {
      const silent = await serveRaw()
      const env: Record<string, string> = scheme === 'http' ? { HTTP_PROXY: `127.0.0.1:${silent.port}` } : {}
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
    })
  })
})
