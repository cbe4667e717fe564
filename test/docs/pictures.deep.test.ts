import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../support/spawn-pay.ts'
import { terminalTest } from '../support/pseudo-terminal.ts'

terminalTest(
  'the pictures are up to date (npm run pictures)',
  () =>
    promisify(execFile)(process.execPath, [join(ROOT, 'scripts/pictures.mjs'), '--check']).then(
      () => undefined,
    ),
  120_000,
)
