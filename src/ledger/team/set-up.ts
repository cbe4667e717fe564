import { EXIT, PayError, UsageError } from '../../errors.ts'
import { textIn } from '../../store/database.ts'
import { COUNT_TEAM_INDEXES, CREATE_TEAM_TABLES, TEAM_VERSION, UNIQUE_INDEXES } from '../tables.ts'
import { newerTables, olderTables } from './store.ts'
import type { Tx } from '../../store/store.ts'
import type { TeamStore } from './store.ts'

/** Makes a team's ledger, and admits its members. */

/** PostgreSQL 15. */
const OLDEST_SERVER = 150_000
/** Any number that other programs on the same database don't use. */
const LOCK = 1_885_436_268

/**
 * Makes what is missing of the tables and roles.
 * @throws {UsageError} if there are tables of an earlier version, unless they may be changed, or of a later one
 */
export const makeTables = (
  store: TeamStore,
  { newId, mayUpgrade }: { readonly newId: () => string; readonly mayUpgrade: boolean },
): Promise<{ readonly ledgerId: string; readonly isNew: boolean }> =>
  store.transaction(async (tx) => {
    // Only one process at a time can make what is missing: the next one finds it.
    await tx.get(`SELECT pg_advisory_xact_lock(${LOCK})`)
    const server = await tx.get(
      "SELECT current_setting('server_version_num')::int AS version, to_regclass('ledger') IS NOT NULL AS there",
    )
    if (Number(server?.['version']) < OLDEST_SERVER)
      throw new UsageError("A team's ledger needs PostgreSQL 15 or newer", {
        code: 'ledger_schema',
        outcome: 'none',
      })
    const known = server?.['there'] === true ? await tx.get('SELECT id, version FROM ledger') : undefined
    const version = Number(known?.['version'] ?? TEAM_VERSION)
    if (version > TEAM_VERSION) throw newerTables()
    if (version < TEAM_VERSION && !mayUpgrade) throw olderTables()
    const ledgerId = textIn(known, 'id') ?? newId()
    if (mayUpgrade) await dropUnsound(tx)
    for (const statement of CREATE_TEAM_TABLES)
      await tx.run(statement, { id: ledgerId, version: TEAM_VERSION })
    return { ledgerId, isNew: known === undefined }
  })

/** An index of the right name that doesn't keep two writes apart, so that it is made again. */
async function dropUnsound(tx: Tx): Promise<void> {
  const found = await tx.get(`SELECT ${COUNT_TEAM_INDEXES} AS indexes`)
  if (found?.['indexes'] === Object.keys(UNIQUE_INDEXES).length) return
  for (const name of Object.keys(UNIQUE_INDEXES)) await tx.run(`DROP INDEX IF EXISTS ${name}`)
}

interface Member {
  readonly account: string
  readonly apiKeyId: string
  /** Who joins: `user@host`. */
  readonly by: string
  /** Whether the account may be new. */
  readonly isNew: boolean
}

/**
 * Notes to which account an API key belongs. Returns the ledger's ID, and the schema that it is in.
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
        next: ['pay ledger status', `pay ledger join ${account} --create`],
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
          next: [`pay ledger join ${joined}`],
        },
      )
    const place = await tx.get('SELECT current_schema() AS schema')
    return { ledgerId: await ledgerIdIn(tx), schema: textIn(place, 'schema') ?? '' }
  })

export const ledgerIdIn = async (tx: Pick<Tx, 'get'>): Promise<string> =>
  textIn(await tx.get('SELECT id FROM ledger'), 'id') ?? ''

/** What `pay doctor` has to know of a team's database. */
export interface TeamFacts {
  /** `15.14` */
  readonly serverVersion: string
  /** Whether this user may remove records, or change more of them than an outcome. */
  readonly mayChangeAll: boolean
  /** By how much the database's clock is ahead of this one's. */
  readonly aheadMs: number
  readonly roundTripMs: number
}

export async function teamFacts(store: TeamStore, now: () => Date): Promise<TeamFacts> {
  return store.reading(async (tx) => {
    const beforeMs = now().getTime()
    const row = await tx.get(
      `SELECT current_setting('server_version') AS version, floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now,
        has_table_privilege('writes', 'DELETE') OR has_table_privilege('writes', 'TRUNCATE') OR has_column_privilege('writes', 'target', 'UPDATE') AS all`,
    )
    const roundTripMs = now().getTime() - beforeMs
    return {
      serverVersion: textIn(row, 'version') ?? '',
      mayChangeAll: row?.['all'] === true,
      aheadMs: Math.round(Number(row?.['now']) - beforeMs - roundTripMs / 2),
      roundTripMs,
    }
  })
}
