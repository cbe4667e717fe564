// Measures the cost of the ledger: listing and searching a history of 100,000 writes, and a refund with and without it.
// Usage: node bench/ledger.mjs [ROUNDS]
import { execFileSync, spawn } from 'node:child_process'
import { closeSync, cpSync, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { inputOptions, outputOptions } from '../rolldown.config.mjs'
import { compileAhead } from '../scripts/compile-ahead.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PAY = join(ROOT, 'bin/pay.cjs')
const RECORDS = 100_000
/** Width of the names column. */
const WIDTH = 60
const PAYMENT = {
  id: 'pay1',
  status: 'SETTLED',
  amount: 700,
  currencyCode: 'EUR',
  processor: { amountCaptured: 700, amountRefunded: 0 },
}
/** A bundled script finds SQLite's library here. */
const BARE = { encoding: 'utf8', env: { NODE_PATH: join(ROOT, 'node_modules') } }

export async function ledger(rounds = 15) {
  const folder = mkdtempSync(join(tmpdir(), 'payctl-bench-'))
  const memory = existsSync('/dev/shm') ? mkdtempSync('/dev/shm/payctl-bench-') : undefined
  try {
    console.log(
      `ledger: node ${process.versions.node}, ${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)}, ${rounds} rounds, ms`,
    )
    await measureLists(folder, rounds)
    console.log()
    await measureWrites(folder, memory, rounds)
    console.log()
    await measureCost(folder, memory, rounds)
  } finally {
    rmSync(folder, { recursive: true, force: true })
    if (memory !== undefined) rmSync(memory, { recursive: true, force: true })
  }
}

/** A history like a busy team's month, and the commands that read it. */
async function measureLists(folder, rounds) {
  const state = join(folder, 'long')
  const [oldest, newest] = JSON.parse(
    execFileSync(process.execPath, [await bundled('fill', folder), state, RECORDS], BARE),
  )
  const rows = [
    { name: 'node -e 0', command: [process.execPath, '-e', '0'] },
    { name: 'ops list --json', command: ops('list', '--json'), goal: 1000 },
    { name: 'ops list -o ndjson', command: ops('list', '-o', 'ndjson') },
    { name: 'ops list', command: ops('list'), goal: 2000 },
    { name: 'ops list -o csv', command: ops('list', '-o', 'csv'), goal: 2000 },
    { name: 'ops list -o yaml', command: ops('list', '-o', 'yaml'), goal: 10_000 },
    { name: 'ops list --target', command: ops('list', '--target', 'pay-77777'), goal: 1000 },
    { name: 'ops list --state rejected --json', command: ops('list', '--state', 'rejected', '--json') },
    { name: 'ops resolve --all, none open', command: ops('resolve', '--all') },
    { name: 'ops show ID, the newest', command: ops('show', newest) },
    { name: 'ops show ID, the oldest', command: ops('show', oldest) },
  ].map((row) => ({ ...row, times: [] }))
  for (let round = -1; round < rounds; round += 1)
    for (const row of rows) {
      const took = await timed(row.command, { PAY_STATE_DIR: state, PAY_CONFIG_DIR: join(folder, 'c') })
      if (round >= 0) row.times.push(took)
    }
  print(`${RECORDS} records`, rows)
}

/** `payment refund` from start to exit, against a local server: as it is, and built without the ledger. */
async function measureWrites(folder, memory, rounds) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(PAYMENT))
    })
  })
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const account = { PAY_API_KEY: 'key_bench', PAY_BASE_URL: `http://127.0.0.1:${server.address().port}` }
  const words = ['payment', 'refund', 'pay1', '--amount', '100', '--json', '--again']
  const refund = [process.execPath, PAY, ...words]
  const explain = [process.execPath, PAY, 'payment', 'explain', 'pay1']
  const without = [process.execPath, await withoutLedger(folder), ...words]
  const rows = [
    { name: 'payment refund, without the ledger', command: without, state: join(folder, 'none') },
    { name: 'payment refund, ledger on disk', command: refund, state: join(folder, 'disk') },
    ...(memory === undefined
      ? []
      : [{ name: 'payment refund, ledger in memory', command: refund, state: join(memory, 's') }]),
    { name: 'payment refund, after 100,000 writes', command: refund, state: join(folder, 'long') },
    { name: 'payment explain, after 100,000 writes', command: explain, state: join(folder, 'long') },
  ].map((row) => ({ ...row, times: [] }))
  try {
    for (let round = -1; round < rounds; round += 1)
      for (const row of rows) {
        const env = { ...account, PAY_STATE_DIR: row.state, PAY_CONFIG_DIR: join(folder, 'c') }
        const took = await timed(row.command, env)
        if (round >= 0) row.times.push(took)
      }
  } finally {
    server.close()
    server.closeAllConnections()
  }
  print('one write, from start to exit', rows)
  const [bare, ...others] = rows.filter(({ command }) => command !== explain)
  console.log()
  print(
    'time that the ledger adds, per round',
    others.map(({ name, times }) => ({
      name,
      times: times.map((time, round) => time - bare.times[round]),
      goal: 5,
    })),
  )
}

/** Builds the program with a ledger that does nothing. Returns the file to run. */
async function withoutLedger(folder) {
  const bundle = await rolldown({
    ...inputOptions,
    checks: { ineffectiveDynamicImport: false },
    plugins: [
      {
        name: 'without-ledger',
        load: (id) => (id === join(ROOT, 'src/client/ledger/ledger.ts') ? LEDGER_STUB : undefined),
      },
    ],
  })
  await bundle.write({ ...outputOptions, dir: join(folder, 'without/dist') })
  await bundle.close()
  for (const name of ['bin', 'package.json'])
    cpSync(join(ROOT, name), join(folder, 'without', name), { recursive: true })
  compileAhead(join(folder, 'without/dist'))
  return join(folder, 'without/bin/pay.cjs')
}

const LEDGER_STUB = `
export const createLedger = ({ newId }) => ({
  preflight: async () => {},
  begin: async () => ({
    id: newId(),
    isInDoubt: false,
    isOurs: async () => true,
    fence: async () => true,
    settle: async () => {},
  }),
})
`

/** A script of this folder, with the parts of the program that it uses. Returns the file to run. */
async function bundled(name, folder) {
  const bundle = await rolldown({ input: join(ROOT, `bench/ledger/${name}.mjs`), platform: 'node' })
  await bundle.write({ dir: join(folder, 'bundle'), format: 'cjs', entryFileNames: `${name}.cjs` })
  await bundle.close()
  return join(folder, `bundle/${name}.cjs`)
}

/** The time that a write spends on the ledger alone, in an empty one and after many writes. */
async function measureCost(folder, memory, rounds) {
  const script = await bundled('one-write', folder)
  const some = join(folder, 'some')
  execFileSync(process.execPath, [await bundled('fill', folder), some, 1000], BARE)
  const places = [
    ['', join(folder, 'cost')],
    [', after 1,000 writes', some],
    [', after 100,000 writes', join(folder, 'long')],
    ...(memory === undefined ? [] : [[', in memory', join(memory, 'cost')]]),
  ].map(([place, path]) => ({ place, path, runs: [] }))
  for (let round = 0; round < rounds; round += 1)
    for (const { path, runs } of places)
      runs.push(JSON.parse(execFileSync(process.execPath, [script, path], BARE)))
  print(
    'the ledger alone',
    places.flatMap(({ place, runs }) =>
      COSTS.map(({ name, of, goal }) => ({
        name: `${name}${place}`,
        times: runs.map((run) => run[of]),
        goal,
      })),
    ),
  )
}

const COSTS = [
  { name: 'loading it and the first write', of: 'firstMs' },
  { name: 'a claim', of: 'claimMs', goal: 6 },
  { name: 'a claim with a ticket', of: 'ticketMs', goal: 6 },
  { name: 'an outcome', of: 'outcomeMs' },
  { name: 'claim and outcome, processor time', of: 'processorMs' },
]

const ops = (...words) => [process.execPath, PAY, 'ops', ...words]

/** Runs to the exit. The system discards the output, because reading it here would count. */
function timed([file, ...args], env) {
  const sink = openSync('/dev/null', 'w')
  const started = performance.now()
  return new Promise((resolve, reject) => {
    // Without NODE_EXTRA_CA_CERTS, see startup.mjs.
    const child = spawn(file, args, {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', sink, 'pipe'],
    })
    let errors = ''
    child.stderr.on('data', (text) => {
      errors += text
    })
    child.on('error', reject)
    child.on('close', (code) => {
      closeSync(sink)
      if (code === 0) resolve(performance.now() - started)
      else reject(new Error(`${args.join(' ')} ended with ${code}: ${errors}`))
    })
  })
}

function print(title, rows) {
  console.log(
    `${title.padEnd(WIDTH)}${['min', 'median', 'max', 'goal'].map((head) => head.padStart(9)).join('')}`,
  )
  for (const { name, times, goal } of rows) {
    const figures = [Math.min(...times), median(times), Math.max(...times)].map((time) => time.toFixed(1))
    const cells = [...figures, goal === undefined ? '' : `< ${goal}`]
    console.log(`${name.padEnd(WIDTH)}${cells.map((cell) => cell.padStart(9)).join('')}`.trimEnd())
  }
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await ledger(Number(process.argv[2] ?? 15))
