// Sends many random requests, and as many random byte sequences, to the sandbox. A failure prints its seed and its request.
// Usage: npm run fuzz [-- RUNS [SEED]]
import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { fileURLToPath } from 'node:url'

const [runs = '100000', seed = String(randomInt(1, 1_000_000_000))] = process.argv.slice(2)
console.log(`fuzz: ${runs} cases of each kind, seed ${seed}`)
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
const { status } = spawnSync(process.execPath, [vitest, 'run', 'test/fuzz', '--testTimeout=0'], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  env: { ...process.env, FUZZ_RUNS: runs, FUZZ_SEED: seed },
  stdio: 'inherit',
})
process.exitCode = status ?? 1
