import { expect, test } from 'vitest'
import type { Change, ChangeFeed } from '../../../src/sandbox/log/change-feed.ts'
import { listening } from './event-client.ts'
import { openServed, serve } from './over-http.ts'
import { openRaw, requestText } from './raw-client.ts'
import { answering } from './scripted-sandbox.ts'

/** Streams of events as connections: they stay open, end, and hold back. */

const HOUR_MS = 3_600_000

/** A feed with this many changes of 100 kB, numbered as their positions. */
function longFeed(total: number) {
  const state = { taken: 0, closed: 0 }
  const entries: Change & { kind: 'requests' } = {
    kind: 'requests',
    position: '',
    entries: [{ at: '', requestId: '', method: 'GET', path: 'x'.repeat(100_000), applied: false }],
  }
  const changes: ChangeFeed = {
    listen: () => ({
      next: () => (state.taken < total ? { ...entries, position: `${(state.taken += 1)}.` } : undefined),
      close: () => {
        state.closed += 1
      },
    }),
  }
  return { state, sandbox: { ...answering(), changes } }
}

test('a quiet stream outlives every timeout of a connection', async () => {
  const times = { stallMs: 150, idleMs: 100, headersMs: 100, requestMs: 100, checkEveryMs: 20, pingMs: 30 }
  const service = await openServed({ times })
  const client = await listening(service.server.url)
  await expect.poll(() => client.text().split(': ping\n\n').length).toBeGreaterThan(20)
  await service.call('GET', '/payments/p0')
  await expect.poll(client.paths).toEqual(['/payments/p0'])
})

test('closing the server ends streams immediately', async () => {
  const { server } = await openServed({ times: { graceMs: HOUR_MS } })
  const client = await listening(server.url)
  await server.close()
  await client.closed
  expect(client.response.complete).toBe(true)
})

test('a client that reads nothing holds up neither memory nor the end of the server', async () => {
  const { state, sandbox } = longFeed(10_000)
  const server = await serve(sandbox, { times: { graceMs: HOUR_MS } })
  const client = await openRaw(server.port)
  client.send(requestText('GET', '/sandbox/events'))
  await client.until(/event: requests/)
  client.socket.pause()
  const other = await openRaw(server.port)
  other.send(requestText('GET', '/payments'))
  await other.until(/\{\}/)
  // The rest of a gigabyte isn't read before the client takes it.
  expect(state.taken).toBeLessThan(1_000)
  await server.close()
  await expect.poll(() => state.closed).toBe(1)
})

test('a slow client gets everything in the end', async () => {
  const { sandbox } = longFeed(200)
  const server = await serve(sandbox)
  const client = await openRaw(server.port)
  client.send(requestText('GET', '/sandbox/events'))
  await client.until(/event: requests/)
  client.socket.pause()
  await new Promise(setImmediate)
  client.socket.resume()
  const text = await client.until(/id: 200\./)
  expect([...text.matchAll(/id: (\d+)\./g)].map(([, number]) => Number(number))).toEqual(
    Array.from({ length: 200 }, (_, at) => at + 1),
  )
})

test('a client that reads nothing for long is cut off', async () => {
  const { state, sandbox } = longFeed(10_000)
  const server = await serve(sandbox, { times: { stallMs: 200, pingMs: 20 } })
  const client = await openRaw(server.port)
  client.send(requestText('GET', '/sandbox/events'))
  await client.until(/event: requests/)
  client.socket.pause()
  await expect.poll(() => state.closed).toBe(1)
})

test.each(['closes its side', 'resets the connection'])(
  'a client that %s is forgotten immediately',
  async (how) => {
    const { state, sandbox } = longFeed(1)
    const server = await serve(sandbox, { times: { pingMs: HOUR_MS, stallMs: HOUR_MS } })
    const client = await openRaw(server.port)
    client.send(requestText('GET', '/sandbox/events'))
    await client.until(/event: requests/)
    if (how === 'closes its side') client.endSending()
    else client.socket.resetAndDestroy()
    await expect.poll(() => state.closed).toBe(1)
  },
)

test('a feed that fails ends the stream and reports why', async () => {
  const failures: unknown[] = []
  const changes: ChangeFeed = {
    listen: () => ({
      next: () => {
        throw new Error('unreadable')
      },
      close: () => undefined,
    }),
  }
  const server = await serve({ ...answering(), changes }, { onFailure: (error) => failures.push(error) })
  const client = await openRaw(server.port)
  client.send(requestText('GET', '/sandbox/events'))
  await client.untilClosed()
  expect(failures).toMatchObject([{ message: 'unreadable' }])
})

test('a sandbox without changes has no such route', async () => {
  const server = await serve(answering('{"from":"the sandbox"}'))
  const client = await openRaw(server.port)
  client.send(requestText('GET', '/sandbox/events'))
  expect(await client.until(/\}/)).toContain('from')
})
