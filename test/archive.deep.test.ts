import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../scripts/archive.mjs'
import { nodeProgram } from '../scripts/node-builds.mjs'
import { newFolder } from './support/folder.ts'
import { csvOf } from './support/import-bench.ts'
import { splitWords } from './support/run-pay.ts'
import { packInto } from './support/pack.ts'

/** `test/windows` tries the one for Windows. */
test('the archive for Linux needs no Node', ({ skip }) => {
  skip(
    process.platform !== 'linux' ||
      process.arch !== 'x64' ||
      !existsSync(nodeProgram('linux-x64', '22.23.3')),
    'it needs Linux on x64, and the builds of Node that node scripts/node-builds.mjs fetches',
  )
  const folder = newFolder()
  const archive = makeFolder('linux-x64', packInto(folder), folder)
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  // The name on PATH, and the only other program that it needs.
  symlinkSync(join(archive, 'pay'), join(bin, 'pay'))
  symlinkSync('/usr/bin/readlink', join(bin, 'readlink'))
  const pay = (words: string): string =>
    execFileSync('pay', splitWords(words), {
      cwd: folder,
      env: { PATH: bin, PAY_CONFIG_DIR: join(folder, 'config'), PAY_STATE_DIR: join(folder, 'state') },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })

  expect(pay('smoke --sandbox')).toContain('All 12 steps passed.')
  const create = "payment create --sandbox --token tok_autocapture --yes -q --amount '20.00 EUR' --order-id"
  for (const order of ['E-1', 'E-2']) pay(`${create} ${order}`)
  pay("payment refund --order E-1 --sandbox --amount '5.00 EUR' --yes")
  writeFileSync(join(folder, 'rows.csv'), csvOf(100))
  expect(JSON.parse(pay('observability import rows.csv --sandbox --json'))).toMatchObject({ created: 100 })
  writeFileSync(join(folder, 'refunds.csv'), 'orderId,amount\nE-2,all\n')
  pay('batch plan refund refunds.csv --sandbox')
  pay('batch apply refunds.plan.ndjson --sandbox --yes')
  for (const name of ['LICENSE.txt', 'LICENSE-node.txt', 'LICENSES-libraries.txt'])
    expect(existsSync(join(archive, name)), name).toBe(true)
})
