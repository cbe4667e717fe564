import type { Tx } from '../../store/store.ts'
import { readRow } from './entry.ts'
import type { Entry } from './entry.ts'
import {
  endedByAbsence,
  overtaken,
  shownElsewhere,
  ticketAbandoned,
  ticketUsed,
  writtenBefore,
} from './ledger-errors.ts'
import { intact } from './open-writes.ts'
import { oldestAgeMs, youngestAgeMs } from './moment.ts'
import type { Moment } from './moment.ts'
import { KEY_LIFETIME_MS, REPEAT_MS } from './port.ts'
import type { BeginOptions, ShownEffects } from './port.ts'
import { endOf, hasEnded, timingOf } from './record.ts'
import type { StoredRecord } from './record.ts'
import { nameOf, rangeOf, targetOf } from './target.ts'

/** Refuses writes that repeat an earlier one, or whose reading of the payment is stale because of another write. */

/** How long an equal write counts that was ended only because the payment didn't show it: it may have been done after all. */
const ABSENT_REPEAT_MS = 24 * 60 * 60 * 1000

/**
 * Refuses a write that was done before.
 * @throws {PayError} exit 6 when the same write was done, one that makes its reading stale, or a record that may be one is
 * damaged
 */
export async function refuseRepeats(
  tx: Tx,
  record: StoredRecord,
  { mayRepeat, isTicket, knownEnded, shown }: BeginOptions,
  now: Date,
): Promise<void> {
  const moment = record.first ?? {}
  if (knownEnded !== undefined) {
    // Compares what the ledger held, not times: a clock may be set in between.
    const later = (await endedOn(tx, record)).find(
      ({ id, state }) => state !== 'rejected' && !knownEnded.includes(id),
    )
    if (later !== undefined) throw overtaken(later, now)
  }
  const target = targetOf(record)
  const rows =
    target === null
      ? []
      : await tx.all('SELECT * FROM writes WHERE target = :target ORDER BY updated_at DESC', { target })
  // A record that was changed by hand may hide that the target is not free.
  const onTarget = rows.map((row) => intact(readRow(row)).record)
  if (!mayRepeat) {
    const equal = onTarget.filter((other) => isAlike(record, other))
    const absent = equal.find(
      (other) => other.endedBy === 'absence' && isWithin(ABSENT_REPEAT_MS, timingOf(other).last, moment),
    )
    if (absent !== undefined) throw endedByAbsence(absent, now)
    // A new ticket means a new write, so of those that are known to be done only the ticket itself is checked.
    const repeated = isTicket
      ? undefined
      : equal.find((other) => isDone(other) && isWithin(REPEAT_MS, endOf(other), moment))
    if (repeated !== undefined) throw writtenBefore(repeated, now)
    const unknown = shown === undefined ? [] : unknownOf(shown, equal.filter(isDone), moment)
    const abandoned = equal.find(({ state }) => state === 'abandoned')
    if (unknown.length > (shown?.agreedTo ?? 0))
      throw shownElsewhere(record, unknown, { now: shown?.servedAt ?? now, abandoned })
  }
  if (isTicket) await refuseUsedTicket(tx, record, now)
}

async function refuseUsedTicket(tx: Tx, record: StoredRecord, now: Date): Promise<void> {
  const sameKey = await withKeyOf(tx, record)
  const used = sameKey.find(({ state }) => state === 'confirmed')
  if (used !== undefined) throw ticketUsed(used, now)
  const forgotten = sameKey.find((other) => mayBeForgotten(record, other))
  if (forgotten !== undefined) throw ticketAbandoned(forgotten, now)
}

const isAlike = (record: StoredRecord, other: StoredRecord): boolean =>
  other.operation === record.operation && other.likeness === record.likeness

const isDone = ({ state, exitCode }: StoredRecord): boolean => state === 'confirmed' && exitCode === 0

/** Whether at most `ms` have passed. Without a clock that knows both moments, it may have been recent. */
const isWithin = (ms: number, then: Moment, now: Moment): boolean => (youngestAgeMs(then, now) ?? 0) <= ms

/** The effects that none of these writes explains. Each write explains one: that of the date which it has noted, if any. */
function unknownOf(
  { dates, sinceMs }: ShownEffects,
  done: readonly StoredRecord[],
  moment: Moment,
): readonly (string | undefined)[] {
  const left = [...dates]
  let unnoted = 0
  for (const record of done) {
    const { effectAt } = record
    const at = effectAt === undefined ? -1 : left.indexOf(effectAt)
    if (at >= 0) left.splice(at, 1)
    else if (effectAt === undefined && isWithin(sinceMs, endOf(record), moment)) unnoted += 1
  }
  return left.slice(unnoted)
}

/** Whether `other` may have been done with the same key, so long ago that the service may have forgotten the key. */
const mayBeForgotten = (record: StoredRecord, other: StoredRecord): boolean =>
  other.state === 'abandoned' &&
  (oldestAgeMs(timingOf(other).first, record.first ?? {}) ?? Number.POSITIVE_INFINITY) > KEY_LIFETIME_MS

/**
 * The writes that ended on the target of that name, of any account, last ended first.
 * @throws {PayError} exit 6 if one is damaged
 */
export async function endedOn(
  tx: Tx,
  record: Parameters<typeof nameOf>[0],
): Promise<readonly StoredRecord[]> {
  const name = nameOf(record)
  if (name === null) return []
  const rows = await tx.all(
    'SELECT * FROM writes WHERE target >= :first AND target < :beyond ORDER BY updated_at DESC',
    { ...rangeOf(name) },
  )
  return rows.map((row) => intact(readRow(row)).record).filter(hasEnded)
}

/** The other writes with the record's key, last ended first. */
async function withKeyOf(
  tx: Tx,
  { id, idempotencyKey: key }: StoredRecord,
): Promise<readonly StoredRecord[]> {
  if (key === null) return []
  const rows = await tx.all('SELECT * FROM writes WHERE key = :key AND id <> :id ORDER BY updated_at DESC', {
    key,
    id,
  })
  return rows.map((row) => intact(readRow(row)).record)
}

/**
 * When the key of an open write was first sent by others: a ticket's may have been sent by writes that were abandoned.
 * @throws {PayError} exit 6 if one is damaged
 */
export async function keySinceOf(tx: Tx, { record, isTicket }: Entry): Promise<readonly Moment[]> {
  const sameKey = isTicket ? await withKeyOf(tx, record) : []
  const abandoned = sameKey.filter(({ state }) => state === 'abandoned').map((other) => timingOf(other).first)
  return [...(record.keySince ?? []), ...abandoned]
}

/** Whether another write was ever confirmed with this record's key. A damaged record counts as one. */
export async function isKeyTaken(tx: Tx, { id, idempotencyKey: key }: StoredRecord): Promise<boolean> {
  if (key === null) return false
  const rows = await tx.all('SELECT * FROM writes WHERE key = :key AND id <> :id', { key, id })
  return rows.map(readRow).some((read) => read.kind === 'damaged' || read.entry.record.state === 'confirmed')
}
