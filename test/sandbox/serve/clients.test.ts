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
  expect(answersIn(text)).toMatchObject([{ status: 408, headers: { connection: 'close' } }])
  expect(text).toContain('"RequestTimeout"')
})

test('a client that sends a byte at a time gets no extra time', async () => {
  const server = await serve(answering(), { times: QUICK })
  const client = await openRaw(server.port)
  client.send(requestText('POST', '/a', undefined, 'Content-Length: 1000000\r\n'))
  const drip = setInterval(() => client.send('1'), 5)
  onTestFinished(() => clearInterval(drip))
  expect(await client.until(/\}\}/)).toContain('"RequestTimeout"')
})

test('a client that half-closes its connection still gets its responses', async () => {
  const sandbox = waiting()
  const { port, url } = await serve(sandbox)
  const client = await openRaw(port)
  client.send(requestText('POST', '/a', '{}') + requestText('GET', '/b'))
  client.endSending()
  // By then the server has seen the end of the input.
  for (let round = 0; round < 3; round += 1)
    await callServer({ url, method: 'GET', path: '/sandbox/status', timeoutMs: 5000 })
  sandbox.open[0]?.()
  await expect.poll(() => sandbox.open.length).toBe(2)
  sandbox.open[1]?.()
  const { text, by } = await client.untilClosed()
  expect(by).toBe('end')
  expect(answersIn(text).map(({ status }) => status)).toEqual([200, 200])
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

test('a client that neither reads its 413 nor sends more is disconnected', async () => {
  const { server } = await openServed({ times: { lingerMs: 30, graceMs: HOUR_MS } })
  const client = await openRaw(server.port)
  client.send(requestText('POST', '/payments', undefined, 'Content-Length: 20000000\r\n'))
  await client.until(/413/)
  await server.close()
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

test('a client that leaves after CONNECT causes no error', async () => {
  const service = await openServed()
  const client = await openRaw(service.server.port)
  client.send('CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n')
  await client.until(/405/)
  client.socket.resetAndDestroy()
  expect(await service.ok('GET', '/payments')).toEqual({ data: [] })
})

test('a request whose body breaks while it is refused is answered once', async () => {
  const sandbox = waiting()
  const failures: unknown[] = []
  const server = await serve(sandbox, { onFailure: (error) => failures.push(error) })
  const client = await openRaw(server.port)
  const block = 'x'.repeat(1024 * 1024)
  client.send(requestText('POST', '/a', undefined, 'Transfer-Encoding: chunked\r\n'))
  client.send(`${block.length.toString(16)}\r\n${block}\r\n1\r\nx\r\n`)
  await expect.poll(() => sandbox.open).toHaveLength(1)
  client.send('zz\r\n')
  await client.until(/\}\}/)
  for (const go of sandbox.open) go()
  client.endSending()
  expect(answersIn((await client.untilClosed()).text)).toMatchObject([{ status: 400 }])
  expect(failures).toEqual([])
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

test('processes one request at a time for a client that runs ahead', async () => {
  const sandbox = waiting()
  const client = await openRaw((await serve(sandbox)).port)
  client.send(requestText('GET', '/a').repeat(300))
  let answered = 0
  while (answered < 300) {
    await expect.poll(() => sandbox.open.length, { interval: 1 }).toBeGreaterThan(0)
    // One more tick: nothing else is dispatched.
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
    expect(sandbox.open.length).toBe(1)
    const ready = sandbox.open.splice(0)
    answered += ready.length
    for (const go of ready) go()
  }
  await expect.poll(() => answersIn(client.received()).length).toBe(300)
})

test('stops reading from a client that runs far ahead until its responses are sent', async () => {
  const sandbox = waiting()
  const client = await openRaw((await serve(sandbox)).port)
  const count = 400_000
  client.send(requestText('GET', '/a').repeat(count))
  let [unsent, sameFor] = [0, 0]
  while (sameFor < 10) {
    await new Promise((resolve) => {
      setTimeout(resolve, 20)
    })
    sameFor = client.socket.writableLength === unsent ? sameFor + 1 : 0
    unsent = client.socket.writableLength
  }
  expect(unsent).toBeGreaterThan(0)
  for (let round = 0; round < 50; round += 1) {
    await expect.poll(() => sandbox.open.length, { interval: 1 }).toBeGreaterThan(0)
    for (const go of sandbox.open.splice(0)) go()
  }
  await expect.poll(() => answersIn(client.received()).length).toBeGreaterThanOrEqual(50)
})
