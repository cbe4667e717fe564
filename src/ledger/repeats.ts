import type { Tx } from '../store/store.ts'
import { readRow } from './entry.ts'
import type { Entry } from './entry.ts'
import { overtaken, ticketAbandoned, ticketUsed, writtenBefore } from './ledger-errors.ts'
import { intact } from './open-writes.ts'
import { KEY_LIFETIME_MS } from './port.ts'
import type { BeginOptions } from './port.ts'
import { hasEnded } from './record.ts'
import type { StoredRecord } from './record.ts'
import { nameOf, rangeOf, targetOf } from './target.ts'

/** Refuses writes that repeat an earlier one, or whose reading of the payment is stale because of another write. */

/** How long an equal write counts as the same command, run twice. */
const REPEAT_MS = 10 * 60 * 1000

/** @throws {PayError} exit 6 when the same write was done, one that makes its reading stale, or a record that may be one is damaged */
export async function refuseRepeats(
  tx: Tx,
  record: StoredRecord,
  { mayRepeat, isTicket, seenAt }: BeginOptions,
  now: Date,
): Promise<void> {
  if (seenAt !== undefined) {
    const [later] = (await endedOn(tx, record, Date.parse(seenAt))).filter(
      ({ state }) => state !== 'rejected',
    )
    if (later !== undefined) throw overtaken(later, now)
  }
  // A new ticket means a new write, so only the ticket itself is checked.
  if (isTicket) return refuseUsedTicket(tx, record, now)
  const target = targetOf(record)
  if (mayRepeat || target === null) return
  const since = Date.parse(record.createdAt) - REPEAT_MS
  const rows = await tx.all(
    'SELECT * FROM writes WHERE target = :target AND updated_at >= :since ORDER BY updated_at DESC',
    { target, since },
  )
  const repeated = rows.map((row) => intact(readRow(row)).record).find((other) => isRepeat(record, other))
  if (repeated !== undefined) throw writtenBefore(repeated, now)
}

async function refuseUsedTicket(tx: Tx, record: StoredRecord, now: Date): Promise<void> {
  const sameKey = await withKeyOf(tx, record)
  const used = sameKey.find(({ state }) => state === 'confirmed')
  if (used !== undefined) throw ticketUsed(used, now)
  const forgotten = sameKey.find((other) => mayBeForgotten(record, other))
  if (forgotten !== undefined) throw ticketAbandoned(forgotten, now)
}

const isRepeat = (record: StoredRecord, other: StoredRecord): boolean =>
  other.state === 'confirmed' &&
  other.exitCode === 0 &&
  other.operation === record.operation &&
  other.likeness === record.likeness

/** Whether `other` may have been done with the same key, so long ago that the service may have forgotten the key. */
const mayBeForgotten = (record: StoredRecord, other: StoredRecord): boolean =>
  other.state === 'abandoned' && Date.parse(record.createdAt) - Date.parse(other.createdAt) > KEY_LIFETIME_MS

/**
 * The writes that ended on the target of that name, of any account, last ended first.
 * @throws {PayError} exit 6 if one is damaged
 */
export async function endedOn(
  tx: Tx,
  record: StoredRecord,
  sinceMs: number,
): Promise<readonly StoredRecord[]> {
  const name = nameOf(record)
  if (name === null) return []
  const rows = await tx.all(
    'SELECT * FROM writes WHERE target >= :first AND target < :beyond AND updated_at >= :since ORDER BY updated_at DESC',
    { ...rangeOf(name), since: sinceMs },
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
 * When the key of an open write was first used: a ticket's may have been sent by writes that were abandoned. ISO 8601.
 * @throws {PayError} exit 6 if one is damaged
 */
export async function keySinceOf(tx: Tx, { record, isTicket }: Entry): Promise<string> {
  const sameKey = isTicket ? await withKeyOf(tx, record) : []
  const abandoned = sameKey.filter(({ state }) => state === 'abandoned')
  return abandoned.reduce((first, { createdAt }) => (createdAt < first ? createdAt : first), record.createdAt)
}

/** Whether another write was ever confirmed with this record's key. A damaged record counts as one. */
export async function isKeyTaken(tx: Tx, { id, idempotencyKey: key }: StoredRecord): Promise<boolean> {
  if (key === null) return false
  const rows = await tx.all('SELECT * FROM writes WHERE key = :key AND id <> :id', { key, id })
  return rows.map(readRow).some((read) => read.kind === 'damaged' || read.entry.record.state === 'confirmed')
}
