/** Increased when the tables change. A database with a higher version is refused and left as it is. */
export const TABLES_VERSION = 4

/** Row ids increase, so new records go to the end of the table and only the indexes are written at random. */
const EXTERNAL_PAYMENTS = `
  CREATE TABLE external_payments (
    seq INTEGER PRIMARY KEY,
    payment_id TEXT NOT NULL UNIQUE,
    doc TEXT NOT NULL,
    created_at TEXT NOT NULL DEFAULT ''
  );
`

/** What was added to the records of payments, and the indexes by which records are listed. */
const RECORDS = `
  CREATE TABLE record_additions (payment_id TEXT PRIMARY KEY, doc TEXT NOT NULL) WITHOUT ROWID;
  CREATE INDEX external_payments_by_time ON external_payments (created_at);
  CREATE INDEX payments_by_time ON payments (date);
`

/** Most payments are made without a client session. */
const PAYMENTS_OF_SESSIONS = `
  CREATE INDEX payments_by_session ON payments (session_hash) WHERE session_hash IS NOT NULL;
`

/** `createdAt` of a stored record in the form of a payment's date: `2026-01-31T09:30:00.000000`. */
const CREATED_AT = `
  substr(json_extract(doc, '$.createdAt'), 1, 19) || '.' ||
  substr(ltrim(rtrim(substr(json_extract(doc, '$.createdAt'), 20), 'Z'), '.') || '000000', 1, 6)
`

/** Counters have their own columns, so counting doesn't rewrite the document. */
const FAULTS = `
  CREATE TABLE faults (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    doc TEXT NOT NULL,
    matched INTEGER NOT NULL DEFAULT 0,
    fired INTEGER NOT NULL DEFAULT 0
  );
`

/**
 * One row for all requests of a transaction; `last` is the number of the last one. `exchanges` has the bodies that are
 * kept. It is the last column, so that reading the entries doesn't read it.
 */
const REQUESTS = `
  CREATE TABLE requests (last INTEGER PRIMARY KEY, entries TEXT NOT NULL, exchanges TEXT);
`

/** Stores each key with the payment as its call left it, so that the response can be repeated. */
const IDEMPOTENCY_KEYS = `
  CREATE TABLE idempotency_keys (
    key TEXT NOT NULL UNIQUE,
    operation TEXT NOT NULL,
    payment_id TEXT NOT NULL,
    request_hash TEXT,
    doc TEXT
  );
`

/** SQL that upgrades each version to the next. */
export const MIGRATIONS: Readonly<Record<number, string>> = {
  1: `
    ALTER TABLE external_payments RENAME TO external_payments_1;
    CREATE TABLE external_payments (seq INTEGER PRIMARY KEY, payment_id TEXT NOT NULL UNIQUE, doc TEXT NOT NULL);
    INSERT INTO external_payments (payment_id, doc) SELECT payment_id, doc FROM external_payments_1;
    DROP TABLE external_payments_1;
    ALTER TABLE idempotency_keys ADD COLUMN request_hash TEXT;
    ALTER TABLE idempotency_keys ADD COLUMN doc TEXT;
    ${FAULTS}
    CREATE TABLE requests (last INTEGER PRIMARY KEY, entries TEXT NOT NULL);
  `,
  2: `
    ALTER TABLE external_payments ADD COLUMN created_at TEXT NOT NULL DEFAULT '';
    UPDATE external_payments SET created_at = ${CREATED_AT};
    ${RECORDS}
  `,
  3: `
    ALTER TABLE requests ADD COLUMN exchanges TEXT;
    ALTER TABLE payments ADD COLUMN session_hash TEXT;
    UPDATE payments SET session_hash = (
      SELECT json_extract(single_use_tokens.doc, '$.sessionIdHash') FROM single_use_tokens
      WHERE token = json_extract(payments.doc, '$.method.token')
    );
    UPDATE payments SET doc = json_set(doc, '$.sessionIdHash', session_hash) WHERE session_hash IS NOT NULL;
    ${PAYMENTS_OF_SESSIONS}
  `,
}

/**
 * Documents are JSON text, next to the few columns that are searched. Dates are stored as responses show them, so they sort
 * as text; `due_at`, in milliseconds, is when the next event is due.
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
    doc TEXT NOT NULL,
    session_hash TEXT
  );
  ${PAYMENTS_OF_SESSIONS}
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
  ${EXTERNAL_PAYMENTS}
  CREATE TABLE loyalty_balances (
    connection_id TEXT NOT NULL,
    customer_id TEXT NOT NULL,
    balance INTEGER NOT NULL,
    PRIMARY KEY (connection_id, customer_id)
  ) WITHOUT ROWID;
  CREATE TABLE loyalty_transactions (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, doc TEXT NOT NULL);
  ${RECORDS}
  ${IDEMPOTENCY_KEYS}
  ${FAULTS}
  ${REQUESTS}
  PRAGMA user_version = ${TABLES_VERSION};
`

export const TABLES = [
  'settings',
  'sessions',
  'payments',
  'single_use_tokens',
  'instruments',
  'external_payments',
  'record_additions',
  'loyalty_balances',
  'loyalty_transactions',
  'idempotency_keys',
  'faults',
  'requests',
] as const
