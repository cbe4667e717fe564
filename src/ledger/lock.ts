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
export const hasNamesakes = ({ target, targetKind }: Scoped): boolean =>
  target !== null && targetKind !== 'payment'

export const sharesLock = (one: Scoped, other: Scoped): boolean =>
  one.target !== null && scopeOf(one) === scopeOf(other)

/** The same words at the same service, and not known to name the same. */
export const isNamesake = (one: Scoped, other: Scoped): boolean =>
  one.target !== null &&
  one.target === other.target &&
  one.targetKind === other.targetKind &&
  one.baseUrl === other.baseUrl &&
  !sharesLock(one, other)

/** Says nothing of the target, and is the same wherever it is made. A write without a target stands alone. */
export const lockName = (record: StoredRecord): string =>
  record.target === null ? record.id : createHash('sha256').update(scopeOf(record)).digest('hex').slice(0, 32)
