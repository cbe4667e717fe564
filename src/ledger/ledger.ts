import { PayError } from '../errors.ts'
import { UncertainCommit } from '../store/store.ts'
import type { Store, Tx } from '../store/store.ts'
import { changesOf, INSERT, readRow, UPDATE, valuesOf } from './entry.ts'
import type { Entry, OwnWrite } from './entry.ts'
import { blocked, sameNameWarning, settledElsewhere, takenOverError, unretracted } from './ledger-errors.ts'
import { createListing } from './listing.ts'
import type { FoundEntry, ListOptions, Listing } from './listing.ts'
import { count, intact, openRows, refuseDamage } from './open-writes.ts'
import { createOwnerCheck } from './owner-check.ts'
import type { Processes } from './owner.ts'
import type { BeginOptions, Intent, OpenIntent, Settlement } from './port.ts'
import { ended, hasEnded, newRecord } from './record.ts'
import type { Ending, StoredRecord } from './record.ts'
import { createReopen } from './reopen.ts'
import type { ReopenOptions, Reopened } from './reopen.ts'
import { blockerOf, isKeyTaken, refuseRepeats } from './repeats.ts'
import { setRecordAside } from './set-aside.ts'
import { isSameNameElsewhere } from './target.ts'

/**
 * How long a process that can't be seen from here counts as working after each attempt: longer than an attempt and the wait
 * before it take. Resolving too early is safe: it resends only with the same key, or only reads.
 */
const LEASE_MS = 10 * 60 * 1000

export interface LedgerOptions {
  readonly store: Store
  readonly now: () => Date
  readonly newId: () => string
  readonly processes: Processes
  /** The system's name of the current user. */
  readonly user: () => string
  readonly version: string
}

export interface WholeLedger {
  /** As `Ledger.begin` in `port.ts`. */
  readonly begin: (intent: Intent, options: BeginOptions) => Promise<OpenIntent>
  /**
   * Refuses what {@link WholeLedger.begin} would refuse, but writes nothing, so that a user is refused before being prompted.
   * Guarantees nothing: only `begin` is atomic.
   * @throws {PayError} exit 6
   */
  readonly preflight: (intent: Intent, options: BeginOptions) => Promise<void>
  /**
   * Takes over an open intent, to resolve or abandon it. `id` may be a unique prefix.
   * @throws {PayError} exit 5 when there is none, 6 when its owner is still working or it is damaged
   */
  readonly reopen: (id: string, options?: ReopenOptions) => Promise<Reopened>
  /** Last begun first. */
  readonly list: (which: ListOptions) => Promise<Listing>
  /** The records that were begun last, for Tab completion, latest first. */
  readonly recent: (limit: number) => Promise<readonly StoredRecord[]>
  /**
   * By id, or by a unique prefix of it.
   * @throws {PayError} exit 5 when there is none, 2 when there are several
   */
  readonly find: (id: string) => Promise<FoundEntry>
  /** Visits every ended record, last begun first, and keeps none of them in memory. */
  readonly visitEnded: (visit: (record: StoredRecord) => void) => Promise<void>
  /** Sets a damaged record aside, on a user's decision: it blocks nothing, and stays in the file. */
  readonly setAside: (id: string) => Promise<void>
}

/** Records every write: durable before it is sent, its outcome recorded before it is reported. */
export function createLedger(options: LedgerOptions): WholeLedger {
  const { store, now, processes } = options
  const owners = createOwnerCheck({ processes, now })
  const { isBusy, busy } = owners
  /** Damage among the open writes is looked for once per process. */
  let isChecked = false

  const mine = (record: StoredRecord, isTicket: boolean, turn: number): Entry => ({
    record,
    isTicket,
    turn,
    owner: processes.own(),
    leaseUntilMs: now().getTime() + LEASE_MS,
  })

  /** Whether this process still has the write. */
  const isOurs = ({ entry }: OwnWrite): Promise<boolean> =>
    store.reading(async (tx) => {
      const found = await entryOf(tx, entry.record.id)
      return found !== undefined && !hasEnded(found.record) && found.turn === entry.turn
    })

  /** A transaction that changes nothing twice if it is done although its commit failed. */
  const transaction = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    store.transaction(work).catch((error: unknown) => {
      throw error instanceof UncertainCommit ? error.cause : error
    })

  /** Before the write is sent again: false once another process has it. Durably notes the attempt. */
  const fence = (own: OwnWrite): Promise<boolean> =>
    transaction(async (tx) => {
      const record = { ...own.entry.record, state: 'sending', lastAttemptAt: now().toISOString() } as const
      const next = mine(record, own.entry.isTicket, own.entry.turn)
      const isDone = (await tx.run(UPDATE, changesOf(next, next.turn))) === 1
      if (isDone) own.entry = next
      return isDone
    })

  /**
   * Records the outcome. If it is another process's turn, only `confirmed` is certain, because that process may send the write
   * again. Returns the record as it is then.
   */
  async function settle({ entry }: OwnWrite, ending: Ending): Promise<StoredRecord> {
    const record = ended(entry.record, ending, now())
    const write = () =>
      transaction(async (tx) => {
        const found = await entryOf(tx, record.id)
        if (found === undefined || (found.turn !== entry.turn && ending.state !== 'confirmed'))
          throw takenOverError(record)
        if (hasEnded(found.record)) return found.record
        const next = { ...entry, record, turn: found.turn, owner: undefined, leaseUntilMs: undefined }
        await tx.run(UPDATE, changesOf(next, found.turn))
        if (hasEnded(record)) await count(tx, record.id, -1)
        return record
      })
    return write().catch((error: unknown) => {
      if (isRefusal(error)) throw error
      return write()
    })
  }

  const openIntent = (entry: Entry, warning?: string): OpenIntent => {
    const own: OwnWrite = { entry }
    return {
      id: entry.record.id,
      isInDoubt: entry.turn > 0,
      warning,
      isOurs: () => isOurs(own),
      fence: () => fence(own),
      isKeyTaken: () => store.reading((tx) => isKeyTaken(tx, entry.record)),
      settle: async (settlement: Settlement) => {
        const end = await settle(own, settlement)
        if (end.state !== settlement.state) throw settledElsewhere(end, now())
      },
    }
  }

  /** Takes an equal repeatable write over. undefined if there is no open write in the way. */
  async function continued(tx: Tx, wanted: StoredRecord, begin: BeginOptions): Promise<Entry | undefined> {
    const found = await blockerOf(tx, wanted, begin)
    if (found === undefined) return undefined
    if (isBusy(found)) throw busy(found)
    if (!isContinuedBy(found.record, wanted)) throw blocked(found.record, now())
    return found
  }

  const newWrite = (id: string, intent: Intent): StoredRecord =>
    newRecord(intent, {
      id,
      user: options.user(),
      version: options.version,
      owner: processes.own(),
      now: now(),
    })

  /** After a failed commit, which may have been done: makes sure that no claim is left which a later resolve would send. */
  async function retract(id: string, cause: unknown): Promise<void> {
    try {
      if ((await store.reading((tx) => entryOf(tx, id))) === undefined) return
      await transaction(async (tx) => {
        if ((await tx.run('DELETE FROM writes WHERE id = :id AND turn = 0', { id })) === 1)
          await count(tx, id, -1)
      })
    } catch {
      throw unretracted(id, cause)
    }
  }

  const listing = createListing({ store, owners })

  return {
    async begin(intent, beginOptions) {
      const id = options.newId()
      const claim = store.transaction(async (tx) => {
        if (!isChecked) await refuseDamage(tx, intent.account)
        isChecked = true
        const record = newWrite(id, intent)
        const earlier = await continued(tx, record, beginOptions)
        if (earlier !== undefined) {
          const taken = mine(earlier.record, earlier.isTicket, earlier.turn + 1)
          await tx.run(UPDATE, changesOf(taken, earlier.turn))
          return openIntent(taken)
        }
        await refuseRepeats(tx, record, beginOptions, now())
        const entry = mine(record, beginOptions.isTicket, 0)
        await tx.run(INSERT, valuesOf(entry))
        await count(tx, id, 1)
        return openIntent(entry, await findSameNameWarning(tx, record, now()))
      })
      return claim.catch(async (error: unknown) => {
        if (!(error instanceof UncertainCommit)) throw error
        await retract(id, error.cause)
        throw error.cause
      })
    },

    preflight: (intent, beginOptions) =>
      store.reading(async (tx) => {
        const wanted = newWrite('', intent)
        if (wanted.target === null) return
        await continued(tx, wanted, beginOptions)
        await refuseRepeats(tx, wanted, beginOptions, now())
      }),

    reopen: createReopen({
      store: { ...store, transaction },
      owners,
      now,
      mine,
      isOurs,
      fence,
      settle,
      abandonedBy: () => `${options.user()} on ${processes.own().machine}`,
    }),
    list: listing.list,
    recent: listing.recent,
    find: listing.find,
    visitEnded: listing.visitEnded,
    setAside: (id) => transaction((tx) => setRecordAside(tx, id, now())),
  }
}

/** Whether the ledger has answered, as opposed to failed. */
const isRefusal = (error: unknown): boolean =>
  error instanceof PayError && (error.code === 'in_progress' || error.code === 'ledger_damaged')

/** Whether a new write continues an open one: the same repeatable write, run again. */
const isContinuedBy = (record: StoredRecord, wanted: StoredRecord): boolean =>
  record.isRepeatable && record.operation === wanted.operation && record.likeness === wanted.likeness

/** @throws {PayError} exit 6 if it is damaged */
async function entryOf(tx: Tx, id: string): Promise<Entry | undefined> {
  const row = await tx.get('SELECT * FROM writes WHERE id = :id', { id })
  return row === undefined ? undefined : intact(readRow(row))
}

/** Warns about an open write on a target of the same name under another API key: both keys may belong to one account. */
async function findSameNameWarning(tx: Tx, record: StoredRecord, now: Date): Promise<string | undefined> {
  if (record.target === null || record.targetKind === 'payment') return undefined
  const open = (await openRows(tx)).flatMap((row) => (row.kind === 'entry' ? [row.entry.record] : []))
  const other = open.find((one) => isSameNameElsewhere(record, one))
  return other === undefined ? undefined : sameNameWarning(other, now)
}
