import { closeSync, existsSync, lstatSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { EXIT, PayError, UsageError } from '../../errors.ts'
import { makePrivateFolder } from '../../files/private-folder.ts'
import { identityOf } from '../../files/file-identity.ts'
import { databaseOn, numberIn } from '../../store/database.ts'
import type { Database } from '../../store/database.ts'
import { loadSqlite } from '../../store/sqlite.ts'
import type { OpenConnection } from '../../store/sqlite.ts'
import { diskRemedy, faultOf, isSqliteError } from '../../store/fault.ts'
import { sqliteStore } from '../../store/sqlite-store.ts'
import type { OpenFile, StoreErrors } from '../../store/sqlite-store.ts'
import type { Store } from '../../store/store.ts'
import { CREATE_TABLES, FILE_INDEXES, FILE_TABLES, FILE_VERSION, OLDEST_FILE_VERSION } from './tables.ts'

/** The ledger's file in the state folder. */
export const ledgerPath = (stateFolder: string): string => join(stateFolder, 'ledger.db')

/**
 * A commit is durable when it returns, even after a power cut. Measured: a write-ahead log takes half the time, but one changed
 * bit in it takes a committed write away, and nothing notices.
 */
export const DURABLE = 'PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = EXTRA; PRAGMA fullfsync = ON'

/** The ledger of one machine: one SQLite file (0600), opened when it is first used. */
export function fileStore(
  path: string,
  wait: (ms: number) => Promise<void>,
  durability = DURABLE,
  open: OpenConnection = (file) => loadSqlite()(file),
): Store {
  return sqliteStore({
    place: path,
    openForWriting: () => openForWriting(path, durability, open),
    openForReading: () => openForReading(path, open),
    errors: errorsOf(path),
    wait,
  })
}

function openForWriting(path: string, durability: string, open: OpenConnection): OpenFile {
  refuseLink(path)
  makePrivateFolder(dirname(path))
  // SQLite gives its journal the mode of the database, and syncs the folder with its first commit.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
  const { connection, file } = openFile(path, open)
  try {
    connection.exec(durability)
    if (versionIn(file.database, path) !== FILE_VERSION)
      file.database.transaction(() => {
        // Another process may have been first.
        const version = versionIn(file.database, path)
        if (version === 0) connection.exec(CREATE_TABLES)
        // The tables are the same. Earlier versions of pay have to refuse what this one adds to a record.
        else if (version !== FILE_VERSION) connection.exec(`PRAGMA user_version = ${FILE_VERSION}`)
      })
    checkSchema(file.database, path)
    return file
  } catch (error) {
    connection.close()
    throw error
  }
}

function openFile(path: string, open: OpenConnection) {
  // Before it is opened: a file that takes its place at this moment is another one.
  const identity = identityOf(path)
  const connection = open(path)
  const file: OpenFile = {
    database: databaseOn(connection, errorsOf(path)),
    isCurrent: () => identity !== undefined && identityOf(path) === identity,
  }
  return { connection, file }
}

function openForReading(path: string, open: OpenConnection): OpenFile {
  refuseLink(path)
  if (existsSync(path)) {
    const { connection, file } = openFile(path, open)
    try {
      if (versionIn(file.database, path) !== 0) return file
    } catch (error) {
      connection.close()
      throw error
    }
    connection.close()
  }
  return { database: emptyDatabase(), isCurrent: () => false }
}

/** A ledger in memory without writes. */
export function emptyDatabase(): Database {
  const connection = loadSqlite()(':memory:')
  connection.exec(CREATE_TABLES)
  return databaseOn(connection, errorsOf(':memory:'))
}

/**
 * Checks the schema: without its unique indexes, two writes may begin at once.
 * @throws {UsageError} `ledger_schema` unless the tables and these indexes are there
 */
function checkSchema(database: Database, path: string): void {
  const missing = missingIn(database)
  if (missing.length === 0) return
  throw new UsageError(`The ledger lacks ${missing.join(' and ')}: ${path}`, {
    code: 'ledger_schema',
    outcome: 'none',
    hint: 'Another program has changed it. pay ops abandon --damaged-ledger keeps the file, and makes a new one with every record that can be read: what is open still blocks.',
    next: ['pay ops abandon --damaged-ledger'],
  })
}

/** The tables and unique indexes that a ledger's file lacks, or has in another form. */
export function missingIn(database: Pick<Database, 'all'>): readonly string[] {
  const made = database.all("SELECT type, name, sql FROM sqlite_schema WHERE type IN ('table', 'index')")
  return [
    ...FILE_TABLES.filter((name) => !made.some((one) => one['type'] === 'table' && one['name'] === name)).map(
      (name) => `the table ${name}`,
    ),
    ...FILE_INDEXES.filter(({ sql }) => !made.some((one) => one['sql'] === sql)).map(
      ({ name }) => `the index ${name}`,
    ),
  ]
}

/**
 * The version of the tables; 0 for a file that has none yet.
 * @throws {PayError} if it is newer or older
 */
export function versionIn(connection: Pick<Database, 'get'>, path: string): number {
  const version = numberIn(connection.get('PRAGMA user_version'), 'user_version')
  if (version > FILE_VERSION)
    throw new UsageError(`The ledger was written by a newer version of pay: ${path}`, {
      code: 'ledger_newer',
      outcome: 'none',
      hint: 'Update pay.',
    })
  if (version > 0 && version < OLDEST_FILE_VERSION)
    throw new PayError(
      'ledger_old',
      EXIT.conflict,
      `The ledger was written by an earlier version of pay, and cannot be used: ${path}`,
      {
        outcome: 'none',
        retryable: false,
        hint: 'Resolve what is open in it with that version (pay ops list). Then rename the file: pay starts a new ledger, which knows nothing of earlier writes and tickets.',
      },
    )
  return version
}

/** Refuses a symbolic link, which would lead records out of the folder. */
function refuseLink(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    throw Object.assign(new Error(`a symbolic link: ${path}`), { code: 'ELOOP' })
}

const unusable = (path: string, code: string, cause: unknown): UsageError =>
  new UsageError(`The ledger cannot be used: ${path} (${code})`, {
    code: 'ledger_unusable',
    outcome: 'none',
    ledgerPath: path,
    hint:
      HINTS[code] ??
      diskRemedy(code, 'PAY_STATE_DIR') ??
      'Set PAY_STATE_DIR to another folder, on a local disk.',
    cause,
  })

const HINTS: Readonly<Record<string, string>> = {
  // Don't suggest another folder here: the open operations in this one would be missing there.
  EIO: 'The disk may be failing. Check it, and copy the folder, before you send anything else.',
  EBUSY: 'Another program has the file open: close it.',
  EACCES: 'Make the folder writable, or set PAY_STATE_DIR to another one.',
  ELOOP: 'It is a symbolic link: replace it with the file itself.',
}

/** The error for a file that can't be read as a ledger. Exit 6. */
const unreadableLedger = (path: string, cause?: unknown): PayError =>
  new PayError('ledger_damaged', EXIT.conflict, `The ledger is damaged and cannot be read: ${path}`, {
    outcome: 'none',
    ledgerPath: path,
    retryable: false,
    hint: 'An earlier write may be open in it, so nothing is sent. Restore the file from a backup, or check your latest payments at the service; then pay ops abandon --damaged-ledger sets the file aside and keeps every record that can be read.',
    next: ['pay ops abandon --damaged-ledger'],
    cause,
  })

export const errorsOf = (path: string): StoreErrors => ({
  explain(error) {
    if (error instanceof PayError) return error
    const fault = faultOf(error)
    if (fault === 'damaged' || fault === 'inconsistent') return unreadableLedger(path, error)
    return fault === undefined || fault === 'locked' ? error : unusable(path, fault, error)
  },
  isFailure: isSqliteError,
  rolledBack: (cause) => unusable(path, 'EIO', cause),
  locked: (cause) =>
    new PayError('ledger_busy', EXIT.conflict, `Another process keeps the ledger locked: ${path}`, {
      outcome: 'none',
      ledgerPath: path,
      retryable: true,
      hint: 'Find out which program has the file open, for example a database browser, and close it.',
      cause,
    }),
  replaced: () =>
    new PayError('ledger_replaced', EXIT.conflict, `The ledger was replaced or removed meanwhile: ${path}`, {
      outcome: 'none',
      ledgerPath: path,
      retryable: true,
      hint: 'Run pay ops list, and check what is open, before you send anything else.',
    }),
})
