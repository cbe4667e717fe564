/** The format of the tables. Another one is refused. */
export const TABLES_VERSION = 1

/** An open write may still have an effect: it blocks its target. */
export const OPEN = `state IN ('sending', 'in-doubt')`

/**
 * `record` has everything about a write as JSON; the other columns are what decides, repeated so that indexes can find it.
 * `turn` grows with each process that takes a write over: an update with an earlier turn changes nothing. `tally` counts the
 * open writes and combines their IDs, so that a lost one is noticed. Times are milliseconds since 1970.
 */
export const CREATE_TABLES = `
  CREATE TABLE writes(
    id TEXT NOT NULL PRIMARY KEY,
    account TEXT NOT NULL,
    target TEXT,
    key TEXT,
    ticket INTEGER NOT NULL,
    state TEXT NOT NULL,
    turn INTEGER NOT NULL,
    lease_until INTEGER,
    owner TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    record TEXT NOT NULL,
    checksum TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX open_target ON writes(target) WHERE ${OPEN};
  CREATE UNIQUE INDEX used_ticket ON writes(key) WHERE ticket = 1 AND state IN ('sending', 'in-doubt', 'confirmed');
  CREATE INDEX by_target ON writes(target, updated_at);
  CREATE INDEX by_key ON writes(key);
  CREATE TABLE tally(one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1), open INTEGER NOT NULL, marks TEXT NOT NULL) STRICT;
  INSERT INTO tally VALUES (1, 0, '0000000000000000');
  CREATE TABLE set_aside(id TEXT NOT NULL, at INTEGER NOT NULL, row TEXT NOT NULL) STRICT;
  PRAGMA user_version = ${TABLES_VERSION};
`
