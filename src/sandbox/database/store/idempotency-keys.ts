import { textIn } from '../database.ts'
import type { Database } from '../database.ts'
import { readDocument } from './document.ts'
import { isStoredPayment } from '../../domain/stored-payment.ts'
import type { StoredPayment } from '../../domain/stored-payment.ts'

/** A key that a processed call has used. */
export interface UsedKey {
  readonly operation: string
  readonly paymentId: string
  /** Of operation, target and body; absent for keys of older programs. */
  readonly requestHash: string | undefined
  /** The payment as the call left it. */
  readonly payment: StoredPayment | undefined
}

export const idempotencyKeysIn = (database: Database) => ({
  find: (key: string): UsedKey | undefined => {
    const row = database.get(
      'SELECT operation, payment_id, request_hash, doc FROM idempotency_keys WHERE key = ?',
      key,
    )
    if (row === undefined) return undefined
    return {
      operation: textIn(row, 'operation') ?? '',
      paymentId: textIn(row, 'payment_id') ?? '',
      requestHash: textIn(row, 'request_hash'),
      payment: readDocument(row, isStoredPayment),
    }
  },
  /** Stores the payment in its current state. */
  insert: (key: string, { operation, paymentId, requestHash }: Omit<UsedKey, 'payment'>): void =>
    void database.run(
      `INSERT INTO idempotency_keys (key, operation, payment_id, request_hash, doc)
       VALUES (?, ?, ?, ?, (SELECT doc FROM payments WHERE id = ?))`,
      key,
      operation,
      paymentId,
      requestHash ?? null,
      paymentId,
    ),
})
