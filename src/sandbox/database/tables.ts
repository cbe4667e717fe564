import type { Database, Row } from '../../store/database.ts'
import type { SqlValue } from '../../store/sqlite.ts'

/** The version of the tables. A database with another one is refused and left as it is. */
export const TABLES_VERSION = 5

/**
 * The table `records`: a row for every payment and external record, with all that lists and figures read. Row IDs increase,
 * so new records go to the end of both tables and only the indexes are written at random. Times are as payments show them, so
 * they sort as text; `due_at`, in milliseconds, is when the next event of a payment is due.
 */
const RECORDS = `
  CREATE TABLE records (
    seq INTEGER PRIMARY KEY,
    source TEXT NOT NULL,
    id TEXT NOT NULL UNIQUE,
    time TEXT NOT NULL,
    status TEXT,
    reason TEXT,
    currency TEXT,
    amount INTEGER,
    authorized INTEGER,
    captured INTEGER,
    refunded INTEGER,
    method TEXT,
    network TEXT,
    last4 TEXT,
    processor TEXT,
    merchant TEXT,
    country TEXT,
    order_id TEXT,
    customer_id TEXT,
    email TEXT,
    due_at INTEGER,
    session_hash TEXT,
    failures INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX records_by_time ON records (time);
  CREATE INDEX records_by_order ON records (order_id);
  CREATE INDEX records_by_customer ON records (customer_id) WHERE customer_id IS NOT NULL;
  CREATE INDEX payments_by_time ON records (time) WHERE source = 'payments';
  CREATE INDEX payments_due ON records (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX payments_by_session ON records (session_hash) WHERE session_hash IS NOT NULL;
`

/** The document of each record, and what a PATCH added to the record of a payment. Apart, so that lists don't read them. */
const DOCUMENTS = `
  CREATE TABLE documents (seq INTEGER PRIMARY KEY, doc TEXT NOT NULL, addition TEXT);
`

/** The faults. Counters have their own columns, so counting doesn't rewrite the document. */
const FAULTS = `
  CREATE TABLE faults (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    doc TEXT NOT NULL,
    matched INTEGER NOT NULL DEFAULT 0,
    fired INTEGER NOT NULL DEFAULT 0
  );
`

/**
 * The log: one row for all requests of a transaction; `last` is the number of the last one. `exchanges` has the bodies that are
 * kept. It is the last column, so that reading the entries doesn't read it.
 */
const REQUESTS = `
  CREATE TABLE requests (last INTEGER PRIMARY KEY, entries TEXT NOT NULL, exchanges TEXT);
`

/** The used keys, each with the payment as its call left it, so that the response can be repeated. */
const IDEMPOTENCY_KEYS = `
  CREATE TABLE idempotency_keys (
    key TEXT NOT NULL UNIQUE,
    operation TEXT NOT NULL,
    payment_id TEXT NOT NULL,
    request_hash TEXT,
    doc TEXT
  );
`

/** The statements that create the tables. Documents are JSON text, next to the few columns that are searched. */
export const CREATE_TABLES = `
  CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE sessions (
    id_hash TEXT PRIMARY KEY,
    expires_at INTEGER NOT NULL,
    order_id TEXT,
    customer_id TEXT,
    doc TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX sessions_by_time ON sessions (expires_at DESC);
  ${RECORDS}
  ${DOCUMENTS}
  CREATE TABLE single_use_tokens (token TEXT PRIMARY KEY, doc TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE instruments (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    token TEXT NOT NULL UNIQUE,
    customer_id TEXT NOT NULL,
    is_deleted INTEGER NOT NULL DEFAULT 0,
    doc TEXT NOT NULL
  );
  CREATE INDEX instruments_by_customer ON instruments (customer_id, seq DESC);
  CREATE TABLE loyalty_balances (
    connection_id TEXT NOT NULL,
    customer_id TEXT NOT NULL,
    balance INTEGER NOT NULL,
    PRIMARY KEY (connection_id, customer_id)
  ) WITHOUT ROWID;
  CREATE TABLE loyalty_transactions (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, doc TEXT NOT NULL);
  ${IDEMPOTENCY_KEYS}
  ${FAULTS}
  ${REQUESTS}
  PRAGMA user_version = ${TABLES_VERSION};
`

/** Every table; after them the one where SQLite counts the rows that ever were. */
export const TABLES = [
  'settings',
  'sessions',
  'records',
  'documents',
  'single_use_tokens',
  'instruments',
  'loyalty_balances',
  'loyalty_transactions',
  'idempotency_keys',
  'faults',
  'requests',
  'sqlite_sequence',
] as const

/** The rows of each table, as plain JSON. */
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
