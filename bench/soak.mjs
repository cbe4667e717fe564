// Many requests to one sandbox server, of many kinds, with its memory looked at all the while: it must not grow.
// Usage: node bench/soak.mjs [REQUESTS]
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const PAY = fileURLToPath(new URL('../bin/pay.cjs', import.meta.url))
const REQUESTS = Number(process.argv[2] ?? 1_000_000)
const CONNECTIONS = 32
const EVERY = Math.ceil(REQUESTS / 20)

const folder = mkdtempSync(join(tmpdir(), 'payctl-soak-'))
const env = { PATH: process.env['PATH'], HOME: folder, PAY_STATE_DIR: join(folder, 's') }
const args = [PAY, 'sandbox', 'start', '--port', '0', '--json', '--data', join(folder, 'd')]
const server = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
const port = await new Promise((resolve) => {
  createInterface({ input: server.stdout }).once('line', (line) =>
    resolve(Number(new URL(JSON.parse(line).url).port)),
  )
})

let [sent, answered] = [0, 0]
const statuses = new Map()
const ids = []
const memory = []
const started = performance.now()

const call = (method, path, body) => ({
  method,
  path,
  text: body === undefined ? '' : JSON.stringify(body),
})

/** All kinds, good and bad: reads, records, payments and what is done with them, refusals at every door. */
function nextRequest(number) {
  const id = ids[Math.floor(Math.random() * ids.length)] ?? 'nothing'
  const record = {
    paymentId: `soak-${number}`,
    currencyCode: 'EUR',
    processor: { name: 'ACME' },
    amount: number,
    createdAt: '2026-03-04T05:06:07Z',
    order: { id: 'o' },
    paymentMethod: { paymentMethodType: 'PAYMENT_CARD' },
  }
  const payment = {
    paymentMethodToken: 'tok_visa',
    orderId: `o-${number}`,
    currencyCode: 'EUR',
    amount: 1000,
  }
  const kinds = [
    () => call('POST', '/observability/payments', record),
    () => call('POST', '/observability/payments', { ...record, amount: -1 }),
    () => call('POST', '/payments', payment),
    () => call('GET', `/payments/${id}`),
    () => call('POST', `/payments/${id}/capture`, { amount: 10, final: false }),
    () => call('POST', `/payments/${id}/refund`, { amount: 1 }),
    () => call('POST', '/client-session', { orderId: 'o', currencyCode: 'EUR', amount: 1 }),
    () => call('GET', '/payments?limit=5'),
    () => call('GET', '/nowhere'),
    () => ({ ...call('POST', '/payments'), text: '{"broken' }),
  ]
  const { method, path, text } = kinds[number % kinds.length]()
  const headers = [
    'Host: sandbox',
    'X-API-KEY: sandbox_all',
    'X-Api-Version: 2.1',
    `X-Idempotency-Key: soak-${number}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
  ]
  return `${method} ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${text}`
}

function client() {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let received = ''
    const send = () => {
      if (sent >= REQUESTS) {
        socket.destroy()
        resolve()
        return
      }
      socket.write(nextRequest(sent))
      sent += 1
    }
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('close', resolve)
    socket.on('data', (chunk) => {
      received += chunk.latin1Slice()
      const head = received.indexOf('\r\n\r\n')
      if (head < 0) return
      const length = Number(/content-length: (\d+)/i.exec(received.slice(0, head))?.[1] ?? 0)
      if (received.length < head + 4 + length) return
      const status = received.slice(9, 12)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      const id = /"id":"(\w{9})"/.exec(received)?.[1]
      if (id !== undefined && ids.length < 1_000) ids.push(id)
      received = ''
      answered += 1
      if (answered % EVERY === 0) note()
      send()
    })
  })
}

/** Resident memory, which Linux tells. */
function note() {
  const kib = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1])
  memory.push(Math.round(kib / 1024))
}

try {
  await Promise.all(Array.from({ length: CONNECTIONS }, client))
  const seconds = (performance.now() - started) / 1000
  console.log(`soak: ${answered} answers in ${seconds.toFixed(0)} s, ${Math.round(answered / seconds)}/s`)
  console.log(`statuses: ${[...statuses].map(([status, count]) => `${status}: ${count}`).join(', ')}`)
  console.log(`memory in MB, at each twentieth: ${memory.join(' ')}`)
} finally {
  const ended = new Promise((resolve) => server.on('exit', resolve))
  server.kill('SIGTERM')
  console.log(`server ended with ${await ended}`)
  rmSync(folder, { recursive: true, force: true })
}
