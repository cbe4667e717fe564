import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makePrivateFolder } from '../src/private-folder.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pay-folder-'))
})
afterEach(() => {
  rmSync(root, { recursive: true, force: true })
})

const modeOf = (path: string) => statSync(path).mode & 0o777

test('makes a folder and those above it for the owner alone', () => {
  const path = join(root, 'a', 'b', 'c')
  expect(makePrivateFolder(path)).toBe(true)
  expect([path, join(root, 'a', 'b'), join(root, 'a')].map(modeOf)).toEqual([0o700, 0o700, 0o700])
})

test('leaves a folder that is there as it is', () => {
  const path = join(root, 'there')
  mkdirSync(path)
  chmodSync(path, 0o755)
  expect(makePrivateFolder(path)).toBe(false)
  expect(modeOf(path)).toBe(0o755)
})

test('fails where a file is in the way', () => {
  writeFileSync(join(root, 'file'), '')
  expect(() => makePrivateFolder(join(root, 'file'))).toThrow(/EEXIST/)
  expect(() => makePrivateFolder(join(root, 'file', 'below'))).toThrow(/ENOTDIR/)
})

test.runIf(process.platform === 'linux')('ends where no folder can be made', () => {
  expect(() => makePrivateFolder('/proc/pay/state')).toThrow(/ENOENT/)
})
