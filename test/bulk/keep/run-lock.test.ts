import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockRun } from '../../../src/bulk/keep/run-lock.ts'
import type { Holder } from '../../../src/bulk/keep/run-lock.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pay-lock-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

const living = new Set<string>()
const holder = (name: string): Holder => ({ id: name, words: name, isAtWork: (words) => living.has(words) })
const start = (name: string): Holder => {
  living.add(name)
  return holder(name)
}
const REFUSED = expect.objectContaining({ code: 'import_running', exitCode: 6 })

test('one at a time, and the next one when it has given it back', () => {
  const giveBack = lockRun(folder, 'run', start('a'))
  expect(() => lockRun(folder, 'run', start('b'))).toThrow(REFUSED)
  giveBack()
  lockRun(folder, 'run', holder('b'))()
  expect(readdirSync(folder)).toEqual([])
})

test('another run is nobody else’s matter', () => {
  lockRun(folder, 'run', start('a'))
  expect(() => lockRun(folder, 'run-2', start('b'))).not.toThrow()
})

test('the place of one that is dead is taken, and what it left is cleared away', () => {
  lockRun(folder, 'run', start('a'))
  living.delete('a')
  const giveBack = lockRun(folder, 'run', start('b'))
  expect(readdirSync(folder)).toHaveLength(1)
  expect(() => lockRun(folder, 'run', start('c'))).toThrow(REFUSED)
  giveBack()
  expect(readdirSync(folder)).toEqual([])
})

test('whoever comes late to the place of a dead one finds the living one in it', () => {
  lockRun(folder, 'run', start('a'))
  living.delete('a')
  // Both have looked, and found it dead; the other was quicker.
  const late: Holder = {
    ...start('late'),
    isAtWork: (words) => {
      if (words === 'a' && !living.has('quick')) lockRun(folder, 'run', start('quick'))
      return living.has(words)
    },
  }
  expect(() => lockRun(folder, 'run', late)).toThrow(REFUSED)
})

test('two that got different turns do not both go on', () => {
  // Another one looked before a third one left, and got a higher turn only now.
  const slow: Holder = {
    ...start('slow'),
    get words() {
      writeFileSync(join(folder, 'run.lock.3'), 'rival')
      living.add('rival')
      return 'slow'
    },
  }
  expect(() => lockRun(folder, 'run', slow)).toThrow(REFUSED)
  expect(readdirSync(folder)).toEqual(['run.lock.3'])
})

test('a lock whose words make no sense is an error, not a free place', () => {
  writeFileSync(join(folder, 'run.lock.1'), '{')
  const parsing: Holder = { id: 'x', words: 'x', isAtWork: (words) => Boolean(JSON.parse(words)) }
  expect(() => lockRun(folder, 'run', parsing)).toThrow(SyntaxError)
})
