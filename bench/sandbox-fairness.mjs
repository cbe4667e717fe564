// Measures how much one client of a served sandbox can delay another: how long each heavy request takes and delays a small
// one, and how long small requests wait while four connections send heavy ones.
// Usage: node bench/sandbox-fairness.mjs [SECONDS]   SIZE=1000000 sets the bytes of a body; ALL=1 lists every body
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { heavyBodies, heavyReads } from './sandbox/heavy-bodies.mjs'
import { rawClient } from './sandbox/raw-client.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PAY = join(ROOT, 'bin/pay.cjs')
const HEAVY = 4
const GOAL_MS = 250
const GOAL_ALONE_MS = 60
/** The largest that the service allows. */
const SIZE = Number(process.env['SIZE'] ?? 1024 * 1024)

export async function sandboxFairness(seconds = 10) {
  const folder = mkdtempSync(join(tmpdir(), 'payctl-bench-'))
  const env = { PATH: process.env['PATH'], HOME: folder, PAY_STATE_DIR: join(folder, 's') }
  const server = spawn(process.execPath, [PAY, 'sandbox', 'start', '--port', '0', '--json', '-q'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => server.on('exit', resolve))
  try {
    const port = await portOf(server)
    console.log(
      `sandbox fairness: bodies of ${SIZE} bytes, node ${process.versions.node}, ${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)}`,
    )
    const quiet = await probe(port, 2000)
    const alone = await eachAlone(port)
    const heavy = await sendHeavy(port, seconds)
    const busy = await probe(port, seconds * 1000)
    await heavy.over
    print({ quiet, alone, busy })
  } finally {
    server.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Sends each body three times, with small requests at the same time. The best time is the least disturbed by other processes. */
async function eachAlone(port) {
  const rows = []
  for (const body of [...heavyBodies(SIZE), ...heavyReads()]) {
    const tries = []
    for (let round = 0; round < 4; round += 1) tries.push(await oneAlone(port, body))
    const best = (field) => Math.min(...tries.slice(1).map((row) => row[field]))
    rows.push({ name: body.name, status: tries[0].status, took: best('took'), waited: best('waited') })
  }
  return rows
}

async function oneAlone(port, body) {
  const row = { status: 0, took: 0 }
  const started = performance.now()
  let isSent = false
  const probing = { isOver: false }
  const waits = probeUntil(port, () => probing.isOver)
  await rawClient(port, {
    next: () => {
      if (isSent) return undefined
      isSent = true
      return requestOf(port, body)
    },
    onResponse: (answer) => {
      row.status = Number(answer.slice(9, 12))
      row.took = performance.now() - started
    },
  })
  probing.isOver = true
  return { ...row, waited: Math.max(...(await waits)) }
}

/** Times small requests, one after another. */
async function probe(port, ms) {
  const end = performance.now() + ms
  const waits = await probeUntil(port, () => performance.now() > end)
  return waits.toSorted((a, b) => a - b)
}

async function probeUntil(port, isOver) {
  const waits = []
  let sentAt = 0
  await rawClient(port, {
    next: () => {
      if (isOver() && waits.length > 0) return undefined
      sentAt = performance.now()
      return `GET /payments/x HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-API-KEY: sandbox_all\r\n\r\n`
    },
    onResponse: () => waits.push(performance.now() - sentAt),
  })
  return waits
}

function requestOf(port, { method, path, text }) {
  const body = Buffer.from(text)
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-API-KEY: sandbox_all\r\nX-Api-Version: 2.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), body])
}

/** Sends from its own process, so that sending doesn't disturb the measurement. */
async function sendHeavy(port, seconds) {
  const sender = spawn(process.execPath, [fileURLToPath(import.meta.url), '--send', port, seconds + 1], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise((resolve) => sender.stdout.once('data', resolve))
  return { over: new Promise((resolve) => sender.on('exit', resolve)) }
}

async function send(port, seconds) {
  const requests = [...heavyBodies(SIZE), ...heavyReads()].map((body) => requestOf(port, body))
  console.log('ready')
  const end = performance.now() + seconds * 1000
  const client = async (first) => {
    let at = first
    const next = () => {
      at += 1
      return performance.now() < end ? requests[at % requests.length] : undefined
    }
    // The service may close a connection with its answer.
    while (performance.now() < end) await rawClient(port, { next, onResponse: () => undefined })
  }
  const apart = Math.floor(requests.length / HEAVY)
  await Promise.all(Array.from({ length: HEAVY }, (_, index) => client(index * apart)))
}

async function portOf(server) {
  for await (const line of createInterface({ input: server.stdout })) {
    server.stdout.resume()
    if (line.startsWith('{')) return JSON.parse(line).port
  }
  throw new Error('the server ended before it was ready')
}

function print({ quiet, alone, busy }) {
  const worst = alone.toSorted((a, b) => b.waited - a.waited)
  console.log(`${'one request alone'.padEnd(44)}${['status', 'took ms', 'delay ms'].map(right).join('')}`)
  for (const { name, status, took, waited } of process.env['ALL'] === '1' ? worst : worst.slice(0, 8))
    console.log(
      `${name.padEnd(44)}${[String(status), took.toFixed(1), waited.toFixed(1)].map(right).join('')}`,
    )
  console.log(
    `\n${'small requests'.padEnd(44)}${['count', 'median ms', 'p99 ms', 'max ms'].map(right).join('')}`,
  )
  printWaits('alone', quiet)
  printWaits(`with ${HEAVY} connections that send heavy requests`, busy)
  console.log(`goals: max <= ${GOAL_MS} ms; no request delays others by more than ${GOAL_ALONE_MS} ms.`)
}

function printWaits(name, waits) {
  const at = (share) => (waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? 0).toFixed(1)
  console.log(`${name.padEnd(44)}${[String(waits.length), at(0.5), at(0.99), at(1)].map(right).join('')}`)
}

const right = (cell) => cell.padStart(11)

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [, , first, port, seconds] = process.argv
  if (first === '--send') await send(Number(port), Number(seconds))
  else await sandboxFairness(Number(first ?? 10))
}
