import { EXIT, PayError, UsageError } from '../../errors.ts'
import { postgresStore } from '../../store/postgres.ts'
import type { PostgresAddress, PostgresStore } from '../../store/postgres.ts'
import { sqlStateOf } from '../../store/postgres-answers.ts'
import { systemCode } from '../../system-code.ts'
import { COUNT_TEAM_INDEXES, TEAM_TABLES, TEAM_VERSION, UNIQUE_INDEXES } from '../tables.ts'

export type TeamStore = PostgresStore

export interface TeamStoreOptions {
  readonly url: string
  readonly address: PostgresAddress
  /** Where its tables are; undefined finds them. */
  readonly schema?: string | undefined
  /** The ledger's own ID, if it is known. */
  readonly id?: string | undefined
  /** The account that has to be there; undefined for a command that comes before it. */
  readonly account?: string | undefined
  /** False for the command that makes the tables. */
  readonly hasTables?: boolean
  readonly wait: (ms: number) => Promise<void>
}

/** The store of a team's ledger. Each transaction makes sure that it is that ledger, and can be written to. */
export function teamStore({
  url,
  id,
  account,
  hasTables = true,
  ...options
}: TeamStoreOptions): PostgresStore {
  return postgresStore({
    ...options,
    tables: TEAM_TABLES,
    facts: `SELECT ${FACTS}${hasTables ? `, id, version, ARRAY(SELECT name FROM accounts) AS accounts, ${COUNT_TEAM_INDEXES} AS indexes FROM ledger` : ''}`,
    check: (facts) => {
      if (facts['standby'] === true)
        throw unreachable(url, 'it is a standby, or read-only', undefined, 'Name the primary in its URL.')
      if (!hasTables) return
      checkVersion(facts['version'])
      if (facts['indexes'] !== Object.keys(UNIQUE_INDEXES).length) throw noIndexes()
      if (id !== undefined && facts['id'] !== id) throw otherLedger()
      const { accounts } = facts
      if (account !== undefined && !(Array.isArray(accounts) && accounts.includes(account)))
        throw unknownAccount(account)
    },
    explain: (error) => explain(url, error, hasTables),
  })
}

const FACTS = `pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on' AS standby`

/** @throws {UsageError} `ledger_schema` unless these are the tables of this program */
function checkVersion(version: unknown): void {
  if (version === TEAM_VERSION) return
  if (typeof version === 'number' && version > TEAM_VERSION) throw newerTables()
  throw version === undefined
    ? schemaError("The team's database has no ledger yet", 'pay ledger init')
    : olderTables()
}

const schemaError = (message: string, command: string): UsageError =>
  new UsageError(message, {
    code: 'ledger_schema',
    outcome: 'none',
    hint: `The database's owner has to run ${command}.`,
    next: [command],
  })

export const newerTables = (): UsageError =>
  new UsageError("The team's ledger has the tables of a later version of pay", {
    code: 'ledger_schema',
    outcome: 'none',
    hint: 'Update pay.',
  })

export const olderTables = (): UsageError =>
  schemaError("The team's ledger has the tables of an earlier version of pay", 'pay ledger init --upgrade')

/** Without them, two members could send the same write. */
const noIndexes = (): UsageError =>
  schemaError(
    "The team's ledger lacks an index that keeps two writes apart (open_target, used_ticket), or has an invalid one",
    'pay ledger init --upgrade',
  )

const otherLedger = (): UsageError =>
  new UsageError('This is not the ledger that this profile has joined: another database is behind its URL', {
    code: 'ledger_other',
    outcome: 'none',
    hint: 'What is open in the one you joined would not be seen in this one. If the team has moved to it, join it: pay ledger join ACCOUNT.',
    next: ['pay ledger status', 'pay ledger join ACCOUNT'],
  })

const joinError = (message: string, hint: string, account: string): UsageError =>
  new UsageError(message, {
    code: 'ledger_not_joined',
    outcome: 'none',
    hint,
    next: [`pay ledger join ${account}`],
  })

const JOINING = 'Joining says to which account its API key belongs.'

const unknownAccount = (account: string): UsageError =>
  joinError(`The team's ledger has no account ${account}`, JOINING, account)

/** No account is named. Without a profile that names the ledger, joining is stored nowhere. */
export const notJoined = (isOfProfile: boolean): UsageError =>
  isOfProfile
    ? joinError("This profile names a team's ledger, but has not joined it", JOINING, 'ACCOUNT')
    : joinError(
        "PAY_LEDGER names a team's ledger, but nothing says to which account the API key belongs",
        "Set PAY_LEDGER_ACCOUNT to the account's name in that ledger. Joining it makes sure that the name is there.",
        'ACCOUNT',
      )

const unreachable = (url: string, why: string, cause?: unknown, remedy?: string): PayError =>
  new PayError('ledger_unreachable', EXIT.notConnected, `The team's ledger cannot be used (${why})`, {
    outcome: 'none',
    retryable: true,
    hint: `It is at ${url}. No write is sent without it.${remedy === undefined ? '' : ` ${remedy}`}`,
    next: ['pay doctor'],
    cause,
  })

const refused = (why: string, hint: string, cause: unknown): PayError =>
  new PayError('ledger_refused', EXIT.auth, `The team's ledger refused this user (${why})`, {
    outcome: 'none',
    retryable: false,
    hint,
    cause,
  })

/** A system's code says all; a certificate's needs its words. */
function whyOf(error: Error): string {
  const code = systemCode(error) ?? ''
  return /^E[A-Z]+$/.test(code) ? code : error.message
}

/** What a database's error means; https://www.postgresql.org/docs/current/errcodes-appendix.html has its codes. */
function explain(url: string, error: unknown, hasTables: boolean): unknown {
  if (!(error instanceof Error) || error instanceof PayError) return error
  const state = sqlStateOf(error)
  switch (state) {
    case '28P01':
    case '28000':
      return refused(
        error.message,
        'Check the user in its URL, and PGPASSWORD, ~/.pgpass or the certificate.',
        error,
      )
    case '42501':
      return refused(
        error.message,
        hasTables
          ? "Ask the database's owner for: GRANT pay_writer TO your user. pay ledger init prints that line."
          : "Run pay ledger init as the database's owner, who may make tables and roles.",
        error,
      )
    case '53300':
      return unreachable(
        url,
        error.message,
        error,
        'All its connections are in use. Try again, run fewer at once, or raise max_connections. A pooler lets more of them in.',
      )
    case '42P01':
    case '42703':
      return schemaError("The team's database has no ledger yet", 'pay ledger init')
    default:
      return unreachable(url, state === undefined ? whyOf(error) : error.message, error)
  }
}
