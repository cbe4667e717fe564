import { EXIT, PayError, UsageError } from '../../../errors.ts'
import { lastWords } from '../../../files/shell.ts'
import { postgresStore } from '../../../store/postgres.ts'
import type { PostgresAddress, PostgresStore } from '../../../store/postgres.ts'
import { sqlStateOf } from '../../../store/postgres-answers.ts'
import { systemCode } from '../../../files/system-code.ts'
import { TEAM_TABLES, TEAM_VERSION, UNIQUE_INDEXES } from '../tables.ts'

export type TeamStore = PostgresStore

export interface TeamStoreOptions {
  readonly url: string
  readonly address: PostgresAddress
  /** The ledger's own ID, if it is known. */
  readonly id?: string | undefined
  /** The schema in which it was joined; undefined if it has to be found. */
  readonly schema?: string | undefined
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
  schema,
  account,
  hasTables = true,
  ...options
}: TeamStoreOptions): PostgresStore {
  return postgresStore({
    ...options,
    url,
    facts: `SELECT ${FACTS}${hasTables ? `, ${IN_TABLES} FROM ledger` : ''}`,
    place: { schema, tables: TEAM_TABLES, isNew: !hasTables },
    check: (facts, claiming) => {
      if (facts['standby'] === true)
        throw unreachable(url, 'it is a standby, or read-only', undefined, 'Name the primary in its URL.')
      if (!hasTables) return
      if (Number(facts['tables']) !== TEAM_TABLES.length) throw noTables()
      checkVersion(facts['version'])
      if (id !== undefined && facts['id'] !== id) throw otherLedger()
      const { accounts } = facts
      if (account !== undefined && !(Array.isArray(accounts) && accounts.includes(account)))
        throw unknownAccount(account)
      if (claiming !== undefined) checkIndexes(facts['indexes'])
    },
    explain: (error) => explain(url, error, hasTables),
  })
}

const FACTS = `pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on' AS standby`

/** The schema on the search path, even if others have tables of the same names. */
export const HERE = `(SELECT oid FROM pg_namespace WHERE nspname = current_schema() AND nspname !~ '^pg_')`
/** The unique indexes that are in force, as {@link UNIQUE_INDEXES} has them. */
export const INDEXES_HERE = `ARRAY(SELECT concat_ws(' ', named.relname, pg_get_indexdef(indexrelid, 1, false), pg_get_expr(indpred, indrelid))
    FROM pg_index JOIN pg_class AS named ON named.oid = indexrelid JOIN pg_class AS whole ON whole.oid = indrelid
    WHERE whole.relnamespace = ${HERE} AND whole.relname = 'writes'
      AND indisunique AND indisvalid AND indisready AND indislive AND indimmediate AND indnatts = 1)`
const IN_TABLES = `id, version, ARRAY(SELECT name FROM accounts) AS accounts,
  (SELECT count(*) FROM pg_class WHERE relnamespace = ${HERE} AND relkind = 'r'
    AND relname IN (${TEAM_TABLES.map((name) => `'${name}'`).join()})) AS tables,
  ${INDEXES_HERE} AS indexes`

/**
 * Checks the unique indexes.
 * @throws {UsageError} `ledger_schema` unless both are there, unique and valid: without them, two writes may begin at once
 */
function checkIndexes(found: unknown): void {
  const missing = missingIndexes(found)
  if (missing.length === 0) return
  throw schemaError(
    `The team's ledger lacks the index ${missing.join(' and ')}, or it is not valid`,
    'pay ledger init --upgrade',
  )
}

/** The names of the unique indexes that aren't in force. */
export const missingIndexes = (found: unknown): readonly string[] =>
  UNIQUE_INDEXES.filter(({ inCatalog }) => !(Array.isArray(found) && found.includes(inCatalog))).map(
    ({ name }) => name,
  )

/**
 * Checks the version of the tables.
 * @throws {UsageError} `ledger_schema` unless these are the tables of this program
 */
function checkVersion(version: unknown): void {
  if (version === TEAM_VERSION) return
  if (typeof version === 'number' && version > TEAM_VERSION) throw newerTables()
  throw version === undefined ? noTables() : olderTables()
}

const schemaError = (message: string, command: string): UsageError =>
  new UsageError(message, {
    code: 'ledger_schema',
    outcome: 'none',
    hint: `The database's owner has to run ${command}.`,
    next: [command],
  })

const noTables = (): UsageError => schemaError("The team's database has no ledger yet", 'pay ledger init')

export const newerTables = (): UsageError =>
  new UsageError("The team's ledger has the tables of a later version of pay", {
    code: 'ledger_schema',
    outcome: 'none',
    hint: 'Update pay.',
  })

export const olderTables = (): UsageError =>
  schemaError("The team's ledger has the tables of an earlier version of pay", 'pay ledger init --upgrade')

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
    next: [`pay ledger join ${lastWords(account)}`],
  })

const JOINING = 'Joining says to which account its API key belongs.'

const unknownAccount = (account: string): UsageError =>
  joinError(`The team's ledger has no account ${account}`, JOINING, account)

/** The error if no account is named. Without a profile that names the ledger, joining is stored nowhere. */
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

/** The reason in an error. A system's code says all; a certificate's needs its words. */
function whyOf(error: Error): string {
  const code = systemCode(error) ?? ''
  if (code === 'ECONNREFUSED') return 'the server refused the connection'
  if (code === 'ENOTFOUND') return 'the host has no address (DNS)'
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
        'Check the user in its URL, and PGPASSWORD, the password file or the certificate.',
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
      return noTables()
    default:
      return unreachable(url, state === undefined ? whyOf(error) : error.message, error)
  }
}
