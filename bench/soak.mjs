// Sends many kinds of requests to one sandbox server and watches its memory, which must not grow.
// Usage: node bench/soak.mjs [REQUESTS]; exit code 1 if it grows, or if an answer is missing.
// Ten thousand requests show that it works, but not whether memory grows: caches are still filling.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { ALLOWED_GROWTH, growthOf } from './sandbox/growth.mjs'
import { rawClient } from './sandbox/raw-client.mjs'

const PAY = fileURLToPath(new URL('../bin/pay.cjs', import.meta.url))
const REQUESTS = Number(process.argv[2] ?? 1_000_000)
const CONNECTIONS = 32
const READINGS = 20
const EVERY = Math.max(1, Math.floor(REQUESTS / READINGS))
/** The latest payments, which requests act on, so that none grows without bound. */
const LATEST = 1_000
const MAX_LIST_LENGTH = 50

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
let made = 0
const memory = []
const started = performance.now()

const call = (method, path, body) => ({
  method,
  path,
  text: body === undefined ? '' : JSON.stringify(body),
})

/** Good and bad requests: reads, records, payments and changes to them, every kind of refusal. */
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
    () => call('GET', `/payments?order_id=${someOrders(number)}`),
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

/** Lists of every length: the server must not store anything for each. */
function someOrders(number) {
  const length = 1 + Math.floor(Math.random() * MAX_LIST_LENGTH)
  return Array.from({ length }, () => `o-${1 + Math.floor(Math.random() * number)}`).join(',')
}

function rememberPayment(id) {
  if (id === undefined) return
  ids[made % LATEST] = id
  made += 1
}

function client() {
  let asked = ''
  return rawClient(port, {
    next: () => {
      if (sent >= REQUESTS) return undefined
      sent += 1
      asked = nextRequest(sent)
      return asked
    },
    onResponse: (answer) => {
      const status = answer.slice(9, 12)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (asked.startsWith('POST /payments ')) rememberPayment(/"id":"(\w{9})"/.exec(answer)?.[1])
      answered += 1
      if (answered % EVERY === 0) readMemory()
    },
  })
}

/** Resident memory, from Linux. */
function readMemory() {
  const kib = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1])
  memory.push(Math.round(kib / 1024))
}

function reportFailure(words) {
  console.error(`FAILED: ${words}`)
  process.exitCode = 1
}

try {
  await Promise.all(Array.from({ length: CONNECTIONS }, client))
  const seconds = (performance.now() - started) / 1000
  console.log(`soak: ${answered} answers in ${seconds.toFixed(0)} s, ${Math.round(answered / seconds)}/s`)
  console.log(`statuses: ${[...statuses].map(([status, count]) => `${status}: ${count}`).join(', ')}`)
  console.log(`memory in MB, after each twentieth: ${memory.join(' ')}`)
  if (answered < REQUESTS) reportFailure(`${REQUESTS - answered} requests had no answer`)
  const growth = growthOf(memory)
  if (growth > ALLOWED_GROWTH)
    reportFailure(
      `memory grows: its last quarter is ${growth.toFixed(2)} times the second; at most ${ALLOWED_GROWTH} is allowed`,
    )
} finally {
  const ended = new Promise((resolve) => server.on('exit', resolve))
  server.kill('SIGTERM')
  console.log(`server ended with ${await ended}`)
  rmSync(folder, { recursive: true, force: true })
}
