import { PayError } from '../errors.ts'
import type { Store } from '../store/store.ts'
import { changesOf, readRow, UPDATE } from './entry.ts'
import type { Entry, OwnWrite } from './entry.ts'
import { noSuchOperation } from './ledger-errors.ts'
import { intact } from './open-writes.ts'
import type { OwnerCheck } from './owner-check.ts'
import type { OpenIntent, Settlement, StoredIntent } from './port.ts'
import { storedIntentOf } from './record.ts'
import type { Ending, StoredRecord } from './record.ts'
import { endedOn, isKeyTaken } from './repeats.ts'
import { OPEN } from './tables.ts'

/** An open intent that this process has taken over. */
export interface Reopened extends Omit<OpenIntent, 'settle' | 'warning'> {
  readonly intent: StoredIntent
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
  /** The user has confirmed that the owner is gone. Ignored unless only the owner's process number is known. */
  readonly isConfirmedGone?: boolean
}

export interface ReopenParts {
  readonly store: Store
  readonly owners: OwnerCheck
  readonly now: () => Date
  readonly mine: (record: StoredRecord, isTicket: boolean, turn: number) => Entry
  readonly isOurs: (own: OwnWrite) => Promise<boolean>
  readonly fence: (own: OwnWrite) => Promise<boolean>
  readonly settle: (own: OwnWrite, ending: Ending) => Promise<StoredRecord>
  /** Who abandons: user and machine. */
  readonly abandonedBy: () => string
}

/** Takes an open record over, to resolve or abandon it. */
export function createReopen({
  store,
  owners,
  now,
  mine,
  isOurs,
  fence,
  settle,
  abandonedBy,
}: ReopenParts): (id: string, options?: ReopenOptions) => Promise<Reopened> {
  const takeOver = (id: string, isConfirmedGone: boolean) =>
    store.transaction(async (tx) => {
      const rows = await tx.all(`SELECT * FROM writes WHERE ${OPEN} AND id >= :id AND id < :beyond LIMIT 2`, {
        id,
        beyond: `${id}\u{10ffff}`,
      })
      const row = rows.find((one) => one['id'] === id) ?? (rows.length === 1 ? rows[0] : undefined)
      if (row === undefined) throw noSuchOperation(rows.length > 1, 'open')
      const found = intact(readRow(row))
      if (owners.isBusy(found) && !(isConfirmedGone && owners.isPidOnly(found))) throw owners.busy(found)
      const taken = mine(found.record, found.isTicket, found.turn + 1)
      await tx.run(UPDATE, changesOf(taken, found.turn))
      try {
        return { taken, others: await endedOn(tx, found.record, 0), damage: undefined }
      } catch (error) {
        if (!(error instanceof PayError) || error.code !== 'ledger_damaged') throw error
        return { taken, others: [], damage: error }
      }
    })

  return async (id, { isConfirmedGone = false } = {}) => {
    const { taken, others, damage } = await takeOver(id, isConfirmedGone)
    const own: OwnWrite = { entry: taken }
    const { record } = taken
    const shared = {
      isOurs: () => isOurs(own),
      fence: () => fence(own),
      isKeyTaken: () => store.reading((tx) => isKeyTaken(tx, record)),
    }
    return {
      id: record.id,
      isInDoubt: true,
      record,
      intent: { ...storedIntentOf(record, others, now()), ...shared },
      damage,
      ...shared,
      settle: (settlement) => settle(own, settlement),
      release: () =>
        store.transaction(async (tx) => {
          const given = { ...own.entry, owner: undefined, leaseUntilMs: undefined }
          await tx.run(UPDATE, changesOf(given, own.entry.turn))
        }),
      abandon: (words) => {
        const by = `Abandoned by ${abandonedBy()}`
        const note = words === undefined ? `${by}.` : `${by}: ${words}`
        const named = { ...own.entry.record, reason: record.reason ?? words ?? null }
        return settle(
          { entry: { ...own.entry, record: named } },
          { state: 'abandoned', exitCode: undefined, note },
        )
      },
    }
  }
}
