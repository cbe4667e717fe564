import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { databaseOn } from '../../src/store/database.ts'
import { loadSqlite } from '../../src/store/sqlite.ts'
import { faultOf, isSqliteError } from '../../src/store/fault.ts'
import { newFolder } from '../support/folder.ts'

const withCode = (message: string, code: object): Error => Object.assign(new Error(message), code)

test.each([
  [withCode('constraint failed', { errcode: 1555 }), 'inconsistent', true],
  [withCode('no such table', { errcode: 1 }), 'inconsistent', true],
  [new Error('explained', { cause: withCode('x', { errcode: 5 }) }), 'locked', true],
  [withCode('busy snapshot', { errcode: 517 }), 'locked', true],
  [withCode('write', { errcode: 778 }), 'EIO', true],
  [withCode('full', { code: 'ERR_SQLITE_ERROR', errcode: 13 }), 'ENOSPC', true],
  [withCode('misuse', { code: 'ERR_SQLITE_ERROR', errcode: 21 }), undefined, true],
  [new Error('file is not a database'), 'damaged', true],
  [withCode('read-only', { code: 'EROFS' }), 'EROFS', false],
  [withCode('more than 53 bits', { code: 'ERR_OUT_OF_RANGE' }), 'inconsistent', false],
  [withCode('cannot open shared object file', { code: 'ERR_DLOPEN_FAILED' }), undefined, false],
  [new Error('something else'), undefined, false],
  ['no error', undefined, false],
])('what %s means', (error, fault, isOfSqlite) => {
  expect(faultOf(error)).toBe(fault)
  expect(isSqliteError(error)).toBe(isOfSqlite)
})

test('a damaged file is one, however it is read', () => {
  const path = join(newFolder(), 'x.db')
  writeFileSync(path, 'no database, but long enough for a header'.repeat(100))
  for (const read of ['get', 'all'] as const) {
    const database = databaseOn(loadSqlite()(path), {
      explain: (error) => error,
      isFailure: () => true,
      rolledBack: () => new Error('rolled back'),
    })
    let fault: unknown
    try {
      database[read]('SELECT * FROM words')
    } catch (error) {
      fault = faultOf(error)
    }
    expect(fault).toBe('damaged')
    database.close()
  }
})
