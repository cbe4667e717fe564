import { expect, test } from 'vitest'
import { openDatabase } from '../../../src/sandbox/database/database-file.ts'
import { loadSqlite } from '../../../src/store/sqlite.ts'
import type { OpenConnection } from '../../../src/store/sqlite.ts'
import { newFolder } from '../service.ts'

/** Opens a database for a process that is held up after it has first read the version. */
const heldUp =
  (meanwhile: () => void): OpenConnection =>
  (path) => {
    const connection = loadSqlite()(path)
    let isFirst = true
    return {
      exec: (sql) => connection.exec(sql),
      close: () => connection.close(),
      prepare: (sql) => {
        const statement = connection.prepare(sql)
        if (!isFirst || sql !== 'PRAGMA user_version') return statement
        isFirst = false
        const row = statement.get()
        meanwhile()
        return { ...statement, get: () => row }
      },
    }
  }

test('two processes may create the same database', () => {
  const folder = newFolder()
  const meanwhile = heldUp(() => openDatabase(folder).database.close())
  const { database } = openDatabase(folder, meanwhile)
  expect(database.all('SELECT * FROM records')).toEqual([])
  database.close()
})
