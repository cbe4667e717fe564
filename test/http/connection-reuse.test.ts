import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { TRANSPORTS, failureOf } from '../support/transports.ts'
import { closeAfterTest, createTransportBench, post, serve, serveRaw } from './transport-bench.ts'

describe.each(TRANSPORTS)('over %s', (_kind, create) => {
  const { open } = createTransportBench(create)

  describe('connections', () => {
    test('are kept for the next request', async () => {
      const server = await serve(() => ({ body: 'x' }))
      const transport = open()
      for (let turn = 0; turn < 3; turn += 1) await transport.send(post(server.url), { timeoutMs: 20_000 })
      expect(server.requests.map(({ connection }) => connection)).toEqual([1, 1, 1])
    })

    test('that ended while idle are replaced, and the request arrives once', async () => {
      const server = await serve(() => ({ body: 'x' }))
      const transport = open()
      for (let turn = 0; turn < 20; turn += 1) {
        await transport.send(post(`${server.url}/${turn}`), { timeoutMs: 20_000 })
        // At once, so that the end of the old connection and the next request meet on the way.
        server.closeIdleConnections()
      }
      expect(server.requests.map(({ url }) => url)).toEqual(
        Array.from({ length: 20 }, (_, turn) => `/${turn}`),
      )
    })

    test('are not opened any more after the end', async () => {
      const server = await serve([{ body: 'x' }])
      const transport = open()
      await transport.close()
      expect(await failureOf(transport.send(post(server.url), { timeoutMs: 20_000 }))).toMatchObject({
        sent: false,
      })
      expect(server.requests).toEqual([])
    })
  })

  describe('a connection that is open already', () => {
    const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
    /** `answer` for the n-th request of all; the connections on which they came. */
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

    test('is left when the other side says that it ends', async () => {
      const server = await answering((socket) =>
        socket.write(OK.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n')),
      )
      await sendTimes(2, server.url)
      expect(server.connections).toEqual([1, 2])
    })

    test('is left when the other side waits no longer', async () => {
      const server = await answering((socket) =>
        socket.write(OK.replace('\r\n\r\n', '\r\nkeep-alive: timeout=1\r\n\r\n')),
      )
      await sendTimes(2, server.url)
      expect(server.connections).toEqual([1, 2])
    })

    test('is left when bytes came that nobody asked for, with the answer', async () => {
      const server = await answering((socket) => socket.write(`${OK}${OK.replace('ok', 'no')}`))
      expect(await sendTimes(3, server.url)).toEqual(['ok', 'ok', 'ok'])
      expect(server.connections).toEqual([1, 2, 3])
    })

    test.each([0, 30])('or later: %i ms', async (pauseMs) => {
      const server = await answering((socket, index) => {
        socket.write(OK)
        // It is there a turn after the client, in the same event loop, has read the first.
        if (index === 0) setImmediate(() => setImmediate(() => socket.write(OK.replace('ok', 'no'))))
      })
      expect(await sendTimes(3, server.url, pauseMs)).toEqual(['ok', 'ok', 'ok'])
      if (pauseMs > 0) expect(server.connections).toEqual([1, 2, 2])
    })

    test('that ends with the next request counts that as sent, and does not send it again', async () => {
      const server = await answering((socket, index) => (index === 0 ? socket.write(OK) : socket.destroy()))
      const transport = open()
      await transport.send(post(server.url), { timeoutMs: 20_000 })
      const second = failureOf(transport.send(post(server.url), { timeoutMs: 20_000 }))
      expect(await second).toMatchObject({ reason: 'cut', sent: true })
      expect(server.connections).toEqual([1, 1])
    })
  })

  test('opens a connection for each request under way, unless their number is limited', async () => {
    const server = await serve(() => ({ delayMs: 20, body: 'x' }))
    const transport = closeAfterTest(create())
    await Promise.all([1, 2].map(() => transport.send(post(server.url), { timeoutMs: 20_000 })))
    expect(new Set(server.requests.map(({ connection }) => connection)).size).toBe(2)
  })
})
