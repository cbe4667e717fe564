import { PayError } from '../../errors.ts'
import { virtualNow } from './clock.ts'
import { isUnwritable } from './database-error.ts'
import { openDatabase, setAside } from './database-file.ts'
import type { OpenDatabase } from './database-file.ts'
import { toServiceDate } from '../domain/datetime.ts'
import type { Transact } from './group-commit.ts'
import type { Identifiers } from '../domain/identifiers.ts'
import { settleDuePayments } from '../domain/settle.ts'
import { storeIn } from './store/store.ts'
import type { Store } from './store/store.ts'
import type { TransactionWorld } from '../domain/world.ts'

export interface TurnParts {
  readonly folder: string
  readonly now: () => Date
  readonly random: () => number
  readonly ids: Identifiers
}

/** A folder's transactions, each with the world that is in it. Opens the database at first use, and again after a close. */
export interface Transactions {
  readonly transact: Transact<TransactionWorld>
  /** Puts a database that cannot be read aside and begins a new one; false where it can be read. */
  replaceUnreadable(error: unknown): boolean
  close(): void
}

interface Opened extends OpenDatabase {
  readonly store: Store
}

export function transactionsIn({ folder, now, random, ids }: TurnParts): Transactions {
  let current: Opened | undefined

  function opened(): Opened {
    if (current?.isCurrent() === false) close()
    if (current !== undefined) return current
    const open = openDatabase(folder, random)
    current = { ...open, store: storeIn(open.database) }
    return current
  }

  function close(): void {
    current?.database.close()
    current = undefined
  }

  function worldOf({ database, store }: Opened): TransactionWorld {
    const virtual = virtualNow(store.settings, now)
    return {
      store,
      ids,
      now: virtual,
      at: toServiceDate(virtual),
      attempt: (work) => database.attempt(work),
      startAfresh: () => {
        database.check()
        database.clear()
      },
      hasFaults: store.faults.any(),
      log: [],
    }
  }

  const transact: Transact<TransactionWorld> = (work, { isDurable }) => {
    const open = opened()
    const write = () => {
      const world = worldOf(open)
      settleDuePayments(world)
      work(world)
      open.store.requests.append(world.log)
    }
    try {
      open.database.transaction(write, { isDurable })
    } catch (error) {
      if (isDurable || !isUnwritable(error)) throw error
      // A full disk takes no log of who has read what; the reading itself goes on.
      open.database.reading(() => work({ ...worldOf(open), hasFaults: false }))
    }
  }

  return {
    transact,
    replaceUnreadable: (error) => {
      const kind = unreadable(error)
      if (kind === undefined) return false
      close()
      setAside(folder, kind)
      opened()
      return true
    },
    close,
  }
}

function unreadable(error: unknown): 'damaged' | 'newer' | undefined {
  if (!(error instanceof PayError)) return undefined
  if (error.code === 'sandbox_newer') return 'newer'
  return error.code === 'sandbox_damaged' ? 'damaged' : undefined
}
