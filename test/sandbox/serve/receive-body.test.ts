import { expect, test } from 'vitest'
import { openServed, serve } from './over-http.ts'
import { answersIn, openRaw, requestText } from './raw-client.ts'
import { echoing } from './echoing.ts'

const MB = 1024 * 1024

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

test('reads a body in chunks, byte by byte, with characters split across them', async () => {
  const echo = echoing()
  const client = await openRaw((await serve(echo)).port)
  const bytes = Buffer.from('{"a":"ä€😀"}')
  client.send(requestText('POST', '/a', undefined, 'Transfer-Encoding: chunked\r\n'))
  for (const byte of bytes) client.send(Buffer.from([0x31, 13, 10, byte, 13, 10]))
  client.send('0\r\n\r\n')
  await client.until(/HTTP/)
  expect(echo.asked).toMatchObject([{ body: '{"a":"ä€😀"}' }])
})

test('a missing body is undefined, an empty one is not', async () => {
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
])('answers %s with %s %i', async (_, size, status) => {
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

test('counts bytes, not characters', async () => {
  const { server } = await openServed()
  const client = await openRaw(server.port)
  client.send(requestText('POST', '/payments', `"${'€'.repeat(MB / 2)}"`))
  expect(answersIn(await client.until(/\}\}$/))).toMatchObject([{ status: 413 }])
})

test('answers a far too large declared body at once, readably for the client', async () => {
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

test('disconnects a client that never stops sending', async () => {
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

test('requests after a refused body are not processed', async () => {
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

test('a client that sends Expect gets 100 Continue', async () => {
  const client = await openRaw((await serve(echoing())).port)
  client.send(requestText('POST', '/a', undefined, 'Expect: 100-continue\r\nContent-Length: 2\r\n'))
  expect(await client.until(/\r\n\r\n/)).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  client.send('{}')
  expect(await client.until(/200 OK/)).toContain('HTTP/1.1 200 OK')
})

test('a client that expects to send too much gets no 100 Continue', async () => {
  const { server } = await openServed()
  const client = await openRaw(server.port)
  client.send(
    requestText('POST', '/payments', undefined, `Expect: 100-continue\r\nContent-Length: ${MB + 1}\r\n`),
  )
  const { text } = await client.untilClosed()
  expect(text).not.toContain('100 Continue')
  expect(answersIn(text)).toMatchObject([{ status: 413, headers: { connection: 'close' } }])
})

test('refuses any other expectation', async () => {
  const echo = echoing()
  const client = await openRaw((await serve(echo)).port)
  client.send(requestText('GET', '/a', undefined, 'Expect: 200-ok\r\n') + requestText('GET', '/b'))
  const answers = answersIn(await client.until(/"\/b"/))
  expect(answers).toMatchObject([{ status: 417, headers: { 'x-request-id': UUID_MATCH } }, { status: 200 }])
  expect(JSON.parse(answers[0]?.body ?? '')).toMatchObject({ error: { errorId: 'ExpectationFailed' } })
  expect(echo.asked.map(({ url }) => url)).toEqual(['/b'])
})

const UUID_MATCH: unknown = expect.stringMatching(UUID)
