import { PayError } from '../errors.ts'
import { UncertainCommit } from '../store/store.ts'
import type { Claiming, Store, Tx } from '../store/store.ts'
import { changesOf, readRow, UPDATE } from './entry.ts'
import type { Entry } from './entry.ts'
import { settledElsewhere, takenOverError } from './ledger-errors.ts'
import { count, intact } from './open-writes.ts'
import type { Processes } from './owner.ts'
import type { OpenIntent, Settlement } from './port.ts'
import { ended, hasEnded } from './record.ts'
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
  /** When this process asked for its lease, by both of its clocks: one may be set, the other may stand still. */
  asked: Clocks
}

interface Clocks {
  readonly wallMs: number
  readonly monotonicMs: number
}

/**
 * How long a process that can't be seen from here counts as working after each attempt: longer than an attempt and the wait
 * before it take. Resolving too early is safe: it resends only with the same key, or only reads.
 */
const LEASE_MS = 10 * 60 * 1000
/** In a team's ledger: what a lease is longer than an attempt. */
const SPARE_MS = 30_000

export type OwnWrites = ReturnType<typeof createOwnWrites>

export function createOwnWrites({ store, now, monotonicMs, processes, team }: LedgerOptions) {
  const leaseMs = (timeoutMs: number): number => (team === undefined ? LEASE_MS : timeoutMs + SPARE_MS)
  const clocks = (): Clocks => ({ wallMs: now().getTime(), monotonicMs: monotonicMs() })
  const timeIn = ({ startedAt }: Tx): Date => startedAt ?? now()
  /** A time of this machine's clock as the time of the database's, which its records have. */
  const inTx = (tx: Tx, time: Date | undefined): Date | undefined =>
    time === undefined ? undefined : new Date(time.getTime() + timeIn(tx).getTime() - now().getTime())

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

  /** Whether this process still has the write. */
  const isOurs = ({ entry }: OwnWrite): Promise<boolean> =>
    store.reading(async (tx) => {
      const found = await entryOf(tx, entry.record.id)
      return found !== undefined && !hasEnded(found.record) && found.turn === entry.turn
    })

  const isLeased = ({ asked, timeoutMs }: OwnWrite): boolean => {
    const { wallMs, monotonicMs: runMs } = clocks()
    const most = leaseMs(timeoutMs)
    return wallMs - asked.wallMs < most && runMs - asked.monotonicMs < most
  }

  /** Before the write is sent again: false once another process has it. Durably notes the attempt. */
  const fence = (own: OwnWrite): Promise<boolean> => {
    const asked = clocks()
    return transaction(async (tx) => {
      const at = timeIn(tx)
      const record = { ...own.entry.record, state: 'sending', lastAttemptAt: at.toISOString() } as const
      const next = held({ ...own.entry, record }, at, own.timeoutMs)
      const isDone = (await tx.run(UPDATE, changesOf(next, next.turn))) === 1
      if (isDone) Object.assign(own, { entry: next, asked })
      return isDone
    })
  }

  /**
   * Records the outcome. If it is another process's turn, only `confirmed` is certain, because that process may send the write
   * again. Returns the record as it is then.
   */
  async function settle({ entry }: OwnWrite, ending: Ending): Promise<StoredRecord> {
    const write = () =>
      transaction(async (tx) => {
        const times = {
          underWayAt: inTx(tx, ending.underWayAt),
          lastAttemptAt: inTx(tx, ending.lastAttemptAt),
        }
        const record = ended(entry.record, { ...ending, ...times }, timeIn(tx))
        for (;;) {
          const found = await entryOf(tx, record.id)
          if (found === undefined || (found.turn !== entry.turn && ending.state !== 'confirmed'))
            throw takenOverError(record)
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
  const portOf = (own: OwnWrite) => ({
    isOurs: () => isOurs(own),
    fence: () => fence(own),
    isLeased: () => isLeased(own),
    isKeyTaken: () => store.reading((tx) => isKeyTaken(tx, own.entry.record)),
  })

  const openIntent = (own: OwnWrite, warning?: string): OpenIntent => ({
    id: own.entry.record.id,
    isInDoubt: own.entry.turn > 0,
    warning,
    ...portOf(own),
    settle: async (settlement: Settlement) => {
      const end = await settle(own, settlement)
      if (end.state !== settlement.state) throw settledElsewhere(end, now())
    },
  })

  return { clocks, timeIn, held, transaction, portOf, settle, openIntent }
}

/** Whether the ledger has answered, as opposed to failed. */
const isRefusal = (error: unknown): boolean =>
  error instanceof PayError && (error.code === 'in_progress' || error.code === 'ledger_damaged')

/** @throws {PayError} exit 6 if it is damaged */
export async function entryOf(tx: Tx, id: string): Promise<Entry | undefined> {
  const row = await tx.get('SELECT * FROM writes WHERE id = :id', { id })
  return row === undefined ? undefined : intact(readRow(row))
}
