// Runs simulated histories with faults: test/simulation/README.md explains them. Usage:
//   npm run simulate -- [--histories 100000] [--from SEED]    up to the first that violates an invariant
//     with --keep-going: all of them, listing every seed that does
//   npm run simulate -- --seed N                              one, with its trace
//   npm run simulate -- --planted [--histories 20000]         with planted faults, each until it is found
//     with --quick: without the faults that take thousands of histories; with --only WORDS: those whose name contains them
//   each with --batches                                       histories of batches on two machines
import { spawn } from 'node:child_process'
import { mkdtempSync, mkdirSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { rolldown } from 'rolldown'
import { PLANTED_BATCH_FAULTS } from '../test/simulation/planted/planted-batch-faults.mjs'
import { PLANTED_FAULTS } from '../test/simulation/planted/planted-faults.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({
  options: {
    histories: { type: 'string' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    planted: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    'keep-going': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    batches: { type: 'boolean', default: false },
  },
})
// Below node_modules, where the bundle finds its one dependency.
const cache = join(root, 'node_modules', '.cache')
mkdirSync(cache, { recursive: true })
const folder = mkdtempSync(join(cache, 'payctl-simulation-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130))

process.exitCode = await (values.seed !== undefined
  ? printTrace(values.seed)
  : values.planted
    ? findPlanted(Number(values.histories ?? 20_000))
    : runMany(Number(values.from), Number(values.histories ?? 10_000)))

async function printTrace(seed) {
  const { exitCode } = await run(await bundle('true'), ['trace', seed], 'inherit')
  return exitCode
}

/** Worker n of k runs the seeds n, n + k, n + 2k and so on. */
async function runMany(from, histories) {
  const started = performance.now()
  const file = await bundle('true')
  const workers = Math.max(1, Math.min(availableParallelism(), histories))
  const children = Array.from({ length: workers }, (_, worker) => {
    const count = Math.ceil((histories - worker) / workers)
    const end = values['keep-going'] ? 'keep-going' : 'stop'
    return run(file, ['run', String(from + worker), String(workers), String(count), end], 'pipe')
  })
  const results = (await Promise.all(children)).map(({ stdout }) => JSON.parse(stdout))
  const failed = results.flatMap((result) => result.failed).toSorted((a, b) => a.seed - b.seed)
  const done = results.reduce((sum, result) => sum + result.histories, 0)
  const seconds = (performance.now() - started) / 1000
  console.log(
    `${done} histories from seed ${from} in ${seconds.toFixed(1)} s, ${Math.round(done / seconds)} a second`,
  )
  console.log(countsOf(results))
  if (failed[0] === undefined) return 0
  for (const { seed, invariant, evidence } of failed) console.log(`\nSeed ${seed}: ${invariant}\n${evidence}`)
  console.log('\nThe trace of the first:\n')
  await run(file, ['trace', String(failed[0].seed)], 'inherit')
  return 1
}

async function findPlanted(histories) {
  const found = []
  const faults = values.batches ? PLANTED_BATCH_FAULTS : PLANTED_FAULTS
  const waiting = faults.filter(({ name, isRare }) => name.includes(values.only) && !(values.quick && isRare))
  const work = async () => {
    for (let fault = waiting.shift(); fault !== undefined; fault = waiting.shift()) {
      const started = performance.now()
      const file = await bundle(`fault-${faults.indexOf(fault) + 1}`, fault)
      const { stdout } = await run(file, ['run', values.from, '1', String(histories)], 'pipe')
      const { failed, histories: done } = JSON.parse(stdout)
      const [first] = failed
      const seconds = (performance.now() - started) / 1000
      found.push({ fault: fault.name, file: fault.file, histories: done, seconds, ...first })
      if (!values.json) console.log(line(found.at(-1)))
    }
  }
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work))
  if (values.json) console.log(JSON.stringify(found))
  return found.every(({ seed }) => seed !== undefined) ? 0 : 1
}

function line({ fault, histories, seconds, seed, invariant }) {
  return seed === undefined
    ? `NOT FOUND in ${histories} histories: ${fault}`
    : `${fault}: found by seed ${seed}, after ${histories} histories and ${seconds.toFixed(1)} s (${invariant})`
}

/** What occurred, summed over all workers. */
function countsOf(results) {
  const sums = new Map()
  for (const { counts } of results)
    for (const [what, count] of Object.entries(counts)) sums.set(what, (sums.get(what) ?? 0) + count)
  return [...sums]
    .toSorted(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
    .map(([what, count]) => `${what}: ${count}`)
    .join(', ')
}

async function bundle(name, fault) {
  const edits = fault === undefined ? [] : [fault, ...(fault.and ?? [])]
  const left = new Set(edits)
  const plant = (source, id) => {
    let code = source
    for (const edit of edits) {
      if (id !== join(root, edit.file)) continue
      if (code.split(edit.from).length !== 2)
        throw new Error(
          `"${fault.name}" cannot be planted: ${edit.file} must contain exactly once\n${edit.from}`,
        )
      left.delete(edit)
      code = code.replace(edit.from, () => edit.to)
    }
    return code === source ? undefined : code
  }
  const bundled = await rolldown({
    input: join(root, 'test/simulation/main.ts'),
    cwd: root,
    platform: 'node',
    external: ['@photostructure/sqlite', /^node:/],
    plugins: [{ name: 'plant', transform: plant }],
  })
  const { output } = await bundled.write({
    dir: join(folder, name),
    format: 'esm',
    entryFileNames: 'main.mjs',
    chunkFileNames: '[name].mjs',
  })
  await bundled.close()
  for (const { file } of left) throw new Error(`"${fault.name}" was not planted: nothing imports ${file}`)
  return join(folder, name, output[0].fileName)
}

function run(file, args, stdout) {
  return new Promise((resolve, reject) => {
    const env = values.batches ? { ...process.env, SIMULATE: 'batches' } : process.env
    const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', stdout, 'inherit'], env })
    let text = ''
    child.stdout?.setEncoding('utf8').on('data', (chunk) => (text += chunk))
    child.on('error', reject)
    child.on('close', (exitCode, signal) => {
      if (stdout === 'pipe' && exitCode !== 0) reject(new Error(`a worker ended with ${signal ?? exitCode}`))
      else resolve({ exitCode: exitCode ?? 1, stdout: text })
    })
  })
}
