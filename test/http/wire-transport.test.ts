import type { Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createWireTransport } from '../../src/http/wire-transport.ts'
import { TransportFailure } from '../../src/http/transport-port.ts'
import type { Transport, WireRequest } from '../../src/http/transport-port.ts'
import { startRawServer } from '../support/raw-server.ts'
import { startScriptedServer } from '../support/scripted-server.ts'
import type { ScriptedServer } from '../support/scripted-server.ts'
import { failureOf } from '../support/transport-failure.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

const serve = async (...args: Parameters<typeof startScriptedServer>): Promise<ScriptedServer> => {
  const server = await startScriptedServer(...args)
  closers.push(() => server.close())
  return server
}
const open = (connections: number): Transport => {
  const transport = createWireTransport({ env: {}, connections, monotonicMs: () => performance.now() })
  closers.push(() => transport.close())
  return transport
}
const post = (url: string, body: string | undefined = '{}'): WireRequest => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/json' },
  body,
})
const timeoutMs = 20_000

test('each of many at once gets its own answer, over as many connections as it may have', async () => {
  const server = await serve(({ body }) => ({ body, delayMs: Number(body) % 3 }))
  const transport = open(4)
  const bodies = Array.from({ length: 200 }, (_, index) => String(index))
  const answers = await Promise.all(
    bodies.map(async (body) => (await transport.send(post(server.url, body), { timeoutMs })).body),
  )
  expect(answers).toEqual(bodies)
  expect(new Set(server.requests.map(({ connection }) => connection)).size).toBe(4)
})

test('what is the same in two requests is written into both, and what is another one is not', async () => {
  const server = await serve(() => ({ body: 'x' }))
  const transport = open(1)
  const headers = { 'x-api-key': 'k1' }
  const to = { method: 'POST', url: `${server.url}/a`, headers, body: 'ü' }
  for (const change of [
    {},
    { body: 'longer' },
    { body: undefined },
    { url: `${server.url}/b?c=1` },
    { method: 'PATCH' },
    { headers: { 'x-api-key': 'k2' } },
  ])
    await transport.send({ ...to, ...change }, { timeoutMs })
  expect(
    server.requests.map(({ method, url, body, headers: sent }) =>
      [method, url, body, sent['content-length'], sent['x-api-key']].join(' '),
    ),
  ).toEqual([
    'POST /a ü 2 k1',
    'POST /a longer 6 k1',
    'POST /a  0 k1',
    'POST /b?c=1 ü 2 k1',
    'PATCH /a ü 2 k1',
    'POST /a ü 2 k2',
  ])
})

test.each([
  [{ 'x-a': '1\r\nx-b: 2' }, '"x-a"'],
  [{ 'x-a\r\nx-b': '1' }, String.raw`"x-a\r\nx-b"`],
])('a header that would be more than one is not sent: %j', async (headers, named) => {
  const server = await serve([])
  const sending = open(1).send({ ...post(server.url), headers }, { timeoutMs })
  expect(await failureOf(sending)).toMatchObject({
    sent: false,
    message: `the header ${named} cannot be sent`,
  })
  expect(server.requests).toEqual([])
})

describe('a signal for what is not sent yet', () => {
  test('gives up what waits for a connection, and leaves alone what is under way', async () => {
    const server = await serve(({ url }) => ({ body: url, delayMs: 60 }))
    const transport = open(1)
    const halt = new AbortController()
    const options = { timeoutMs, signal: new AbortController().signal, signalBeforeSent: halt.signal }
    const first = transport.send(post(`${server.url}/first`), options)
    await server.arrived(1)
    const second = failureOf(transport.send(post(`${server.url}/second`), options))
    halt.abort()
    expect(await second).toMatchObject({ reason: 'aborted', sent: false })
    expect((await first).body).toBe('/first')
    expect(server.requests).toHaveLength(1)
  })

  test('that was given before keeps it from being sent', async () => {
    const server = await serve([])
    const options = { timeoutMs, signalBeforeSent: AbortSignal.abort() }
    expect(await failureOf(open(1).send(post(server.url), options))).toMatchObject({ sent: false })
    expect(server.requests).toEqual([])
  })
})

test('each request has its own time, whichever was sent first', async () => {
  const server = await serve(({ url }) =>
    url === '/answered' ? { body: 'x', delayMs: 150 } : { hang: true },
  )
  const transport = open(3)
  const ended: string[] = []
  const send = (path: string, ms: number) =>
    transport.send(post(`${server.url}${path}`), { timeoutMs: ms }).then(
      () => void ended.push(`${path} answered`),
      (failure: TransportFailure) => void ended.push(`${path} ${failure.reason}`),
    )
  await Promise.all([send('/long', 400), send('/answered', timeoutMs), send('/short', 50)])
  expect(ended).toEqual(['/short timeout', '/answered answered', '/long timeout'])
})

test('a connection that is cut is replaced, and what waits behind it is sent', async () => {
  const server = await serve((_, index) => (index === 0 ? { drop: 'before' } : { body: 'x' }))
  const transport = open(1)
  const [first, second] = ['/first', '/second'].map((path) =>
    transport.send(post(server.url + path), { timeoutMs }),
  )
  expect(await failureOf(first ?? Promise.resolve())).toMatchObject({ reason: 'cut', sent: true })
  expect(await second).toMatchObject({ status: 200 })
})

test('nobody listens: each of those that wait is told, and nothing was sent', async () => {
  const server = await startScriptedServer([])
  await server.close()
  const transport = open(2)
  const failures = await Promise.all(
    Array.from({ length: 5 }, () => failureOf(transport.send(post(server.url), { timeoutMs }))),
  )
  expect(failures.map(({ reason, sent }) => [reason, sent])).toEqual(failures.map(() => ['refused', false]))
})

test.each([
  ['ends them at once', (socket: Socket) => void socket.end()],
  ['resets them at once', (socket: Socket) => void socket.resetAndDestroy()],
  ['speaks first', (socket: Socket) => void socket.write('220 hello\r\n')],
])('a server that accepts connections and %s: no more are opened than there are requests', async (_, act) => {
  let opened = 0
  const server = await startRawServer((socket) => {
    opened += 1
    act(socket)
  })
  closers.push(() => server.close())
  const transport = open(4)
  const sent = Array.from({ length: 6 }, () =>
    failureOf(transport.send(post(`http://127.0.0.1:${server.port}`), { timeoutMs })),
  )
  const failures = await Promise.all(sent)
  expect(failures.every(({ reason }) => ['refused', 'cut', 'other'].includes(reason))).toBe(true)
  expect(opened).toBeLessThanOrEqual(6)
})

test('an answer that nobody asked for is not given to the request that waits for the connection', async () => {
  let requests = 0
  const answer = (body: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  const server = await startRawServer((socket) => {
    socket.on('data', () => {
      requests += 1
      socket.write(answer(`to ${requests}`))
      // It is there a turn after the client, in the same event loop, has read the first.
      if (requests === 1) setImmediate(() => setImmediate(() => socket.write(answer('to nobody'))))
    })
  })
  closers.push(() => server.close())
  const transport = open(1)
  const sent = Array.from({ length: 3 }, () =>
    transport.send(post(`http://127.0.0.1:${server.port}`), { timeoutMs }),
  )
  expect((await Promise.all(sent)).map(({ body }) => body)).toEqual(['to 1', 'to 2', 'to 3'])
})

test('an answer that cannot be decoded is the failure of its own request alone', async () => {
  const server = await serve((_, index) =>
    index === 0 ? { headers: { 'content-encoding': 'gzip' }, body: 'junk' } : { body: 'x', delayMs: 50 },
  )
  const transport = open(1)
  const sent = Array.from({ length: 3 }, () => transport.send(post(server.url), { timeoutMs }))
  const [first, ...others] = await Promise.all(sent.map((one) => one.catch((error: unknown) => error)))
  expect(first).toMatchObject({ sent: true })
  expect(first).toBeInstanceOf(TransportFailure)
  expect(others).toMatchObject([{ body: 'x' }, { body: 'x' }])
})
