// Measures how fast the sandbox accepts records over HTTP, each on disk before its answer. Compares it with a bare node:http
// server that parses and validates the same body but stores nothing, with itself holding a million records, and with Prism
// mocking the operation from our OpenAPI document.
// Usage: node bench/sandbox.mjs [ROUNDS]   PRISM=/path/to/prism includes Prism; RECORDS=1000000
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PAY = join(ROOT, 'bin/pay.cjs')
const LOAD = join(ROOT, 'bench/sandbox/load.mjs')
// Below node_modules, so that the bundles find external packages.
const CACHE = join(ROOT, 'node_modules/.cache/bench')
const CONNECTIONS = 32
const SECONDS = 3
const PRISM_PORT = 41_730

export async function sandbox(rounds = 5) {
  const records = Number(process.env['RECORDS'] ?? 1_000_000)
  const folder = mkdtempSync(join(tmpdir(), 'payctl-bench-'))
  // Without NODE_EXTRA_CA_CERTS, see startup.mjs.
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    PAY_CONFIG_DIR: join(folder, 'c'),
    PAY_STATE_DIR: join(folder, 's'),
  }
  const [bare, seed] = [await bundle('bare-server'), await bundle('seed')]
  const full = join(folder, 'full')
  try {
    const seeding = performance.now()
    await finish(start(process.execPath, [seed, full, String(records)], env))
    const seededMs = performance.now() - seeding
    const serve = (data) => [PAY, 'sandbox', 'start', '--port', '0', '--json', '--data', data]
    const rows = [
      { name: 'bare node:http, parses and validates', command: () => [process.execPath, bare] },
      {
        name: 'pay sandbox, empty',
        command: (round) => [process.execPath, ...serve(join(folder, `empty-${round}`))],
      },
      {
        name: `pay sandbox, ${records.toLocaleString('en')} records`,
        command: () => [process.execPath, ...serve(full)],
      },
      ...prismRows(folder, env),
    ].map((row) => ({ ...row, rates: [], p99s: [] }))
    await writeSpecification(folder, env)
    // The first round warms up and doesn't count.
    for (let round = -1; round < rounds; round += 1) {
      for (const row of rows) {
        const { perSecond, p99 } = await measure(row.command(round), env, row.name)
        if (round < 0) continue
        row.rates.push(perSecond)
        row.p99s.push(p99)
      }
    }
    print(rows, { rounds, records, seededMs })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function prismRows(folder) {
  const prism = process.env['PRISM']
  if (prism === undefined) return []
  const arguments_ = [
    'mock',
    '--port',
    String(PRISM_PORT),
    '--verboseLevel',
    'error',
    join(folder, 'openapi.json'),
  ]
  return [{ name: 'Prism, mocking the operation', command: () => [prism, ...arguments_] }]
}

async function writeSpecification(folder, env) {
  const text = await finish(start(process.execPath, [PAY, 'schema', '--openapi'], env))
  writeFileSync(join(folder, 'openapi.json'), text)
}

async function bundle(name) {
  mkdirSync(CACHE, { recursive: true })
  const built = await rolldown({
    input: join(ROOT, `bench/sandbox/${name}.ts`),
    platform: 'node',
    external: ['@photostructure/sqlite'],
    logLevel: 'silent',
  })
  const file = join(CACHE, `${name}.mjs`)
  await built.write({ file, format: 'esm' })
  await built.close()
  return file
}

const start = (file, args, env) => spawn(file, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })

/** Returns the output of a command that succeeds. */
function finish(child) {
  return new Promise((resolve, reject) => {
    let output = ''
    child.stdout.on('data', (text) => {
      output += text
    })
    child.on('error', reject)
    child.on('close', (code) => (code === 0 ? resolve(output) : reject(new Error(`ended with ${code}`))))
  })
}

/** Starts a server, runs the load against it, and stops it. */
async function measure([file, ...args], env, name) {
  const server = start(file, args, env)
  const ended = new Promise((resolve) => server.on('exit', resolve))
  try {
    const port = await (args[0] === 'mock' ? listeningOn(PRISM_PORT) : portOf(server))
    const load = { port, connections: CONNECTIONS, seconds: SECONDS, warmup: 1 }
    const result = JSON.parse(await finish(start(process.execPath, [LOAD, JSON.stringify(load)], env)))
    if (result.refused > 0) throw new Error(`${name} refused ${result.refused} requests`)
    return result
  } finally {
    server.kill('SIGTERM')
    await ended
  }
}

/** Without request logs, Prism doesn't say when it is ready, so this tries its port. */
async function listeningOn(port) {
  for (let tries = 0; tries < 200; tries += 1) {
    const isOpen = await new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true))
      socket.on('error', () => resolve(false)).on('connect', () => socket.destroy())
    })
    if (isOpen) return port
    await new Promise((resolve) => {
      setTimeout(resolve, 50)
    })
  }
  throw new Error(`nothing listens on ${port}`)
}

async function portOf(server) {
  for await (const line of createInterface({ input: server.stdout })) {
    server.stdout.resume()
    if (line.startsWith('{')) return JSON.parse(line).port
    if (/^\d+$/.test(line)) return Number(line)
  }
  throw new Error('the server exited before it was ready')
}

function print(rows, { rounds, records, seededMs }) {
  const perSecond = Math.round(records / (seededMs / 1000)).toLocaleString('en')
  console.log(
    `sandbox: POST /observability/payments, ${CONNECTIONS} connections, node ${process.versions.node}, ${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)}, ${rounds} rounds of ${SECONDS} s`,
  )
  console.log(
    `${'server'.padEnd(40)}${['min/s', 'median/s', 'max/s', 'p99 ms', 'x bare', 'x empty'].map((head) => head.padStart(10)).join('')}`,
  )
  const [bare, empty] = rows
  for (const { name, rates, p99s } of rows) {
    const sorted = rates.toSorted((a, b) => a - b)
    const figures = [sorted[0], median(rates), sorted.at(-1)].map((rate) => Math.round(rate).toString())
    const ratios = [bare, empty].map((to) =>
      median(rates.map((rate, round) => rate / to.rates[round])).toFixed(2),
    )
    const cells = [...figures, median(p99s).toFixed(1), ...ratios]
    console.log(`${name.padEnd(40)}${cells.map((cell) => cell.padStart(10)).join('')}`)
  }
  console.log(
    `goals: empty >= 0.35 x bare; with the records >= 0.80 x empty. Filling the store in process: ${perSecond} records/s.`,
  )
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await sandbox(Number(process.argv[2] ?? 5))
