import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './support/spawn-pay.ts'

test('an error that cannot be reported normally is one line with exit code 1', () => {
  const program = `
    process.argv.push('pay', 'payment', 'get')
    const write = process.stderr.write.bind(process.stderr)
    let isFirst = true
    process.stderr.write = (...words) => {
      if (!isFirst) return write(...words)
      isFirst = false
      throw new Error('stderr\\nis broken')
    }
    require(${JSON.stringify(join(ROOT, 'dist/main.cjs'))})`
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', program], {
    encoding: 'utf8',
    env: {},
  })
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: '',
    stderr: 'Error: Unexpected error: stderr is broken\n',
  })
})

test('the program is ASCII, which bin/pay.cjs reads it as', () => {
  expect(readFileSync(join(ROOT, 'dist/main.cjs'), 'latin1')).not.toMatch(/[\u0080-\u00FF]/)
})
