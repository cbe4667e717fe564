import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openRunDatabase, readRunDatabase, removeRunDatabase } from '../../../src/rows/keep/run-database.ts'
import { EXIT, PayError } from '../../../src/errors.ts'
import { useFolder } from '../../support/folder.ts'

const folder = useFolder()
const path = () => join(folder(), 'run.db')

const damaged = (why: string): PayError => new PayError('run_damaged', EXIT.conflict, why)
const TABLES = 'CREATE TABLE rows(row INTEGER NOT NULL, id TEXT) STRICT; CREATE INDEX by_id ON rows(id)'
const open = () => openRunDatabase(path(), damaged, TABLES)
const rowsIn = (database: ReturnType<typeof open>['database']) => database.all('SELECT row FROM rows')

/** Leaves a run with many rows. */
function leaveRun(): void {
  const { database } = open()
  database.transaction(() => {
    for (let row = 1; row <= 5_000; row += 1) database.run('INSERT INTO rows VALUES (?, ?)', row, `id-${row}`)
  })
  database.close()
}

/** As on Windows while a process has the file open. */
function busy(): never {
  throw Object.assign(new Error('EBUSY: resource busy or locked, unlink'), { code: 'EBUSY' })
}

test('removes every file of a run', () => {
  leaveRun()
  removeRunDatabase(path())
  for (const suffix of ['', '-wal', '-shm']) expect(existsSync(path() + suffix)).toBe(false)
  removeRunDatabase(path())
})

test('forgets a run whose files cannot be removed, and gives their space back', () => {
  leaveRun()
  removeRunDatabase(path(), busy)
  expect(statSync(path()).size).toBeLessThan(10_000)
  expect(readRunDatabase(path(), damaged, () => 'a run')).toBeUndefined()
  const { database, isFresh } = open()
  expect(isFresh).toBe(true)
  expect(rowsIn(database)).toEqual([])
  database.close()
})

test('forgets a run while another process reads it', () => {
  leaveRun()
  readRunDatabase(path(), damaged, (reader) => {
    expect(rowsIn(reader)).toHaveLength(5_000)
    removeRunDatabase(path(), busy)
    expect(rowsIn(reader)).toHaveLength(5_000)
  })
  expect(readRunDatabase(path(), damaged, () => 'a run')).toBeUndefined()
})

test('removes what is no run, and says so if it cannot', () => {
  writeFileSync(path(), 'no database')
  expect(() => removeRunDatabase(path(), busy)).toThrow(`${path()} cannot be written: EBUSY`)
  removeRunDatabase(path())
  expect(existsSync(path())).toBe(false)
})

test('is synced to the disk, where a system does so only if it is asked to', () => {
  const { database } = open()
  expect(database.get('PRAGMA fullfsync')).toEqual({ fullfsync: 1 })
  expect(database.get('PRAGMA checkpoint_fullfsync')).toEqual({ checkpoint_fullfsync: 1 })
  database.close()
})
