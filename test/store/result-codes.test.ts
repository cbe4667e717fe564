import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { databaseOn } from '../../src/store/database.ts'
import { loadSqlite } from '../../src/store/sqlite.ts'
import { resultCodeOf } from '../../src/store/result-codes.ts'

test.each([
  [Object.assign(new Error('constraint failed'), { errcode: 1555 }), 19],
  [new Error('explained', { cause: Object.assign(new Error('x'), { errcode: 5 }) }), 5],
  [new Error('something else'), undefined],
  ['no error', undefined],
])('the result code of %s', (error, code) => expect(resultCodeOf(error)).toBe(code))

test('a damaged file has a result code, however it is read', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'pay-store-')), 'x.db')
  onTestFinished(() => rmSync(join(path, '..'), { recursive: true, force: true }))
  writeFileSync(path, 'no database, but long enough for a header'.repeat(100))
  for (const read of ['get', 'all'] as const) {
    const database = databaseOn(loadSqlite()(path), {
      explain: (error) => error,
      isFailure: () => true,
      rolledBack: () => new Error('rolled back'),
    })
    let code: number | undefined
    try {
      database[read]('SELECT * FROM words')
    } catch (error) {
      code = resultCodeOf(error)
    }
    expect(code).toBe(26)
    database.close()
  }
})
