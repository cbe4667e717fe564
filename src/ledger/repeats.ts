import { EXIT, PayError } from '../errors.ts'
import type { BeginOptions } from './port.ts'
import { KEY_LIFETIME_MS } from './port.ts'
import { overtaken, ticketAbandoned, ticketUsed, writtenBefore } from './files/ledger-errors.ts'
import { damagedBefore, damagedSince, damagedTicket } from './damage-errors.ts'
import { idsIn, isSuspect, isTorn } from './files/damaged-line.ts'
import type { DamagedLine, Suspicion } from './files/damaged-line.ts'
import type { History } from './files/history.ts'
import type { RecordTest } from './files/record-filter.ts'
import { sharesLock } from './files/lock.ts'
import type { StoredRecord } from './files/record.ts'

/** Refuses writes that repeat an earlier one, or whose reading of the payment is stale because of another write. */

/** How long an equal write counts as the same command, run twice. */
const REPEAT_MS = 10 * 60 * 1000

export interface RepeatOptions {
  readonly now: Date
  readonly counts?: RecordTest
  /** The states of the records in a damaged line, as far as they can be read elsewhere. If left out, damaged lines don't count. */
  readonly statesOf?: (line: DamagedLine) => Promise<readonly (StoredRecord['state'] | undefined)[]>
}

/**
 * A damaged line counts as a repeat if it may have been one.
 * @throws {PayError} exit 6 when the same write was done, or one that makes this write's reading stale
 */
export async function refuseRepeats(
  history: History,
  record: StoredRecord,
  { now, counts = () => true, statesOf }: RepeatOptions,
): Promise<void> {
  const { mayRepeat, isTicket, seenAt } = record.unasked ?? NO_CHECKS
  const target = record.target ?? undefined
  const refuseDamaged = async (
    damaged: readonly DamagedLine[],
    suspicion: Suspicion,
    refusal: (path: string) => PayError,
    isAnswered: (state: StoredRecord['state']) => boolean = () => true,
  ): Promise<void> => {
    if (statesOf === undefined) return
    for (const line of damaged) {
      const states = isSuspect(line, suspicion) ? await statesOf(line) : []
      if (states.some((state) => state === undefined || !isAnswered(state))) throw refusal(line.path)
    }
  }
  const latest = (since: Date, fits: RecordTest, holding?: string) =>
    history.latest(since, (other) => fits(other) && counts(other), holding)
  if (seenAt !== undefined) {
    const since = new Date(seenAt)
    const overtaking = await latest(since, (other) => hasChanged(record, other))
    if (overtaking.record !== undefined) throw overtaken(overtaking.record, now)
    if (target !== undefined) await refuseDamaged(overtaking.damaged, { target, since }, damagedSince)
  }
  if (isTicket) return refuseUsedTicket()
  if (mayRepeat || target === undefined) return
  const since = new Date(Date.parse(record.createdAt) - REPEAT_MS)
  const earlier = await latest(since, (other) => isRepeat(record, other))
  if (earlier.record !== undefined) throw writtenBefore(earlier.record, now)
  // The damaged line may record that an abandoned write was done.
  await refuseDamaged(earlier.damaged, { target, since }, damagedBefore, (state) => state !== 'abandoned')

  /** A new ticket means a new write, so only the ticket itself is checked. */
  async function refuseUsedTicket(): Promise<void> {
    const key = record.idempotencyKey
    if (key === null) return
    const always = new Date(0)
    const isUsed: RecordTest = (other) => other.idempotencyKey === key && other.state === 'confirmed'
    const used = await latest(always, isUsed, JSON.stringify(key))
    if (used.record !== undefined) throw ticketUsed(used.record, now)
    const forgotten = await latest(always, (other) => mayBeForgotten(record, other), JSON.stringify(key))
    if (forgotten.record !== undefined) throw ticketAbandoned(forgotten.record, now)
    const suspicion = { idempotencyKey: key, since: always }
    await refuseDamaged(used.damaged, suspicion, damagedTicket)
    if (target !== undefined && !mayRepeat) {
      const others = await latest(always, () => false, JSON.stringify(target))
      await refuseDamaged(others.damaged, suspicion, damagedTicket)
    }
  }
}

/** For a record without pending checks. */
const NO_CHECKS: BeginOptions = { mayRepeat: true, isTicket: false }

/**
 * The error with which the checks before sending would have refused a write whose process was killed: then it was never
 * sent. undefined if it may have been sent. Considers only writes that ended before it was created. Writes with the same lock
 * always did, regardless of their clocks.
 */
export async function whyNeverSent(
  history: History,
  record: StoredRecord,
  now: Date,
): Promise<PayError | undefined> {
  // Another run may have continued a repeatable write and sent it.
  if (record.unasked === undefined || record.isRepeatable) return undefined
  const counts: RecordTest = (other) => other.updatedAt <= record.createdAt || sharesLock(record, other)
  try {
    await refuseRepeats(history, record, { now, counts })
    return undefined
  } catch (error) {
    if (error instanceof PayError && error.exitCode === EXIT.conflict) return error
    throw error
  }
}

/** Whether `other` may have changed the target that `record` acts on. */
const hasChanged = (record: StoredRecord, other: StoredRecord): boolean =>
  record.target !== null &&
  other.state !== 'rejected' &&
  other.targetKind === record.targetKind &&
  other.target === record.target &&
  other.baseUrl === record.baseUrl

/** Whether `other` may have been done with the same key, so long ago that the service may have forgotten the key. */
const mayBeForgotten = (record: StoredRecord, other: StoredRecord): boolean =>
  other.state === 'abandoned' &&
  other.idempotencyKey === record.idempotencyKey &&
  Date.parse(record.createdAt) - Date.parse(other.createdAt) > KEY_LIFETIME_MS

const isRepeat = (record: StoredRecord, other: StoredRecord): boolean =>
  other.state === 'confirmed' &&
  other.exitCode === 0 &&
  other.operation === record.operation &&
  other.likeness === record.likeness &&
  sharesLock(record, other)

/** Whether another write was ever confirmed with this record's key. */
export async function isKeyTaken(history: History, { id, idempotencyKey }: StoredRecord): Promise<boolean> {
  if (idempotencyKey === null) return false
  const used = await history.latest(
    new Date(0),
    (other) => other.idempotencyKey === idempotencyKey && other.id !== id && other.state === 'confirmed',
    JSON.stringify(idempotencyKey),
  )
  if (used.record !== undefined) return true
  // An unreadable line counts as another write's, which is the safe side, unless it is this record's own torn line.
  return used.damaged.some(
    (damaged) =>
      !(isTorn(damaged.line) && idsIn(damaged.line).includes(id)) &&
      isSuspect(damaged, { idempotencyKey, since: new Date(0) }),
  )
}
