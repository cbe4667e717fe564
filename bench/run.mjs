// Runs every bench, on a fresh build: some seven minutes. Usage: npm run bench   PRISM=/path/to/prism to have that one beside
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ledger } from './ledger.mjs'
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
