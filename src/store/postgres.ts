import { Socket } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import Client from 'pg/lib/client.js'
import type { QueryResult } from 'pg'
import { hash } from 'node:crypto'
import { PayError } from '../errors.ts'
import { textIn } from './database.ts'
import type { Row } from './database.ts'
import type { SqlValues } from './sqlite.ts'
import { PATIENCE_MS, hasIdled, inTime, isRefusal, isTemporary } from './postgres-answers.ts'
import { UncertainCommit, statementsOf } from './store.ts'
import type { Claiming, Store, Tx } from './store.ts'

/** The only file that imports the PostgreSQL client. */

export interface PostgresAddress {
  /** A name, an address, or the folder of a socket. */
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
  readonly password: () => Promise<string>
  /** False for an unencrypted connection. */
  readonly ssl: ConnectionOptions | false
}

interface PostgresOptions {
  /** Its URL, without a password. */
  readonly url: string
  readonly address: PostgresAddress
  /** Selects what `check` needs, in the round trip that begins each transaction. */
  readonly facts?: string
  /** Throws if a transaction must not go on. */
  readonly check?: (facts: Row, claiming: Claiming | undefined) => void
  /** Where the tables are. */
  readonly place: TablePlace
  /** The error to throw for one of the database's; any other is returned as it is. */
  readonly explain: (error: unknown) => unknown
  readonly wait: (ms: number) => Promise<void>
}

export interface PostgresStore extends Store {
  /** Connects ahead of the first transaction, which reports a failure. */
  readonly warm: () => void
  readonly close: () => void
}

/** The most transactions at a time: more wait for each other. */
const MOST_CONNECTIONS = 8
const MOST_TURNS = 3

interface Connection {
  readonly client: InstanceType<typeof Client>
  readonly socket: Socket
  isReused: boolean
  /** Why it has ended. */
  end?: unknown
}

/** A store on a PostgreSQL database that other machines share. It holds no state in a session. */
export function postgresStore(options: PostgresOptions): PostgresStore {
  const { facts, check, explain, wait } = options
  let { place } = options
  const idle: Connection[] = []
  const all = new Set<Connection>()
  const queue: (() => void)[] = []
  let taken = 0
  let warming: Promise<Connection> | undefined
  let hasConnected = false

  const drop = (connection: Connection): void => {
    all.delete(connection)
    connection.socket.destroy()
  }

  async function connect(): Promise<Connection> {
    const socket = new Socket()
    const client = new Client({
      ...options.address,
      stream: () => socket,
      application_name: 'pay',
    })
    const connection: Connection = { client, socket, isReused: false }
    // Without a listener, a connection that ends while it is idle would end the process.
    client.on('error', (error) => {
      connection.end ??= error
      drop(connection)
    })
    client.setTypeParser(20, Number)
    all.add(connection)
    try {
      await inTime(client.connect())
    } catch (error) {
      drop(connection)
      throw error
    }
    hasConnected = true
    return connection
  }

  /** Tries again while the database starts, or has no connection to give. */
  async function connectPatiently(): Promise<Connection> {
    let ms = 20
    for (let waitedMs = 0; ; waitedMs += ms) {
      try {
        return await connect()
      } catch (error) {
        if (waitedMs >= PATIENCE_MS || !isTemporary(error, hasConnected)) throw error
      }
      ms = Math.min(2 * ms, 500)
      await wait(ms)
    }
  }

  async function acquire(): Promise<Connection> {
    if (taken === MOST_CONNECTIONS) await new Promise<void>((resolve) => queue.push(resolve))
    else taken += 1
    const ready = warming
    warming = undefined
    if (ready !== undefined) return ready
    for (let known = idle.pop(); known !== undefined; known = idle.pop())
      if (all.has(known)) {
        known.isReused = true
        return known
      }
    return connectPatiently()
  }

  function release(connection: Connection | undefined): void {
    if (connection !== undefined && all.has(connection)) idle.push(connection)
    const next = queue.shift()
    if (next === undefined) taken -= 1
    else next()
  }

  /** A connection in a transaction. One that ended while it was idle is replaced. */
  async function begun(
    mode: string,
    claiming: Claiming | undefined,
  ): Promise<{ readonly connection: Connection; readonly startedAt: Date }> {
    for (;;) {
      let connection: Connection | undefined
      try {
        connection = await acquire()
        const sql = begin(mode, place, claiming?.locks)
        const answer = await inTime(
          connection.client.query<Row>(facts === undefined ? sql : `${sql}; ${facts}`),
        )
        const selected = resultsOf(answer).filter(({ command }) => command === 'SELECT')
        const clock = selected.at(facts === undefined ? -1 : -2)?.rows[0] ?? {}
        check?.(facts === undefined ? {} : (selected.at(-1)?.rows[0] ?? {}), claiming)
        const schema = textIn(clock, 'schema')
        // Once found, it stays the same: a pooler's next session may have another path.
        if (!place.isNew && schema !== undefined) place = { ...place, schema }
        return { connection, startedAt: new Date(Number(clock['now'])) }
      } catch (error) {
        if (connection !== undefined) drop(connection)
        release(undefined)
        if (connection?.isReused !== true || error instanceof PayError || isRefusal(error))
          throw explain(error)
      }
    }
  }

  /** Begins again what was ended because this process had no processor for too long: without its COMMIT, nothing is done. */
  async function run<T>(mode: string, work: (tx: Tx) => Promise<T>, claiming?: Claiming): Promise<T> {
    for (let turn = 1; ; turn += 1)
      try {
        return await runOnce(mode, work, claiming)
      } catch (error) {
        if (turn === MOST_TURNS || !hasIdled(error)) throw error
      }
  }

  async function runOnce<T>(
    mode: string,
    work: (tx: Tx) => Promise<T>,
    claiming: Claiming | undefined,
  ): Promise<T> {
    const { connection, startedAt } = await begun(mode, claiming)
    const { client } = connection
    let failure: unknown
    const answered = <Answer>(answer: Promise<Answer>): Promise<Answer> =>
      inTime(answer).catch((error: unknown) => {
        failure = connection.end ?? error
        throw explain(failure)
      })
    const query = (text: string, values: SqlValues = {}) =>
      answered(client.query<Row>(numbered(text, values)))
    const { tx, end } = statementsOf({
      get: async (text, values) => (await query(text, values)).rows[0],
      all: async (text, values) => (await query(text, values)).rows,
      arrays: async (text, values = {}) =>
        (await answered(client.query({ ...numbered(text, values), rowMode: 'array' }))).rows,
      run: async (text, values) => (await query(text, values)).rowCount ?? 0,
      startedAt,
    })
    let isCommitting = false
    try {
      const result = await work(tx).finally(end)
      isCommitting = true
      const { command } = await query('COMMIT')
      // After a failed statement, it rolls back.
      if (command !== 'COMMIT') throw explain(failure)
      return result
    } catch (error) {
      if (failure === undefined || isRefusal(failure)) await query('ROLLBACK').catch(() => drop(connection))
      else drop(connection)
      throw isCommitting && !isRefusal(failure) ? new UncertainCommit(error) : error
    } finally {
      release(connection)
    }
  }

  return {
    place: options.url,
    transaction: (work, claiming) => run(WRITING, work, claiming),
    reading: (work) => run(READING, work),
    warm: () => {
      warming ??= connectPatiently()
      // The first transaction reports it.
      warming.catch(() => {})
    },
    close: () => {
      for (const connection of all) {
        // The request to end is written at once, so the process doesn't wait for the server to close the connection.
        connection.socket.unref()
        if (idle.includes(connection)) void connection.client.end().catch(() => {})
        else drop(connection)
      }
    },
  }
}

/** The results of a simple query. With several statements it has several, which the types don't say. */
const resultsOf = (answer: unknown): readonly QueryResult<Row>[] => (Array.isArray(answer) ? answer : [])

const NAME = /(?<!:):([a-z_]+\d*)/g

/** A statement as PostgreSQL wants it, which numbers its parameters: each name has the number of its first place. */
function numbered(sql: string, values: SqlValues) {
  const names = [...new Set([...sql.matchAll(NAME)].map(([, name = '']) => name))]
  return {
    text: sql.replaceAll(NAME, (_, name: string) => `$${names.indexOf(name) + 1}`),
    values: names.map((name) => values[name]),
  }
}

interface TablePlace {
  /** The schema; undefined if it has to be found. */
  readonly schema: string | undefined
  /** The tables that tell this schema from others on the user's search path. */
  readonly tables: readonly string[]
  /** Whether the first schema on the search path is the place if none has the tables. */
  readonly isNew: boolean
}

/**
 * How long a transaction may stand still. The database ends one whose client has vanished or stands still: it may hold a
 * lock that others wait for.
 */
const IDLE_MS = 4000

/**
 * Begins a transaction with all that it needs, in one round trip, local to it, so that a pooler may give the next one
 * another connection. READ COMMITTED whatever the role's default is: a statement must see what another one committed while
 * it waited. The catalog's wording of an index has no needless quotes, because it is compared.
 */
const begin = (
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
const WRITING = 'READ COMMITTED'
const READING = 'REPEATABLE READ READ ONLY'

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
