import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeEphemeralFolder, removeEphemeralFolder } from '../../../src/commands/sandbox/ephemeral-folder.ts'

test('a server ends in order whether its folder can be removed or not', () => {
  const folder = makeEphemeralFolder()
  writeFileSync(join(folder, 'sandbox.db'), '')
  // As on Windows while a process has a file in it open.
  const busy = () => {
    throw Object.assign(new Error('EBUSY: resource busy or locked, unlink'), { code: 'EBUSY' })
  }
  removeEphemeralFolder(folder, busy)
  expect(existsSync(folder)).toBe(true)
  removeEphemeralFolder(folder)
  expect(existsSync(folder)).toBe(false)
})
