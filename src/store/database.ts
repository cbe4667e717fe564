import type { SqlInput, SqliteConnection, SqliteStatement } from './sqlite.ts'

export type Row = Readonly<Record<string, unknown>>

/** What a database's errors mean to its user. */
export interface DatabaseErrors {
  /** The error to throw for one of SQLite's; any other is returned as it is. */
  readonly explain: (error: unknown) => unknown
  /** Whether the database failed, as opposed to the work in a transaction. */
  readonly isFailure: (error: unknown) => boolean
  /** The error to throw if SQLite has rolled back the transaction by itself. */
  readonly rolledBack: (cause: unknown) => Error
}

/**
 * An open database. Keep it as long as the program uses the database: a statement whose database has been garbage-collected
 * crashes the process.
 */
export interface Database {
  get(sql: string, ...values: SqlInput): Row | undefined
  all(sql: string, ...values: SqlInput): readonly Row[]
  /** Each row as the values of its columns, which takes a third less time than {@link Database.all}. */
  arrays(sql: string, ...values: SqlInput): readonly (readonly unknown[])[]
  /** Returns how many rows changed. */
  run(sql: string, ...values: SqlInput): number
  /**
   * Takes the write lock first, so that nothing changes between reading and writing. A transaction that isn't durable
   * survives a kill of the process, but not a power cut.
   */
  transaction<T>(work: () => T, options?: { readonly isDurable: boolean }): T
  /** Reads a snapshot; works even if nothing can be written. */
  reading<T>(work: () => T): T
  /** Inside a transaction: if the work throws, undoes only its own writes. */
  attempt<T>(work: () => T): T
  /** Whether every page of the file can be read. */
  isSound(): boolean
  /** Closes it, unless it is closed. */
  close(): void
}

export function databaseOn(connection: SqliteConnection, errors: DatabaseErrors): Database {
  const statements = new Map<string, SqliteStatement>()

  const guarded = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      throw errors.explain(error)
    }
  }
  const prepare = (sql: string, { asArrays } = { asArrays: false }): SqliteStatement => {
    const name = asArrays ? `arrays ${sql}` : sql
    const known = statements.get(name)
    if (known !== undefined) return known
    const statement = connection.prepare(sql)
    if (asArrays) statement.setReturnArrays?.(true)
    statements.set(name, statement)
    return statement
  }
  const nested = <T>(begin: string, commit: string, rollback: readonly string[], work: () => T): T => {
    guarded(() => prepare(begin).run())
    try {
      const result = work()
      guarded(() => prepare(commit).run())
      return result
    } catch (error) {
      try {
        for (const sql of rollback) connection.exec(sql)
      } catch {
        // Some errors make SQLite roll back everything: nothing else in this transaction may continue.
        throw errors.isFailure(error) ? error : errors.rolledBack(error)
      }
      throw error
    }
  }
  let isOpen = true
  let isSynced = true
  const syncOnCommit = (wanted: boolean): void => {
    if (wanted === isSynced) return
    guarded(() => connection.exec(`PRAGMA synchronous = ${wanted ? 'FULL' : 'NORMAL'}`))
    isSynced = wanted
  }

  const database: Database = {
    get: (sql, ...values) => guarded(() => asRow(prepare(sql).get(...values))),
    all: (sql, ...values) =>
      guarded(() =>
        prepare(sql)
          .all(...values)
          .filter(isRow),
      ),
    arrays: (sql, ...values) =>
      guarded(() =>
        prepare(sql, { asArrays: true })
          .all(...values)
          .map(asArray),
      ),
    run: (sql, ...values) => guarded(() => Number(prepare(sql).run(...values).changes)),
    transaction: (work, { isDurable } = { isDurable: true }) => {
      syncOnCommit(isDurable)
      return nested('BEGIN IMMEDIATE', 'COMMIT', ['ROLLBACK'], work)
    },
    reading: (work) => nested('BEGIN', 'COMMIT', ['ROLLBACK'], work),
    attempt: (work) =>
      nested('SAVEPOINT attempt', 'RELEASE attempt', ['ROLLBACK TO attempt', 'RELEASE attempt'], work),
    isSound: () => textIn(database.get('PRAGMA quick_check(1)'), 'quick_check') === 'ok',
    close: () => {
      statements.clear()
      if (isOpen) connection.close()
      isOpen = false
    },
  }
  return database
}

const isRow = (row: unknown): row is Row => typeof row === 'object' && row !== null
const asArray = (row: unknown): readonly unknown[] => (Array.isArray(row) ? row : Object.values(Object(row)))
const asRow = (row: unknown): Row | undefined => (isRow(row) ? row : undefined)

export function numberIn(row: unknown, column: string): number {
  const value = isRow(row) ? row[column] : undefined
  return typeof value === 'number' ? value : Number(value ?? 0)
}

export function textIn(row: unknown, column: string): string | undefined {
  const value = isRow(row) ? row[column] : undefined
  return typeof value === 'string' ? value : undefined
}
