import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../support/spawn-pay.ts'
import { terminalTest } from '../support/pseudo-terminal.ts'

terminalTest(
  'the pictures show what the program shows: npm run pictures draws them again',
  () =>
    promisify(execFile)(process.execPath, [join(ROOT, 'scripts/pictures.mjs'), '--check']).then(
      () => undefined,
    ),
  120_000,
)
