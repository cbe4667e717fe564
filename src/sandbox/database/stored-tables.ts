import type { Database, Row } from '../../store/database.ts'
import type { SqlValue } from '../../store/sqlite.ts'
import { TABLES } from './tables.ts'

/** The rows of each table. Plain JSON. */
export type StoredTables = Readonly<Record<string, readonly Row[]>>

export const readTables = (database: Database): StoredTables =>
  Object.fromEntries(TABLES.map((table) => [table, database.all(`SELECT * FROM ${table}`)]))

export function replaceTables(database: Database, tables: StoredTables): void {
  for (const table of TABLES) {
    database.run(`DELETE FROM ${table}`)
    for (const row of tables[table] ?? []) {
      const names = Object.keys(row)
      database.run(
        `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
        ...Object.values(row).map(asSqlValue),
      )
    }
  }
}

const asSqlValue = (value: unknown): SqlValue =>
  typeof value === 'number' || typeof value === 'string' ? value : null
