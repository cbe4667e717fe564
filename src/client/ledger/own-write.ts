import { PayError } from '../../errors.ts'
import { UncertainCommit } from '../../store/store.ts'
import type { Claiming, Store, Tx } from '../../store/store.ts'
import { changesOf, readRow, UPDATE } from './entry.ts'
import type { Entry } from './entry.ts'
import { recordGone, settledElsewhere, takenOverError } from './ledger-errors.ts'
import { count, intact } from './open-writes.ts'
import type { Clocks, Moment } from './moment.ts'
import type { Processes } from './owner.ts'
import type { BegunWrite, HeldWrite, Settlement, Standing } from './port.ts'
import { ended, hasEnded, timingOf } from './record.ts'
import type { Ending, StoredRecord } from './record.ts'
import { isKeyTaken } from './repeats.ts'

/** What a process does with a write that is its own: until it has recorded the outcome, or another one has taken it over. */

/** A team's ledger, as a profile or the environment names it. */
export interface Team {
  /** Without a password, which no address has. */
  readonly url: string
  /** The name that the team's API keys have joined. */
  readonly account: string
}

export interface LedgerOptions {
  readonly store: Store
  /** For a ledger that several machines share. */
  readonly team?: Team | undefined
  readonly now: () => Date
  /** A clock for durations, which no one sets. */
  readonly monotonicMs: () => number
  /** What the clocks of this machine show. */
  readonly clocks: () => Clocks
  readonly newId: () => string
  readonly processes: Processes
  /** The system's name of the current user. */
  readonly user: () => string
  readonly version: string
}

/** A write that this process works on, as it last wrote it. */
export interface OwnWrite {
  entry: Entry
  readonly timeoutMs: number
  /** What the clocks showed when this process asked for its lease. Each may be set, or stand still. */
  asked: Asked
}

interface Asked extends Clocks {
  readonly monotonicMs: number
  /** The database's clock, soon after. */
  readonly databaseMs?: number
}

/**
 * How long a process that can't be seen from here counts as working after each attempt: longer than an attempt and the wait
 * before it take. Resolving too early is safe: it resends only with the same key, or only reads.
 */
const LEASE_MS = 10 * 60 * 1000
/** By how much a lease in a team's ledger is longer than an attempt. */
const SPARE_MS = 30_000
/** How old the noted time of an attempt may be when it is sent. */
const FRESH_MS = 5_000

/** What the clocks showed when a lease was asked for, with the database's in the transaction that gave it. */
export const askedIn = ({ startedAt }: Tx, asked: Asked): Asked =>
  startedAt === undefined ? asked : { ...asked, databaseMs: startedAt.getTime() }

export type OwnWrites = ReturnType<typeof createOwnWrites>

export function createOwnWrites({ store, now, monotonicMs, clocks, processes, team }: LedgerOptions) {
  const leaseMs = (timeoutMs: number): number => (team === undefined ? LEASE_MS : timeoutMs + SPARE_MS)
  const asking = (): Asked => ({ ...clocks(), monotonicMs: monotonicMs() })
  const timeIn = ({ startedAt }: Tx): Date => startedAt ?? now()
  /** The moment of a transaction. */
  const momentIn = ({ startedAt }: Tx, serviceMs: number | undefined): Moment => ({
    ...clocks(),
    ...(startedAt === undefined ? {} : { databaseMs: startedAt.getTime() }),
    ...(serviceMs === undefined ? {} : { serviceMs }),
  })

  const held = (write: Omit<Entry, 'owner' | 'leaseUntilMs'>, at: Date, timeoutMs: number): Entry => ({
    ...write,
    owner: processes.own(),
    leaseUntilMs: at.getTime() + leaseMs(timeoutMs),
  })

  /** A transaction that changes nothing twice if it is done although its commit failed. */
  const transaction = <T>(work: (tx: Tx) => Promise<T>, claiming?: Claiming): Promise<T> =>
    store.transaction(work, claiming).catch((error: unknown) => {
      throw error instanceof UncertainCommit ? error.cause : error
    })

  const standing = ({ entry }: OwnWrite): Promise<Standing> =>
    store.reading(async (tx) => {
      const found = await entryOf(tx, entry.record.id)
      if (found === undefined) return 'gone'
      if (hasEnded(found.record)) return 'ended'
      return found.turn === entry.turn ? 'ours' : 'taken'
    })

  /** Whether less than `mostMs` has passed since then, by each clock of this process. */
  const isWithin = (asked: Asked, mostMs: number): boolean => {
    const { wallMs, upMs, monotonicMs: runMs } = asking()
    return (
      wallMs - asked.wallMs < mostMs &&
      runMs - asked.monotonicMs < mostMs &&
      (upMs ?? 0) - (asked.upMs ?? 0) < mostMs
    )
  }

  /** The present moment: the database's clock is counted on while this process runs. */
  const momentOf = ({ asked }: OwnWrite): Moment => {
    const { monotonicMs: runMs, ...shown } = asking()
    const sinceMs = Math.max(
      runMs - asked.monotonicMs,
      shown.upMs === undefined || asked.upMs === undefined ? 0 : shown.upMs - asked.upMs,
    )
    return asked.databaseMs === undefined ? shown : { ...shown, databaseMs: asked.databaseMs + sinceMs }
  }

  /** Durably notes the attempt, before the write is sent again. False once another process has it. */
  const fence = (own: OwnWrite, serviceMs: number | undefined): Promise<boolean> => {
    const asked = asking()
    return transaction(async (tx) => {
      const at = timeIn(tx)
      const last = momentIn(tx, serviceMs)
      const { timeoutMs } = own
      const record = { ...own.entry.record, state: 'sending', last, timeoutMs } as const
      const next = held({ ...own.entry, record }, at, own.timeoutMs)
      const isDone = (await tx.run(UPDATE, changesOf(next, next.turn))) === 1
      if (isDone) Object.assign(own, { entry: next, asked: askedIn(tx, asked) })
      return isDone
    })
  }

  /**
   * Records the outcome. If it is another process's turn, only `confirmed` is certain, because that process may send the write
   * again. Returns the record as it is then.
   * @throws {PayError} `in_progress` if another process has it, `record_gone` if the ledger lacks it
   */
  async function settle({ entry }: OwnWrite, ending: Ending): Promise<StoredRecord> {
    const write = () =>
      transaction(async (tx) => {
        const record = ended(entry.record, ending, timeIn(tx), momentIn(tx, ending.serviceMs))
        for (;;) {
          const found = await entryOf(tx, record.id)
          if (found === undefined) throw recordGone(record)
          if (found.turn !== entry.turn && ending.state !== 'confirmed') throw takenOverError(record)
          if (hasEnded(found.record)) return found.record
          const next = { ...entry, record, turn: found.turn, owner: undefined, leaseUntilMs: undefined }
          // Unless another process has changed it since it was read.
          if ((await tx.run(UPDATE, changesOf(next, found.turn))) === 0) continue
          if (hasEnded(record) && team === undefined) await count(tx, record.id, -1)
          return record
        }
      })
    return write().catch((error: unknown) => {
      if (isRefusal(error)) throw error
      return write()
    })
  }

  /** What both a new write and one that is resolved can do. */
  const holdOf = (own: OwnWrite): HeldWrite => ({
    id: own.entry.record.id,
    place: store.place,
    standing: () => standing(own),
    fence: (serviceMs?: number) => fence(own, serviceMs),
    isLeased: () => isWithin(own.asked, leaseMs(own.timeoutMs)),
    isFresh: () => isWithin(own.asked, FRESH_MS),
    timing: () => timingOf(own.entry.record),
    now: () => momentOf(own),
    isKeyTaken: () => store.reading((tx) => isKeyTaken(tx, own.entry.record)),
  })

  const begunWrite = (own: OwnWrite, warning?: string): BegunWrite => ({
    isInDoubt: own.entry.turn > 0,
    warning,
    ...holdOf(own),
    settle: async (settlement: Settlement) => {
      const end = await settle(own, settlement)
      if (end.state !== settlement.state) throw settledElsewhere(end, now())
    },
  })

  return { asking, timeIn, momentIn, held, transaction, holdOf, settle, begunWrite }
}

/** Whether the ledger has answered, as opposed to failed. */
const isRefusal = (error: unknown): boolean =>
  error instanceof PayError && ['in_progress', 'record_gone', 'ledger_damaged'].includes(error.code)

/**
 * Reads the entry of a write; undefined if there is none.
 * @throws {PayError} exit 6 if it is damaged
 */
export async function entryOf(tx: Tx, id: string): Promise<Entry | undefined> {
  const row = await tx.get('SELECT * FROM writes WHERE id = :id', { id })
  return row === undefined ? undefined : intact(readRow(row))
}
