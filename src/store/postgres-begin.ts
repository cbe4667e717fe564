import { hash } from 'node:crypto'

/** The message that begins a transaction on PostgreSQL: everything that it needs, in one round trip. */

export interface TablePlace {
  /** Undefined if it has to be found. */
  readonly schema: string | undefined
  /** The tables that tell this schema from others on the user's search path. */
  readonly tables: readonly string[]
  /** Whether the first schema on the search path is the place if none has the tables. */
  readonly isNew: boolean
}

/** The database ends a transaction whose client has vanished or stands still: it may hold a lock that others wait for. */
const IDLE_MS = 4000

/**
 * What each transaction needs beyond `BEGIN`, local to it, so that a pooler may give the next one another connection. READ
 * COMMITTED whatever the role's default is: a statement must see what another one committed while it waited. The catalog's
 * wording of an index has no needless quotes, because it is compared.
 */
export const begin = (
  mode: string,
  place: TablePlace,
  locks: readonly string[] = [],
): string => `BEGIN ISOLATION LEVEL ${mode};
  SET LOCAL idle_in_transaction_session_timeout = ${IDLE_MS};
  SET LOCAL quote_all_identifiers = off;
  ${searchPath(place)};
  ${locks.map((name) => `SELECT pg_advisory_xact_lock(${lockNumber(name)}::bigint);`).join(' ')}
  SELECT current_schema() AS schema, floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now,
    CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', true) END`
export const WRITING = 'READ COMMITTED'
export const READING = 'REPEATABLE READ READ ONLY'

/**
 * Makes names mean the ledger's tables, whatever an earlier user of the session has left: a search path, or temporary tables,
 * which come first unless they are named last. A schema that isn't known is looked for on the path that the session began with;
 * while looking, only the system's functions can be found.
 */
function searchPath({ schema, tables, isNew }: TablePlace): string {
  if (schema !== undefined) return `SET LOCAL search_path TO ${quoted(schema)}, pg_temp`
  const names = tables.map((name) => `'${name}'`).join()
  return `SET LOCAL search_path TO DEFAULT;
  SELECT pg_catalog.set_config('pay.schemas', pg_catalog.current_schemas(false)::pg_catalog.text, true);
  SET LOCAL search_path TO pg_catalog, pg_temp;
  SELECT set_config('search_path', coalesce((
    SELECT quote_ident(name) FROM unnest(current_setting('pay.schemas')::name[]) WITH ORDINALITY AS path(name, at),
      LATERAL (SELECT count(*) = ${tables.length} AS has_all FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
        WHERE nspname = name AND relname IN (${names}) AND relkind = 'r') AS counted
    WHERE name !~ '^pg_' ${isNew ? '' : 'AND has_all'}
    ORDER BY has_all DESC, at LIMIT 1), '""') || ', pg_temp', true)`
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** The number that stands for a name in the database's locks. Two names with one number only wait for each other. */
const lockNumber = (name: string): string =>
  `'${hash('sha256', `pay ledger ${name}`, 'buffer').readBigInt64BE()}'`
