import { PayError } from '../../errors.ts'
import { virtualNow } from '../domain/clock.ts'
import { toServiceDate } from '../domain/datetime.ts'
import type { Identifiers } from '../domain/identifiers.ts'
import { processDuePayments } from '../domain/payment/due-events.ts'
import type { SandboxContext } from '../domain/context.ts'
import type { LoggedExchange } from '../log/logged-exchange.ts'
import type { LoggedRequest } from '../log/logged-request.ts'
import { damaged, isUnwritable } from './database-error.ts'
import { beginAfter, lastIn, openDatabase } from './database-file.ts'
import type { OpenDatabase } from './database-file.ts'
import type { Transact } from './group-commit.ts'
import { TABLES } from './tables.ts'
import { storeIn } from './store.ts'
import type { Store } from './store.ts'

interface TransactionOptions {
  /** The folder of the data; undefined for data in memory. */
  readonly folder: string | undefined
  readonly now: () => Date
  readonly ids: Identifiers
}

/** One transaction, shared by all requests in it. */
export interface TransactionContext extends SandboxContext {
  /** The machine's clock. */
  readonly machineNow: () => Date
  /** Runs a part of the transaction; if it throws, only its own writes are undone. */
  attempt<T>(work: () => T): T
  /** Empties every table, and gives the data a new identity. Throws if the file has damage that only a check of every page finds. */
  deleteEverything(): void
  /** The database itself, for work on whole tables. */
  readonly database: OpenDatabase['database']
  /** The virtual time as responses show it. */
  readonly at: string
  /** Whether any faults are set. */
  readonly hasFaults: boolean
  /** The entries that are written to the request log with the transaction. */
  readonly log: LoggedRequest[]
  /** The bodies of requests in `log`. */
  readonly exchanges: LoggedExchange[]
}

/** The transactions of a folder. Opens the database on first use, and again after `close`. */
interface Transactions {
  readonly transact: Transact<TransactionContext>
  /** Begins a new database if this one is unusable, and keeps it. Returns false if the error is a different one. */
  replace(error: unknown): boolean
  close(): void
}

interface OpenStore extends OpenDatabase {
  readonly store: Store
}

export function transactionsIn({ folder, now, ids }: TransactionOptions): Transactions {
  let current: OpenStore | undefined
  /** The number of the folder's database that was opened last, whether that succeeded or not. */
  let last = 1

  function open(): OpenStore {
    if (current?.isCurrent() === false) close()
    if (current !== undefined) return current
    last = folder === undefined ? 1 : lastIn(folder)
    const opened = openDatabase(folder)
    current = { ...opened, store: storeIn(opened.database, ids) }
    return current
  }

  function close(): void {
    current?.database.close()
    current = undefined
  }

  function contextOf({ path, database, store }: OpenStore): TransactionContext {
    const virtual = virtualNow(store.settings, now)
    return {
      store,
      ids,
      now: virtual,
      machineNow: now,
      at: toServiceDate(virtual),
      attempt: (work) => database.attempt(work),
      deleteEverything: () => {
        if (!database.isSound()) throw damaged(path)
        for (const table of TABLES) database.run(`DELETE FROM ${table}`)
        store.settings.makeIdentity()
      },
      database,
      hasFaults: store.faults.any(),
      log: [],
      exchanges: [],
    }
  }

  const transact: Transact<TransactionContext> = (work, { isDurable }) => {
    const opened = open()
    const write = () => {
      const context = contextOf(opened)
      processDuePayments(context)
      work(context)
      opened.store.requests.append(context.log, context.exchanges)
    }
    try {
      opened.database.transaction(write, { isDurable })
    } catch (error) {
      if (isDurable || !isUnwritable(error)) throw error
      // Reads still work on a full disk; they just aren't logged.
      opened.database.reading(() => work({ ...contextOf(opened), hasFaults: false }))
    }
  }

  return {
    transact,
    replace: (error) => {
      if (folder === undefined || !isUnusable(error)) return false
      close()
      beginAfter(folder, last)
      return true
    },
    close,
  }
}

const isUnusable = (error: unknown): boolean =>
  error instanceof PayError && /^sandbox_(damaged|newer|older)$/.test(error.code)
