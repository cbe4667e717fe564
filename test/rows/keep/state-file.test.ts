import { execFileSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { usingFile } from '../../../src/rows/file-errors.ts'
import { textAt } from '../../../src/rows/keep/state-file.ts'
import { useFolder } from '../../support/folder.ts'

const folder = useFolder()

const at = (name: string) => join(folder(), name)

test.skipIf(process.platform === 'win32')('a link is not read', () => {
  writeFileSync(at('target'), 'theirs')
  symlinkSync(at('target'), at('link'))
  expect(() => textAt(at('link'))).toThrow(/link cannot be read: it is a symbolic link/)
})

test.skipIf(process.platform === 'win32')('a pipe is refused and not waited for', () => {
  execFileSync('mkfifo', [at('pipe')])
  expect(() => textAt(at('pipe'))).toThrow(/it is not a regular file/)
})

test('a full disk is named with its file and a remedy', () => {
  const full = () => {
    throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
  }
  expect(() => usingFile('p.db', 'written', full)).toThrow(
    expect.objectContaining({
      code: 'unwritable_file',
      exitCode: 2,
      message: 'p.db cannot be written: the disk is full',
      details: expect.objectContaining({
        outcome: 'none',
        hint: 'Free some space, then run the same command again.',
      }),
    }),
  )
})
