import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { loggedIn } from '../service.ts'
import { callServer } from '../../../src/sandbox/serve/call-server.ts'
import { openServed, serve } from './over-http.ts'
import { answering, waiting } from './scripted-sandbox.ts'
import { answersIn, openRaw, requestText } from './raw-client.ts'

/** Clients that are slow, half-close their connection, leave, or are very many. */

const HOUR_MS = 60 * 60 * 1000

const QUICK = { headersMs: 30, requestMs: 60, checkEveryMs: 10 }

test.each([
  ['nothing', ''],
  ['half a head', 'GET /a HTTP/1.1\r\nHos'],
  ['half a body', requestText('POST', '/a', undefined, 'Content-Length: 20\r\n') + '{'],
  ['half of its chunks', requestText('POST', '/a', undefined, 'Transfer-Encoding: chunked\r\n') + '5\r\n{'],
])('a client that sends only %s gets 408 and is disconnected', async (_, bytes) => {
  const server = await serve(answering(), { times: QUICK })
  const client = await openRaw(server.port)
  client.send(bytes)
  const { text, by } = await client.untilClosed()
  expect(by).toBe('end')
  expect(text).toMatch(/^HTTP\/1\.1 408 /)
})

test('a client that sends a byte at a time gets no extra time', async () => {
  const server = await serve(answering(), { times: QUICK })
  const client = await openRaw(server.port)
  client.send(requestText('POST', '/a', undefined, 'Content-Length: 1000000\r\n'))
  const drip = setInterval(() => client.send('1'), 5)
  onTestFinished(() => clearInterval(drip))
  expect(await client.until(/408/)).toMatch(/^HTTP\/1\.1 408 /)
})

test('a client that half-closes its connection still gets its response', async () => {
  const sandbox = waiting()
  const { port, url } = await serve(sandbox)
  const client = await openRaw(port)
  client.send(requestText('POST', '/a', '{}'))
  client.endSending()
  // By then the server has seen the end of the input.
  for (let round = 0; round < 3; round += 1)
    await callServer({ url, method: 'GET', path: '/sandbox/status', timeoutMs: 5000 })
  sandbox.open[0]?.()
  const { text, by } = await client.untilClosed()
  expect(by).toBe('end')
  expect(answersIn(text)).toMatchObject([{ status: 200 }])
})

test.each([
  ['words', 'hello, is anybody there?\r\n\r\n', 400],
  ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01', 400],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['two lengths', `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, 400],
  ['headers above 16 kB', `GET / HTTP/1.1\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
])('%s are refused, and the next client is served', async (_, bytes, status) => {
  const service = await openServed()
  const client = await openRaw(service.server.port)
  client.send(bytes)
  expect((await client.untilClosed()).text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(await service.ok('GET', '/payments')).toEqual({ data: [] })
  expect(await loggedIn(service, 5)).toMatchObject([{ path: '/payments' }])
})

test('a client that does not read its responses is disconnected', async () => {
  const server = await serve(answering(`"${'x'.repeat(1_000_000)}"`), {
    times: { stallMs: 30, graceMs: HOUR_MS },
  })
  const client = await openRaw(server.port)
  client.socket.pause()
  client.send(requestText('GET', '/a').repeat(40))
  // Waits until all connections are closed.
  await server.close()
  expect(client.socket.bytesRead).toBeLessThan(40 * 1_000_000)
})

test('tells clients how long an idle connection is kept', async () => {
  const client = await openRaw((await serve(answering())).port)
  client.send(requestText('GET', '/a'))
  expect(answersIn(await client.until(/\{\}/))).toMatchObject([{ headers: { 'keep-alive': 'timeout=65' } }])
})

test('a write whose client leaves is applied, as the log shows', async () => {
  const service = await openServed()
  for (let round = 0; round < 20; round += 1) {
    const client = await openRaw(service.server.port)
    client.send(requestText('POST', '/client-session', `{"orderId":"o-${round}"}`))
    if (round % 2 === 0) client.socket.resetAndDestroy()
    else client.socket.destroy()
  }
  const client = await openRaw(service.server.port)
  client.send(requestText('POST', '/client-session', '{}'))
  await client.until(/200 OK/)
  for (const entry of await loggedIn(service, 30)) expect(entry).toMatchObject({ status: 200, applied: true })
})

test('does not process a request whose client leaves in the middle of the body', async () => {
  const service = await openServed()
  const client = await openRaw(service.server.port)
  client.send(requestText('POST', '/client-session', undefined, 'Content-Length: 20\r\n') + '{')
  client.socket.resetAndDestroy()
  await service.ok('GET', '/payments')
  expect(await loggedIn(service, 5)).toMatchObject([{ method: 'GET' }])
})

test('answers on 1,000 connections at once', async () => {
  const service = await openServed()
  const clients = await Promise.all(Array.from({ length: 1000 }, () => openRaw(service.server.port)))
  for (const [index, client] of clients.entries())
    client.send(requestText('POST', '/client-session', `{"orderId":"o-${index}"}`))
  const texts = await Promise.all(clients.map((client) => client.until(/\}$/)))
  for (const [index, text] of texts.entries()) expect(text).toContain(`"o-${index}"`)
})

test('many short connections leave nothing behind', async () => {
  const service = await openServed({ times: { graceMs: HOUR_MS } })
  for (let count = 0; count < 200; count += 1) {
    const socket = connect(service.server.port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.on('connect', () => socket.resetAndDestroy())
  }
  expect(await service.ok('GET', '/payments')).toEqual({ data: [] })
  await service.server.close()
})
