import type { PayError } from '../errors.ts'
import { damageTo, damagedRecord } from './damage-errors.ts'
import { noSuchOperation } from './files/ledger-errors.ts'
import type { DamagedLine } from './files/damaged-line.ts'
import type { History } from './files/history.ts'
import type { OpenFile } from './files/open-files.ts'
import type { OpenFolder } from './files/open-folder.ts'
import { storedIntentOf } from './files/record.ts'
import type { StoredRecord } from './files/record.ts'
import type { OwnerCheck } from './owner-check.ts'
import type { OpenIntent, Settlement, StoredIntent } from './port.ts'
import { isKeyTaken, whyNeverSent } from './repeats.ts'
import type { Settlements } from './settle.ts'

/** Each try fails only if another process changes the record at that moment; a hundred times means a bug. */
const MAX_TRIES = 100

/** An open intent that this process has taken over. */
export interface Reopened extends Omit<OpenIntent, 'settle' | 'warning'> {
  readonly intent: StoredIntent
  readonly record: StoredRecord
  /** The error that kept it from being sent: a repeat of another write. undefined if it may have been sent. */
  readonly stoppedBy: PayError | undefined
  /** Why it can't be resolved: its outcome may be in a damaged line of the history. A person has to check. */
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

export interface ReopenParts extends Settlements, Pick<OwnerCheck, 'isBusy' | 'isPidOnly' | 'busy'> {
  readonly open: OpenFolder
  readonly history: History
  readonly pathOf: (file: OpenFile) => string
  /** What has ended on a target. */
  readonly endedOn: (
    target: string | null,
  ) => Promise<{ readonly others: readonly StoredRecord[]; readonly damaged: readonly DamagedLine[] }>
  readonly now: () => Date
  /** Who abandons: user and machine. */
  readonly abandonedBy: () => string
}

/** Takes an open record over, to resolve or abandon it. */
export function createReopen({
  open,
  history,
  pathOf,
  isBusy,
  isPidOnly,
  busy,
  hasEnded,
  settle,
  endedOn,
  now,
  abandonedBy,
}: ReopenParts): (id: string, options?: ReopenOptions) => Promise<Reopened> {
  async function readHistory(record: StoredRecord) {
    const { others, damaged } = await endedOn(record.target)
    return {
      stoppedBy: await whyNeverSent(history, record, now()),
      others,
      damage: damageTo(record, damaged),
    }
  }

  async function openFile(id: string): Promise<OpenFile> {
    const files = await open.all(({ name }) => name.startsWith(id))
    const exact = files.find(({ name }) => name === id)
    const file = exact ?? (files.length === 1 ? files[0] : undefined)
    if (file === undefined) throw noSuchOperation(files.length > 1, 'open')
    return file
  }

  return async (id, { isConfirmedGone = false } = {}) => {
    for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
      const file = await openFile(id)
      if (file.record === undefined) throw damagedRecord(file.name, pathOf(file))
      const isOverridden = isConfirmedGone && isPidOnly(file)
      if (isBusy(file) && !isOverridden) throw busy(file, file.record)
      if (file.isClaim && !isOverridden) {
        // Its process died before it had claimed the target: nothing was sent, so there is nothing to resolve.
        await open.remove(file)
        throw noSuchOperation(false, 'open')
      }
      if (await hasEnded(file, file.record.id)) throw noSuchOperation(false, 'open')
      const taken = await open.takeOver(file)
      if (taken === undefined) continue
      const { record } = taken
      const isOurs = async () => (await open.ownership(taken)) === 'ours'
      const { others, stoppedBy, damage } = await readHistory(record).catch(async (error: unknown) => {
        await open.release(taken)
        throw error
      })
      return {
        id: record.id,
        isInDoubt: true,
        record,
        intent: {
          ...storedIntentOf(record, others, { now: now(), wasTakenOver: taken.generation > 1 }),
          isOurs,
          isKeyTaken: () => isKeyTaken(history, record),
          noteAttempt: () => open.rewrite(taken, { ...record, lastAttemptAt: now().toISOString() }),
        },
        stoppedBy,
        damage,
        isOurs,
        settle: (settlement) => settle(taken, settlement),
        release: () => open.release(taken),
        abandon: (words) => {
          const by = `Abandoned by ${abandonedBy()}`
          const note = words === undefined ? `${by}.` : `${by}: ${words}`
          const named = { ...record, reason: record.reason ?? words ?? null }
          return settle({ ...taken, record: named }, { state: 'abandoned', exitCode: undefined, note })
        },
      }
    }
    throw new Error(`the record keeps changing: ${id}`)
  }
}
