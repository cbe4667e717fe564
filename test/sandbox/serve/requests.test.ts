import { expect, test } from 'vitest'
import { problemResponse } from '../../../src/sandbox/answers/response.ts'
import type { ServiceResponse } from '../../../src/sandbox/answers/response.ts'
import type { ServiceRequest } from '../../../src/sandbox/request/service-request.ts'
import type { Sandbox } from '../../../src/sandbox/sandbox.ts'
import { openServed, serve } from './over-http.ts'
import { answersIn, openRaw, requestText } from './raw-client.ts'

const MB = 1024 * 1024

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A sandbox that answers what it was asked, and keeps it; like the service, it refuses a body that could not be read. */
function echoing(): Pick<Sandbox, 'handle'> & { readonly asked: ServiceRequest[] } {
  const asked: ServiceRequest[] = []
  return {
    asked,
    handle: async (request): Promise<ServiceResponse> => {
      const { method, url, body, unreadable } = request
      asked.push(request)
      if (unreadable !== undefined) return problemResponse(unreadable, `r-${asked.length}`)
      return {
        status: 200,
        headers: { 'content-type': 'application/json', 'x-request-id': `r-${asked.length}` },
        body: JSON.stringify({ method, url, body }),
      }
    },
  }
}

const echoed = (answers: ReturnType<typeof answersIn>): unknown[] =>
  answers.map(({ body }): unknown => JSON.parse(body))

test('a connection is kept for one request after the other', async () => {
  const server = await serve(echoing())
  const client = await openRaw(server.port)
  client.send(requestText('GET', '/a'))
  await client.until(/"\/a"/)
  client.send(requestText('POST', '/b', '{}'))
  const answers = answersIn(await client.until(/"\/b"/))
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(answers[0]?.headers).toMatchObject({
    'content-type': 'application/json',
    'content-length': '27',
    'x-request-id': 'r-1',
    date: expect.any(String),
  })
  expect(
    Object.keys(answers[0]?.headers ?? {})
      .toSorted()
      .join(' '),
  ).toBe('connection content-length content-type date keep-alive x-request-id')
})

test('pipelined requests are processed and answered in their order', async () => {
  const service = await openServed()
  const client = await openRaw(service.server.port)
  const records = Array.from(
    { length: 20 },
    (_, index) =>
      `{"paymentId":"p-${index % 10}","currencyCode":"EUR","processor":{"name":"P"},"amount":1,"createdAt":"2026-03-04T05:06:07Z","order":{"id":"o"},"paymentMethod":{"paymentMethodType":"PAYMENT_CARD"}}`,
  )
  client.send(records.map((record) => requestText('POST', '/observability/payments', record)).join(''))
  client.endSending()
  const answers = answersIn((await client.untilClosed()).text)
  // The second ten know the first ten.
  expect(answers.map(({ status }) => status)).toEqual([
    ...Array.from({ length: 10 }, () => 200),
    ...Array.from({ length: 10 }, () => 409),
  ])
  for (const [index, { body }] of answers.slice(0, 10).entries()) expect(body).toContain(`"p-${index}"`)
})

test('a read that is pipelined behind a write sees it', async () => {
  const { server } = await openServed()
  const client = await openRaw(server.port)
  const payment = `{"paymentMethodToken":"tok_visa","orderId":"o","currencyCode":"EUR","amount":5}`
  const pair = requestText('POST', '/payments', payment) + requestText('GET', '/payments')
  client.send(pair + pair)
  client.endSending()
  const reads = answersIn((await client.untilClosed()).text).filter((_, index) => index % 2 === 1)
  expect(reads.map(({ body }) => body.split('"orderId"').length - 1)).toEqual([1, 2])
})

test('an answer that is ready first waits for its turn', async () => {
  const open: (() => void)[] = []
  const echo = echoing()
  const server = await serve({
    handle: async (request) => {
      if (request.url === '/slow') await new Promise<void>((resolve) => open.push(resolve))
      return echo.handle(request)
    },
  })
  const client = await openRaw(server.port)
  client.send(requestText('GET', '/slow') + requestText('GET', '/quick'))
  await expect.poll(() => echo.asked.length).toBe(1)
  expect(client.received()).toBe('')
  for (const go of open) go()
  expect(echoed(answersIn(await client.until(/quick/)))).toMatchObject([{ url: '/slow' }, { url: '/quick' }])
})

test('a body comes in chunks, byte by byte, with signs cut in two', async () => {
  const echo = echoing()
  const client = await openRaw((await serve(echo)).port)
  const bytes = Buffer.from('{"a":"ä€😀"}')
  client.send(requestText('POST', '/a', undefined, 'Transfer-Encoding: chunked\r\n'))
  for (const byte of bytes) client.send(Buffer.from([0x31, 13, 10, byte, 13, 10]))
  client.send('0\r\n\r\n')
  await client.until(/HTTP/)
  expect(echo.asked).toMatchObject([{ body: '{"a":"ä€😀"}' }])
})

test('no body is undefined, an empty one is not', async () => {
  const echo = echoing()
  const client = await openRaw((await serve(echo)).port)
  client.send(
    requestText('POST', '/none') +
      requestText('POST', '/zero', '') +
      requestText('POST', '/chunked', undefined, 'Transfer-Encoding: chunked\r\n') +
      '0\r\n\r\n',
  )
  await client.until(/chunked/)
  expect(echo.asked.map(({ body }) => body)).toEqual([undefined, undefined, ''])
})

test.each([
  ['a body of 1 MB', MB, 200],
  ['one byte more', MB + 1, 413],
])('%s is answered %s %i', async (_, size, status) => {
  const echo = echoing()
  const server = await serve({
    handle: async (request) => ({ ...(await echo.handle(request)), body: String(request.body?.length) }),
  })
  const body = `"${'x'.repeat(size - 2)}"`
  const client = await openRaw(server.port)
  client.send(requestText('POST', '/a', body))
  expect(answersIn(await client.until(/\r\n\r\n/))).toMatchObject([{ status }])
  const chunked = await openRaw(server.port)
  chunked.send(requestText('POST', '/a', undefined, 'Transfer-Encoding: chunked\r\n'))
  chunked.send(`${size.toString(16)}\r\n${body}\r\n0\r\n\r\n`)
  expect(answersIn(await chunked.until(/\r\n\r\n/))).toMatchObject([{ status }])
})

test('the size is that of the bytes, not of the signs', async () => {
  const { server } = await openServed()
  const client = await openRaw(server.port)
  client.send(requestText('POST', '/payments', `"${'€'.repeat(MB / 2)}"`))
  expect(answersIn(await client.until(/\}\}$/))).toMatchObject([{ status: 413 }])
})

test('a declared body that is far too large is answered at once, and the client can read the answer', async () => {
  const { server } = await openServed()
  const client = await openRaw(server.port)
  client.send(requestText('POST', '/payments', undefined, 'Content-Length: 20000000000\r\n'))
  for (let sent = 0; sent < 8; sent += 1) client.send(Buffer.alloc(MB, '1'))
  client.endSending()
  const { text, by } = await client.untilClosed()
  expect(by).toBe('end')
  expect(answersIn(text)).toMatchObject([{ status: 413, headers: { connection: 'close' } }])
  expect(text).toContain('"PayloadTooLarge"')
})

test('a client that never stops sending is cut off', async () => {
  const { server } = await openServed()
  const client = await openRaw(server.port)
  client.send(requestText('POST', '/payments', undefined, 'Content-Length: 20000000000\r\n'))
  const block = Buffer.alloc(MB, '1')
  const more = () => {
    if (!client.socket.destroyed) client.socket.write(block, (error) => error ?? more())
  }
  more()
  await new Promise((resolve) => client.socket.on('close', resolve))
  expect(client.received()).toContain('413')
  expect(client.socket.bytesWritten).toBeGreaterThan(32 * MB)
})

test('what follows a refused body on its connection is not processed', async () => {
  const echo = echoing()
  const client = await openRaw((await serve(echo)).port)
  client.send(requestText('POST', '/large', undefined, `Content-Length: ${MB * 2}\r\n`))
  await client.until(/413/)
  client.send(Buffer.alloc(MB * 2, '1'))
  client.send(requestText('POST', '/after', '{}'))
  client.endSending()
  expect(answersIn((await client.untilClosed()).text)).toHaveLength(1)
  expect(echo.asked.map(({ url }) => url)).toEqual(['/large'])
})

test.each([
  ['not UTF-8', '', [0x22, 0xff, 0x22], 400, 'MalformedJson'],
  ['half a surrogate pair in UTF-8', '', [0x22, 0xed, 0xa0, 0x80, 0x22], 400, 'MalformedJson'],
  ['gzip', 'Content-Encoding: gzip\r\n', [0x7b, 0x7d], 415, 'UnsupportedMediaType'],
  [
    'another charset',
    'Content-Type: application/json; Charset="ISO-8859-1"\r\n',
    [0x7b, 0x7d],
    415,
    'UnsupportedMediaType',
  ],
  ['identity', 'Content-Encoding: Identity\r\n', [0x7b, 0x7d], 200, 'clientToken'],
  ['UTF-8 by name', 'Content-Type: application/json;charset=utf-8\r\n', [0x7b, 0x7d], 200, 'clientToken'],
])('a body that is %s', async (_, headers, bytes, status, words) => {
  const { server } = await openServed()
  const client = await openRaw(server.port)
  client.send(
    requestText('POST', '/client-session', undefined, `${headers}Content-Length: ${bytes.length}\r\n`),
  )
  client.send(Buffer.from(bytes))
  client.send(requestText('GET', '/payments'))
  client.endSending()
  const answers = answersIn((await client.untilClosed()).text)
  expect(answers).toMatchObject([{ status }, { status: 200 }])
  expect(answers[0]?.body).toContain(`"${words}"`)
})

test('who asks before sending is told to go on', async () => {
  const client = await openRaw((await serve(echoing())).port)
  client.send(requestText('POST', '/a', undefined, 'Expect: 100-continue\r\nContent-Length: 2\r\n'))
  expect(await client.until(/\r\n\r\n/)).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  client.send('{}')
  expect(await client.until(/200 OK/)).toContain('HTTP/1.1 200 OK')
})

test('who asks before sending too much is not told to go on', async () => {
  const { server } = await openServed()
  const client = await openRaw(server.port)
  client.send(
    requestText('POST', '/payments', undefined, `Expect: 100-continue\r\nContent-Length: ${MB + 1}\r\n`),
  )
  const { text } = await client.untilClosed()
  expect(text).not.toContain('100 Continue')
  expect(answersIn(text)).toMatchObject([{ status: 413, headers: { connection: 'close' } }])
})

test('another expectation is refused', async () => {
  const echo = echoing()
  const client = await openRaw((await serve(echo)).port)
  client.send(requestText('GET', '/a', undefined, 'Expect: 200-ok\r\n') + requestText('GET', '/b'))
  const answers = answersIn(await client.until(/"\/b"/))
  expect(answers).toMatchObject([{ status: 417, headers: { 'x-request-id': UUID_MATCH } }, { status: 200 }])
  expect(JSON.parse(answers[0]?.body ?? '')).toMatchObject({ error: { errorId: 'ExpectationFailed' } })
  expect(echo.asked.map(({ url }) => url)).toEqual(['/b'])
})

const UUID_MATCH: unknown = expect.stringMatching(UUID)

test('HEAD has the headers of GET, and no body', async () => {
  const { server } = await openServed()
  const client = await openRaw(server.port)
  client.send(
    requestText('GET', '/payments') +
      requestText('HEAD', '/payments') +
      requestText('HEAD', '/client-session') +
      requestText('HEAD', '/sandbox/status') +
      requestText('HEAD', '/payments/x/capture'),
  )
  client.endSending()
  const [get, ...heads] = answersIn((await client.untilClosed()).text, (at) => at > 0)
  expect(heads.map(({ status }) => status)).toEqual([200, 422, 200, 405])
  expect(heads[0]?.headers['content-length']).toBe(get?.headers['content-length'])
  expect(heads.every(({ headers }) => Number(headers['content-length']) > 0)).toBe(true)
  expect(heads[3]?.headers['allow']).toBe('POST, OPTIONS')
})

test.each([
  ['/payments', 'POST, GET, HEAD, OPTIONS'],
  ['/payments/', 'POST, GET, HEAD, OPTIONS'],
  ['/payments/p1/capture', 'POST, OPTIONS'],
  ['/payments/p1', 'GET, HEAD, OPTIONS'],
  ['/payment-instruments/t1', 'DELETE, OPTIONS'],
  ['/auth/client-token', 'POST, OPTIONS'],
  ['/sandbox/faults', 'GET, POST, DELETE, HEAD, OPTIONS'],
  ['/sandbox/status', 'GET, HEAD, OPTIONS'],
  ['/sandbox/stop', 'POST, OPTIONS'],
  ['http://sandbox.test/payments?limit=1', 'POST, GET, HEAD, OPTIONS'],
  ['*', 'GET, POST, PATCH, DELETE, HEAD, OPTIONS'],
])('OPTIONS %s allows %s, without a key', async (path, allow) => {
  const { server } = await openServed()
  const client = await openRaw(server.port)
  client.send(`OPTIONS ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  const [answer] = answersIn(await client.until(/\r\n\r\n/))
  expect(answer).toMatchObject({ status: 204, headers: { allow, 'x-request-id': UUID_MATCH } })
  expect(answer?.headers).not.toHaveProperty('content-length')
  expect(answer?.headers).not.toHaveProperty('content-type')
})

test.each([
  ['a declared length', `Content-Length: ${MB * 2}\r\n`, ''],
  ['chunks', 'Transfer-Encoding: chunked\r\n', `200000\r\n${'1'.repeat(MB * 2)}`],
])('OPTIONS is answered where its body is too large by %s', async (_, headers, begun) => {
  const { server } = await openServed()
  const client = await openRaw(server.port)
  client.send(requestText('OPTIONS', '/payments', undefined, headers) + begun)
  await client.until(/\r\n\r\n/)
  client.endSending()
  const { text, by } = await client.untilClosed()
  expect(by).toBe('end')
  expect(answersIn(text)).toMatchObject([
    { status: 204, headers: { allow: 'POST, GET, HEAD, OPTIONS', connection: 'close' }, body: '' },
  ])
})

test('OPTIONS of what is not there is 404', async () => {
  const { server } = await openServed()
  const client = await openRaw(server.port)
  client.send(requestText('OPTIONS', '/nowhere'))
  const [answer] = answersIn(await client.until(/\}\}/))
  expect(answer).toMatchObject({ status: 404 })
  expect(answer?.body).toContain('"NotFound"')
})

test.each([
  ['DELETE /payments', 405, 'POST, GET, HEAD, OPTIONS'],
  ['TRACE /payments', 405, 'POST, GET, HEAD, OPTIONS'],
  ['PROPFIND /payments', 405, 'POST, GET, HEAD, OPTIONS'],
  ['DELETE /sandbox/status', 405, 'GET, HEAD, OPTIONS'],
  ['GET /sandbox/stop', 405, 'POST, OPTIONS'],
  ['PUT /nowhere', 404, undefined],
  ['M-SEARCH *', 404, undefined],
  ['GET /sandbox/stopped', 404, undefined],
])('%s is %i', async (line, status, allow) => {
  const { server } = await openServed()
  const client = await openRaw(server.port)
  const [method = '', path = ''] = line.split(' ')
  client.send(requestText(method, path))
  const [answer] = answersIn(await client.until(/\}\}/))
  expect(answer).toMatchObject({ status, headers: { 'content-type': 'application/json' } })
  expect(answer?.headers['allow']).toBe(allow)
})

test('an upgrade is not taken up: the request is answered', async () => {
  const client = await openRaw((await serve(echoing())).port)
  client.send(requestText('GET', '/a', undefined, 'Connection: Upgrade\r\nUpgrade: websocket\r\n'))
  expect(await client.until(/\}/)).toContain('HTTP/1.1 200 OK')
})

test('HTTP/1.0 is answered and closed', async () => {
  const client = await openRaw((await serve(echoing())).port)
  client.send('GET /a HTTP/1.0\r\nHost: localhost\r\n\r\n')
  const { text, by } = await client.untilClosed()
  expect(by).toBe('end')
  expect(answersIn(text)).toMatchObject([{ status: 200, headers: { connection: 'close' } }])
})
