import { EXIT, PayError } from '../errors.ts'
import type { BeginOptions } from './port.ts'
import { KEY_LIFE_MS } from './port.ts'
import { overtaken, ticketAbandoned, ticketUsed, writtenBefore } from './files/ledger-errors.ts'
import { damagedBefore, damagedSince, damagedTicket } from './damage.ts'
import { idsIn, isSuspect, isTorn } from './files/damaged-line.ts'
import type { DamagedLine, Suspicion } from './files/damaged-line.ts'
import type { History } from './files/history.ts'
import type { RecordTest } from './files/record-filter.ts'
import { sharesLock } from './files/lock.ts'
import type { StoredRecord } from './files/record.ts'

/** What was done before, and is a reason not to send this one. */

/** How long an equal write is taken for the same one, typed twice. */
const REPEAT_MS = 10 * 60 * 1000

export interface RepeatOptions {
  readonly now: Date
  readonly counts?: RecordTest
  /** The states of the records that a damaged line belongs to, where they can be read elsewhere. Without this no damage counts. */
  readonly statesOf?: (line: DamagedLine) => Promise<readonly (StoredRecord['state'] | undefined)[]>
}

/**
 * What is damaged counts as the same where it may have been.
 * @throws {PayError} exit 6 when the same was done, or something that this one does not know of
 */
export async function refuseRepeats(
  history: History,
  record: StoredRecord,
  { now, counts = () => true, statesOf }: RepeatOptions,
): Promise<void> {
  const { mayRepeat, isTicket, seenAt } = record.unasked ?? NOTHING_TO_ASK
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
    const faster = await latest(since, (other) => hasChanged(record, other))
    if (faster.record !== undefined) throw overtaken(faster.record, now)
    if (target !== undefined) await refuseDamaged(faster.damaged, { target, since }, damagedSince)
  }
  if (isTicket) return refuseUsedTicket()
  if (mayRepeat || target === undefined) return
  const since = new Date(Date.parse(record.createdAt) - REPEAT_MS)
  const earlier = await latest(since, (other) => isRepeat(record, other))
  if (earlier.record !== undefined) throw writtenBefore(earlier.record, now)
  // This line may say that an abandoned write was done.
  await refuseDamaged(earlier.damaged, { target, since }, damagedBefore, (state) => state !== 'abandoned')

  /** A ticket of its own says that it is another one than what was just done. */
  async function refuseUsedTicket(): Promise<void> {
    const key = record.idempotencyKey
    if (key === null) return
    const always = new Date(0)
    const isUsed: RecordTest = (other) => other.idempotencyKey === key && other.state === 'confirmed'
    const used = await latest(always, isUsed, JSON.stringify(key))
    if (used.record !== undefined) throw ticketUsed(used.record, now)
    const forgotten = await latest(always, (other) => isForgotten(record, other), JSON.stringify(key))
    if (forgotten.record !== undefined) throw ticketAbandoned(forgotten.record, now)
    const suspicion = { idempotencyKey: key, since: always }
    await refuseDamaged(used.damaged, suspicion, damagedTicket)
    if (target !== undefined && !mayRepeat) {
      const others = await latest(always, () => false, JSON.stringify(target))
      await refuseDamaged(others.damaged, suspicion, damagedTicket)
    }
  }
}

/** A person's word: nothing is in the way of that. */
const NOTHING_TO_ASK: BeginOptions = { mayRepeat: true, isTicket: false }

/**
 * Why a write whose process was killed was never sent: compared with what had been done, it would have been refused.
 * What came later says nothing of that. Nothing can come later where it has kept the others out itself, and there the
 * moments of two clocks need not be compared.
 */
export async function whyNeverSent(
  history: History,
  record: StoredRecord,
  now: Date,
): Promise<PayError | undefined> {
  // A harmless one may have been taken up and sent since, by an equal one: repeating it is what clears it up.
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

/** Whether the one may have changed what the other is about to act on. */
const hasChanged = (record: StoredRecord, other: StoredRecord): boolean =>
  record.target !== null &&
  other.state !== 'rejected' &&
  other.targetKind === record.targetKind &&
  other.target === record.target &&
  other.baseUrl === record.baseUrl

/** Whether the other may have been done with the same key, so long before that the service may not know the key. */
const isForgotten = (record: StoredRecord, other: StoredRecord): boolean =>
  other.state === 'abandoned' &&
  other.idempotencyKey === record.idempotencyKey &&
  Date.parse(record.createdAt) - Date.parse(other.createdAt) > KEY_LIFE_MS

const isRepeat = (record: StoredRecord, other: StoredRecord): boolean =>
  other.state === 'confirmed' &&
  other.exitCode === 0 &&
  other.operation === record.operation &&
  other.likeness === record.likeness &&
  sharesLock(record, other)

/** Whether another write was confirmed with its key, however long ago. */
export async function isKeyTaken(history: History, { id, idempotencyKey }: StoredRecord): Promise<boolean> {
  if (idempotencyKey === null) return false
  const used = await history.latest(
    new Date(0),
    (other) => other.idempotencyKey === idempotencyKey && other.id !== id && other.state === 'confirmed',
    JSON.stringify(idempotencyKey),
  )
  if (used.record !== undefined) return true
  // What it was is not known; to take it for another one's is the safe side. But its own end may have been cut short.
  return used.damaged.some(
    (damaged) =>
      !(isTorn(damaged.line) && idsIn(damaged.line).includes(id)) &&
      isSuspect(damaged, { idempotencyKey, since: new Date(0) }),
  )
}
