import { EXIT, PayError } from '../errors.ts'
import type { BeginOptions } from '../intent.ts'
import { overtaken, ticketUsed, writtenBefore } from './blocked.ts'
import type { History } from './history.ts'
import { sharesLock } from './lock.ts'
import type { StoredRecord } from './record.ts'

/** What was done before, and is a reason not to send this one. */

/** How long an equal write is taken for the same one, typed twice. */
const REPEAT_MS = 10 * 60 * 1000

type Test = (other: StoredRecord) => boolean

/** @throws {PayError} exit 6 when the same was done, or something that this one does not know of */
export async function refuseRepeats(
  history: History,
  record: StoredRecord,
  { now, counts = () => true }: { readonly now: Date; readonly counts?: Test },
): Promise<void> {
  const { mayRepeat, isTicket, seenAt } = record.unasked ?? NOTHING_TO_ASK
  const latest = (since: Date, fits: Test, holding?: string) =>
    history.latest(since, (other) => fits(other) && counts(other), holding)
  if (seenAt !== undefined) {
    const faster = await latest(new Date(seenAt), (other) => hasChanged(record, other))
    if (faster !== undefined) throw overtaken(faster, now)
  }
  if (isTicket) {
    const key = record.idempotencyKey
    const used = await latest(
      new Date(0),
      (other) => other.idempotencyKey === key && other.state === 'confirmed',
      JSON.stringify(key),
    )
    if (used !== undefined) throw ticketUsed(used, now)
    // A ticket of its own says that it is another one.
    return
  }
  if (mayRepeat || record.target === null) return
  const since = new Date(Date.parse(record.createdAt) - REPEAT_MS)
  const earlier = await latest(since, (other) => isRepeat(record, other))
  if (earlier !== undefined) throw writtenBefore(earlier, now)
}

/** A person's word: nothing is in the way of that. */
const NOTHING_TO_ASK: BeginOptions = { mayRepeat: true, isTicket: false }

/**
 * Why a write whose process was killed was never sent: compared with what had been done, it would have been refused.
 * What came later says nothing of that. Nothing can come later where it has kept the others out itself, and there the
 * moments of two clocks need not be compared.
 */
export async function whatStopped(
  history: History,
  record: StoredRecord,
  now: Date,
): Promise<PayError | undefined> {
  // A harmless one may have been taken up and sent since, by an equal one: repeating it is what clears it up.
  if (record.unasked === undefined || record.isRepeatable) return undefined
  const counts: Test = (other) => other.updatedAt <= record.createdAt || sharesLock(record, other)
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
  return used !== undefined
}
