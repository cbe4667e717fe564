import { describe, expect, test } from 'vitest'
import type { HttpRequest } from '../../../src/client/http/transport-port.ts'
import { TRANSPORTS } from '../../support/transports.ts'
import { MEGABYTE, createTransportBench, get, post, serve, serveRaw } from './transport-bench.ts'

describe.each(TRANSPORTS)('over %s', (_kind, create) => {
  const { send, responseTo } = createTransportBench(create)

  describe('a complete response', () => {
    test('has the status, headers and body that were sent, and the request arrives as it was built', async () => {
      const server = await serve([{ status: 422, headers: { 'X-Request-Id': 'r1' }, body: { error: 'ü' } }])
      const answer = await send({
        method: 'PATCH',
        url: `${server.url}/payments/a%20b?x=1&y=%C3%BC`,
        headers: { 'x-api-key': 'k1', 'accept-encoding': 'identity' },
        body: '{"amount": 1.00}',
      })
      expect(answer).toMatchObject({ status: 422, body: '{"error":"ü"}', headers: { 'x-request-id': 'r1' } })
      expect(server.requests).toMatchObject([
        {
          method: 'PATCH',
          url: '/payments/a%20b?x=1&y=%C3%BC',
          headers: { 'x-api-key': 'k1', 'accept-encoding': 'identity', 'content-length': '16' },
          body: '{"amount": 1.00}',
        },
      ])
    })

    test('has lower-case header names, and repeated headers joined', async () => {
      const { headers } = await responseTo({ headers: { 'X-Thing': ['a', 'b'], 'RETRY-After': '3' } })
      expect(headers).toMatchObject({ 'x-thing': 'a, b', 'retry-after': '3' })
    })

    test('has no spaces around a header value, even one that arrives in two pieces', async () => {
      const server = await serveRaw((socket) => {
        socket.once('data', () => {
          socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nx-a:  1')
          setTimeout(() => socket.write(' \t\r\n\r\nok'), 20)
        })
      })
      expect((await send(get(`http://127.0.0.1:${server.port}`))).headers['x-a']).toBe('1')
    })

    test('is decoded as UTF-8, with replacement characters for invalid bytes', async () => {
      expect((await responseTo({ body: Buffer.from([0x22, 0xff, 0xc3, 0xbc, 0x22]) })).body).toBe('"\ufffdü"')
    })

    test('may be empty', async () => {
      expect(await responseTo({ status: 200 })).toMatchObject({ status: 200, body: '' })
      expect(await responseTo({ raw: 'HTTP/1.1 204 No Content\r\n\r\n' })).toMatchObject({
        status: 204,
        body: '',
      })
    })

    test.each([301, 302, 303, 307, 308])('may be a redirect, which is not followed: %i', async (status) => {
      const target = await serve([{ body: 'followed' }])
      const server = await serve([{ status, headers: { location: target.url } }])
      expect(await send(post(server.url))).toMatchObject({ status, headers: { location: target.url } })
      expect(target.requests).toEqual([])
    })

    test('follows any 1xx response', async () => {
      const raw =
        'HTTP/1.1 103 Early Hints\r\nx-hint: 1\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
      const answer = await responseTo({ raw })
      expect(answer).toMatchObject({ status: 200, body: 'ok' })
      expect(answer.headers).not.toHaveProperty('x-hint')
    })

    test('may be chunked', async () => {
      const raw = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\n{"a\r\n4\r\n":1}\r\n0\r\n\r\n'
      expect((await responseTo({ raw })).body).toBe('{"a":1}')
    })

    // A connection can end anywhere; check-answer.test.ts covers whether such a response counts.
    test.each(['', '{"a":1}', '{"a":'])(
      'without a length ends where the connection does: %j',
      async (body) => {
        for (const type of ['', 'content-type: application/json\r\n'])
          expect((await responseTo({ raw: `HTTP/1.1 200 OK\r\n${type}\r\n${body}` })).body).toBe(body)
      },
    )

    test.each<[string, string, (url: string) => HttpRequest]>([
      ['of a read', '200 OK', get],
      ['a refusal', '502 Bad Gateway', post],
      ['of a write', '201 Created', post],
    ])('without a length may be any text: %s', async (_, status, request) => {
      const server = await serve([{ raw: `HTTP/1.1 ${status}\r\n\r\n<html>` }])
      expect((await send(request(server.url))).body).toBe('<html>')
    })

    test('may be as large as the limit', async () => {
      const { body } = await responseTo({ repeatBody: { bytes: 8 * MEGABYTE } })
      expect(body).toHaveLength(8 * MEGABYTE)
    })

    test('leaves no listener on the signal', async () => {
      const { signal } = new AbortController()
      let listeners = 0
      const counted = {
        get: (target: AbortSignal, name: keyof AbortSignal) => {
          if (name === 'addEventListener') listeners += 1
          if (name === 'removeEventListener') listeners -= 1
          const value: unknown = Reflect.get(target, name)
          return typeof value === 'function' ? value.bind(target) : value
        },
      }
      const server = await serve([{ body: 'x' }])
      await send(get(server.url), { signal: new Proxy(signal, counted) })
      expect(listeners).toBe(0)
    })
  })
})
