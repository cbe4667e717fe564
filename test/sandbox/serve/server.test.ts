import { expect, test } from 'vitest'
import { callServer } from '../../../src/sandbox/serve/call-server.ts'
import { urlOf } from '../../../src/sandbox/serve/server.ts'
import { NOW } from '../service.ts'
import { serve } from './over-http.ts'
import { answering, waiting } from './scripted-sandbox.ts'
import { answersIn, openRaw, requestText } from './raw-client.ts'

const HOUR_MS = 60 * 60 * 1000

test.each([
  ['an address of another machine', { host: '203.0.113.7' }, 'this machine has no such address'],
  ['a name that does not exist', { host: 'nobody.invalid' }, /unknown host|can't be looked up/],
  ['a port beyond the last', { port: 65_536 }, 'invalid port'],
])('cannot listen on %s', async (_, where, words) => {
  await expect(serve(answering(), where)).rejects.toMatchObject({
    code: 'cannot_listen',
    exitCode: 2,
    message: expect.stringMatching(words),
    details: { hint: expect.stringContaining('--') },
  })
})

test.each([
  ['127.0.0.1', 'http://127.0.0.1:4010'],
  ['localhost', 'http://localhost:4010'],
  ['0.0.0.0', 'http://127.0.0.1:4010'],
  ['::', 'http://[::1]:4010'],
  ['::1', 'http://[::1]:4010'],
  ['192.0.2.1', 'http://192.0.2.1:4010'],
])('a server on %s has the URL %s', (host, url) => {
  expect(urlOf(host, 4010)).toBe(url)
})

test('identifies itself to the key with every scope', async () => {
  const ids = ['server-1', 'request-1', 'request-2', 'request-3']
  const server = await serve(answering(), {
    newId: () => ids.shift() ?? 'x',
    about: { dataDir: '/data', ephemeral: false },
  })
  const identity = { id: 'server-1', pid: 4711, startedAt: NOW.toISOString(), url: server.url }
  expect(server).toMatchObject(identity)
  const client = await openRaw(server.port)
  const asked = (key: string) => `GET /sandbox/status HTTP/1.1\r\nHost: localhost\r\n${key}\r\n`
  client.send(asked('X-API-KEY: sandbox_all\r\n') + asked('') + asked('X-API-KEY: sandbox_readonly\r\n'))
  client.endSending()
  const answers = answersIn((await client.untilClosed()).text)
  expect(answers.map(({ status }) => status)).toEqual([200, 401, 403])
  expect(answers[0]?.headers['x-request-id']).toBe('request-1')
  expect(JSON.parse(answers[0]?.body ?? '')).toEqual({ server: identity, dataDir: '/data', ephemeral: false })
})

test('says that it is well, without a key or with any', async () => {
  const { url } = await serve(answering())
  for (const headers of [new Headers(), new Headers({ 'x-api-key': 'wrong' })]) {
    const response = await fetch(`${url}/sandbox/health`, { headers })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ status: 'ok' })
  }
  expect((await fetch(`${url}/sandbox/health`, { method: 'POST' })).status).toBe(405)
})

test('stop ends the right server after its response', async () => {
  let stops = 0
  const server = await serve(answering(), {
    onStop: () => {
      stops += 1
      void server.close()
    },
  })
  const stop = (body?: unknown) =>
    callServer({ url: server.url, method: 'POST', path: '/sandbox/stop', body, timeoutMs: 5000 })
  for (const body of [undefined, {}, { id: 'another' }, [server.id]])
    expect(await stop(body)).toMatchObject({ status: 422 })
  expect(stops).toBe(0)
  expect(await stop({ id: server.id })).toMatchObject({ status: 200, body: { server: { id: server.id } } })
  expect(stops).toBe(1)
  await server.close()
  expect(await stop({ id: server.id })).toBeUndefined()
})

test('stop accepts only the key with every scope', async () => {
  const server = await serve(answering(), {
    onStop: () => {
      throw new Error('stopped')
    },
  })
  const client = await openRaw(server.port)
  const body = JSON.stringify({ id: server.id })
  client.send(
    `POST /sandbox/stop HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: sandbox_nobeta\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  expect(await client.until(/\}\}/)).toContain('HTTP/1.1 403')
})

test('closing finishes requests in progress and accepts no more', async () => {
  const sandbox = waiting()
  const server = await serve(sandbox, { times: { graceMs: HOUR_MS } })
  const client = await openRaw(server.port)
  client.send(requestText('POST', '/a', '{}'))
  await expect.poll(() => sandbox.open).toHaveLength(1)
  const closed = server.close()
  await expect(openRaw(server.port)).rejects.toThrow(/ECONNREFUSED/)
  sandbox.open[0]?.()
  const { text, by } = await client.untilClosed()
  expect(by).toBe('end')
  expect(answersIn(text)).toMatchObject([{ status: 200 }])
  await closed
})

test('closing ends idle connections, used or not', async () => {
  const server = await serve(answering(), { times: { graceMs: HOUR_MS } })
  const used = await openRaw(server.port)
  used.send(requestText('GET', '/a'))
  await used.until(/\{\}/)
  const unused = await openRaw(server.port)
  await server.close()
  expect((await used.untilClosed()).by).toBe('end')
  expect((await unused.untilClosed()).text).toBe('')
})

test('closing lets a slow client finish reading its response', async () => {
  const body = `"${'x'.repeat(20_000_000)}"`
  const server = await serve(answering(body), { times: { graceMs: HOUR_MS } })
  const client = await openRaw(server.port)
  client.send(requestText('GET', '/a'))
  await client.until(/200 OK/)
  client.socket.pause()
  const closed = server.close()
  client.socket.resume()
  const { text } = await client.untilClosed()
  expect(text.endsWith(body)).toBe(true)
  await closed
})

test('closing waits no longer than its grace period', async () => {
  const sandbox = waiting()
  const server = await serve(sandbox, { times: { graceMs: 20 } })
  const client = await openRaw(server.port)
  client.send(requestText('GET', '/a'))
  await expect.poll(() => sandbox.open).toHaveLength(1)
  await server.close()
  expect((await client.untilClosed()).text).toBe('')
  // The client of the response is gone.
  for (const go of sandbox.open) go()
})

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

test('a delayed response to a client that left does not keep the process alive', async () => {
  const before = timers()
  const late = {
    status: 200,
    headers: {},
    body: '{}',
    deliveryFault: { kind: 'delayed', ms: HOUR_MS },
  } as const
  const server = await serve({ handle: async () => late })
  const clients = await Promise.all(Array.from({ length: 100 }, () => openRaw(server.port)))
  for (const client of clients) client.send(requestText('GET', '/a'))
  await expect.poll(timers).toBeGreaterThanOrEqual(before + 100)
  for (const client of clients) client.socket.resetAndDestroy()
  await expect.poll(timers).toBeLessThan(before + 50)
})

test('a closed server does not keep the process alive', async () => {
  const before = timers()
  const server = await serve(answering(), { times: { graceMs: HOUR_MS } })
  await server.close()
  expect(timers()).toBeLessThanOrEqual(before)
})

test('can be closed twice', async () => {
  const server = await serve(answering())
  await Promise.all([server.close(), server.close()])
  await server.close()
})
