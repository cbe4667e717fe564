import { expect, test } from 'vitest'
import { addFault, loggedIn } from '../service.ts'
import type { DeliveryFault } from '../../../src/api/delivery-fault.ts'
import type { RunningServer, ServerOptions } from '../../../src/sandbox/serve/server.ts'
import { openServed, send, serve } from './over-http.ts'
import { answersIn, openRaw, requestText } from './raw-client.ts'

const BODY = `{"id":"${'x'.repeat(2000)}"}`

const HOUR_MS = 60 * 60 * 1000

const PLAIN = { method: 'GET', headers: {}, body: undefined } as const

const FAULTS: Readonly<Record<string, DeliveryFault>> = {
  '/refused': { kind: 'refused' },
  '/dropped': { kind: 'dropped' },
  '/truncated': { kind: 'truncated' },
  '/no-response': { kind: 'no-response' },
  '/delayed': { kind: 'delayed', ms: 40 },
  '/long-delayed': { kind: 'delayed', ms: HOUR_MS },
  '/delayed-for-years': { kind: 'delayed', ms: 400 * 24 * HOUR_MS },
}

/** Returns the delivery fault of the path, or a plain response. */
function unlucky(
  options: Partial<ServerOptions> = {},
): Promise<RunningServer & { readonly asked: string[] }> {
  const asked: string[] = []
  const handle = async ({ url }: { readonly url: string }) => {
    asked.push(url)
    return {
      status: 200,
      headers: { 'content-type': 'application/json', 'x-request-id': 'r' },
      body: BODY,
      deliveryFault: FAULTS[url],
    }
  }
  return serve({ handle }, options).then((server) => ({ ...server, asked }))
}

test.each([
  ['refused', '/refused', 'reset'],
  ['cut', '/dropped', 'end'],
] as const)('%s: the connection closes without a byte', async (_, path, how) => {
  const client = await openRaw((await unlucky()).port)
  client.send(requestText('POST', path, '{}'))
  expect(await client.untilClosed()).toEqual({ text: '', by: how })
})

test('truncated: the full length, half of the body, then the connection closes', async () => {
  const client = await openRaw((await unlucky()).port)
  client.send(requestText('POST', '/truncated', '{}'))
  const { text, by } = await client.untilClosed()
  expect(by).toBe('end')
  expect(answersIn(text)).toMatchObject([
    { status: 200, headers: { 'content-length': String(BODY.length) }, body: BODY.slice(0, BODY.length / 2) },
  ])
})

test('node:http rejects a truncated response', async () => {
  const { url } = await unlucky()
  await expect(send(url, { ...PLAIN, url: '/truncated' })).rejects.toThrow(/aborted/)
})

test('no-response: no response, while other stalled connections are closed', async () => {
  const { port } = await unlucky({ times: { stallMs: 30 } })
  const hung = await openRaw(port)
  hung.send(requestText('GET', '/no-response'))
  for (let round = 0; round < 3; round += 1) {
    const stalled = await openRaw(port)
    stalled.send('GET / HT')
    await stalled.untilClosed()
  }
  expect(hung.received()).toBe('')
  expect(hung.socket.readableEnded).toBe(false)
})

test('no-response: no response, half-closed or not', async () => {
  const server = await unlucky()
  const client = await openRaw(server.port)
  client.send(requestText('GET', '/no-response'))
  client.endSending()
  const other = await openRaw(server.port)
  other.send(requestText('GET', '/b'))
  await other.until(/200 OK/)
  expect(client.received()).toBe('')
  expect(client.socket.readableEnded).toBe(false)
})

test('no-response: the server closes without waiting for it', async () => {
  const server = await unlucky({ times: { graceMs: HOUR_MS } })
  const client = await openRaw(server.port)
  client.send(requestText('GET', '/no-response'))
  await expect.poll(() => server.asked).toEqual(['/no-response'])
  await server.close()
  expect((await client.untilClosed()).text).toBe('')
})

test('delayed: the response comes, however long the connection was idle', async () => {
  const client = await openRaw((await unlucky({ times: { stallMs: 10 } })).port)
  client.send(requestText('GET', '/delayed'))
  expect(answersIn(await client.until(/\}/))).toMatchObject([{ status: 200, body: BODY }])
})

test('delayed: a client that has left causes no error and delays nothing', async () => {
  const failures: unknown[] = []
  const server = await unlucky({ onFailure: (error) => failures.push(error), times: { graceMs: HOUR_MS } })
  const client = await openRaw(server.port)
  client.send(requestText('GET', '/long-delayed'))
  await expect.poll(() => server.asked).toHaveLength(1)
  client.socket.resetAndDestroy()
  await server.close()
  expect(failures).toEqual([])
})

test('delayed: a delay beyond the longest timer is not immediate', async () => {
  const server = await unlucky({ times: { graceMs: 10 } })
  const client = await openRaw(server.port)
  client.send(requestText('GET', '/delayed-for-years'))
  await expect.poll(() => server.asked).toHaveLength(1)
  await server.close()
  expect((await client.untilClosed()).text).toBe('')
})

test.each(['/dropped', '/truncated'])('HEAD with %s does not crash', async (path) => {
  const server = await unlucky()
  const client = await openRaw(server.port)
  client.send(requestText('HEAD', path))
  await client.untilClosed()
  const next = await openRaw(server.port)
  next.send(requestText('HEAD', '/fine'))
  expect(await next.until(/\r\n\r\n/)).toContain('200 OK')
})

test('the log shows whether a request with a fault was applied', async () => {
  const service = await openServed()
  const once = { rate: 1, seed: 1, skip: 0, times: 1 }
  await addFault(service, { ...once, on: 'POST /client-session', do: 'drop-before' })
  await addFault(service, { ...once, on: 'POST /client-session', do: 'drop-after' })
  await expect(service.call('POST', '/client-session', {})).rejects.toThrow(/hang up|ECONNRESET/)
  await expect(service.call('POST', '/client-session', {})).rejects.toThrow(/hang up|ECONNRESET/)
  await service.ok('POST', '/client-session', {})
  expect(await loggedIn(service, 5)).toMatchObject([
    { status: 200, applied: true },
    { fault: 'drop-after', applied: true },
    { fault: 'drop-before', applied: false },
  ])
})

test('a 304 ends with its head, and the next response arrives', async () => {
  const { server, sandbox } = await openServed()
  await addFault({ sandbox }, { do: 'status=304', times: 1 })
  const client = await openRaw(server.port)
  client.send(requestText('POST', '/payments', '{}'))
  await client.until(/\r\n\r\n/)
  client.send(requestText('GET', '/payments'))
  const text = await client.until(/200 OK[^]*\r\n\r\n/)
  expect(text).toMatch(/^HTTP\/1\.1 304 Not Modified\r\n(?:[^\r\n]+\r\n)+\r\nHTTP\/1\.1 200 OK/)
})
