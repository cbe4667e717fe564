import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { ROOT } from '../support/spawn-pay.ts'
import { terminalTest } from '../support/pseudo-terminal.ts'

terminalTest(
  'the pictures are up to date (npm run pictures)',
  async () => {
    const check = [join(ROOT, 'scripts/pictures.mjs'), '--check']
    const { stderr } = await promisify(execFile)(process.execPath, check)
    expect(stderr).toBe('')
  },
  120_000,
)
