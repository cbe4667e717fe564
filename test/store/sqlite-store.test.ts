import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { databaseOn } from '../../src/store/database.ts'
import type { Database } from '../../src/store/database.ts'
import { loadSqlite } from '../../src/store/sqlite.ts'
import { isSqliteError } from '../../src/store/fault.ts'
import { sqliteStore } from '../../src/store/sqlite-store.ts'
import type { StoreErrors } from '../../src/store/sqlite-store.ts'
import { UncertainCommit } from '../../src/store/store.ts'
import type { Store, Tx } from '../../src/store/store.ts'
import { newFolder } from '../support/folder.ts'

const ERRORS: StoreErrors = {
  explain: (error) => error,
  isFailure: isSqliteError,
  rolledBack: (cause) => new Error('rolled back', { cause }),
  locked: (cause) => new Error('locked', { cause }),
  replaced: () => new Error('replaced'),
}

/** A store on a file, what reached SQLite, and another connection to the file. */
function createFile(change: (database: Database) => Database = (database) => database) {
  const folder = newFolder()
  const path = join(folder, 'words.db')
  const connect = (): Database => databaseOn(loadSqlite()(path), ERRORS)
  const made = connect()
  made.run('CREATE TABLE words(word TEXT NOT NULL PRIMARY KEY)')
  made.close()
  const statements: string[] = []
  const waits: number[] = []
  let isCurrent = true
  const open = () => {
    const database = change(connect())
    const run: Database['run'] = (sql, ...values) => {
      statements.push(sql)
      return database.run(sql, ...values)
    }
    return { database: { ...database, run }, isCurrent: () => isCurrent }
  }
  let onWait = (): void => undefined
  const store = sqliteStore({
    place: 'ledger.db',
    openForWriting: open,
    openForReading: open,
    errors: ERRORS,
    wait: async (ms) => {
      waits.push(ms)
      onWait()
    },
  })
  const other = connect()
  onTestFinished(() => other.close())
  return {
    store,
    other,
    waits,
    commits: () => statements.filter((sql) => sql === 'COMMIT').length,
    words: () => other.all('SELECT word FROM words ORDER BY rowid').map(({ word }) => word),
    replace: () => {
      isCurrent = false
    },
    onWait: (does: () => void) => {
      onWait = does
    },
  }
}

const add = (store: Store, word: string) =>
  store.transaction((tx) => tx.run('INSERT INTO words VALUES (:word)', { word }))

describe('transactions', () => {
  test('of one turn of the event loop share a commit, in order', async () => {
    const { store, words, commits } = createFile()
    await Promise.all(['a', 'b', 'c'].map((word) => add(store, word)))
    expect(commits()).toBe(1)
    await add(store, 'd')
    expect(commits()).toBe(2)
    expect(words()).toEqual(['a', 'b', 'c', 'd'])
  })

  test('resolve only after the commit', async () => {
    const { store, words } = createFile()
    expect(await add(store, 'a').then(() => words())).toEqual(['a'])
  })

  test('fail by themselves: the others of their commit are done', async () => {
    const { store, words, commits } = createFile()
    const ended = await Promise.allSettled([
      add(store, 'a'),
      store.transaction(async (tx) => {
        await tx.run(`INSERT INTO words VALUES ('undone')`)
        throw new Error('refused')
      }),
      add(store, 'b'),
    ])
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(words()).toEqual(['a', 'b'])
    expect(commits()).toBe(1)
  })

  test('that all refuse commit nothing', async () => {
    const { store, commits } = createFile()
    await expect(store.transaction(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
    expect(commits()).toBe(0)
  })

  test('never let another in while they wait', async () => {
    const { store, words } = createFile()
    let isInside = false
    const first = store.transaction(async (tx) => {
      isInside = true
      await tx.run(`INSERT INTO words VALUES ('a')`)
      for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
      await tx.run(`INSERT INTO words VALUES ('b')`)
      isInside = false
    })
    await new Promise((resolve) => setImmediate(resolve))
    const second = store.transaction(async (tx) => {
      expect(isInside).toBe(false)
      await tx.run(`INSERT INTO words VALUES ('c')`)
    })
    const read = store.reading(async (tx) => {
      expect(isInside).toBe(false)
      return (await tx.all('SELECT * FROM words')).length
    })
    await Promise.all([first, second])
    expect(await read).toBe(3)
    expect(words()).toEqual(['a', 'b', 'c'])
  })

  test('own their statements: afterwards they fail', async () => {
    const { store } = createFile()
    let kept: Tx | undefined
    await store.transaction(async (tx) => {
      kept = tx
    })
    await expect(kept?.run(`INSERT INTO words VALUES ('late')`)).rejects.toThrow('outside its transaction')
  })

  test('fail together when the database fails, and nothing is left of them', async () => {
    const { store, words } = createFile((database) => ({
      ...database,
      run: (sql, ...values) => {
        if (sql.includes("'bad'")) throw Object.assign(new Error('disk I/O error'), { errcode: 10 })
        return database.run(sql, ...values)
      },
    }))
    const ended = await Promise.allSettled([
      add(store, 'a'),
      store.transaction((tx) => tx.run(`INSERT INTO words VALUES ('bad')`)),
    ])
    expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(words()).toEqual([])
    await add(store, 'b')
    expect(words()).toEqual(['b'])
  })
})

describe('a commit that fails', () => {
  test('is uncertain, because it may have been done', async () => {
    const { store } = createFile((database) => ({
      ...database,
      run: (sql, ...values) => {
        if (sql === 'COMMIT') throw Object.assign(new Error('disk I/O error'), { errcode: 10 })
        return database.run(sql, ...values)
      },
    }))
    await expect(add(store, 'a')).rejects.toBeInstanceOf(UncertainCommit)
  })

  test('because a reader holds its lock is tried again', async () => {
    const { store, other, words, waits, onWait } = createFile()
    other.run('BEGIN')
    expect(other.all('SELECT * FROM words')).toEqual([])
    onWait(() => {
      if (waits.length === 3) other.run('COMMIT')
    })
    await add(store, 'a')
    expect(waits).toEqual([1, 2, 4])
    expect(words()).toEqual(['a'])
  })
})

describe('another process', () => {
  test('is waited for, longer each time', async () => {
    const { store, other, words, waits, onWait } = createFile()
    other.run('BEGIN IMMEDIATE')
    onWait(() => {
      if (waits.length === 8) other.run('COMMIT')
    })
    await add(store, 'a')
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 32, 32])
    expect(words()).toEqual(['a'])
  })

  test('that keeps the lock for five seconds is an error', async () => {
    const { store, other, waits } = createFile()
    other.run('BEGIN EXCLUSIVE')
    for (const attempt of [
      () => add(store, 'a'),
      () => store.reading((tx) => tx.all('SELECT * FROM words')),
    ]) {
      waits.length = 0
      await expect(attempt()).rejects.toThrow('locked')
      expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(5000)
    }
  })
})

describe('a file that was replaced', () => {
  test('stops this process', async () => {
    const { store, replace, words } = createFile()
    await add(store, 'a')
    replace()
    await expect(add(store, 'b')).rejects.toThrow('replaced')
    await expect(store.reading((tx) => tx.all('SELECT * FROM words'))).rejects.toThrow('replaced')
    expect(words()).toEqual(['a'])
  })

  test('is opened anew if it was only read', async () => {
    const { store, replace } = createFile()
    const count = () => store.reading(async (tx) => (await tx.all('SELECT * FROM words')).length)
    expect(await count()).toBe(0)
    replace()
    expect(await count()).toBe(0)
  })
})
