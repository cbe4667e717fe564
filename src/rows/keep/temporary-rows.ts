import { unusableBecause } from '../file-errors.ts'
import { databaseOn, textIn } from '../../store/database.ts'
import type { Database } from '../../store/database.ts'
import { faultOf } from '../../store/fault.ts'
import { loadSqlite } from '../../store/sqlite.ts'

/** A database that SQLite keeps in memory while it is small, and otherwise in a file that it removes by itself. */
export const openTemporaryDatabase = (path = ''): Database =>
  databaseOn(loadSqlite()(path), {
    explain: (error) => {
      const fault = faultOf(error)
      return fault?.startsWith('E') === true
        ? unusableBecause('The temporary folder', 'written', fault, error)
        : error
    },
    isFailure: () => true,
    rolledBack: (cause) => new Error('SQLite has rolled back', { cause }),
  })

/** Rows of JSON values. Many are kept outside the heap, which grows to several times what it holds. */
export interface TemporaryRows<Row> {
  readonly add: (row: Row) => void
  /** The rows, in the order in which they were added. */
  readonly all: () => Generator<Row, void, undefined>
}

/** The number of rows that are written or read at a time. */
const PART = 1_000

function openParts(): Database {
  const database = openTemporaryDatabase()
  database.run('CREATE TABLE parts(at INTEGER PRIMARY KEY, rows TEXT NOT NULL)')
  return database
}

export function createTemporaryRows<Row>(): TemporaryRows<Row> {
  let database: Database | undefined
  let held: Row[] = []
  let count = 0
  return {
    add: (row) => {
      held.push(row)
      if (held.length < PART) return
      database ??= openParts()
      database.run('INSERT INTO parts VALUES (?, ?)', count, JSON.stringify(held))
      count += 1
      held = []
    },
    *all() {
      for (let at = 0; at < count; at += 1) {
        const part = database?.get('SELECT rows FROM parts WHERE at = ?', at)
        const rows: readonly Row[] = JSON.parse(textIn(part, 'rows') ?? '[]')
        yield* rows
      }
      yield* held
    },
  }
}
