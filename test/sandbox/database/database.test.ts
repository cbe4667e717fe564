import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../../src/sandbox/database/database-file.ts'
import { errorsOf } from '../../../src/sandbox/database/database-error.ts'
import { databaseOn, numberIn } from '../../../src/store/database.ts'
import { recordsIn } from '../../../src/sandbox/database/records.ts'
import { CREATE_TABLES } from '../../../src/sandbox/database/tables.ts'
import { hasUsableSqlite, loadSqlite } from '../../../src/store/sqlite.ts'
import { newFolder } from '../service.ts'

const open = () => openDatabase(newFolder()).database

const insert = (name: string) => ['INSERT INTO settings (name, value) VALUES (?, ?)', name, 'x'] as const

describe('transactions', () => {
  const names = "SELECT name FROM settings WHERE name <> 'identity' ORDER BY name"

  test('write nothing if the work throws', async () => {
    const database = open()
    const work = () =>
      database.transaction(() => {
        database.run(...insert('a'))
        throw new Error('no')
      })
    expect(work).toThrow('no')
    expect(database.all(names)).toEqual([])
    database.close()
  })

  test('keep writes around a failed attempt', async () => {
    const database = open()
    database.transaction(() => {
      database.run(...insert('before'))
      expect(() =>
        database.attempt(() => {
          database.run(...insert('within'))
          throw new Error('no')
        }),
      ).toThrow('no')
      database.run(...insert('later'))
    })
    expect(database.all(names).map((row) => row['name'])).toEqual(['before', 'later'])
    database.close()
  })

  test('fail entirely if SQLite rolls back by itself', () => {
    const database = open()
    const work = () =>
      database.transaction(() => {
        database.run(...insert('before'))
        database.attempt(() => {
          database.run('ROLLBACK')
          throw new Error('out of memory')
        })
      })
    expect(work).toThrow(expect.objectContaining({ code: 'sandbox_disk', details: expect.anything() }))
    expect(database.all(names)).toEqual([])
    database.close()
  })

  test('are on disk when they end, unless they need not be durable', () => {
    const database = open()
    const syncing = () => numberIn(database.get('PRAGMA synchronous'), 'synchronous')
    const FULL = 2
    database.transaction(() => database.run(...insert('a')))
    expect(syncing()).toBe(FULL)
    database.transaction(() => database.run(...insert('b')), { isDurable: false })
    expect(syncing()).toBeLessThan(FULL)
    database.transaction(() => database.run(...insert('c')), { isDurable: true })
    expect(syncing()).toBe(FULL)
    database.close()
  })

  test('prepare one statement for lists of any length', () => {
    const prepared = new Set<string>()
    const connection = loadSqlite()(join(newFolder(), 'statements.db'))
    connection.exec(CREATE_TABLES)
    const spying = {
      ...connection,
      exec: (sql: string) => connection.exec(sql),
      prepare: (sql: string) => {
        prepared.add(sql)
        return connection.prepare(sql)
      },
      close: () => connection.close(),
    }
    const records = recordsIn(databaseOn(spying, errorsOf('statements.db')))
    for (let length = 1; length <= 60; length += 1)
      expect(
        records.list({ orderId: Array.from({ length }, (_, index) => `o-${index}`) }, undefined, 10),
      ).toEqual([])
    expect(prepared.size).toBe(1)
    expect(records.list({ orderId: Array.from({ length: 40_000 }, String) }, undefined, 10)).toEqual([])
    connection.close()
  })

  test('a statement that SQLite refuses is an internal error', async () => {
    const database = open()
    expect(() => database.run('INSERT INTO nothing VALUES (1)')).toThrow('nothing')
    database.close()
  })
})

test.each([
  ['20.20.2', false],
  ['22.12.0', false],
  ['22.13.0', true],
  ['23.0.0', true],
  ['26.1.0', true],
])('Node %s has usable built-in SQLite: %s', (version, usable) => {
  expect(hasUsableSqlite(version)).toBe(usable)
})
