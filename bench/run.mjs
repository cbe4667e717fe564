// Runs all benchmarks on a fresh build; takes about twenty minutes. Usage: npm run bench
// PRISM=/path/to/prism includes Prism. bench/import.mjs says how it finds the programs that it compares the import with.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { batch } from './batch.mjs'
import { imports } from './import.mjs'
import { ledger } from './ledger.mjs'
import { lists } from './lists.mjs'
import { longTexts } from './long-texts.mjs'
import { sandboxFairness } from './sandbox-fairness.mjs'
import { sandbox } from './sandbox.mjs'
import { startup } from './startup.mjs'

execFileSync(process.execPath, [fileURLToPath(new URL('../scripts/build.mjs', import.meta.url))], {
  stdio: 'inherit',
})
await startup()
console.log()
await ledger()
console.log()
await sandbox()
console.log()
await sandboxFairness()
console.log()
await lists()
console.log()
await longTexts()
console.log()
await imports()
console.log()
await batch()
