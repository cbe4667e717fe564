import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { startScriptedServer } from '../../support/scripted-server.ts'
import { TRANSPORTS, failureOf } from '../../support/transports.ts'
import { createTransportBench, post, serve, serveRaw } from './transport-bench.ts'

describe.each(TRANSPORTS)('over %s', (_kind, create) => {
  const { open, send } = createTransportBench(create)

  describe('nothing is sent without a connection', () => {
    test('when nothing listens: refused', async () => {
      const server = await startScriptedServer([])
      await server.close()
      expect(await failureOf(send(post(server.url)))).toMatchObject({
        reason: 'refused',
        sent: false,
        message: `127.0.0.1:${server.port} refused the connection`,
      })
    })

    test('to a name without an address: dns', async () => {
      // .invalid is reserved (RFC 6761): no resolver gives it an address.
      expect(await failureOf(send(post('https://pay.invalid/payments')))).toMatchObject({
        reason: 'dns',
        sent: false,
      })
    })

    test('to an invalid URL', async () => {
      expect(await failureOf(send(post('https://')))).toMatchObject({ reason: 'other', sent: false })
    })

    test('over TLS to a server without it: tls', async () => {
      const server = await serve([])
      const url = server.url.replace('http:', 'https:')
      expect(await failureOf(send(post(url)))).toMatchObject({ reason: 'tls', sent: false })
      expect(server.requests).toEqual([])
    })

    test('when the connection ends during the TLS handshake', async () => {
      const server = await serveRaw((socket) => {
        socket.once('data', () => socket.destroy())
      })
      expect(await failureOf(send(post(`https://127.0.0.1:${server.port}/`)))).toMatchObject({
        reason: 'refused',
        sent: false,
      })
    })

    test.each(['server', 'other-host', 'expired'])('with the certificate %s: tls', async (name) => {
      const folder = new URL('../../fixtures/tls/', import.meta.url)
      const read = (file: string) => readFileSync(new URL(file, folder), 'utf8')
      const server = await serve([], { tls: { key: read('server-key.pem'), cert: read(`${name}.pem`) } })
      expect(await failureOf(send(post(server.url)))).toMatchObject({ reason: 'tls', sent: false })
      expect(server.requests).toEqual([])
    })

    test.each(['TLSv1.2', 'TLSv1.3'] as const)(
      'to a server that demands a client certificate, with %s',
      async (maxVersion) => {
        const folder = new URL('../../fixtures/tls/', import.meta.url)
        const read = (file: string) => readFileSync(new URL(file, folder), 'utf8')
        const tls = { key: read('server-key.pem'), cert: read('server.pem'), requestCert: true, maxVersion }
        const server = await serve([], { tls })
        expect(await failureOf(send(post(server.url)))).toMatchObject({ reason: 'tls', sent: false })
        expect(server.requests).toEqual([])
      },
    )
  })

  test.each([
    ['ends them at once', (socket: Socket) => void socket.end()],
    ['resets them at once', (socket: Socket) => void socket.resetAndDestroy()],
    ['speaks first', (socket: Socket) => void socket.write('220 hello\r\n')],
  ])('a server that accepts connections and %s gets each request at most once', async (_, act) => {
    let opened = 0
    const server = await serveRaw((socket) => {
      opened += 1
      act(socket)
    })
    const transport = open(4)
    const url = `http://127.0.0.1:${server.port}`
    const failures = await Promise.all(
      Array.from({ length: 6 }, () => failureOf(transport.send(post(url), { timeoutMs: 20_000 }))),
    )
    expect(failures.every(({ reason }) => ['refused', 'cut'].includes(reason))).toBe(true)
    expect(opened).toBeLessThanOrEqual(6)
  })
})
