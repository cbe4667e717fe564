import { expect, test } from 'vitest'
import { databaseOn } from '../../src/store/database.ts'
import { loadSqlite } from '../../src/store/sqlite.ts'
import type { SqliteStatement } from '../../src/store/sqlite.ts'

const ERRORS = { explain: (error: unknown) => error, isFailure: () => false, rolledBack: () => new Error() }

test.each([
  ['as arrays', {}],
  // As before Node 22.16.
  ['as objects', { setReturnArrays: undefined }],
])('reads the values of rows that SQLite returns %s', (_, changed) => {
  const connection = loadSqlite()(':memory:')
  const prepare = (sql: string): SqliteStatement => {
    const statement = connection.prepare(sql)
    return {
      run: (...values) => statement.run(...values),
      get: (...values) => statement.get(...values),
      all: (...values) => statement.all(...values),
      setReturnArrays: (isWanted) => statement.setReturnArrays?.(isWanted),
      ...changed,
    }
  }
  const exec = (sql: string) => connection.exec(sql)
  const database = databaseOn({ exec, prepare, close: () => connection.close() }, ERRORS)
  const sql = `SELECT 'b' AS z, NULL AS a UNION ALL SELECT 'c', :last`
  expect(database.arrays(sql, { last: 1 })).toEqual([
    ['b', null],
    ['c', 1],
  ])
  expect(database.all(sql, { last: 1 })).toMatchObject([{ z: 'b' }, { a: 1 }])
  database.close()
})
