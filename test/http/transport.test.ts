import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import type { SendOptions, Transport, TransportFailure, HttpRequest } from '../../src/http/transport-port.ts'
import { startRawServer } from '../support/raw-server.ts'
import { startScriptedServer } from '../support/scripted-server.ts'
import type { Scripted, ScriptedServer } from '../support/scripted-server.ts'
import { TRANSPORTS, failureOf } from '../support/transports.ts'

const MEGABYTE = 1024 * 1024
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

const serve = async (...args: Parameters<typeof startScriptedServer>): Promise<ScriptedServer> => {
  const server = await startScriptedServer(...args)
  closers.push(() => server.close())
  return server
}
const keep = (transport: Transport): Transport => {
  closers.push(() => transport.close())
  return transport
}
const post = (url: string, body: string | undefined = '{}'): HttpRequest => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/json' },
  body,
})
const get = (url: string): HttpRequest => ({ method: 'GET', url, headers: {}, body: undefined })

describe.each(TRANSPORTS)('over %s', (_kind, create) => {
  const open = (connections = 1) => keep(create(connections))
  const send = (request: HttpRequest, options: Partial<SendOptions> = {}) =>
    open().send(request, { timeoutMs: 20_000, ...options })
  const onceAnswered = async (scripted: Scripted) => send(post((await serve([scripted])).url))
  const onceFailed = async (scripted: Scripted) => failureOf(onceAnswered(scripted))

  describe('a complete answer', () => {
    test('brings status, headers and body as they came, and the request goes out as it was built', async () => {
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

    test('has every header name in lower case, and repeated ones joined', async () => {
      const { headers } = await onceAnswered({ headers: { 'X-Thing': ['a', 'b'], 'RETRY-After': '3' } })
      expect(headers).toMatchObject({ 'x-thing': 'a, b', 'retry-after': '3' })
    })

    test('has no spaces around a value, however the value comes', async () => {
      const server = await startRawServer((socket) => {
        socket.once('data', () => {
          socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nx-a:  1')
          setTimeout(() => socket.write(' \t\r\n\r\nok'), 20)
        })
      })
      closers.push(() => server.close())
      expect((await send(get(`http://127.0.0.1:${server.port}`))).headers['x-a']).toBe('1')
    })

    test('is read as UTF-8, and what is not UTF-8 is replaced', async () => {
      expect((await onceAnswered({ body: Buffer.from([0x22, 0xff, 0xc3, 0xbc, 0x22]) })).body).toBe(
        '"\ufffdü"',
      )
    })

    test('may be empty', async () => {
      expect(await onceAnswered({ status: 200 })).toMatchObject({ status: 200, body: '' })
      expect(await onceAnswered({ raw: 'HTTP/1.1 204 No Content\r\n\r\n' })).toMatchObject({
        status: 204,
        body: '',
      })
    })

    test.each([301, 302, 303, 307, 308])('is a redirect itself: %i is not followed', async (status) => {
      const target = await serve([{ body: 'followed' }])
      const server = await serve([{ status, headers: { location: target.url } }])
      expect(await send(post(server.url))).toMatchObject({ status, headers: { location: target.url } })
      expect(target.requests).toEqual([])
    })

    test('comes after any 1xx', async () => {
      const raw =
        'HTTP/1.1 103 Early Hints\r\nx-hint: 1\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
      const answer = await onceAnswered({ raw })
      expect(answer).toMatchObject({ status: 200, body: 'ok' })
      expect(answer.headers).not.toHaveProperty('x-hint')
    })

    test('may come in chunks', async () => {
      const raw = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\n{"a\r\n4\r\n":1}\r\n0\r\n\r\n'
      expect((await onceAnswered({ raw })).body).toBe('{"a":1}')
    })

    // Whether all of it has come is judged elsewhere (judge-answer.test.ts): a connection ends where somebody ends it.
    test.each(['', '{"a":1}', '{"a":'])(
      'that tells no length ends with the connection, wherever that is: %j',
      async (body) => {
        for (const type of ['', 'content-type: application/json\r\n'])
          expect((await onceAnswered({ raw: `HTTP/1.1 200 OK\r\n${type}\r\n${body}` })).body).toBe(body)
      },
    )

    test.each<[string, string, (url: string) => HttpRequest]>([
      ['of a read', '200 OK', get],
      ['a refusal', '502 Bad Gateway', post],
      ['of a write', '201 Created', post],
    ])('that tells no length may be any text that is no JSON: %s', async (_, status, request) => {
      const server = await serve([{ raw: `HTTP/1.1 ${status}\r\n\r\n<html>` }])
      expect((await send(request(server.url))).body).toBe('<html>')
    })

    test('may be as large as the limit', async () => {
      const { body } = await onceAnswered({ repeatBody: { bytes: 64 * MEGABYTE } })
      expect(body).toHaveLength(64 * MEGABYTE)
    })

    test('leaves nothing behind on the signal', async () => {
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

  describe('a compressed answer that nobody asked for', () => {
    const text = JSON.stringify({ id: 'pay_1', list: Array.from({ length: 100 }, (_, index) => index) })
    test.each([
      ['gzip', gzipSync(text)],
      ['x-gzip', gzipSync(text)],
      ['GZIP', gzipSync(text)],
      ['br', brotliCompressSync(text)],
      ['deflate', deflateSync(text)],
      ['deflate', deflateRawSync(text)],
      ['identity', Buffer.from(text)],
      ['gzip, br', brotliCompressSync(gzipSync(text))],
    ])('%s is decoded', async (coding, body) => {
      expect((await onceAnswered({ headers: { 'content-encoding': coding }, body })).body).toBe(text)
    })

    test('may be empty', async () => {
      expect((await onceAnswered({ headers: { 'content-encoding': 'gzip' } })).body).toBe('')
    })

    test('that unfolds beyond the limit is given up', async () => {
      const body = gzipSync(Buffer.alloc(65 * MEGABYTE))
      expect(body.length).toBeLessThan(MEGABYTE)
      expect(await onceFailed({ headers: { 'content-encoding': 'gzip' }, body })).toMatchObject({
        reason: 'too-large',
        sent: true,
      })
    })

    test.each([
      ['of an unknown kind', 'zstd', Buffer.from('x')],
      ['stacked beyond reason', 'br, br, br, br', Buffer.from('x')],
      ['that is broken', 'gzip', Buffer.from('no gzip')],
      ['that stops early', 'gzip', gzipSync(text).subarray(0, 20)],
    ])('%s is no answer', async (_, coding, body) => {
      expect(await onceFailed({ headers: { 'content-encoding': coding }, body })).toMatchObject({
        reason: 'cut',
        sent: true,
        message: 'the response is compressed and cannot be decoded (content-encoding)',
      })
    })
  })

  describe('an answer that is not complete', () => {
    const chunkHead = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
    test.each<[string, Scripted]>([
      ['nothing at all', { drop: 'before' }],
      ['nothing, and a reset', { drop: 'before', reset: true }],
      ['its headers alone', { drop: 'after-headers', body: { id: 'p' } }],
      ['half of its body', { drop: 'mid-body', body: { id: 'p', status: 'SETTLED' } }],
      [
        'half of its body, and a reset',
        { drop: 'mid-body', reset: true, body: { id: 'p', status: 'SETTLED' } },
      ],
      ['a length it does not keep', { raw: 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"a":1}' }],
      ['headers that stop', { raw: 'HTTP/1.1 200 OK\r\ncontent-le' }],
      ['a chunk that stops', { raw: `${chunkHead}10\r\n{"a"` }],
      ['no last chunk', { raw: `${chunkHead}7\r\n{"a":1}\r\n` }],
      ['a chunk of no length', { raw: `${chunkHead}zz\r\n{"a":1}\r\n0\r\n\r\n` }],
      ['something that is not HTTP', { raw: '220 mail.example.com ESMTP\r\n' }],
      [
        'a switch of protocols',
        { raw: 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n' },
      ],
    ])('%s: cut, and the request counts as sent', async (_, scripted) => {
      expect(await onceFailed(scripted)).toMatchObject({ reason: 'cut', sent: true })
    })

    test('is never asked for again by itself, not even a read', async () => {
      for (const request of [post, get]) {
        const server = await serve(() => ({ drop: 'before' }))
        await failureOf(send(request(server.url)))
        expect(server.requests).toHaveLength(1)
      }
    })
  })

  describe('an answer that is too large', () => {
    test('by what it says is given up before it comes', async () => {
      const raw = `HTTP/1.1 200 OK\r\ncontent-length: ${65 * MEGABYTE}\r\n\r\n`
      expect(await onceFailed({ raw, keepOpen: true })).toMatchObject({
        reason: 'too-large',
        sent: true,
        message: 'the response is larger than 64 MB',
      })
    })

    test('by what comes is given up on the way', async () => {
      expect(await onceFailed({ repeatBody: { bytes: 200 * MEGABYTE } })).toMatchObject({
        reason: 'too-large',
        sent: true,
      })
    })

    test('in its headers is given up too', async () => {
      expect(
        await onceFailed({ raw: `HTTP/1.1 200 OK\r\nx-long: ${'x'.repeat(100_000)}\r\n\r\n` }),
      ).toMatchObject({
        reason: 'too-large',
        sent: true,
      })
    })
  })

  describe('time', () => {
    test('runs out while the answer is waited for: sent', async () => {
      const server = await serve([{ hang: true }])
      expect(await failureOf(send(post(server.url), { timeoutMs: 200 }))).toMatchObject({
        reason: 'timeout',
        sent: true,
        message: 'no complete response came within 0.2 s',
      })
      expect(server.requests).toHaveLength(1)
    })

    test('runs out while the body comes, however steadily: sent', async () => {
      const raw = 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n12345'
      expect(
        await failureOf(send(post((await serve([{ raw, keepOpen: true }])).url), { timeoutMs: 200 })),
      ).toMatchObject({
        reason: 'timeout',
        sent: true,
      })
    })
  })

  describe('a signal', () => {
    test('that was given before keeps the request from being sent', async () => {
      const server = await serve([])
      expect(await failureOf(send(post(server.url), { signal: AbortSignal.abort() }))).toMatchObject({
        reason: 'aborted',
        sent: false,
      })
      expect(server.requests).toEqual([])
    })

    test('ends the wait for an answer', async () => {
      const server = await serve([{ hang: true }])
      const abort = new AbortController()
      const ended = failureOf(send(post(server.url), { signal: abort.signal }))
      await server.arrived(1)
      abort.abort()
      expect(await ended).toMatchObject({ reason: 'aborted', sent: true })
    })
  })

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

  describe('where no connection comes about, nothing was sent', () => {
    test('nobody listens: refused', async () => {
      const server = await startScriptedServer([])
      await server.close()
      expect(await failureOf(send(post(server.url)))).toMatchObject({
        reason: 'refused',
        sent: false,
        message: `127.0.0.1:${server.port} refused the connection`,
      })
    })

    test('a name without an address: dns', async () => {
      // Reserved for this (RFC 6761): no resolver gives it an address.
      expect(await failureOf(send(post('https://pay.invalid/payments')))).toMatchObject({
        reason: 'dns',
        sent: false,
      })
    })

    test('a URL that is none', async () => {
      expect(await failureOf(send(post('https://')))).toMatchObject({ reason: 'other', sent: false })
    })

    test('TLS where none is spoken: tls', async () => {
      const server = await serve([])
      const url = server.url.replace('http:', 'https:')
      expect(await failureOf(send(post(url)))).toMatchObject({ reason: 'tls', sent: false })
      expect(server.requests).toEqual([])
    })

    test('a connection that ends in the middle of the TLS handshake', async () => {
      const server = await startRawServer((socket) => {
        socket.once('data', () => socket.destroy())
      })
      closers.push(() => server.close())
      expect(await failureOf(send(post(`https://127.0.0.1:${server.port}/`)))).toMatchObject({
        reason: 'refused',
        sent: false,
      })
    })

    test.each(['server', 'other-host', 'expired'])('the certificate %s: tls', async (name) => {
      const folder = new URL('../fixtures/tls/', import.meta.url)
      const read = (file: string) => readFileSync(new URL(file, folder), 'utf8')
      const server = await serve([], { tls: { key: read('server-key.pem'), cert: read(`${name}.pem`) } })
      expect(await failureOf(send(post(server.url)))).toMatchObject({ reason: 'tls', sent: false })
      expect(server.requests).toEqual([])
    })
  })

  describe('what is written', () => {
    /** Answers each request with the same bytes, and keeps what came. */
    const listen = async () => {
      const received: string[] = []
      const server = await startRawServer((socket) => {
        socket.on('data', (bytes) => {
          received.push(bytes.toString())
          socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
        })
      })
      closers.push(() => server.close())
      return { url: `http://127.0.0.1:${server.port}`, port: server.port, received }
    }

    test('is the request and what frames it, and nothing else', async () => {
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

    test.each(['DELETE', 'PATCH', 'GET'])('tells the length of the body of a %s', async (method) => {
      const server = await listen()
      await send({ method, url: server.url, headers: {}, body: 'ü' })
      expect(server.received.join('')).toMatch(/content-length: 2\r\n/i)
      expect(server.received.join('')).not.toMatch(/transfer-encoding/i)
    })

    test('has no body where there is none', async () => {
      const server = await serve(() => ({ body: 'x' }))
      for (const method of ['GET', 'DELETE', 'POST'])
        await send({ method, url: server.url, headers: {}, body: undefined })
      expect(server.requests.map(({ body, headers }) => [body, headers['content-length']])).toEqual([
        ['', undefined],
        ['', undefined],
        ['', '0'],
      ])
    })

    test('is what each request says, however alike they are', async () => {
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
      'is never a header that would be more than one: %j',
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

  describe('an answer that comes before the request is written', () => {
    const LARGE = 'x'.repeat(20 * MEGABYTE)
    test.each(['open', 'fin'])('is the answer (%s)', async (end) => {
      const server = await startRawServer((socket) => {
        socket.once('data', () => {
          socket.pause()
          const answer = 'HTTP/1.1 413 Too Large\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}'
          if (end === 'fin') socket.end(answer)
          else socket.write(answer)
        })
      })
      closers.push(() => server.close())
      const request = post(`http://127.0.0.1:${server.port}`, LARGE)
      expect(await send(request)).toMatchObject({ status: 413, body: '{}' })
    })

    test('is none where it is a reset: sent', async () => {
      const server = await startRawServer((socket) => {
        socket.once('data', () => socket.resetAndDestroy())
      })
      closers.push(() => server.close())
      const request = post(`http://127.0.0.1:${server.port}`, LARGE)
      expect(await failureOf(send(request))).toMatchObject({ reason: 'cut', sent: true })
    })
  })

  describe('a connection that is open already', () => {
    const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
    /** `answer` for the n-th request of all; the connections on which they came. */
    const answering = async (answer: (socket: Socket, index: number) => void) => {
      const connections: number[] = []
      let opened = 0
      const server = await startRawServer((socket) => {
        opened += 1
        const connection = opened
        socket.on('data', () => answer(socket, connections.push(connection) - 1))
      })
      closers.push(() => server.close())
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

  test.each([
    ['ends them at once', (socket: Socket) => void socket.end()],
    ['resets them at once', (socket: Socket) => void socket.resetAndDestroy()],
    ['speaks first', (socket: Socket) => void socket.write('220 hello\r\n')],
  ])('a server that accepts connections and %s is not asked again and again', async (_, act) => {
    let opened = 0
    const server = await startRawServer((socket) => {
      opened += 1
      act(socket)
    })
    closers.push(() => server.close())
    const transport = open(4)
    const url = `http://127.0.0.1:${server.port}`
    const failures = await Promise.all(
      Array.from({ length: 6 }, () => failureOf(transport.send(post(url), { timeoutMs: 20_000 }))),
    )
    expect(failures.every(({ reason }) => ['refused', 'cut'].includes(reason))).toBe(true)
    expect(opened).toBeLessThanOrEqual(6)
  })

  test('each request has its own time, whichever was sent first', async () => {
    const server = await serve(({ url }) =>
      url === '/answered' ? { body: 'x', delayMs: 150 } : { hang: true },
    )
    const transport = open(3)
    const ended: string[] = []
    const sendFor = (path: string, timeoutMs: number) =>
      transport.send(post(`${server.url}${path}`), { timeoutMs }).then(
        () => void ended.push(`${path} answered`),
        (failure: TransportFailure) => void ended.push(`${path} ${failure.reason}`),
      )
    await Promise.all([sendFor('/long', 400), sendFor('/answered', 20_000), sendFor('/short', 50)])
    expect(ended).toEqual(['/short timeout', '/answered answered', '/long timeout'])
  })

  test('an answer that cannot be decoded is the failure of its own request alone', async () => {
    const server = await serve((_request, index) =>
      index === 0 ? { headers: { 'content-encoding': 'gzip' }, body: 'junk' } : { body: 'x', delayMs: 50 },
    )
    const transport = open()
    const first = failureOf(transport.send(post(server.url), { timeoutMs: 20_000 }))
    await server.arrived(1)
    const others = [1, 2].map(() => transport.send(post(server.url), { timeoutMs: 20_000 }))
    expect(await first).toMatchObject({ reason: 'cut', sent: true })
    expect(await Promise.all(others)).toMatchObject([{ body: 'x' }, { body: 'x' }])
  })

  test('opens a connection for each request under way, unless their number is limited', async () => {
    const server = await serve(() => ({ delayMs: 20, body: 'x' }))
    const transport = keep(create())
    await Promise.all([1, 2].map(() => transport.send(post(server.url), { timeoutMs: 20_000 })))
    expect(new Set(server.requests.map(({ connection }) => connection)).size).toBe(2)
  })

  describe('while it connects', () => {
    /** Accepts, and says nothing: the TLS handshake waits for its answer. */
    const silent = async () => {
      const received: string[] = []
      const server = await startRawServer((socket) => {
        socket.on('data', (bytes) => received.push(bytes.toString('latin1')))
      })
      closers.push(() => server.close())
      return { url: `https://127.0.0.1:${server.port}/`, received }
    }
    const soon = () => new Promise((resolve) => setTimeout(resolve, 50))

    test('a request is not sent when the transport is closed', async () => {
      const transport = open()
      const { url } = await silent()
      const failure = failureOf(transport.send(post(url), { timeoutMs: 20_000 }))
      await soon()
      await transport.close()
      expect(await failure).toMatchObject({
        reason: 'other',
        sent: false,
        message: `${new URL(url).host} was not contacted: the program was about to exit`,
      })
    })

    test.each(['signal', 'signalBeforeSent'])(
      'a request is given up by %s, and never written',
      async (name) => {
        const { url, received } = await silent()
        const abort = new AbortController()
        const failure = failureOf(send(post(url, 'the body'), { [name]: abort.signal }))
        await soon()
        abort.abort()
        expect(await failure).toMatchObject({ reason: 'aborted', sent: false })
        await soon()
        expect(received.join('')).not.toContain('the body')
      },
    )
  })

  test('ends what is under way when it is closed', async () => {
    const server = await serve(() => ({ hang: true }))
    const transport = open()
    const failure = failureOf(transport.send(post(server.url), { timeoutMs: 20_000 }))
    await server.arrived(1)
    await transport.close()
    expect(await failure).toMatchObject({
      reason: 'other',
      sent: true,
      message: 'the program exited before the response came',
    })
  })

  test('a signal for what is not sent yet leaves alone what is under way', async () => {
    const server = await serve(() => ({ body: 'x', delayMs: 60 }))
    const halt = new AbortController()
    const answer = send(post(server.url), { signalBeforeSent: halt.signal })
    await server.arrived(1)
    halt.abort()
    expect(await answer).toMatchObject({ body: 'x' })
    expect(await failureOf(send(post(server.url), { signalBeforeSent: halt.signal }))).toMatchObject({
      reason: 'aborted',
      sent: false,
    })
    expect(server.requests).toHaveLength(1)
  })
})

describe.each(TRANSPORTS.filter(([kind]) => kind === 'undici'))(
  'connections that are counted, over %s',
  (_, create) => {
    test('lets time run out while another request has the connection: not sent, then or later', async () => {
      const server = await serve(({ url }) => (url === '/first' ? { hang: true } : { body: 'x' }))
      const transport = keep(create(1))
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
      const transport = keep(create(3))
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
      const transport = keep(create(4))
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
      const transport = keep(create(1))
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
      const transport = keep(create(1))
      const [first, second] = ['/first', '/second'].map((path) =>
        transport.send(post(server.url + path), { timeoutMs: 20_000 }),
      )
      expect(await failureOf(first ?? Promise.resolve())).toMatchObject({ reason: 'cut', sent: true })
      expect(await second).toMatchObject({ status: 200 })
    })

    test('nobody listens: each of those that wait is told, and nothing was sent', async () => {
      const server = await startScriptedServer([])
      await server.close()
      const transport = keep(create(2))
      const failures = await Promise.all(
        Array.from({ length: 5 }, () => failureOf(transport.send(post(server.url), { timeoutMs: 20_000 }))),
      )
      expect(failures.map(({ reason, sent }) => [reason, sent])).toEqual(
        failures.map(() => ['refused', false]),
      )
    })
  },
)
