// Measures the import: rows per second next to load generators, a bare loop of the HTTP library and the tools that people use
// today; memory; and how soon it resumes after a kill. Every rate covers the whole command, from start to exit.
// Usage: node bench/import.mjs [ROUNDS]   ROWS=100000   LONG=1 adds five million rows, about ten minutes
// Finds the other programs on PATH, or in WRK, AUTOCANNON, NEWMAN, NGINX, CURL, XARGS, TIME.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawn } from 'node:child_process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { startNginx } from './import/nginx.mjs'
import { findRivals, runAutocannon, runNewman, runWrk, runXargs } from './import/rivals.mjs'
import { writeRows } from './import/rows.mjs'
import { median, run, serve, waitFor } from './import/run.mjs'

const PAY = fileURLToPath(new URL('../bin/pay.cjs', import.meta.url))
const BARE = fileURLToPath(new URL('import/bare-undici.mjs', import.meta.url))
const FEW = 1_000
const MANY = 5_000_000
const WARM_UP_SECONDS = 2
const WRK_SECONDS = 5

export async function imports(rounds = 3) {
  const rows = Number(process.env['ROWS'] ?? 100_000)
  const folder = mkdtempSync(join(tmpdir(), 'payctl-bench-'))
  const rivals = findRivals()
  console.log(
    `import: ${rows} rows, node ${process.versions.node}, ${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)}, ${rounds} rounds`,
  )
  for (const [name, path] of Object.entries(rivals))
    if (path === undefined) console.log(`${name} is not installed: skipping what needs it`)
  const bench = { rows, rounds, folder, rivals }
  try {
    await compareWithLoadGenerators(bench)
    if (rivals.nginx !== undefined) {
      const nginx = await startNginx(rivals.nginx, folder)
      try {
        await compareWithBareLoop(bench, nginx)
        await measureMemory(bench, nginx)
        await measureResume(bench, nginx)
      } finally {
        await nginx.close()
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Without NODE_EXTRA_CA_CERTS, see startup.mjs. */
const envOf = (state, url) => ({
  PATH: process.env['PATH'],
  HOME: state,
  PAY_CONFIG_DIR: join(state, 'c'),
  PAY_STATE_DIR: join(state, 's'),
  ...(url === undefined ? {} : { PAY_API_KEY: 'sandbox_all', PAY_BASE_URL: url }),
})

let states = 0

/** Runs the whole command with its own state folder. */
async function pay({ folder, rivals }, url, file, ...words) {
  const state = join(folder, `state-${(states += 1)}`)
  mkdirSync(state)
  const results = join(state, 'results.csv')
  const command = [process.execPath, PAY, 'observability', 'import', file, '--json', '-q', ...words]
  const outputFlags = words.includes('--dry-run') ? [] : ['--results', results]
  const ran = await run([...command, ...outputFlags], {
    env: envOf(state, url),
    cwd: state,
    timePath: rivals.time,
  })
  const summary = JSON.parse(ran.stdout)
  const bad = summary.bad ?? summary.rows - summary.created
  if (bad !== 0) throw new Error(`not every row was accepted: ${ran.stdout}`)
  rmSync(state, { recursive: true, force: true })
  return { ...ran, perSecond: summary.rows / ran.seconds, cpuUs: (ran.cpuSeconds / summary.rows) * 1e6 }
}

/** Against the durable sandbox, next to programs that only send requests. */
async function compareWithLoadGenerators(bench) {
  const { rounds, rows, folder, rivals } = bench
  const table = {
    pay: [],
    'pay cpu us': [],
    wrk: [],
    autocannon: [],
    newman: [],
    'xargs -P8 curl': [],
    'pay, 1000 rows': [],
  }
  for (let round = 0; round < rounds; round += 1) {
    const server = join(folder, `server-${round}`)
    mkdirSync(server)
    const command = [
      process.execPath,
      PAY,
      'sandbox',
      'start',
      '--port',
      '0',
      '--json',
      '--data',
      join(server, 'data'),
    ]
    const { url, close } = await serve(command, envOf(server))
    try {
      const file = writeRows(join(folder, 'rows.csv'), rows, `pay-${round}`)
      const few = writeRows(join(folder, 'few.csv'), FEW, `few-${round}`)
      const forNewman = writeRows(join(folder, 'newman.csv'), FEW, `newman-${round}`)
      if (rivals.wrk !== undefined)
        await runWrk(rivals.wrk, { url, folder, prefix: `warm-${round}`, seconds: WARM_UP_SECONDS })
      const steps = [
        async () => {
          const { perSecond, cpuUs } = await pay(bench, url, file)
          table.pay.push(perSecond)
          table['pay cpu us'].push(cpuUs)
        },
        async () => {
          if (rivals.wrk === undefined) return
          const prefix = `wrk-${round}`
          table.wrk.push(await runWrk(rivals.wrk, { url, folder, prefix, seconds: WRK_SECONDS }))
        },
        async () => {
          if (rivals.autocannon === undefined) return
          table.autocannon.push(await runAutocannon(rivals.autocannon, { url, prefix: `ac-${round}`, rows }))
        },
      ]
      // The first to run meets the smallest store.
      for (let step = 0; step < steps.length; step += 1) await steps[(step + round) % steps.length]()
      table['pay, 1000 rows'].push((await pay(bench, url, few)).perSecond)
      if (rivals.newman !== undefined)
        table.newman.push(await runNewman(rivals.newman, { url, folder, file: forNewman, rows: FEW }))
      if (rivals.curl !== undefined && rivals.xargs !== undefined)
        table['xargs -P8 curl'].push(
          await runXargs(rivals, { url, folder, prefix: `curl-${round}`, rows: FEW }),
        )
    } finally {
      await close()
    }
    rmSync(server, { recursive: true, force: true })
  }
  print('durable sandbox, rows/s', table, [
    ['pay / wrk', 'pay', 'wrk', '>= 0.65'],
    ['pay / autocannon', 'pay', 'autocannon', '>= 0.70'],
    ['pay / newman on 1000 rows', 'pay', 'newman', '>= 100'],
    ['wrk / newman on 1000 rows', 'wrk', 'newman', ''],
    ['pay / xargs curl on 1000 rows', 'pay', 'xargs -P8 curl', '>= 40'],
    ['wrk / xargs curl on 1000 rows', 'wrk', 'xargs -P8 curl', ''],
    ['pay on 1000 rows / newman', 'pay, 1000 rows', 'newman', ''],
    ['pay on 1000 rows / xargs curl', 'pay, 1000 rows', 'xargs -P8 curl', ''],
  ])
}

/** Against a server that costs almost nothing. The bare loop has its bodies ready before the clock starts. */
async function compareWithBareLoop(bench, { url }) {
  const { rounds, rows, folder, rivals } = bench
  const table = {
    pay: [],
    'pay cpu us': [],
    'bare undici': [],
    'bare cpu us': [],
    wrk: [],
    newman: [],
    'xargs -P8 curl': [],
  }
  const file = writeRows(join(folder, 'rows.csv'), rows, 'nginx')
  const few = writeRows(join(folder, 'few.csv'), FEW, 'nginx')
  const load = JSON.stringify({ url, rows, connections: 32, prefix: 'bare' })
  for (let round = 0; round < rounds; round += 1) {
    const { perSecond, cpuUs } = await pay(bench, url, file)
    table.pay.push(perSecond)
    table['pay cpu us'].push(cpuUs)
    const bare = JSON.parse((await run([process.execPath, BARE, load], { env: envOf(folder) })).stdout)
    table['bare undici'].push(bare.perSecond)
    table['bare cpu us'].push(bare.cpuUs)
    if (rivals.wrk !== undefined)
      table.wrk.push(await runWrk(rivals.wrk, { url, folder, prefix: 'wrk', seconds: WARM_UP_SECONDS }))
    if (rivals.newman !== undefined)
      table.newman.push(await runNewman(rivals.newman, { url, folder, file: few, rows: FEW }))
    if (rivals.curl !== undefined && rivals.xargs !== undefined)
      table['xargs -P8 curl'].push(await runXargs(rivals, { url, folder, prefix: 'curl', rows: FEW }))
  }
  print('static nginx, rows/s', table, [
    ['pay / bare undici', 'pay', 'bare undici', '>= 0.75'],
    ['pay / wrk', 'pay', 'wrk', ''],
    ['pay / newman on 1000 rows', 'pay', 'newman', '>= 100'],
    ['pay / xargs curl on 1000 rows', 'pay', 'xargs -P8 curl', '>= 40'],
  ])
}

async function measureMemory(bench, { url }) {
  const { rows, rounds, folder, rivals } = bench
  if (rivals.time === undefined) return
  console.log('\npeak memory, MB')
  const peak = async (name, file, words, times) => {
    const peaks = []
    let last
    for (let round = 0; round < times; round += 1) {
      last = await pay(bench, url, file, ...words)
      peaks.push(last.peakMB)
    }
    console.log(
      `${name.padEnd(40)}${median(peaks).toFixed(0).padStart(10)}   ${last.seconds.toFixed(1)} s, ${Math.round(last.perSecond)} rows/s`,
    )
    return median(peaks)
  }
  const file = writeRows(join(folder, 'rows.csv'), rows, 'memory')
  const checked = await peak(`${rows} rows, --dry-run`, file, ['--dry-run'], rounds)
  const sent = await peak(`${rows} rows, sent`, file, [], rounds)
  if (process.env['LONG'] !== '1') return console.log('five million rows: set LONG=1')
  const long = writeRows(join(folder, 'long.csv'), MANY, 'memory')
  const manyChecked = await peak(`${MANY} rows, --dry-run`, long, ['--dry-run'], 1)
  const manySent = await peak(`${MANY} rows, sent`, long, [], 1)
  console.log(
    `goals: <= 160 at ${rows}; ${MANY} within 10 percent: ${(manyChecked / checked).toFixed(2)} and ${(manySent / sent).toFixed(2)} of it`,
  )
}

/** Times from the start of the command to the first answered request. */
async function measureResume(bench, nginx) {
  const { folder } = bench
  const rows = bench.rows * 10
  const killedAt = bench.rows * 9
  const state = join(folder, 'resume')
  mkdirSync(state)
  const file = writeRows(join(folder, 'rows.csv'), rows, 'resume')
  const words = ['observability', 'import', file, '--json', '-q', '--results', join(state, 'results.csv')]
  const begin = () =>
    spawn(process.execPath, [PAY, ...words], { env: envOf(state, nginx.url), stdio: 'ignore' })
  const first = begin()
  const place = join(state, 's/imports')
  await waitFor(`row ${killedAt}`, () => rowAt(place) >= killedAt)
  first.kill('SIGKILL')
  await new Promise((resolve) => first.on('exit', resolve))
  const log = join(folder, 'access.log')
  await nginx.log(log)
  const startedMs = Date.now()
  const second = begin()
  const line = await waitFor(
    'the first request',
    () => /^\d+\.\d+\n/.exec(readFileSync(log, 'latin1').slice(0, 30))?.[0],
  )
  second.kill('SIGKILL')
  const took = Number(line) - startedMs / 1000
  console.log(
    `\nresume after kill -9 at row ${rowAt(place)} of ${rows}: resumed after ${took.toFixed(2)} s (goal <= 3)`,
  )
}

/** The last row of the only run that has an outcome. */
function rowAt(place) {
  if (!existsSync(place)) return 0
  const name = readdirSync(place).find((one) => one.endsWith('.db'))
  if (name === undefined) return 0
  const { DatabaseSync } = createRequire(import.meta.url)('@photostructure/sqlite')
  const connection = new DatabaseSync(join(place, name))
  try {
    return connection.prepare('SELECT max(row) AS row FROM rows').get().row ?? 0
  } catch {
    // The run has only just begun.
    return 0
  } finally {
    connection.close()
  }
}

function print(title, table, ratios) {
  console.log(`\n${title.padEnd(40)}${['min', 'median', 'max'].map((head) => head.padStart(10)).join('')}`)
  for (const [name, values] of Object.entries(table)) {
    if (values.length === 0) continue
    const cells = [Math.min(...values), median(values), Math.max(...values)].map((value) => value.toFixed(0))
    console.log(`${name.padEnd(40)}${cells.map((cell) => cell.padStart(10)).join('')}`)
  }
  for (const [name, one, other, goal] of ratios) {
    if (table[other].length === 0) continue
    // Within the same round, because the machine's load differs between rounds.
    const ratio = median(table[one].map((value, round) => value / table[other][round]))
    console.log(`${name.padEnd(40)}${''.padStart(10)}${ratio.toFixed(2).padStart(10)}${goal.padStart(10)}`)
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await imports(Number(process.argv[2] ?? 3))
