import { readFileSync } from 'node:fs'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import type { SendOptions, Transport, WireRequest } from '../../src/http/transport-port.ts'
import { createWireTransport } from '../../src/http/wire-transport.ts'
import { createTransport } from '../../src/http/transport.ts'
import { startRawServer } from '../support/raw-server.ts'
import { startScriptedServer } from '../support/scripted-server.ts'
import type { Scripted, ScriptedServer } from '../support/scripted-server.ts'
import { failureOf } from '../support/transport-failure.ts'

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
const post = (url: string, body: string | undefined = '{}'): WireRequest => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/json' },
  body,
})
const get = (url: string): WireRequest => ({ method: 'GET', url, headers: {}, body: undefined })

const OWN = 'our own client'
const monotonicMs = () => performance.now()
/** Two ways to do the same. */
const TRANSPORTS: readonly (readonly [string, (connections?: number) => Transport])[] = [
  ['undici', (connections = 1) => createTransport({ env: {}, connections })],
  [OWN, (connections = 1) => createWireTransport({ env: {}, connections, monotonicMs })],
]
describe.each(TRANSPORTS)('over %s', (kind, create) => {
  const open = () => keep(create())
  const send = (request: WireRequest, options: Partial<SendOptions> = {}) =>
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

    test.each<[string, string, (url: string) => WireRequest]>([
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
        message: 'the answer is compressed, and cannot be decoded (content-encoding)',
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
        message: 'the answer is larger than 64 MB',
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
        message: 'no complete answer came in 0.2 s',
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
        // Ours writes at once to a connection that has become free in the same turn, as no other side closes it then.
        if (kind === OWN) await new Promise((resolve) => setImmediate(resolve))
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
})

describe.each(TRANSPORTS.filter(([kind]) => !kind.startsWith('Node')))('a pool of %s', (_name, create) => {
  test('lets time run out while another request has the connection: not sent, then or later', async () => {
    const server = await serve(({ url }) => (url === '/first' ? { hang: true } : { body: 'x' }))
    const transport = keep(create())
    const abort = new AbortController()
    const first = failureOf(
      transport.send(post(`${server.url}/first`), { timeoutMs: 20_000, signal: abort.signal }),
    )
    await server.arrived(1)
    expect(await failureOf(transport.send(post(`${server.url}/second`), { timeoutMs: 50 }))).toMatchObject({
      reason: 'connect-timeout',
      sent: false,
      message: 'no connection came about in 0.05 s',
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
})
