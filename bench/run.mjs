// Runs every bench, on a fresh build. Usage: npm run bench
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { startup } from './startup.mjs'

execFileSync(process.execPath, [fileURLToPath(new URL('../scripts/build.mjs', import.meta.url))], {
  stdio: 'inherit',
})
await startup()
