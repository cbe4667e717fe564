import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createWireTransport } from '../../src/http/wire-transport.ts'
import type { Transport, WireRequest } from '../../src/http/transport-port.ts'
import { startRawServer } from '../support/raw-server.ts'
import { startScriptedServer } from '../support/scripted-server.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
const request = (port: number, method = 'POST', body: string | undefined = '{}'): WireRequest => ({
  method,
  url: `http://127.0.0.1:${port}/x`,
  headers: {},
  body,
})
const TIME = { timeoutMs: 20_000 }

/** Answers each request with the given bytes, and tells of the connections on which they came. */
async function answering(answer: string) {
  const sockets: Socket[] = []
  const received: string[] = []
  const server = await startRawServer((socket) => {
    const connection = sockets.push(socket)
    socket.on('data', (bytes) => {
      received.push(`${connection} ${bytes.toString()}`)
      socket.write(answer)
    })
  })
  closers.push(() => server.close())
  return { port: server.port, received, connections: () => received.map((text) => Number(text[0])) }
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

function open(monotonicMs: () => number = () => 0): Transport {
  const transport = createWireTransport({ env: {}, monotonicMs })
  closers.push(() => transport.close())
  return {
    ...transport,
    send: async (...args) => {
      const answer = await transport.send(...args)
      // How long a connection lives is not asked when it is wanted in the turn in which it is free.
      await nextTurn()
      return answer
    },
  }
}

test('writes a request as undici does, to the letter where it matters', async () => {
  const server = await answering(OK)
  await open().send({ ...request(server.port), headers: { 'x-api-key': 'k1' } }, TIME)
  const [head, body] = server.received[0]?.split('\r\n\r\n') ?? []
  expect(head?.toLowerCase().split('\r\n').toSorted()).toEqual([
    '1 post /x http/1.1',
    'connection: keep-alive',
    'content-length: 2',
    `host: 127.0.0.1:${server.port}`,
    'x-api-key: k1',
  ])
  expect(body).toBe('{}')
})

test.each(['DELETE', 'PATCH', 'GET'])('tells the length of the body of a %s', async (method) => {
  const server = await answering(OK)
  await open().send(request(server.port, method, 'ü'), TIME)
  expect(server.received[0]).toMatch(/content-length: 2\r\n/i)
  expect(server.received[0]).not.toMatch(/transfer-encoding/i)
})

test('sends no body where there is none', async () => {
  const server = await startScriptedServer(() => ({ body: 'x' }))
  closers.push(() => server.close())
  for (const method of ['GET', 'DELETE', 'POST'])
    await open().send({ method, url: server.url, headers: {}, body: undefined }, TIME)
  expect(server.requests.map(({ body, headers }) => [body, headers['content-length']])).toEqual([
    ['', undefined],
    ['', undefined],
    ['', '0'],
  ])
})

test('leaves a connection that was idle for too long', async () => {
  const server = await answering(OK)
  let nowMs = 0
  const transport = open(() => nowMs)
  await transport.send(request(server.port), TIME)
  nowMs = 3_900
  await transport.send(request(server.port), TIME)
  nowMs = 8_000
  await transport.send(request(server.port), TIME)
  expect(server.connections()).toEqual([1, 1, 2])
})

test.each([
  [60, 3_900, 1],
  [60, 4_000, 2],
  [5, 2_900, 1],
  [5, 3_000, 2],
  [2, 0, 2],
])('a server that waits %i s is asked over the same connection after %i ms: %i', async (said, ms, which) => {
  const server = await answering(OK.replace('\r\n\r\n', `\r\nkeep-alive: timeout=${said}\r\n\r\n`))
  let nowMs = 0
  const transport = open(() => nowMs)
  await transport.send(request(server.port), TIME)
  nowMs = ms
  await transport.send(request(server.port), TIME)
  expect(server.connections()).toEqual([1, which])
})

test('leaves a connection whose other side says that it ends', async () => {
  const server = await answering(OK.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'))
  const transport = open()
  await transport.send(request(server.port), TIME)
  await transport.send(request(server.port), TIME)
  expect(server.connections()).toEqual([1, 2])
})

test('never takes bytes that nobody asked for as the answer of the next request', async () => {
  const server = await answering(`${OK}HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil`)
  const transport = open()
  for (let turn = 0; turn < 3; turn += 1)
    expect(await transport.send(request(server.port), TIME)).toMatchObject({ body: 'ok' })
  expect(server.connections()).toEqual([1, 2, 3])
})

test('nor those that come while the connection is idle', async () => {
  let late: Socket | undefined
  const server: Server = createServer((incoming, response) => {
    late = incoming.socket
    response.end('ok')
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  closers.push(
    () => server.close(),
    () => server.closeAllConnections(),
  )
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const transport = open()
  await transport.send(request(port), TIME)
  const first = late
  late?.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil')
  await nextTurn()
  expect(await transport.send(request(port), TIME)).toMatchObject({ body: 'ok' })
  expect(late).not.toBe(first)
})

test('opens a connection for each of those that are under way at once', async () => {
  const server = await startScriptedServer(() => ({ delayMs: 20, body: 'x' }))
  closers.push(() => server.close())
  const transport = open()
  const send = () => transport.send({ ...request(server.port), url: server.url }, TIME)
  await Promise.all([send(), send()])
  expect(new Set(server.requests.map(({ connection }) => connection)).size).toBe(2)
})

test('ends what is under way when it is closed', async () => {
  const server = await startScriptedServer(() => ({ hang: true }))
  closers.push(() => server.close())
  const transport = open()
  const ended = transport.send({ ...request(server.port), url: server.url }, TIME)
  const failure = ended.catch((error: unknown) => error)
  await server.arrived(1)
  await transport.close()
  expect(await failure).toMatchObject({
    reason: 'other',
    sent: true,
    message: 'the program ended before the answer came',
  })
})

test('has sent nothing when it is closed while it connects', async () => {
  const silent = await startRawServer()
  closers.push(() => silent.close())
  const transport = open()
  const ended = transport.send({ ...request(0), url: `https://127.0.0.1:${silent.port}/` }, TIME)
  const failure = ended.catch((error: unknown) => error)
  // By then the TLS handshake waits for its answer.
  await new Promise((resolve) => {
    setImmediate(resolve)
  })
  await transport.close()
  expect(await failure).toMatchObject({ reason: 'other', sent: false })
})
