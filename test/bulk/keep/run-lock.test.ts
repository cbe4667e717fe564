import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockRun as lockRunOf } from '../../../src/bulk/keep/run-lock.ts'
import type { Holder } from '../../../src/bulk/keep/run-lock.ts'
import { EXIT, PayError } from '../../../src/errors.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pay-lock-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

const living = new Set<string>()
const holder = (name: string): Holder => ({ id: name, owner: name, isAtWork: (owner) => living.has(owner) })
const lockRun = (at: string, run: string, by: Holder) =>
  lockRunOf(at, run, by, () => new PayError('import_running', EXIT.conflict, 'It is running'))
const start = (name: string): Holder => {
  living.add(name)
  return holder(name)
}
const REFUSED = expect.objectContaining({ code: 'import_running', exitCode: 6 })

test('one process at a time has the lock', () => {
  const release = lockRun(folder, 'run', start('a'))
  expect(() => lockRun(folder, 'run', start('b'))).toThrow(REFUSED)
  release()
  lockRun(folder, 'run', holder('b'))()
  expect(readdirSync(folder)).toEqual([])
})

test('another run has its own lock', () => {
  lockRun(folder, 'run', start('a'))
  expect(() => lockRun(folder, 'run-2', start('b'))).not.toThrow()
})

test('the lock of a dead process is taken over and its file removed', () => {
  lockRun(folder, 'run', start('a'))
  living.delete('a')
  const release = lockRun(folder, 'run', start('b'))
  expect(readdirSync(folder)).toHaveLength(1)
  expect(() => lockRun(folder, 'run', start('c'))).toThrow(REFUSED)
  release()
  expect(readdirSync(folder)).toEqual([])
})

test('the slower of two processes that find the holder dead does not get the lock', () => {
  lockRun(folder, 'run', start('a'))
  living.delete('a')
  // Both have found the holder dead; the other one is quicker.
  const late: Holder = {
    ...start('late'),
    isAtWork: (owner) => {
      if (owner === 'a' && !living.has('quick')) lockRun(folder, 'run', start('quick'))
      return living.has(owner)
    },
  }
  expect(() => lockRun(folder, 'run', late)).toThrow(REFUSED)
})

test('two processes with different numbers do not both get the lock', () => {
  // Another process checked before a third one left, and got a higher number only now.
  const slow: Holder = {
    ...start('slow'),
    get owner() {
      writeFileSync(join(folder, 'run.lock.3'), 'rival')
      living.add('rival')
      return 'slow'
    },
  }
  expect(() => lockRun(folder, 'run', slow)).toThrow(REFUSED)
  expect(readdirSync(folder)).toEqual(['run.lock.3'])
})

test('a lock file that cannot be read is an error, not a free lock', () => {
  writeFileSync(join(folder, 'run.lock.1'), '{')
  const parsing: Holder = { id: 'x', owner: 'x', isAtWork: (owner) => Boolean(JSON.parse(owner)) }
  expect(() => lockRun(folder, 'run', parsing)).toThrow(SyntaxError)
})
