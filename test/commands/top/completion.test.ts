import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { INSTALL, SHELLS } from '../../../src/commands/top/completion-scripts.ts'
import { useBench } from '../../support/use-bench.ts'

const bench = useBench()

describe.each(SHELLS)('pay completion %s', (shell) => {
  test('matches its golden file', async () => {
    const ran = await bench.runPay(['completion', shell])
    expect(ran).toMatchObject({ exitCode: 0, stderr: '' })
    await expect(ran.stdout).toMatchFileSnapshot(`../../golden/completion/${shell}.txt`)
  })

  test('has its installation command in the help', async () => {
    const { stdout } = await bench.runPay('completion --help')
    expect(stdout).toContain(`  ${INSTALL[shell]}\n`)
  })
})

test.each(['bash', 'zsh', 'fish'])('%s parses its script without a message', async (shell) => {
  if (spawnSync(shell, ['-c', 'exit 0']).status !== 0) {
    process.stderr.write(`SKIPPED: the completion script of ${shell}: it is not installed here.\n`)
    return
  }
  const { stdout } = await bench.runPay(['completion', shell])
  const file = join(bench.folder, 'script')
  writeFileSync(file, stdout)
  expect(spawnSync(shell, ['-n', file], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
})

test('--json has the script and the installation command', async () => {
  const { stdout } = await bench.runPay('completion zsh --json')
  expect(JSON.parse(stdout)).toMatchObject({ shell: 'zsh', install: INSTALL.zsh })
})

test.each([
  ['completion', 'Missing: SHELL (bash, zsh, fish or powershell)'],
  ['completion zhs', 'Did you mean zsh?'],
])('pay %s is refused: %s', async (words, message) => {
  const refused = await bench.runPay(words)
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
  expect(refused.stderr).toContain(message)
})
