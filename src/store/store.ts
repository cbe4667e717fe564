import type { Row } from './database.ts'
import type { SqlValues } from './sqlite.ts'

/** Statements inside a transaction; unusable once it has ended. Values are given by name, for `:name` in the statement. */
export interface Tx {
  readonly get: (sql: string, values?: SqlValues) => Promise<Row | undefined>
  readonly all: (sql: string, values?: SqlValues) => Promise<readonly Row[]>
  /** Each row as the values of its columns, which takes a third less time than {@link Tx.all}. */
  readonly arrays: (sql: string, values?: SqlValues) => Promise<readonly (readonly unknown[])[]>
  /** Returns how many rows changed. */
  readonly run: (sql: string, values?: SqlValues) => Promise<number>
  /** When the transaction began by the database's clock; undefined for a database that has none of its own. */
  readonly startedAt?: Date | undefined
}

/** The statements of one transaction, and what ends their use. */
export function statementsOf({ get, all, arrays, run, startedAt }: Tx): {
  readonly tx: Tx
  readonly end: () => void
} {
  let hasEnded = false
  const use =
    <T>(statement: (sql: string, values?: SqlValues) => Promise<T>) =>
    async (sql: string, values?: SqlValues): Promise<T> => {
      if (hasEnded) throw new Error('a statement outside its transaction')
      return statement(sql, values)
    }
  return {
    tx: { get: use(get), all: use(all), arrays: use(arrays), run: use(run), startedAt },
    end: () => {
      hasEnded = true
    },
  }
}

/** What a transaction in which a write begins has to know. It needs the indexes that keep two writes apart. */
export interface Claiming {
  /** What no other transaction may claim at the same time. On SQLite, the write lock covers it. */
  readonly locks: readonly string[]
}

/** The error of a commit that may or may not have been done. The cause is the store's error. */
export class UncertainCommit extends Error {
  constructor(cause: unknown) {
    super('a commit may have been done or not', { cause })
  }
}

/**
 * A database that several processes share, used in whole transactions. Nothing outside a transaction reads or writes it.
 * Waits only for statements may stand inside the work: others keep every process waiting.
 */
export interface Store {
  /** A file's path, or a database's URL, for messages. */
  readonly place: string
  /**
   * Does all of the work or nothing, with no other writer in between. Durable when it resolves. If the work throws, nothing is
   * written.
   * @throws {UncertainCommit} if the store fails while committing
   */
  readonly transaction: <T>(work: (tx: Tx) => Promise<T>, claiming?: Claiming) => Promise<T>
  /** Reads one state of the database, even where nothing can be written. */
  readonly reading: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
}
