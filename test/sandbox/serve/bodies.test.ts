import { expect, test } from 'vitest'
import { openServed, serve } from './over-http.ts'
import { answersIn, openRaw, requestText } from './raw-client.ts'
import { echoing } from './echoing.ts'

const MB = 1024 * 1024

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

test('a body above the limit is read to its end, so that its client gets the refusal', async () => {
  const { server } = await openServed()
  const client = await openRaw(server.port)
  client.send(requestText('POST', '/payments', '1'.repeat(8 * MB)) + requestText('GET', '/payments'))
  client.endSending()
  const answers = answersIn((await client.untilClosed()).text)
  expect(answers).toMatchObject([{ status: 413 }, { status: 200 }])
  expect(answers[0]?.body).toContain('"PayloadTooLarge"')
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
  expect(client.socket.bytesWritten).toBeGreaterThan(32 * MB)
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
