import { describe, expect, test } from 'vitest'
import { TRANSPORTS, failureOf } from '../../support/transports.ts'
import { MEGABYTE, createTransportBench, post, serve, serveRaw } from './transport-bench.ts'

describe.each(TRANSPORTS)('over %s', (_kind, create) => {
  const { open, send } = createTransportBench(create)

  describe('the written request', () => {
    /** Sends the same response to each request, and records the bytes that arrive. */
    const listen = async () => {
      const received: string[] = []
      const server = await serveRaw((socket) => {
        socket.on('data', (bytes) => {
          received.push(bytes.toString())
          socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
        })
      })
      return { url: `http://127.0.0.1:${server.port}`, port: server.port, received }
    }

    test('contains the request and its framing, and nothing else', async () => {
      const server = await listen()
      await send({ method: 'POST', url: `${server.url}/x`, headers: { 'x-api-key': 'k1' }, body: '{}' })
      const [fields, body] = server.received.join('').split('\r\n\r\n')
      expect(fields?.toLowerCase().split('\r\n').toSorted()).toEqual([
        'connection: keep-alive',
        'content-length: 2',
        `host: 127.0.0.1:${server.port}`,
        'post /x http/1.1',
        'x-api-key: k1',
      ])
      expect(body).toBe('{}')
    })

    test.each(['DELETE', 'PATCH', 'GET'])('declares the length of the body of a %s', async (method) => {
      const server = await listen()
      await send({ method, url: server.url, headers: {}, body: 'ü' })
      expect(server.received.join('')).toMatch(/content-length: 2\r\n/i)
      expect(server.received.join('')).not.toMatch(/transfer-encoding/i)
    })

    test('has no body when none is given', async () => {
      const server = await serve(() => ({ body: 'x' }))
      for (const method of ['GET', 'DELETE', 'POST'])
        await send({ method, url: server.url, headers: {}, body: undefined })
      expect(server.requests.map(({ body, headers }) => [body, headers['content-length']])).toEqual([
        ['', undefined],
        ['', undefined],
        ['', '0'],
      ])
    })

    test('follows each request, however similar they are', async () => {
      const server = await serve(() => ({ body: 'x' }))
      const transport = open()
      const to = { method: 'POST', url: `${server.url}/a`, headers: { 'x-api-key': 'k1' }, body: 'ü' }
      for (const change of [
        {},
        { body: 'longer' },
        { body: undefined },
        { url: `${server.url}/b?c=1` },
        { method: 'PATCH' },
        { headers: { 'x-api-key': 'k2' } },
      ])
        await transport.send({ ...to, ...change }, { timeoutMs: 20_000 })
      expect(
        server.requests.map(({ method, url, body, headers }) =>
          [method, url, body, headers['content-length'], headers['x-api-key']].join(' '),
        ),
      ).toEqual([
        'POST /a ü 2 k1',
        'POST /a longer 6 k1',
        'POST /a  0 k1',
        'POST /b?c=1 ü 2 k1',
        'PATCH /a ü 2 k1',
        'POST /a ü 2 k2',
      ])
    })

    test.each([[{ 'x-a': '1\r\nx-b: 2' }], [{ 'x-a\r\nx-b': '1' }]])(
      'never contains a header with a line break: %j',
      async (headers) => {
        const server = await serve([])
        expect(await failureOf(send({ ...post(server.url), headers }))).toMatchObject({
          reason: 'other',
          sent: false,
          message: `127.0.0.1:${server.port} was not contacted: part of the request can't be written`,
        })
        expect(server.requests).toEqual([])
      },
    )
  })

  describe('a response that arrives before the request is fully written', () => {
    const LARGE = 'x'.repeat(20 * MEGABYTE)
    test.each(['open', 'fin'])('is returned (%s)', async (end) => {
      const server = await serveRaw((socket) => {
        socket.once('data', () => {
          socket.pause()
          const answer = 'HTTP/1.1 413 Too Large\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}'
          if (end === 'fin') socket.end(answer)
          else socket.write(answer)
        })
      })
      const request = post(`http://127.0.0.1:${server.port}`, LARGE)
      expect(await send(request)).toMatchObject({ status: 413, body: '{}' })
    })

    test('is a failure, as sent, when it is a reset', async () => {
      const server = await serveRaw((socket) => {
        socket.once('data', () => socket.resetAndDestroy())
      })
      const request = post(`http://127.0.0.1:${server.port}`, LARGE)
      expect(await failureOf(send(request))).toMatchObject({ reason: 'cut', sent: true })
    })
  })
})
