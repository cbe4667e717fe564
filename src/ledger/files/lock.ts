import { createHash } from 'node:crypto'
import type { StoredRecord } from './record.ts'

/** What keeps two writes apart. */

type Scoped = Pick<StoredRecord, 'baseUrl' | 'account' | 'targetKind' | 'target'>

/**
 * A payment's id is the service's own and names one payment, whatever the key: an account may have several of them. What
 * a merchant names itself, as an order, another merchant may name alike.
 */
const scopeOf = ({ baseUrl, account, targetKind, target }: Scoped): string =>
  JSON.stringify([baseUrl, targetKind === 'payment' ? null : account, targetKind, target])

/** Whether another account may have one of that name that is another one. */
export const isNameAmbiguous = ({ target, targetKind }: Scoped): boolean =>
  target !== null && targetKind !== 'payment'

export const sharesLock = (one: Scoped, other: Scoped): boolean =>
  one.target !== null && scopeOf(one) === scopeOf(other)

/** The same words at the same service, and not known to name the same. */
export const isSameNameElsewhere = (one: Scoped, other: Scoped): boolean =>
  one.target !== null &&
  one.target === other.target &&
  one.targetKind === other.targetKind &&
  one.baseUrl === other.baseUrl &&
  !sharesLock(one, other)

/** Two halves: of what the target is called, and of whose it is. */
const HALF = 16

const half = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, HALF)

const nameOf = ({ baseUrl, targetKind, target }: Scoped): string =>
  half(JSON.stringify([baseUrl, targetKind, target]))

/** Says nothing of the target, and is the same wherever it is made. A write without a target stands alone. */
export const lockName = (record: StoredRecord): string =>
  record.target === null ? record.id : `${nameOf(record)}${half(scopeOf(record))}`

/** Whether what is open under a lock's name may be a namesake: the files of all others need not be read. */
export const mayBeSameName = (one: Scoped, lock: string): boolean => lock.startsWith(nameOf(one))
