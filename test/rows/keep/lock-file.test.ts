import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { lockFile, lockOutputs } from '../../../src/rows/keep/lock-file.ts'
import { EXIT, PayError } from '../../../src/errors.ts'
import { newFolder } from '../../support/folder.ts'

const lock = (path: string) =>
  lockFile(path, () => new PayError('import_running', EXIT.conflict, 'It is running'))
const REFUSED = expect.objectContaining({ code: 'import_running', exitCode: 6 })

test('one holder at a time has the lock, and nothing is left of it', () => {
  const folder = newFolder()
  const path = join(folder, 'run.lock')
  const release = lock(path)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(() => lock(path)).toThrow(REFUSED)
  lock(join(folder, 'other.lock'))()
  expect(() => lock(path)).toThrow(REFUSED)
  release()
  lock(path)()
  expect(readdirSync(folder)).toEqual([])
})

test('an output has one writer at a time, whatever its name; a device has any number', () => {
  const folder = newFolder()
  const refused = () => new PayError('import_running', EXIT.conflict, 'Another process writes it')
  const lockAll = (...paths: readonly string[]) => lockOutputs(folder, paths, refused)
  symlinkSync(folder, join(folder, 'linked'))
  const release = lockAll(join(folder, 'results.csv'), '/dev/null')
  expect(() => lockAll(join(folder, 'other.csv'), join(folder, 'linked/results.csv'))).toThrow(REFUSED)
  expect(() => lockAll(join(folder, 'RESULTS.csv'))).toThrow(REFUSED)
  lockAll('/dev/null', join(folder, 'other.csv'))()
  release()
  lockAll(join(folder, 'results.csv'))()
  expect(readdirSync(folder)).toEqual(['linked'])
})

test('a file that a killed process has left is free', () => {
  const path = join(newFolder(), 'run.lock')
  writeFileSync(path, '')
  lock(path)()
})

test('another process has the lock until it is killed', async () => {
  const path = join(newFolder(), 'run.lock')
  const child = fork(new URL('lock-holder.mjs', import.meta.url), [path])
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child, 'message')
  expect(() => lock(path)).toThrow(REFUSED)
  child.kill('SIGKILL')
  await once(child, 'exit')
  lock(path)()
})

test('a folder that is not there is an error', () => {
  expect(() => lock(join(newFolder(), 'none/run.lock'))).toThrow(
    expect.objectContaining({ code: 'unwritable_file' }),
  )
})

test('a file that is no lock is an error, and stays as it is', () => {
  const path = join(newFolder(), 'run.lock')
  writeFileSync(path, 'no database'.repeat(1000))
  expect(() => lock(path)).toThrow(expect.objectContaining({ code: 'unwritable_file' }))
})
