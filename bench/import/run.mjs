// Runs processes to their end, measured by GNU time, and starts servers.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** Runs a command: returns its output, its duration, and its CPU time and memory if GNU time is installed. */
export async function run(command, { env, cwd, timePath, code: wanted = [0] } = {}) {
  const usage = timePath === undefined ? undefined : `${cwd}/usage-${process.hrtime.bigint()}`
  const timed = usage === undefined ? [] : [timePath, '-q', '-f', '%U %S %M', '-o', usage]
  const [file, ...args] = [...timed, ...command]
  const startedMs = performance.now()
  const child = spawn(file, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (text) => (stdout += text))
  child.stderr.on('data', (text) => (stderr = `${stderr}${text}`.slice(-4_000)))
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  const seconds = (performance.now() - startedMs) / 1000
  if (!wanted.includes(code)) throw new Error(`${command.join(' ')} ended with ${code}: ${stderr}`)
  const [user, system, kB] = usage === undefined ? [] : readFileSync(usage, 'utf8').split(' ').map(Number)
  return { stdout, seconds, cpuSeconds: user + system, peakMB: kB / 1024 }
}

/** Starts a server whose first line of output is JSON with its address. */
export async function serve(command, env) {
  const [file, ...args] = command
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const close = () =>
    new Promise((resolve) => {
      child.on('exit', resolve)
      child.kill('SIGTERM')
    })
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('{')) continue
    child.stdout.resume()
    return { ...JSON.parse(line), close }
  }
  throw new Error(`${command.join(' ')} ended before it was ready`)
}

export async function waitFor(what, holds, limitMs = 600_000) {
  const untilMs = performance.now() + limitMs
  for (;;) {
    const value = holds()
    if (value !== undefined && value !== false) return value
    if (performance.now() > untilMs) throw new Error(`timed out waiting for ${what}`)
    await new Promise((resolve) => {
      setTimeout(resolve, 5)
    })
  }
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
