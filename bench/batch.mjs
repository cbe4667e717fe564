// Measures a batch of refunds against a plain Node server: rows per second of planning and applying, memory, and how long a
// plan that is done takes to say so. Usage: node bench/batch.mjs   ROWS=100000
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { findRivals } from './import/rivals.mjs'
import { run, serve } from './import/run.mjs'

const PAY = fileURLToPath(new URL('../bin/pay.cjs', import.meta.url))
const SERVICE = fileURLToPath(new URL('batch/service.mjs', import.meta.url))

export async function batch() {
  const rows = Number(process.env['ROWS'] ?? 100_000)
  const folder = mkdtempSync(join(tmpdir(), 'payctl-bench-'))
  console.log(
    `batch: ${rows} rows, node ${process.versions.node}, ${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)}`,
  )
  const service = await serve([process.execPath, SERVICE], { PATH: process.env['PATH'] })
  try {
    mkdirSync(join(folder, 'state'))
    const lines = Array.from(
      { length: rows },
      (_, index) => `pay${String(index + 1).padStart(7, '0')},5.00 EUR`,
    )
    writeFileSync(join(folder, 'refunds.csv'), `paymentId,amount\n${lines.join('\n')}\n`)
    const env = {
      PATH: process.env['PATH'],
      HOME: folder,
      PAY_CONFIG_DIR: join(folder, 'config'),
      PAY_STATE_DIR: join(folder, 'state'),
      PAY_API_KEY: 'sandbox_all',
      PAY_BASE_URL: service.url,
    }
    const timePath = findRivals().time
    const pay = (...words) =>
      run([process.execPath, PAY, 'batch', ...words, '--json', '-q'], { env, cwd: folder, timePath })
    const apply = ['apply', 'refunds.plan.ndjson', '--results', 'results.csv']
    print('plan', rows, await pay('plan', 'refund', 'refunds.csv'))
    print('apply', rows, await pay(...apply))
    print('apply again', rows, await pay(...apply))
  } finally {
    await service.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function print(what, rows, { stdout, seconds, peakMB }) {
  const { ready, done = ready } = JSON.parse(stdout)
  if (done !== rows) throw new Error(`${what}: not every row was done: ${stdout}`)
  const memory = Number.isFinite(peakMB) ? `  ${Math.round(peakMB)} MB` : ''
  console.log(
    `${what.padEnd(12)} ${seconds.toFixed(1).padStart(7)} s ${Math.round(rows / seconds)
      .toString()
      .padStart(6)} rows/s${memory}`,
  )
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await batch()
