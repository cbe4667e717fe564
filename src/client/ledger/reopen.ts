import { PayError } from '../../errors.ts'
import { changesOf, readRow, UPDATE } from './entry.ts'
import { noSuchOperation, takenOverError } from './ledger-errors.ts'
import { intact } from './open-writes.ts'
import type { OwnerCheck } from './owner-check.ts'
import { askedIn } from './own-write.ts'
import type { OwnWrite, OwnWrites } from './own-write.ts'
import type { DoubtfulWrite, Settlement } from './port.ts'
import { DEFAULT_TIMEOUT_MS, othersOf, writeIn } from './record.ts'
import type { StoredRecord } from './record.ts'
import { endedOn, keySinceOf } from './repeats.ts'
import { OPEN } from './tables.ts'

/** An open write that this process has taken over. */
export interface Reopened extends DoubtfulWrite {
  readonly record: StoredRecord
  /** Why it can't be resolved: a record of another write on its target is damaged. A person has to check. */
  readonly damage: PayError | undefined
  /** Records the outcome, or that it is still unknown. Returns the record as it is then. */
  readonly settle: (settlement: Settlement) => Promise<StoredRecord>
  /** Gives it back unchanged. */
  readonly release: () => Promise<void>
  /** Ends it on a user's decision, with their reason. */
  readonly abandon: (words: string | undefined) => Promise<StoredRecord>
}

export interface ReopenOptions {
  /** Whether the user has confirmed that the owner is gone. Ignored unless only the owner's process number is known. */
  readonly isConfirmedGone?: boolean
  /** How long an attempt may take. */
  readonly timeoutMs?: number
  /** Whether to end it on a user's decision, which works even if the ledger lacks an index that sending needs. */
  readonly isToAbandon?: boolean
}

interface ReopenParts {
  readonly owners: OwnerCheck
  readonly own: OwnWrites
  /** Who abandons: user and machine. */
  readonly abandonedBy: () => string
}

/** Takes an open record over, to resolve or abandon it. */
export function createReopen({
  owners,
  own: { asking, timeIn, held, transaction, holdOf, settle },
  abandonedBy,
}: ReopenParts): (id: string, options?: ReopenOptions) => Promise<Reopened> {
  const takeOver = (
    id: string,
    { isConfirmedGone = false, timeoutMs = DEFAULT_TIMEOUT_MS, isToAbandon = false }: ReopenOptions,
  ) => {
    const asked = asking()
    return transaction(
      async (tx) => {
        const rows = await tx.all(
          `SELECT * FROM writes WHERE ${OPEN} AND id >= :id AND id < :beyond LIMIT 2`,
          { id, beyond: `${id}\u{10ffff}` },
        )
        const row = rows.find((one) => one['id'] === id) ?? (rows.length === 1 ? rows[0] : undefined)
        if (row === undefined) throw noSuchOperation(id, rows.length > 1, 'open')
        const found = intact(readRow(row))
        const at = timeIn(tx)
        if (owners.isBusy(found, at) && !(isConfirmedGone && owners.isPidOnly(found)))
          throw owners.busy(found, at)
        const keySince = await keySinceOf(tx, found).catch(ifDamaged)
        const record = {
          ...found.record,
          ...(keySince instanceof PayError || keySince.length === 0 ? {} : { keySince }),
        }
        const own: OwnWrite = {
          entry: held({ ...found, record, turn: found.turn + 1 }, at, timeoutMs),
          timeoutMs,
          asked: askedIn(tx, asked),
        }
        if ((await tx.run(UPDATE, changesOf(own.entry, found.turn))) === 0) throw takenOverError(found.record)
        const others = await endedOn(tx, found.record).catch(ifDamaged)
        const damage = [keySince, others].find((one) => one instanceof PayError)
        return {
          own,
          others: others instanceof PayError ? [] : othersOf(found.record, others),
          damage: damage instanceof PayError ? damage : undefined,
        }
      },
      isToAbandon ? undefined : { locks: [] },
    )
  }

  return async (id, options = {}) => {
    const { own, others, damage } = await takeOver(id, options)
    const { record } = own.entry
    return {
      ...writeIn(record),
      ...holdOf(own),
      others,
      record,
      damage,
      settle: (settlement) => settle(own, settlement),
      release: () =>
        transaction(async (tx) => {
          const given = { ...own.entry, owner: undefined, leaseUntilMs: undefined }
          await tx.run(UPDATE, changesOf(given, own.entry.turn))
        }),
      abandon: (words) => {
        const by = `Abandoned by ${abandonedBy()}`
        const note = words === undefined ? `${by}.` : `${by}: ${words}`
        const named = { ...own.entry.record, reason: record.reason ?? words ?? null }
        return settle(
          { ...own, entry: { ...own.entry, record: named } },
          { state: 'abandoned', exitCode: undefined, note },
        )
      },
    }
  }
}

/** The damage, which a person has to look at. */
function ifDamaged(error: unknown): PayError {
  if (error instanceof PayError && error.code === 'ledger_damaged') return error
  throw error
}
