// Runs every bench, on a fresh build: some fifteen minutes. Usage: npm run bench   PRISM=/path/to/prism to have that one beside;
// the import's rivals are taken from PATH or from variables: bench/import.mjs
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { imports } from './import.mjs'
import { ledger } from './ledger.mjs'
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
await imports()
