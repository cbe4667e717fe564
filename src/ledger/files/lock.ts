import { createHash } from 'node:crypto'
import type { StoredRecord } from './record.ts'

/** Decides which writes exclude each other. */

type Scoped = Pick<StoredRecord, 'baseUrl' | 'account' | 'targetKind' | 'target'>

/**
 * Payment ids are unique within the service, so the API key doesn't matter: an account may have several. Merchants choose
 * other names, such as order ids, so two accounts may use the same one for different things.
 */
const scopeOf = ({ baseUrl, account, targetKind, target }: Scoped): string =>
  JSON.stringify([baseUrl, targetKind === 'payment' ? null : account, targetKind, target])

/** Whether another account may have a different resource of the same name. */
export const isNameAmbiguous = ({ target, targetKind }: Scoped): boolean =>
  target !== null && targetKind !== 'payment'

export const sharesLock = (one: Scoped, other: Scoped): boolean =>
  one.target !== null && scopeOf(one) === scopeOf(other)

/** Whether both have the same name at the same service, without being known to be the same resource. */
export const isSameNameElsewhere = (one: Scoped, other: Scoped): boolean =>
  one.target !== null &&
  one.target === other.target &&
  one.targetKind === other.targetKind &&
  one.baseUrl === other.baseUrl &&
  !sharesLock(one, other)

/** A lock's name consists of two hashes of this length: one of the target's name, one of its scope. */
const HALF = 16

const half = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, HALF)

const nameOf = ({ baseUrl, targetKind, target }: Scoped): string =>
  half(JSON.stringify([baseUrl, targetKind, target]))

/** The file name prefix for a record's target: the same on every machine, and does not reveal the target. */
export const lockName = (record: StoredRecord): string =>
  record.target === null ? record.id : `${nameOf(record)}${half(scopeOf(record))}`

/** Whether an open file with this lock may have the same target name, decided without reading the file. */
export const mayBeSameName = (one: Scoped, lock: string): boolean => lock.startsWith(nameOf(one))
