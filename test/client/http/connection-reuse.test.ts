import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { TRANSPORTS, failureOf } from '../../support/transports.ts'
import { closeAfterTest, createTransportBench, post, serve, serveRaw } from './transport-bench.ts'

describe.each(TRANSPORTS)('over %s', (_kind, create) => {
  const { open } = createTransportBench(create)

  describe('connections', () => {
    test('are reused', async () => {
      const server = await serve(() => ({ body: 'x' }))
      const transport = open()
      for (let turn = 0; turn < 3; turn += 1) await transport.send(post(server.url), { timeoutMs: 20_000 })
      expect(server.requests.map(({ connection }) => connection)).toEqual([1, 1, 1])
    })

    test('that closed while idle are replaced, and the request arrives once', async () => {
      const server = await serve(() => ({ body: 'x' }))
      const transport = open()
      for (let turn = 0; turn < 20; turn += 1) {
        await transport.send(post(`${server.url}/${turn}`), { timeoutMs: 20_000 })
        // Not awaited, so that the close and the next request cross on the way.
        server.closeIdleConnections()
      }
      expect(server.requests.map(({ url }) => url)).toEqual(
        Array.from({ length: 20 }, (_, turn) => `/${turn}`),
      )
    })

    test('are not opened after the transport is closed', async () => {
      const server = await serve([{ body: 'x' }])
      const transport = open()
      await transport.close()
      expect(await failureOf(transport.send(post(server.url), { timeoutMs: 20_000 }))).toMatchObject({
        sent: false,
      })
      expect(server.requests).toEqual([])
    })
  })

  describe('an open connection', () => {
    const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
    /** Calls `answer` with each request's index, and records the connection of each request. */
    const answering = async (answer: (socket: Socket, index: number) => void) => {
      const connections: number[] = []
      let opened = 0
      const server = await serveRaw((socket) => {
        opened += 1
        const connection = opened
        socket.on('data', () => answer(socket, connections.push(connection) - 1))
      })
      return { url: `http://127.0.0.1:${server.port}`, connections }
    }
    const sendTimes = async (times: number, url: string, pauseMs = 0) => {
      const transport = open()
      const bodies: string[] = []
      for (let turn = 0; turn < times; turn += 1) {
        if (turn > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
        bodies.push((await transport.send(post(url), { timeoutMs: 20_000 })).body)
      }
      return bodies
    }

    test('is not reused after "connection: close"', async () => {
      const server = await answering((socket) =>
        socket.write(OK.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n')),
      )
      await sendTimes(2, server.url)
      expect(server.connections).toEqual([1, 2])
    })

    test('is not reused when the keep-alive time is over', async () => {
      const server = await answering((socket) =>
        socket.write(OK.replace('\r\n\r\n', '\r\nkeep-alive: timeout=1\r\n\r\n')),
      )
      await sendTimes(2, server.url)
      expect(server.connections).toEqual([1, 2])
    })

    test('is not reused when extra bytes arrive with the response', async () => {
      const server = await answering((socket) => socket.write(`${OK}${OK.replace('ok', 'no')}`))
      expect(await sendTimes(3, server.url)).toEqual(['ok', 'ok', 'ok'])
      expect(server.connections).toEqual([1, 2, 3])
    })

    test.each([0, 30])(
      'is not reused when extra bytes arrive after the response, and the next request follows %i ms later',
      async (pauseMs) => {
        const server = await answering((socket, index) => {
          socket.write(OK)
          // It arrives one turn after the client, in the same event loop, has read the first.
          if (index === 0) setImmediate(() => setImmediate(() => socket.write(OK.replace('ok', 'no'))))
        })
        expect(await sendTimes(3, server.url, pauseMs)).toEqual(['ok', 'ok', 'ok'])
        if (pauseMs > 0) expect(server.connections).toEqual([1, 2, 2])
      },
    )

    test('that closes on the next request fails it as sent, without a resend', async () => {
      const server = await answering((socket, index) => (index === 0 ? socket.write(OK) : socket.destroy()))
      const transport = open()
      await transport.send(post(server.url), { timeoutMs: 20_000 })
      const second = failureOf(transport.send(post(server.url), { timeoutMs: 20_000 }))
      expect(await second).toMatchObject({ reason: 'cut', sent: true })
      expect(server.connections).toEqual([1, 1])
    })
  })

  test('opens a connection for each simultaneous request unless their number is limited', async () => {
    const server = await serve(() => ({ delayMs: 20, body: 'x' }))
    const transport = closeAfterTest(create())
    await Promise.all([1, 2].map(() => transport.send(post(server.url), { timeoutMs: 20_000 })))
    expect(new Set(server.requests.map(({ connection }) => connection)).size).toBe(2)
  })
})
