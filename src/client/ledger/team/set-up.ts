import { EXIT, PayError, UsageError } from '../../../errors.ts'
import { lastWords, shellWord } from '../../../files/shell.ts'
import { textIn } from '../../../store/database.ts'
import { CREATE_TEAM_TABLES, TEAM_TABLES, TEAM_VERSION, UNIQUE_INDEXES } from '../tables.ts'
import { HERE, INDEXES_HERE, missingIndexes, newerTables, olderTables } from './store.ts'
import type { Tx } from '../../../store/store.ts'
import type { LimitsInTime } from '../port.ts'
import type { TeamStore } from './store.ts'

/** Makes a team's ledger, and admits its members. */

/** PostgreSQL 15. */
const OLDEST_SERVER = 150_000
/** Any number that other programs on the same database don't use. */
const LOCK = 1_885_436_268

interface Made {
  readonly ledgerId: string
  readonly isNew: boolean
}

/**
 * Makes what is missing of the tables and roles.
 * @throws {UsageError} if there are tables of an earlier version, unless they may be changed, or of a later one; once all else is
 * made, if rows contradict a unique index
 */
export async function makeTables(store: TeamStore, options: MakeOptions): Promise<Made> {
  const { contradiction, ...made } = await makeAllBut(store, options)
  // Thrown last: the version is written, so this program can end one of the rows.
  if (contradiction !== undefined) throw contradicted(contradiction)
  return made
}

interface MakeOptions {
  readonly newId: () => string
  readonly mayUpgrade: boolean
}

const makeAllBut = (
  store: TeamStore,
  { newId, mayUpgrade }: MakeOptions,
): Promise<Made & { readonly contradiction: Contradiction | undefined }> =>
  store.transaction(async (tx) => {
    // Only one process at a time can make what is missing: the next one finds it.
    await tx.get(`SELECT pg_advisory_xact_lock(${LOCK})`)
    const server = await tx.get(
      "SELECT current_setting('server_version_num')::int AS version, to_regclass(quote_ident(current_schema()) || '.ledger') IS NOT NULL AS there, quote_ident(current_schema()) AS schema",
    )
    if (Number(server?.['version']) < OLDEST_SERVER)
      throw new UsageError("A team's ledger needs PostgreSQL 15 or newer", {
        code: 'ledger_schema',
        outcome: 'none',
      })
    const schema = textIn(server, 'schema')
    if (schema === undefined || schema.startsWith('pg_'))
      throw new UsageError("This user's search path names no schema in which the tables could be made", {
        code: 'ledger_schema',
        outcome: 'none',
        hint: 'Give the user one: ALTER ROLE ... SET search_path = public, where it may CREATE.',
      })
    await refuseOthersTables(tx, schema)
    const known = server?.['there'] === true ? await tx.get('SELECT id, version FROM ledger') : undefined
    const version = Number(known?.['version'] ?? TEAM_VERSION)
    if (version > TEAM_VERSION) throw newerTables()
    if (version < TEAM_VERSION && !mayUpgrade) throw olderTables()
    const ledgerId = textIn(known, 'id') ?? newId()
    const contradictions = known === undefined ? [] : await dropUnusableIndexes(tx)
    const names = contradictions.map(({ index }) => index)
    for (const statement of [
      ...CREATE_TEAM_TABLES.filter((made) => !names.some((name) => made.includes(` ${name} ON `))),
      `GRANT USAGE ON SCHEMA ${schema} TO pay_writer, pay_reader`,
    ])
      await tx.run(statement, { id: ledgerId, version: TEAM_VERSION })
    return { ledgerId, isNew: known === undefined, contradiction: contradictions[0] }
  })

/**
 * Refuses to take another program's tables for the ledger's.
 * @throws {UsageError} `ledger_schema` if another program has tables of these names, which would be taken for the ledger's
 */
async function refuseOthersTables(tx: Tx, schema: string): Promise<void> {
  const found = await tx.all(
    `SELECT relname AS name, (SELECT count(*) FROM pg_attribute WHERE attrelid = pg_class.oid AND attname IN ('one', 'id', 'version')) AS known
      FROM pg_class WHERE relnamespace = ${HERE} AND relname IN (${TEAM_TABLES.map((name) => `'${name}'`).join()})`,
  )
  if (found.some((row) => row['name'] === 'ledger' && Number(row['known']) === 3)) return
  if (found.length === 0) return
  const names = found.map((row) => textIn(row, 'name') ?? '').join(', ')
  throw new UsageError(`The schema ${schema} has tables that aren't a ledger's: ${names}`, {
    code: 'ledger_schema',
    outcome: 'none',
    hint: 'Give the ledger a schema of its own: CREATE SCHEMA pay_ledger; ALTER DATABASE ... SET search_path = pay_ledger. Or give it a database.',
  })
}

interface Contradiction {
  readonly index: string
  /** The IDs of the writes that it would keep apart, a group for each target or ticket. */
  readonly ids: readonly string[]
}

/** Makes room for the unique indexes that are missing or not valid. Returns those that rows contradict. */
async function dropUnusableIndexes(tx: Tx): Promise<readonly Contradiction[]> {
  const writes = await tx.get(
    "SELECT to_regclass(quote_ident(current_schema()) || '.writes') IS NOT NULL AS there",
  )
  if (writes?.['there'] !== true) return []
  const contradictions: Contradiction[] = []
  const found = await tx.get(`SELECT ${INDEXES_HERE} AS indexes`)
  const missing = missingIndexes(found?.['indexes'])
  for (const { name, column, where } of UNIQUE_INDEXES.filter((index) => missing.includes(index.name))) {
    await tx.run(`DROP INDEX IF EXISTS ${name}`)
    const rows = await tx.all(
      `SELECT string_agg(id, ', ' ORDER BY place) AS ids FROM writes WHERE ${where} GROUP BY ${column} HAVING count(${column}) > 1`,
    )
    const ids = rows.map((row) => textIn(row, 'ids') ?? '')
    if (ids.length > 0) contradictions.push({ index: name, ids })
  }
  return contradictions
}

const contradicted = ({ index, ids }: Contradiction): UsageError =>
  new UsageError(
    `The index ${index} can't be recreated: ${index === 'open_target' ? 'several writes to one target are open' : 'a ticket was used by several writes'} (${ids.join('; ')})`,
    {
      code: 'ledger_schema',
      outcome: 'none',
      hint: 'All else is ready. Each may have been done: check their payments at the service. Abandon all but one, then run this again.',
      next: ids.map((group) => `pay ops abandon ${shellWord(group.split(', ').at(-1) ?? '')}`),
    },
  )

interface Member {
  readonly account: string
  readonly apiKeyId: string
  /** Who joins: `user@host`. */
  readonly by: string
  /** Whether the account may be new. */
  readonly isNew: boolean
}

/**
 * Notes to which account an API key belongs. Returns the ledger's ID, and the schema that it lives in.
 * @throws {PayError} exit 5 if there is no such account, 6 if the key has joined another one
 */
export const addMember = (
  store: TeamStore,
  { account, apiKeyId, by, isNew }: Member,
): Promise<{ readonly ledgerId: string; readonly schema: string }> =>
  store.transaction(async (tx) => {
    const at = tx.startedAt?.getTime() ?? 0
    if (isNew)
      await tx.run('INSERT INTO accounts VALUES (:account, :at, :by) ON CONFLICT DO NOTHING', {
        account,
        at,
        by,
      })
    if ((await tx.get('SELECT name FROM accounts WHERE name = :account', { account })) === undefined)
      throw new PayError('no_such_account', EXIT.notFound, `The ledger has no account ${account}`, {
        outcome: 'none',
        hint: 'Ask a colleague for the name. If you are the first to join it, add --create.',
        next: ['pay ledger status', `pay ledger join --create ${lastWords(account)}`],
      })
    const values = { key: apiKeyId, account, at, by }
    await tx.run('INSERT INTO members VALUES (:key, :account, :at, :by) ON CONFLICT DO NOTHING', values)
    const member = await tx.get('SELECT account FROM members WHERE api_key_id = :key', { key: apiKeyId })
    const joined = textIn(member, 'account') ?? ''
    if (joined !== account)
      throw new PayError(
        'ledger_in_use',
        EXIT.conflict,
        `This API key has joined another account of this ledger: ${joined}`,
        {
          outcome: 'none',
          hint: 'A merchant has one name in a ledger.',
          next: [`pay ledger join ${lastWords(joined)}`],
        },
      )
    return {
      ledgerId: await ledgerIdIn(tx),
      schema: textIn(await tx.get('SELECT current_schema() AS name'), 'name') ?? '',
    }
  })

/** Replaces the limits over time of an account, which only the owner of the tables may do. */
export const setAccountLimits = (store: TeamStore, account: string, limits: LimitsInTime): Promise<void> =>
  store.transaction(async (tx) => {
    await tx.run('UPDATE accounts SET limits = :limits WHERE name = :account', {
      account,
      limits: Object.values(limits).every((limit) => limit === undefined) ? null : JSON.stringify(limits),
    })
  })

export const ledgerIdIn = async (tx: Pick<Tx, 'get'>): Promise<string> =>
  textIn(await tx.get('SELECT id FROM ledger'), 'id') ?? ''

/** What `pay doctor` has to know of a team's database. */
interface TeamFacts {
  /** `15.14` */
  readonly serverVersion: string
  /** Whether this user may remove records, or change more of them than an outcome. */
  readonly mayChangeAll: boolean
  /** The unique indexes that aren't in force: without them, no write begins. */
  readonly missingIndexes: readonly string[]
  /** By how much the database's clock is ahead of this one's. */
  readonly aheadMs: number
  readonly roundTripMs: number
}

export async function teamFacts(store: TeamStore, now: () => Date): Promise<TeamFacts> {
  return store.reading(async (tx) => {
    const beforeMs = now().getTime()
    const row = await tx.get(
      `SELECT current_setting('server_version') AS version, floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now,
        has_table_privilege('writes', 'DELETE, TRUNCATE, TRIGGER') OR has_column_privilege('writes', 'target', 'UPDATE')
          OR has_any_column_privilege('ledger', 'INSERT, UPDATE') OR has_table_privilege('members', 'DELETE, TRUNCATE')
          OR has_any_column_privilege('members', 'UPDATE') OR has_any_column_privilege('accounts', 'UPDATE') AS all,
        ${INDEXES_HERE} AS indexes`,
    )
    const roundTripMs = now().getTime() - beforeMs
    return {
      serverVersion: textIn(row, 'version') ?? '',
      mayChangeAll: row?.['all'] === true,
      missingIndexes: missingIndexes(row?.['indexes']),
      aheadMs: Math.round(Number(row?.['now']) - beforeMs - roundTripMs / 2),
      roundTripMs,
    }
  })
}
