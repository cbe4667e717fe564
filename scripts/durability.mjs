// Shows that the durability tests find bugs: builds the program with one planted fault after another and runs the tests on it
// until one fails. Usage: node scripts/durability.mjs [WORDS]    only the faults whose name contains these words
import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { inputOptions, outputOptions } from '../rolldown.config.mjs'
import { PLANTED_FAULTS } from '../test/durability/planted-faults.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
// Below node_modules, where the program finds its one dependency.
const cache = join(root, 'node_modules', '.cache')
mkdirSync(cache, { recursive: true })
const scratch = mkdtempSync(join(cache, 'payctl-durability-'))
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130))

const words = process.argv.slice(2).join(' ')
let missed = 0
for (const [index, fault] of PLANTED_FAULTS.entries()) {
  if (!fault.name.includes(words)) continue
  const started = performance.now()
  const failure = await failureOf(fault, await build(join(scratch, String(index)), fault))
  if (failure === undefined) missed += 1
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  console.log(
    failure === undefined
      ? `NOT FOUND: ${fault.name}`
      : `${fault.name}: found in ${seconds} s by\n  ${failure}`,
  )
}
process.exitCode = missed === 0 ? 0 : 1

/** Builds the program with the fault, without the parts of `npm run build` that only make it faster. */
async function build(folder, { name, file, from, to }) {
  let isPlanted = false
  const plant = (source, id) => {
    if (id !== join(root, file)) return undefined
    if (source.split(from).length !== 2)
      throw new Error(`"${name}" cannot be planted: ${file} must contain exactly once\n${from}`)
    isPlanted = true
    return source.replace(from, () => to)
  }
  const bundle = await rolldown({
    ...inputOptions,
    logLevel: 'silent',
    plugins: [{ name: 'plant', transform: plant }, ...(inputOptions.plugins ?? [])],
  })
  await bundle.write({ ...outputOptions, dir: join(folder, 'dist') })
  await bundle.close()
  if (!isPlanted) throw new Error(`"${name}" was not planted: nothing imports ${file}`)
  mkdirSync(join(folder, 'bin'))
  copyFileSync(join(root, 'bin/pay.cjs'), join(folder, 'bin/pay.cjs'))
  copyFileSync(join(root, 'package.json'), join(folder, 'package.json'))
  return join(folder, 'bin/pay.cjs')
}

/** The first check that fails and its power cut; undefined if all pass. */
async function failureOf({ test }, program) {
  const report = `${program}.json`
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const files = readdirSync(join(root, 'test/durability'))
  const testFile = [`${test}.test.ts`, `${test}.deep.test.ts`].find((name) => files.includes(name))
  const config = testFile.includes('.deep.') ? 'vitest.deep.config.ts' : 'vitest.config.ts'
  const only = `run --config ${config} test/durability/${testFile} --bail 1 --maxWorkers 1 --reporter json`
  const args = [...only.split(' '), '--outputFile', report, '-t', 'after a power cut']
  const env = { ...process.env, DURABILITY_PROGRAM: program }
  await new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [vitest, ...args], { cwd: root, env, stdio: 'ignore' })
    child.on('error', reject)
    child.on('close', resolve)
  })
  const results = JSON.parse(readFileSync(report, 'utf8')).testResults.flatMap(
    (file) => file.assertionResults,
  )
  const failed = results.find(({ status }) => status === 'failed')
  if (failed === undefined && !results.some(({ status }) => status === 'passed'))
    return `${test}: all skipped, perhaps because strace is missing`
  if (failed === undefined) return undefined
  const [message = ''] = failed.failureMessages[0]?.split('\n') ?? []
  // Any other failure does not show that the tests notice a power cut.
  if (!message.includes('a power cut')) throw new Error(`${failed.fullName}: ${message}`)
  return `${failed.fullName}\n  ${message}`
}
