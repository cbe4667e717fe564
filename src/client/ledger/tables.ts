/** The formats of the tables, in a file and of a team. Others are refused. */
export const FILE_VERSION = 3
/** From this one on, files have the same tables. */
export const OLDEST_FILE_VERSION = 2
export const TEAM_VERSION = 3

/** An open write may still have an effect: it blocks its target. */
export const OPEN = `state IN ('sending', 'in-doubt')`

/** How a database calls the types of columns. */
interface Types {
  readonly text: string
  readonly integer: string
  /** A number that grows with each row. */
  readonly place: string
}

/**
 * `record` has everything about a write as JSON; the other columns are what decides, repeated so that indexes can find it.
 * `turn` grows with each process that takes a write over: an update with an earlier turn changes nothing. Times are
 * milliseconds since 1970.
 */
const writesIn = ({ text, integer, place }: Types): string => `(
    place ${place} PRIMARY KEY,
    id ${text} NOT NULL UNIQUE,
    account ${text} NOT NULL,
    api_key_id ${text} NOT NULL,
    target ${text},
    key ${text},
    ticket ${integer} NOT NULL,
    state ${text} NOT NULL,
    turn ${integer} NOT NULL,
    lease_until ${integer},
    owner ${text},
    created_at ${integer} NOT NULL,
    updated_at ${integer} NOT NULL,
    record ${text} NOT NULL,
    checksum ${text} NOT NULL
  )`

const COUNTS = `ticket = 1 AND state IN ('sending', 'in-doubt', 'confirmed')`

/** The indexes that keep two writes apart. `inCatalog` is how PostgreSQL words column and condition. */
export const UNIQUE_INDEXES = [
  {
    name: 'open_target',
    column: 'target',
    where: OPEN,
    inCatalog: "open_target target (state = ANY (ARRAY['sending'::text, 'in-doubt'::text]))",
  },
  {
    name: 'used_ticket',
    column: 'key',
    where: COUNTS,
    inCatalog:
      "used_ticket key ((ticket = 1) AND (state = ANY (ARRAY['sending'::text, 'in-doubt'::text, 'confirmed'::text])))",
  },
] as const

const uniqueIndex = ({ name, column, where }: (typeof UNIQUE_INDEXES)[number]): string =>
  `UNIQUE INDEX ${name} ON writes(${column}) WHERE ${where}`

const INDEXES = [
  ...UNIQUE_INDEXES.map(uniqueIndex),
  'INDEX by_target ON writes(target, updated_at)',
  'INDEX by_key ON writes(key)',
]

/** What the schema of a file must have. */
export const FILE_TABLES = ['writes', 'tally', 'set_aside'] as const
export const FILE_INDEXES = UNIQUE_INDEXES.map((index) => ({
  name: index.name,
  sql: `CREATE ${uniqueIndex(index)}`,
}))

export const TEAM_TABLES = ['ledger', 'accounts', 'members', 'writes'] as const

/** For SQLite. `tally` counts the open writes and combines their IDs, so that a lost one is noticed. */
export const CREATE_TABLES = `
  CREATE TABLE writes${writesIn({ text: 'TEXT', integer: 'INTEGER', place: 'INTEGER' })} STRICT;
  ${INDEXES.map((index) => `CREATE ${index};`).join('\n  ')}
  CREATE TABLE tally(one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1), open INTEGER NOT NULL, marks TEXT NOT NULL) STRICT;
  INSERT INTO tally VALUES (1, 0, '0000000000000000');
  CREATE TABLE set_aside(id TEXT NOT NULL, at INTEGER NOT NULL, row TEXT NOT NULL) STRICT;
  PRAGMA user_version = ${FILE_VERSION};
`

/** The columns that an outcome changes. */
export const CHANGED = ['state', 'turn', 'lease_until', 'owner', 'updated_at', 'record'] as const

/** Compares text byte by byte, as SQLite does. */
const TYPES = { text: 'TEXT COLLATE "C"', integer: 'BIGINT', place: 'BIGINT GENERATED ALWAYS AS IDENTITY' }

/** The columns that a member's program writes. */
const INSERTED = `id, account, api_key_id, target, key, ticket, state, turn, lease_until, owner, created_at, updated_at,
    record, checksum`

/**
 * For PostgreSQL, in this order; each may be run again. No row is ever removed, and one that has ended never changes, whoever
 * tries.
 */
export const CREATE_TEAM_TABLES: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS ledger(
    one INTEGER PRIMARY KEY CHECK (one = 1), id TEXT NOT NULL, version INTEGER NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS accounts(
    name ${TYPES.text} PRIMARY KEY, created_at BIGINT NOT NULL, created_by TEXT NOT NULL)`,
  'ALTER TABLE accounts ADD COLUMN IF NOT EXISTS limits TEXT',
  `CREATE TABLE IF NOT EXISTS members(
    api_key_id ${TYPES.text} PRIMARY KEY, account ${TYPES.text} NOT NULL REFERENCES accounts(name),
    joined_at BIGINT NOT NULL, joined_by TEXT NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS writes${writesIn(TYPES)}`,
  ...INDEXES.map((index) => `CREATE ${index.replace('INDEX', 'INDEX IF NOT EXISTS')}`),
  'CREATE INDEX IF NOT EXISTS by_account ON writes(account, created_at)',
  `CREATE OR REPLACE FUNCTION pay_keep_ended() RETURNS trigger LANGUAGE plpgsql SET search_path TO pg_catalog, pg_temp AS $$
    BEGIN
      IF TG_OP = 'UPDATE' AND OLD.${OPEN} THEN RETURN NEW; END IF;
      RAISE EXCEPTION 'a write that has ended never changes, and none is removed' USING ERRCODE = 'insufficient_privilege';
    END $$`,
  `CREATE OR REPLACE TRIGGER keep_ended BEFORE UPDATE OR DELETE ON writes FOR EACH ROW EXECUTE FUNCTION pay_keep_ended()`,
  ...['pay_writer', 'pay_reader'].map(
    (role) =>
      `DO $$ BEGIN CREATE ROLE ${role} NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`,
  ),
  'REVOKE ALL ON ledger, accounts, members, writes FROM pay_writer, pay_reader',
  'GRANT SELECT ON ledger, accounts, members, writes TO pay_writer, pay_reader',
  'GRANT INSERT (name, created_at, created_by) ON accounts TO pay_writer',
  'GRANT INSERT (api_key_id, account, joined_at, joined_by) ON members TO pay_writer',
  `GRANT INSERT (${INSERTED}) ON writes TO pay_writer`,
  `GRANT UPDATE (${[...CHANGED, 'checksum'].join(', ')}) ON writes TO pay_writer`,
  'INSERT INTO ledger VALUES (1, :id, :version) ON CONFLICT (one) DO UPDATE SET version = :version',
]
