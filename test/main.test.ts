import { spawnSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from './support/spawn-pay.ts'
import { useFolder } from './support/folder.ts'

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

describe('in a container whose user the system does not know', () => {
  const folder = useFolder()

  function payAs(home: string | undefined, words: string, env: Record<string, string> = {}) {
    const program = `
      const os = require('node:os')
      os.userInfo = () => { throw new Error('A system error occurred: uv_os_get_passwd returned ENOENT') }
      os.homedir = () => process.env.HOME ?? os.userInfo().homedir
      process.argv.push('pay', ...${JSON.stringify(words.split(' '))})
      require(${JSON.stringify(join(ROOT, 'dist/main.cjs'))})`
    const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', program], {
      encoding: 'utf8',
      cwd: folder(),
      input: 'key-of-shop-000000',
      env: { ...env, ...(home === undefined ? {} : { HOME: home }) },
    })
    return { status, stdout, stderr }
  }

  test.each([undefined, '', 'home'])('HOME=%o is exit 2, naming what helps', (home) => {
    const listed = payAs(home, 'payment list --sandbox')
    expect(listed).toMatchObject({ status: 2, stdout: '' })
    expect(listed.stderr).toContain('Set PAY_CONFIG_DIR and PAY_STATE_DIR')
    expect(payAs(home, 'payment refund --help')).toMatchObject({ status: 0, stderr: '' })
    expect(readdirSync(folder())).toEqual([])
  })

  test('its two folders are enough', () => {
    const env = { PAY_CONFIG_DIR: 'config', PAY_STATE_DIR: 'state' }
    const add = 'profile add shop --base-url http://127.0.0.1:9 --test --api-key-stdin'
    for (const words of [add, 'payment list --sandbox', 'ops list', 'doctor'])
      expect(payAs(undefined, words, env)).toMatchObject({ status: 0 })
    expect(readdirSync(folder()).toSorted()).toEqual(['config', 'state'])
  })
})
