/** The only file that imports SQLite: Node's own where it is stable enough, otherwise a library with the same interface. */
import { createRequire } from 'node:module'
import { EXIT, PayError, messageOf } from '../errors.ts'

export type SqlValue = string | number | bigint | null
/** Values by name, for `:name` in the statement. */
export type SqlValues = Readonly<Record<string, SqlValue>>

/** Values in the order of the statement's `?`, or one object with values by name. */
export type SqlInput = readonly SqlValue[] | readonly [SqlValues]

export interface SqliteStatement {
  run(...values: SqlInput): { readonly changes: number | bigint }
  get(...values: SqlInput): unknown
  all(...values: SqlInput): unknown[]
  /** Missing before Node 22.16. */
  setReturnArrays?(isWanted: boolean): void
}

export interface SqliteConnection {
  exec(sql: string): void
  prepare(sql: string): SqliteStatement
  close(): void
}

export type OpenConnection = (path: string) => SqliteConnection

interface SqliteModule {
  readonly DatabaseSync: new (path: string) => SqliteConnection
}

/** Loads the code, not a database. The library takes six milliseconds, so load it only when a database is used. */
export function loadSqlite(): OpenConnection {
  const { DatabaseSync } = builtInSqlite() ?? installedSqlite()
  return (path) => new DatabaseSync(path)
}

/**
 * Loads a module with `require` instead of `import()`, which goes through the module loader and takes two to four times as long.
 * @throws {PayError} `sqlite_unavailable` if it isn't installed, or if this machine can't load its add-on
 */
function installedSqlite(): SqliteModule {
  try {
    const loaded: unknown = createRequire(import.meta.url)('@photostructure/sqlite')
    if (!isSqliteModule(loaded)) throw new Error('it has an unknown interface')
    return loaded
  } catch (cause) {
    throw new PayError('sqlite_unavailable', EXIT.internal, `SQLite cannot be loaded: ${messageOf(cause)}`, {
      retryable: false,
      hint: 'Use Node 22.13 or newer, which has SQLite built in. Older versions need the add-on of @photostructure/sqlite: installed, and on a disk from which programs may run.',
      cause,
    })
  }
}

function builtInSqlite(): SqliteModule | undefined {
  if (!hasUsableSqlite(process.versions.node)) return undefined
  const loaded = withoutWarnings(() => process.getBuiltinModule('node:sqlite'))
  return isSqliteModule(loaded) ? loaded : undefined
}

/** Whether a version of Node has a usable `node:sqlite`: before 22.13, it needs a flag. */
export function hasUsableSqlite(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 22 || (major === 22 && minor >= 13)
}

const isSqliteModule = (loaded: unknown): loaded is SqliteModule =>
  typeof loaded === 'object' &&
  loaded !== null &&
  'DatabaseSync' in loaded &&
  typeof loaded.DatabaseSync === 'function'

/** Loads `node:sqlite` without its ExperimentalWarning, which it prints on stderr, where users would see it. */
function withoutWarnings<T>(load: () => T): T {
  const emitWarning = process.emitWarning.bind(process)
  process.emitWarning = () => undefined
  try {
    return load()
  } finally {
    process.emitWarning = emitWarning
  }
}
