// Times whole processes: `pay`, installed from a packed tarball and in this clone, next to Debian's `gh` and httpie, as ratios
// to Node doing nothing in the same round. Usage: node bench/startup.mjs [ROUNDS]. Finds httpie's `http` on PATH, or in HTTPIE.
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const CLONE = fileURLToPath(new URL('..', import.meta.url))
const PAYMENT = JSON.stringify({ id: 'pay1', status: 'AUTHORIZED', amount: 700, currencyCode: 'EUR' })

const payTo = (baseUrl) => ({ PAY_API_KEY: 'key_bench', PAY_BASE_URL: baseUrl })

const npm = (cwd, ...words) => execFileSync('npm', words, { cwd, encoding: 'utf8', stdio: 'pipe' }).trim()

/** Packs this clone and installs it in `folder`, as a user would. Returns the installed program. */
function install(folder) {
  const tarball = npm(CLONE, 'pack', '--silent', '--pack-destination', folder).split('\n').at(-1)
  writeFileSync(join(folder, 'package.json'), '{}')
  npm(folder, 'install', '--silent', '--no-audit', '--no-fund', `./${tarball}`)
  return join(folder, 'node_modules/payctl/bin/pay.cjs')
}

/** The rows of one copy of `pay`. */
const rowsOf = (copy, program, baseUrl) => [
  {
    name: `pay payment get (${copy})`,
    command: [process.execPath, program, 'payment', 'get', 'pay1', '--json'],
    env: payTo(baseUrl),
    arrives: true,
    goal: 2.7,
  },
  {
    name: `pay payment refund (${copy})`,
    command: [process.execPath, program, 'payment', 'refund', 'pay1', '--amount', '500', '--json'],
    env: payTo(baseUrl),
    arrives: true,
    goal: 3,
    arrivalGoal: 2.4,
  },
]

/** The rows, in the order in which each round runs them. The first is the base of all ratios. */
const rowsFor = (installed, baseUrl) => [
  { name: 'node -e 0', command: [process.execPath, '-e', '0'] },
  { name: 'pay --version', command: [process.execPath, installed, '--version'], goal: 1.1 },
  { name: 'gh --version', command: ['gh', '--version'] },
  { name: 'pay --help', command: [process.execPath, installed, '--help'], goal: 1.3 },
  { name: 'gh --help', command: ['gh', '--help'] },
  ...rowsOf('installed', installed, baseUrl),
  ...rowsOf('clone', join(CLONE, 'bin/pay.cjs'), baseUrl),
  {
    name: 'gh api (GET)',
    command: ['gh', 'api', `${baseUrl}/payments/pay1`],
    env: { GH_TOKEN: 'token_bench', GH_NO_UPDATE_NOTIFIER: '1' },
    arrives: true,
  },
  {
    name: 'gh api -X POST',
    command: ['gh', 'api', '-X', 'POST', `${baseUrl}/payments/pay1/refund`, '-F', 'amount=500'],
    env: { GH_TOKEN: 'token_bench', GH_NO_UPDATE_NOTIFIER: '1' },
    arrives: true,
  },
  {
    name: 'http POST (httpie)',
    command: [
      process.env['HTTPIE'] ?? 'http',
      '--ignore-stdin',
      'POST',
      `${baseUrl}/payments/pay1/refund`,
      'amount:=500',
    ],
    arrives: true,
  },
]

export async function startup(rounds = 30) {
  const folder = mkdtempSync(join(tmpdir(), 'payctl-bench-'))
  let arrivedAt
  const server = createServer((_, response) => {
    arrivedAt = performance.now()
    response.setHeader('content-type', 'application/json')
    response.end(PAYMENT)
  })
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  // Without NODE_EXTRA_CA_CERTS: with it, Node 20 reads all root certificates at every start, which doubles the time of
  // Node itself and flatters every ratio.
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    PAY_CONFIG_DIR: join(folder, 'c'),
    PAY_STATE_DIR: join(folder, 's'),
  }
  const rows = rowsFor(install(folder), `http://127.0.0.1:${server.address().port}`).map((row) => ({
    ...row,
    times: [],
    arrivals: [],
  }))
  try {
    // The first round fills the system's caches and doesn't count.
    for (let round = -1; round < rounds; round += 1) {
      for (const row of rows) {
        arrivedAt = undefined
        const started = performance.now()
        const ended = await run(row.command, { ...env, ...row.env })
        if (ended === 'not installed') row.missing = true
        if (row.missing || round < 0) continue
        row.times.push(performance.now() - started)
        if (row.arrives) row.arrivals.push(arrivedAt - started)
      }
    }
  } finally {
    server.close()
    server.closeAllConnections()
    rmSync(folder, { recursive: true, force: true })
  }
  print(rows, rounds)
}

function run([file, ...args], env) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text) => {
        output += text
      })
    }
    child.on('error', (error) => (error.code === 'ENOENT' ? resolve('not installed') : reject(error)))
    child.on('close', (code) =>
      code === 0
        ? resolve('done')
        : reject(new Error(`${file} ${args.join(' ')} ended with ${code}:\n${output}`)),
    )
  })
}

function print(rows, rounds) {
  const [bare] = rows
  console.log(
    `start-up: node ${process.versions.node}, ${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)}, ${rounds} rounds, ms`,
  )
  console.log(
    `${'command'.padEnd(36)}${['min', 'median', 'max', 'x node', 'goal'].map((head) => head.padStart(8)).join('')}`,
  )
  for (const { name, times, arrivals, missing, goal, arrivalGoal } of rows) {
    if (missing) {
      console.log(`${name.padEnd(36)}  not installed`)
      continue
    }
    if (arrivals.length > 0) console.log(line(`${name}: request arrives`, arrivals, bare.times, arrivalGoal))
    console.log(line(arrivals.length > 0 ? `${name}: exit` : name, times, bare.times, goal))
  }
}

/** The ratio is the median of the ratios within each round, because a slow machine slows both. */
function line(name, times, bareTimes, goal) {
  const sorted = times.toSorted((a, b) => a - b)
  const ratio = median(times.map((time, round) => time / bareTimes[round]))
  const figures = [sorted[0], median(times), sorted.at(-1)].map((time) => time.toFixed(1))
  const cells = [...figures, ratio.toFixed(2), goal === undefined ? '' : `<= ${goal.toFixed(2)}`]
  return `${name.padEnd(36)}${cells.map((cell) => cell.padStart(8)).join('')}`.trimEnd()
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await startup(Number(process.argv[2] ?? 30))
