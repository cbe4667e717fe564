import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openRunDatabase, readRunDatabase, removeRunDatabase } from '../../../src/bulk/keep/run-database.ts'
import { runDamaged } from '../../../src/bulk/keep/run-damaged.ts'
import { loadSqlite } from '../../../src/store/sqlite.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pay-run-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('a run that another process removes while it is read is gone, and not damaged', () => {
  const folder = newFolder()
  const path = join(folder, 'run.db')
  const damaged = (why: string) => runDamaged(path, why, 'Start over.')
  openRunDatabase(path, damaged, 'CREATE TABLE rows(row INTEGER) STRICT').database.close()
  const found = readRunDatabase(path, damaged, () => {
    removeRunDatabase(path)
    throw damaged('is not what was written')
  })
  expect(found).toBeUndefined()
  expect(readdirSync(folder)).toEqual([])
})

test('a run that stays damaged is reported', () => {
  const path = join(newFolder(), 'run.db')
  const damaged = (why: string) => runDamaged(path, why, 'Start over.')
  openRunDatabase(path, damaged, 'CREATE TABLE rows(row INTEGER) STRICT').database.close()
  expect(() =>
    readRunDatabase(path, damaged, () => {
      throw damaged('is not what was written')
    }),
  ).toThrow(expect.objectContaining({ code: 'run_damaged' }))
})

test('a connection that only reads creates no file', () => {
  const path = join(newFolder(), 'run.db')
  expect(() => loadSqlite()(path, { readOnly: true }).exec('SELECT 1')).toThrow()
  expect(existsSync(path)).toBe(false)
})
