import { expect, test } from 'vitest'
import { echoing } from './echoing.ts'
import { openServed, serve } from './over-http.ts'
import { answersIn, openRaw, requestText } from './raw-client.ts'

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
  expect(heads[3]?.headers['allow']).toBe('POST')
})

test.each([
  ['DELETE /payments', 405, 'POST, GET'],
  ['OPTIONS /payments', 405, 'POST, GET'],
  ['TRACE /payments', 405, 'POST, GET'],
  ['PROPFIND /payments', 405, 'POST, GET'],
  ['DELETE /sandbox/status', 405, 'GET'],
  ['GET /sandbox/stop', 405, 'POST'],
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

test.each(['0.9', '2.0'])('refuses HTTP/%s in a request line', async (version) => {
  const client = await openRaw((await serve(echoing())).port)
  client.send(`GET /a HTTP/${version}\r\nHost: localhost\r\n\r\n`)
  const { text } = await client.untilClosed()
  expect(answersIn(text)).toMatchObject([{ status: 400, headers: { connection: 'close' } }])
  expect(text).toContain(`HTTP/${version} is not supported`)
})
