import { expect, test } from 'vitest'
import { problemResponse } from '../../../src/sandbox/answers/response.ts'
import type { ServiceResponse } from '../../../src/sandbox/answers/response.ts'
import type { ServiceRequest } from '../../../src/sandbox/request/service-request.ts'
import type { Sandbox } from '../../../src/sandbox/sandbox.ts'
import { openServed, serve } from './over-http.ts'
import { answersIn, openRaw, requestText } from './raw-client.ts'

const MB = 1024 * 1024

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A sandbox that records requests and echoes them; like the service, it refuses a body that couldn't be read. */
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

const UUID_MATCH: unknown = expect.stringMatching(UUID)

test('HEAD returns the headers of GET without a body', async () => {
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
  ['/sandbox/health', 'GET, HEAD, OPTIONS'],
  ['/sandbox/status', 'GET, HEAD, OPTIONS'],
  ['/sandbox/stop', 'POST, OPTIONS'],
  ['http://sandbox.test/payments?limit=1', 'POST, GET, HEAD, OPTIONS'],
  ['*', 'GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS'],
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
])('OPTIONS is answered even if its body is too large by %s', async (_, headers, begun) => {
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

test('OPTIONS of an unknown path is 404', async () => {
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
])('answers %s with %i', async (line, status, allow) => {
  const { server } = await openServed()
  const client = await openRaw(server.port)
  const [method = '', path = ''] = line.split(' ')
  client.send(requestText(method, path))
  const [answer] = answersIn(await client.until(/\}\}/))
  expect(answer).toMatchObject({ status, headers: { 'content-type': 'application/json' } })
  expect(answer?.headers['allow']).toBe(allow)
})

test('ignores an upgrade and answers the request', async () => {
  const client = await openRaw((await serve(echoing())).port)
  client.send(requestText('GET', '/a', undefined, 'Connection: Upgrade\r\nUpgrade: websocket\r\n'))
  expect(await client.until(/\}/)).toContain('HTTP/1.1 200 OK')
})

test('answers HTTP/1.0 and closes the connection', async () => {
  const client = await openRaw((await serve(echoing())).port)
  client.send('GET /a HTTP/1.0\r\nHost: localhost\r\n\r\n')
  const { text, by } = await client.untilClosed()
  expect(by).toBe('end')
  expect(answersIn(text)).toMatchObject([{ status: 200, headers: { connection: 'close' } }])
})
