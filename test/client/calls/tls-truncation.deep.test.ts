import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, afterAll, describe, expect, test } from 'vitest'
import { startConnectProxy } from '../http/connect-proxy.ts'
import { createSpawnBench } from '../../support/spawn-pay.ts'
import type { SpawnBench } from '../../support/spawn-pay.ts'
import { errorOf } from '../../support/run-result.ts'

/**
 * Someone between pay and its service who has no key: they cannot read or change what is sent over TLS, but they can end
 * it where they like. TCP ends then as if the service had ended it.
 */

let certificates: string
beforeAll(() => {
  certificates = mkdtempSync(join(tmpdir(), 'pay-tls-'))
  execFileSync(
    'openssl',
    'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost,DNS:api.example.test -keyout key.pem -out cert.pem'.split(
      ' ',
    ),
    { cwd: certificates, stdio: 'ignore' },
  )
})
afterAll(() => rmSync(certificates, { recursive: true, force: true }))

let bench: SpawnBench
const closers: (() => void)[] = []
beforeEach(() => {
  bench = createSpawnBench()
})
afterEach(() => {
  for (const close of closers.splice(0)) close()
  bench.dispose()
})

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

function keepSockets(server: Server): void {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
  })
  closers.push(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
}

/**
 * TLS 1.2, in which nothing comes between a request and its answer. Answers with the head in one record and the body in the next.
 */
async function startService(head: string, body: string): Promise<number> {
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => readFileSync(join(certificates, name)))
  const server = createTlsServer({ key, cert, maxVersion: 'TLSv1.2' }, (socket) => {
    socket.on('error', () => socket.destroy())
    socket.setNoDelay(true)
    socket.once('data', () => {
      socket.write(`${head}\r\n\r\n`)
      setTimeout(() => socket.end(body), 100)
    })
  })
  keepSockets(server)
  return portOf(server)
}

/** Passes everything on, up to the first record of an answer; then it ends the connection in order. */
async function startRelay(servicePort: number): Promise<number> {
  const server = createServer((client) => {
    const service = connect(servicePort, '127.0.0.1')
    service.on('error', () => service.destroy())
    let isAsked = false
    let hasAnswered = false
    client.on('data', (bytes) => {
      // The first application data of the client, after the handshake, is its request.
      if (bytes.length > 300 && service.bytesRead > 500) isAsked = true
      service.write(bytes)
    })
    service.on('data', (bytes) => {
      if (hasAnswered) return
      client.write(bytes)
      if (!isAsked) return
      hasAnswered = true
      service.destroy()
      client.end()
    })
    client.on('close', () => service.destroy())
  })
  keepSockets(server)
  return portOf(server)
}

const WAYS = ['directly', 'through a proxy'] as const
type Route = (typeof WAYS)[number]
const DECLINED = JSON.stringify({ id: 'pay-1', status: 'DECLINED', amount: 500, currencyCode: 'EUR' })

describe.each([
  ['nothing else', 'HTTP/1.1 200 OK'],
  ['text/plain', 'HTTP/1.1 200 OK\r\ncontent-type: text/plain'],
  ['application/json', 'HTTP/1.1 200 OK\r\ncontent-type: application/json'],
  ['HTTP/1.0', 'HTTP/1.0 200 OK\r\ncontent-type: text/html'],
])('a response over TLS with %s in its head and no length', (_, head) => {
  /** Through a proxy another client sends. */
  const create = async (port: number, way: Route) => {
    const host = way === 'directly' ? `localhost:${port}` : 'api.example.test'
    const env = {
      PAY_BASE_URL: `https://${host}`,
      PAY_API_KEY: 'key-of-shop-0123456789',
      NODE_EXTRA_CA_CERTS: join(certificates, 'cert.pem'),
    }
    const words =
      'payment create --token tok_visa --amount 500 --currency EUR --order-id A-1 --yes --json --max-retries 0 --timeout 20s'
    if (way === 'directly') return bench.pay(words, { env })
    const proxy = await startConnectProxy({ port })
    closers.push(() => void proxy.close())
    return bench.pay(words, { env: { ...env, HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` } })
  }

  test.each(WAYS)('counts when it arrives completely: 13 for a decline (%s)', async (way) => {
    const ended = await create(await startService(head, DECLINED), way)
    expect(ended, ended.stderr).toMatchObject({ exitCode: 13 })
  })

  test.each(WAYS)('is in doubt when only its head arrives: 10 (%s)', async (way) => {
    const ended = await create(await startRelay(await startService(head, DECLINED)), way)
    expect(ended, ended.stderr).toMatchObject({ exitCode: 10, stdout: '' })
    // Its head did arrive.
    expect(errorOf(ended)).toMatchObject({ code: 'outcome_unknown', httpStatus: 200 })
    const listed = await bench.pay('ops list --json')
    expect(JSON.parse(listed.stdout)).toMatchObject([{ operation: 'payment.create', state: 'in-doubt' }])
  })
})
