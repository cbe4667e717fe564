import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../support/spawn-pay.ts'
import { terminalTest } from '../support/pseudo-terminal.ts'

/** A recorded session waits for words on a screen; on a busy machine it may miss its moment. */
const check = () =>
  promisify(execFile)(process.execPath, [join(ROOT, 'scripts/pictures.mjs'), '--check'], { timeout: 35_000 })

terminalTest(
  'the pictures are up to date (npm run pictures)',
  () =>
    check()
      .catch(check)
      .catch(check)
      .catch(check)
      .catch(check)
      .then(() => undefined),
  200_000,
)
