// Measures what lists cost: the processor time of a served sandbox for one page, and of `pay insights` and the server together,
// as ratios to a start of `node -e 0`, with few and with many records. Half of the records are payments. Needs Linux and bash.
// Then whole lists of payments that a plain server makes up: processor time of the client, and its peak memory.
// Usage: node bench/lists.mjs [ROUNDS]   COUNTS=1500,20000,200000 WHOLE=100000,1000000; PAY=/path/to/bin/pay.cjs measures another
// build. OLD=/path/to/bin/pay.cjs measures another one in pairs, with the shorter whole lists. COUNTS= leaves the pages out.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { findRivals } from './import/rivals.mjs'
import { median, run, serve } from './import/run.mjs'
import { rawClient } from './sandbox/raw-client.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PAY = process.env['PAY'] ?? join(ROOT, 'bin/pay.cjs')
// Below node_modules, so that the bundle finds external packages.
const SEED = join(ROOT, 'node_modules/.cache/bench/lists-seed.mjs')
const countsOf = (text) => text.split(',').filter(Boolean).map(Number)
const COUNTS = countsOf(process.env['COUNTS'] ?? '1500,20000,200000')
const WHOLE = countsOf(process.env['WHOLE'] ?? '100000,1000000')
const OLD = process.env['OLD']
const SERVICE = fileURLToPath(new URL('lists/service.mjs', import.meta.url))
const WHOLE_LISTS = [
  ['-o', 'ndjson'],
  ['-o', 'csv'],
  ['--out', 'all.ndjson', '--replace'],
]
const GOAL_PEAK_MB = 100
/** The old build keeps a longer list in memory. */
const LONGEST_PAIR = 100_000
const LISTS = ['/payments', '/observability/payments']
const PAGE_SIZES = [10, 100]
const PAGES = 12
/** Slow enough that the log keeps the body of every page. */
const PAUSE_MS = 60
const STARTS = 10
const GOAL_PAGE = 0.6
const GOAL_INSIGHTS = 120
const GOAL_COUNT = 20_000

export async function lists(rounds = 5) {
  const folder = mkdtempSync(join(tmpdir(), 'payctl-bench-'))
  // Without NODE_EXTRA_CA_CERTS, see startup.mjs.
  const env = { PATH: process.env['PATH'], HOME: folder }
  const rows = []
  const bare = []
  try {
    if (COUNTS.length > 0) await bundleSeed()
    for (const count of COUNTS) {
      const data = join(folder, `data-${count}`)
      await cpuOf([process.execPath, SEED, data, String(count)], env)
      rows.push(...(await measureStore({ count, data, env, rounds, bare, folder })))
    }
    if (rows.length > 0) print(rows, { rounds, bare })
    for (const count of WHOLE) await measureWholeLists({ count, env, rounds, folder })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Reads all of a made-up list, in pairs with another build if there is one. */
async function measureWholeLists({ count, env, rounds, folder }) {
  const timePath = findRivals().time
  if (timePath === undefined) return console.log('whole lists: not measured, GNU time is missing')
  const service = await serve([process.execPath, SERVICE, String(count)], { PATH: process.env['PATH'] })
  const options = {
    cwd: folder,
    timePath,
    env: {
      ...env,
      PAY_CONFIG_DIR: join(folder, 'c'),
      PAY_STATE_DIR: join(folder, 's'),
      PAY_API_KEY: 'sandbox_all',
      PAY_BASE_URL: service.url,
    },
  }
  const list = async (pay, words) => {
    // Through a shell, because this process shall not keep what is printed.
    const line = ['sh', '-c', '"$@" > printed', 'sh', process.execPath, pay, 'payment', 'list', '--all', '-q']
    return run([...line, ...words], options)
  }
  try {
    for (const words of WHOLE_LISTS) {
      const [runs, ratios] = [[], []]
      for (let round = 0; round < (count > LONGEST_PAIR ? 1 : rounds); round += 1) {
        const one = await list(PAY, words)
        runs.push(one)
        if (OLD !== undefined && count <= LONGEST_PAIR && words[0] === '-o')
          ratios.push(one.cpuSeconds / (await list(OLD, words)).cpuSeconds)
      }
      const cpuSeconds = median(runs.map((one) => one.cpuSeconds))
      const peakMB = Math.max(...runs.map((one) => one.peakMB))
      console.log(
        [
          `list --all ${words.slice(0, 2).join(' ')}`.padEnd(30),
          count.toLocaleString('en').padStart(10),
          `${cpuSeconds.toFixed(1)} s cpu`.padStart(12),
          `${Math.round(count / cpuSeconds).toLocaleString('en')} rows/cpu s`.padStart(20),
          `${Math.round(peakMB)} MB (<= ${GOAL_PEAK_MB})`.padStart(18),
          ratios.length === 0 ? '' : `  ${median(ratios).toFixed(2)} x old (<= 1)`,
        ].join(''),
      )
    }
  } finally {
    await service.close()
  }
}

async function bundleSeed() {
  mkdirSync(join(SEED, '..'), { recursive: true })
  const built = await rolldown({
    input: join(ROOT, 'bench/lists/seed.ts'),
    platform: 'node',
    external: ['@photostructure/sqlite'],
    logLevel: 'silent',
  })
  await built.write({ file: SEED, format: 'esm' })
  await built.close()
}

async function measureStore({ count, data, env, rounds, bare, folder }) {
  const server = await serve(
    [process.execPath, PAY, 'sandbox', 'start', '--port', '0', '--json', '--data', data],
    { ...env, PAY_STATE_DIR: join(folder, 's') },
  )
  const port = Number(new URL(server.url).port)
  const pages = LISTS.flatMap((path) =>
    PAGE_SIZES.map((size) => ({
      name: `GET ${path}, a page of ${size}`,
      count,
      goal: GOAL_PAGE,
      path,
      size,
    })),
  )
  const insights = {
    name: 'pay insights, with the server',
    count,
    goal: count === GOAL_COUNT ? GOAL_INSIGHTS : undefined,
  }
  const rows = [...pages, insights].map((row) => ({ ...row, cpuMs: [], ms: [], ratios: [] }))
  try {
    // The first round warms up and doesn't count.
    for (let round = -1; round < rounds; round += 1) {
      const nodeMs = await startOfNode(env)
      if (round >= 0) bare.push(nodeMs)
      for (const row of rows) {
        const { cpuMs, ms } =
          row.path === undefined
            ? await measureInsights(server, env, folder)
            : await measurePages(server, port, row)
        if (round < 0) continue
        row.cpuMs.push(cpuMs)
        row.ms.push(ms)
        row.ratios.push(cpuMs / nodeMs)
      }
    }
  } finally {
    await server.close()
  }
  return rows
}

/** The processor time of a start of Node that does nothing, in milliseconds. */
async function startOfNode(env) {
  const times = []
  for (let start = 0; start < STARTS; start += 1) times.push(await cpuOf([process.execPath, '-e', '0'], env))
  return median(times)
}

/** Reads page after page, and counts the processor time of the server. */
async function measurePages({ pid }, port, { path, size }) {
  const times = []
  const before = cpuOfServer(pid)
  let cursor = ''
  for (let page = 0; page < PAGES; page += 1) {
    const started = performance.now()
    const body = await get(port, `${path}?limit=${size}${cursor}`)
    times.push(performance.now() - started)
    const { nextCursor } = JSON.parse(body)
    cursor = nextCursor === undefined ? '' : `&cursor=${nextCursor}`
    await sleep(PAUSE_MS)
  }
  return { cpuMs: (cpuOfServer(pid) - before) / PAGES, ms: median(times) }
}

async function measureInsights({ pid, url }, env, folder) {
  const before = cpuOfServer(pid)
  const started = performance.now()
  const client = await cpuOf([process.execPath, PAY, 'insights', '--json'], {
    ...env,
    PAY_CONFIG_DIR: join(folder, 'c'),
    PAY_STATE_DIR: join(folder, 's'),
    PAY_API_KEY: 'sandbox_all',
    PAY_BASE_URL: url,
  })
  return { cpuMs: client + cpuOfServer(pid) - before, ms: performance.now() - started }
}

async function get(port, path) {
  let [isSent, body] = [false, '']
  await rawClient(port, {
    next: () => {
      if (isSent) return undefined
      isSent = true
      return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-API-KEY: sandbox_all\r\nX-Api-Version: 2.1\r\n\r\n`
    },
    onResponse: (answer) => {
      if (!answer.startsWith('HTTP/1.1 200')) throw new Error(`${path}: ${answer.slice(0, 200)}`)
      body = answer.slice(answer.indexOf('\r\n\r\n') + 4)
    },
  })
  return body
}

/** The processor time of a command that succeeds, in milliseconds, as its shell counts it. */
export function cpuOf(command, env) {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', 'TIMEFORMAT="%3U %3S"; time "$@"', 'bash', ...command], {
      env: { ...env, LC_ALL: 'C' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let output = ''
    child.stderr.on('data', (text) => {
      output += text
    })
    child.on('error', reject)
    child.on('close', (code) => {
      const [, user, system] = /([\d.]+) ([\d.]+)\n$/.exec(output) ?? []
      if (code === 0) resolve((Number(user) + Number(system)) * 1000)
      else reject(new Error(`${command.join(' ')} ended with ${code}: ${output}`))
    })
  })
}

/** The processor time of all threads of a process, in milliseconds, from Linux. */
function cpuOfServer(pid) {
  const tasks = `/proc/${pid}/task`
  const times = readdirSync(tasks).map((task) =>
    Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]),
  )
  return times.reduce((sum, time) => sum + time, 0) / 1e6
}

function print(rows, { rounds, bare }) {
  console.log(
    `lists: node ${process.versions.node}, ${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)}, ${rounds} rounds; node -e 0 takes ${median(bare).toFixed(1)} ms of processor time`,
  )
  console.log(
    `${'processor time'.padEnd(46)}${['records', 'cpu ms', 'x node', 'goal', 'elapsed'].map((head) => head.padStart(10)).join('')}`,
  )
  for (const { name, count, goal, cpuMs, ms, ratios } of rows) {
    const cells = [
      count.toLocaleString('en'),
      median(cpuMs).toFixed(1),
      median(ratios).toFixed(2),
      goal === undefined ? '' : `<= ${goal}`,
      `${median(ms).toFixed(0)} ms`,
    ]
    console.log(`${name.padEnd(46)}${cells.map((cell) => cell.padStart(10)).join('')}`)
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await lists(Number(process.argv[2] ?? 5))
