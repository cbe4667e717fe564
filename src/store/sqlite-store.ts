import type { Database, DatabaseErrors } from './database.ts'
import { faultOf } from './fault.ts'
import { UncertainCommit, statementsOf } from './store.ts'
import type { Store, Tx } from './store.ts'

/** A database file that is open. */
export interface OpenFile {
  readonly database: Database
  /** Whether the file at its path is still this one. If not, what is written to this one would be lost. */
  readonly isCurrent: () => boolean
}

interface SqliteStoreOptions {
  /** The file's path. */
  readonly place: string
  /** Opens the file, and creates it if it is missing. Throws what SQLite throws. */
  readonly openForWriting: () => OpenFile
  /** Opens the file as it is, or an empty database in memory if there is none. */
  readonly openForReading: () => OpenFile
  readonly errors: StoreErrors
  readonly wait: (ms: number) => Promise<void>
}

export interface StoreErrors extends DatabaseErrors {
  /** The error if another process has kept the database locked for as long as this one waits. */
  readonly locked: (cause: unknown) => Error
  /** The error if the file was replaced or removed while this process was using it. */
  readonly replaced: () => Error
}

interface Job {
  readonly writes: boolean
  /** Does the work. Returns what reports its result. */
  readonly run: (tx: Tx) => Promise<() => void>
  readonly reject: (error: unknown) => void
}

/** How long to wait for other processes. Each needs the lock for a few milliseconds. */
const PATIENCE_MS = 5000
const LONGEST_WAIT_MS = 32

/**
 * A store on one SQLite file. Its transactions queue, since a connection has only one at a time: an `await` in one never lets
 * another in. Writers that queue up in the same turn of the event loop share a commit, each in a savepoint of its own.
 */
export function sqliteStore({
  place,
  openForWriting,
  openForReading,
  errors,
  wait,
}: SqliteStoreOptions): Store {
  const queue: Job[] = []
  let isRunning = false
  let isReplaced = false
  let file: (OpenFile & { readonly isForWriting: boolean }) | undefined

  const forget = (): void => {
    file?.database.close()
    file = undefined
  }
  const patient = <T>(work: () => T): Promise<T> => patiently(work, errors, wait)
  async function opened(isForWriting: boolean): Promise<Database> {
    if (file?.isForWriting === true && !file.isCurrent()) isReplaced = true
    // What this process has written is in another file.
    if (isReplaced) throw errors.replaced()
    if (file?.isForWriting === false && (isForWriting || !file.isCurrent())) forget()
    file ??= await patient(() => ({
      ...(isForWriting ? openForWriting() : openForReading()),
      isForWriting,
    }))
    return file.database
  }

  async function read(job: Job): Promise<void> {
    const database = await opened(file?.isForWriting ?? false)
    await patient(() => {
      database.run('BEGIN')
      try {
        // The first read takes the lock.
        database.get('SELECT count(*) FROM sqlite_schema')
      } catch (error) {
        rollBack(database)
        throw error
      }
    })
    try {
      const { tx, end } = statementsOn(database)
      const report = await job.run(tx).finally(end)
      report()
    } catch (error) {
      job.reject(errors.explain(error))
    } finally {
      rollBack(database)
    }
  }

  /** Runs the jobs in one transaction. Each succeeds or fails by itself, unless the database fails. */
  async function write(jobs: readonly Job[]): Promise<void> {
    const database = await opened(true)
    await patient(() => database.run('BEGIN IMMEDIATE'))
    const ends: (() => void)[] = []
    const refusals: (() => void)[] = []
    try {
      // The lock that this process has is on its own file.
      await opened(true)
      for (const job of jobs) {
        database.run('SAVEPOINT job')
        const { tx, end } = statementsOn(database)
        try {
          const report = await job.run(tx).finally(end)
          database.run('RELEASE job')
          ends.push(report)
        } catch (error) {
          if (errors.isFailure(error)) throw error
          database.run('ROLLBACK TO job')
          database.run('RELEASE job')
          refusals.push(() => job.reject(error))
        }
      }
    } catch (error) {
      rollBack(database)
      throw error
    }
    if (ends.length === 0) rollBack(database)
    else await commit(database)
    for (const end of [...ends, ...refusals]) end()
  }

  async function commit(database: Database): Promise<void> {
    let hasFailed = false
    try {
      await patient(() => {
        try {
          database.run('COMMIT')
        } catch (error) {
          // A reader may still hold its lock: then nothing has happened yet.
          hasFailed = faultOf(error) !== 'locked'
          throw error
        }
      })
    } catch (error) {
      rollBack(database)
      throw hasFailed ? new UncertainCommit(error) : error
    }
  }

  async function runAll(): Promise<void> {
    while (queue.length > 0) {
      // Whatever this turn of the event loop has yet to ask for shares the commit.
      await new Promise((resolve) => setImmediate(resolve))
      const first = queue.findIndex(({ writes }) => !writes)
      const jobs = queue.splice(0, first === -1 ? queue.length : Math.max(first, 1))
      const [job] = jobs
      try {
        if (job?.writes === false) await read(job)
        else await write(jobs)
      } catch (error) {
        forget()
        for (const { reject } of jobs)
          reject(error instanceof UncertainCommit ? error : errors.explain(error))
      }
    }
    isRunning = false
  }

  const enqueue = <T>(writes: boolean, work: (tx: Tx) => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const run = async (tx: Tx) => {
        const value = await work(tx)
        return () => resolve(value)
      }
      queue.push({ writes, run, reject })
      if (isRunning) return
      isRunning = true
      void runAll()
    })
  return {
    place,
    transaction: (work) => enqueue(true, work),
    reading: (work) => enqueue(false, work),
  }
}

/** Tries until no other process is in the way, for five seconds. */
export async function patiently<T>(
  work: () => T,
  errors: StoreErrors,
  wait: (ms: number) => Promise<void>,
): Promise<T> {
  for (let waited = 0, ms = 1; ; ms = Math.min(2 * ms, LONGEST_WAIT_MS)) {
    try {
      return work()
    } catch (error) {
      if (faultOf(error) !== 'locked') throw errors.explain(error)
      if (waited >= PATIENCE_MS) throw errors.locked(error)
    }
    await wait(ms)
    waited += ms
  }
}

function rollBack(database: Database): void {
  try {
    database.run('ROLLBACK')
  } catch {
    // SQLite has rolled back by itself.
  }
}

const statementsOn = (database: Database) =>
  statementsOf({
    get: async (sql, values) => database.get(sql, values ?? {}),
    all: async (sql, values) => database.all(sql, values ?? {}),
    arrays: async (sql, values) => database.arrays(sql, values ?? {}),
    run: async (sql, values) => database.run(sql, values ?? {}),
  })
