import { readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lockFile } from '../../src/store/file-lock.ts'
import { loadSqlite } from '../../src/store/sqlite.ts'
import type { OpenConnection } from '../../src/store/sqlite.ts'
import { newFolder } from '../support/folder.ts'

/** Opens a connection for a process that is held up, the first time, between opening the file and locking it. */
const heldUpOnce = (meanwhile: () => void): OpenConnection => {
  let isFirst = true
  return (path) => {
    const connection = loadSqlite()(path)
    if (isFirst) meanwhile()
    isFirst = false
    return connection
  }
}

test('a file is locked once', () => {
  const path = join(newFolder(), 'lock')
  const release = lockFile(path)
  expect(lockFile(path)).toBeUndefined()
  release?.()
  expect(readdirSync(join(path, '..'))).toEqual([])
})

test('another file that has the number of the one before is not locked', () => {
  const path = join(newFolder(), 'lock')
  let isFirst = true
  const release = lockFile(path, (file) => {
    if (!isFirst) return loadSqlite()(file)
    isFirst = false
    renameSync(file, `${file}-before`)
    const connection = loadSqlite()(file)
    rmSync(file)
    renameSync(`${file}-before`, file)
    return connection
  })
  expect(lockFile(path)).toBeUndefined()
  release?.()
  expect(readdirSync(join(path, '..'))).toEqual([])
})

test('the last holder may remove the file before it is locked', () => {
  const path = join(newFolder(), 'lock')
  const release = lockFile(
    path,
    heldUpOnce(() => rmSync(path)),
  )
  expect(release).toBeTypeOf('function')
  expect(lockFile(path)).toBeUndefined()
  release?.()
  expect(readdirSync(join(path, '..'))).toEqual([])
})
