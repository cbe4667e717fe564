import { describe, expect, test } from 'vitest'
import { loggedIn } from '../service.ts'
import { openServed } from './over-http.ts'
import { answersIn, openRaw, requestText } from './raw-client.ts'

const HOST = 'Host: localhost\r\n'

/** Bytes that aren't a request, and the error they cause; the connection then closes. */
const BROKEN: readonly [string, string, number, string][] = [
  ['words', 'hello, is anybody there?\r\n\r\n', 400, 'BadRequest'],
  ['NULs', '\0'.repeat(64), 400, 'BadRequest'],
  ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01', 400, 'BadRequest'],
  ['an unknown method', `FETCH /payments HTTP/1.1\r\n${HOST}\r\n`, 400, 'BadRequest'],
  ['a method in small letters', `get /payments HTTP/1.1\r\n${HOST}\r\n`, 400, 'BadRequest'],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'BadRequest'],
  ['a version of HTTP that there is not', `GET / HTTP/7.1\r\n${HOST}\r\n`, 400, 'BadRequest'],
  ['a target without its slash', `GET payments HTTP/1.1\r\n${HOST}\r\n`, 400, 'BadRequest'],
  ['a control sign in a header', `GET / HTTP/1.1\r\n${HOST}X: a\x01b\r\n\r\n`, 400, 'BadRequest'],
  ['a header without a colon', `GET / HTTP/1.1\r\n${HOST}nonsense\r\n\r\n`, 400, 'BadRequest'],
  ['lines without a carriage return', 'GET / HTTP/1.1\nHost: a\n\n', 400, 'BadRequest'],
  [
    'two lengths',
    `POST / HTTP/1.1\r\n${HOST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    400,
    'BadRequest',
  ],
  ['a length that is none', `POST / HTTP/1.1\r\n${HOST}Content-Length: -2\r\n\r\n`, 400, 'BadRequest'],
  [
    'a length and chunks',
    `POST / HTTP/1.1\r\n${HOST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n`,
    400,
    'BadRequest',
  ],
  [
    'a broken chunk',
    `POST /payments HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nzz\r\n`,
    400,
    'BadRequest',
  ],
  [
    'a chunk with endless extensions',
    `POST /payments HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n2;${'a'.repeat(20_000)}`,
    413,
    'PayloadTooLarge',
  ],
  [
    'headers above 16 kB',
    `GET / HTTP/1.1\r\n${HOST}X: ${'a'.repeat(20_000)}\r\n\r\n`,
    431,
    'HeadersTooLarge',
  ],
  ['an address above 16 kB', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n`, 431, 'HeadersTooLarge'],
  ['CONNECT', `CONNECT example.com:443 HTTP/1.1\r\n${HOST}\r\n`, 405, 'MethodNotAllowed'],
]

describe.each(BROKEN)('%s', (_, bytes, status, errorId) => {
  test('is refused in the error envelope, and the connection is closed', async () => {
    const { server } = await openServed()
    const client = await openRaw(server.port)
    client.send(bytes)
    const { text, by } = await client.untilClosed()
    expect(by).toBe('end')
    const [answer, ...more] = answersIn(text)
    expect(more).toEqual([])
    expect(answer).toMatchObject({
      status,
      headers: { connection: 'close', 'content-type': 'application/json', date: expect.any(String) },
    })
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({
      error: { errorId, diagnosticsId: answer?.headers['x-request-id'] },
    })
  })

  test('does not affect earlier responses', async () => {
    const { server } = await openServed()
    const client = await openRaw(server.port)
    client.send(requestText('GET', '/payments') + requestText('GET', '/payments'))
    client.send(bytes)
    const answers = answersIn((await client.untilClosed()).text)
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, status])
  })
})

test('the server survives all of them at once', async () => {
  const service = await openServed()
  const clients = await Promise.all(BROKEN.map(() => openRaw(service.server.port)))
  for (const [index, [, bytes]] of BROKEN.entries()) clients[index]?.send(bytes)
  await Promise.all(clients.map((client) => client.untilClosed()))
  expect(await service.ok('GET', '/payments')).toEqual({ data: [] })
})

test('requests after broken bytes are not processed', async () => {
  const service = await openServed()
  const client = await openRaw(service.server.port)
  client.send('nonsense\r\n\r\n')
  await client.until(/\}\}/)
  client.send(requestText('POST', '/client-session', '{}'))
  client.endSending()
  expect(answersIn((await client.untilClosed()).text)).toHaveLength(1)
  expect(await loggedIn(service, 5)).toEqual([])
})

test('refuses a request without Host and answers the next one', async () => {
  const { server } = await openServed()
  const client = await openRaw(server.port)
  client.send(`GET /payments HTTP/1.1\r\n\r\n${requestText('GET', '/payments')}`)
  client.endSending()
  const answers = answersIn((await client.untilClosed()).text)
  expect(answers).toMatchObject([{ status: 400 }, { status: 200 }])
  expect(answers[0]?.body).toContain('The Host header is missing.')
})

test.each([
  ['its head', 'GET /payments HTTP/1.1\r\nHo'],
  ['its body', requestText('POST', '/payments', undefined, 'Content-Length: 20\r\n') + '{'],
  ['its chunks', requestText('POST', '/payments', undefined, 'Transfer-Encoding: chunked\r\n') + '5\r\n{'],
])('reports a request that ends before the end of %s', async (_, bytes) => {
  const service = await openServed()
  const client = await openRaw(service.server.port)
  client.send(bytes)
  client.endSending()
  const { text } = await client.untilClosed()
  expect(answersIn(text)).toMatchObject([{ status: 400 }])
  expect(text).toContain('The request is incomplete.')
  expect(await loggedIn(service, 5)).toEqual([])
})
