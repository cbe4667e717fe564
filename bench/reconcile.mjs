// Measures pay reconcile over 100,000 rows against a served sandbox: rows a second, memory, and the same result after kills.
// Usage: npm run build && node bench/reconcile.mjs [ROWS] [KILLS]   PAY=/path/to/bin/pay.cjs measures another build
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { median, run, serve } from './import/run.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PAY = process.env['PAY'] ?? join(ROOT, 'bin/pay.cjs')
const SEED = join(ROOT, 'node_modules/.cache/bench/reconcile-seed.mjs')
const [ROWS, KILLS] = [Number(process.argv[2] ?? 100_000), Number(process.argv[3] ?? 0)]
const folder = process.env['FOLDER'] ?? mkdtempSync(join(tmpdir(), 'payctl-bench-'))
const env = { PATH: process.env['PATH'], HOME: folder }
const [data, file] = [join(folder, 'data'), join(folder, 'month.csv')]

mkdirSync(join(SEED, '..'), { recursive: true })
const built = await rolldown({
  input: join(ROOT, 'bench/reconcile/seed.ts'),
  platform: 'node',
  external: ['@photostructure/sqlite'],
  logLevel: 'silent',
})
await built.write({ file: SEED, format: 'esm' })
await built.close()
let server
try {
  if (process.env['FOLDER'] === undefined || !existsSync(file))
    execFileSync(process.execPath, [SEED, data, String(ROWS), file], { env, stdio: 'inherit' })
  const state = { ...env, PAY_STATE_DIR: join(folder, 's') }
  server = await serve(
    [process.execPath, PAY, 'sandbox', 'start', '--port', '0', '--json', '--data', data],
    state,
  )
  const account = { ...state, PAY_API_KEY: 'sandbox_all', PAY_BASE_URL: server.url }
  const out = join(folder, 'exceptions.csv')
  const command = [process.execPath, PAY, 'reconcile', file, '--exceptions', out, '--json', '-q']
  const whole = () => run(command, { env: account, cwd: folder, timePath: '/usr/bin/time', code: [14] })
  const { stdout, seconds, cpuSeconds, peakMB } = await whole()
  const { rows, verdicts } = JSON.parse(stdout)
  const starts = []
  for (let start = 0; start < 9; start += 1)
    starts.push((await run([process.execPath, '-e', '0'])).seconds * 1000)
  console.log({
    rows,
    seconds,
    rowsPerSecond: Math.round(rows / seconds),
    cpuSeconds,
    peakMB: Math.round(peakMB),
    'node -e 0, ms': Math.round(median(starts)),
    load: loadavg()
      .map((one) => one.toFixed(1))
      .join(' '),
    verdicts,
  })
  const first = readFileSync(out, 'utf8')
  for (let kill = 0; kill < KILLS; kill += 1) {
    const child = spawn(command[0], command.slice(1), { env: account, stdio: 'ignore' })
    await sleep(((kill + 0.5) / KILLS) * seconds * 1000)
    child.kill('SIGKILL')
  }
  if (KILLS > 0) {
    const again = await whole()
    const isEqual = again.stdout === stdout && readFileSync(out, 'utf8') === first
    console.log(`after ${KILLS} kills: ${isEqual ? 'the same result' : 'ANOTHER RESULT'}`)
  }
} finally {
  await server?.close()
  if (process.env['FOLDER'] === undefined) rmSync(folder, { recursive: true, force: true })
}
