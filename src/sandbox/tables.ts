/** Raised when the tables change; a database of a newer program is refused, never changed. */
export const TABLES_VERSION = 1

/**
 * Documents as JSON text beside the few columns that are searched. Dates are as they are answered, so they sort as text;
 * `due_at` is when the processor will have news, in milliseconds.
 */
export const CREATE_TABLES = `
  CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE sessions (id_hash TEXT PRIMARY KEY, doc TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE payments (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    order_id TEXT NOT NULL,
    customer_id TEXT,
    status TEXT NOT NULL,
    currency TEXT NOT NULL,
    amount INTEGER NOT NULL,
    date TEXT NOT NULL,
    due_at INTEGER,
    failures INTEGER NOT NULL DEFAULT 0,
    doc TEXT NOT NULL
  );
  CREATE INDEX payments_by_order ON payments (order_id);
  CREATE INDEX payments_by_customer ON payments (customer_id);
  CREATE INDEX payments_due ON payments (due_at) WHERE due_at IS NOT NULL;
  CREATE TABLE single_use_tokens (token TEXT PRIMARY KEY, doc TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE instruments (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    token TEXT NOT NULL UNIQUE,
    customer_id TEXT NOT NULL,
    doc TEXT NOT NULL
  );
  CREATE INDEX instruments_by_customer ON instruments (customer_id);
  CREATE TABLE external_payments (payment_id TEXT PRIMARY KEY, doc TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE loyalty_balances (
    connection_id TEXT NOT NULL,
    customer_id TEXT NOT NULL,
    balance INTEGER NOT NULL,
    PRIMARY KEY (connection_id, customer_id)
  ) WITHOUT ROWID;
  CREATE TABLE loyalty_transactions (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, doc TEXT NOT NULL);
  CREATE TABLE idempotency_keys (
    key TEXT PRIMARY KEY,
    operation TEXT NOT NULL,
    payment_id TEXT NOT NULL
  ) WITHOUT ROWID;
  PRAGMA user_version = ${TABLES_VERSION};
`

export const TABLES = [
  'settings',
  'sessions',
  'payments',
  'single_use_tokens',
  'instruments',
  'external_payments',
  'loyalty_balances',
  'loyalty_transactions',
  'idempotency_keys',
] as const
