import { textIn } from '../database.ts'
import type { Database } from '../database.ts'

/** A key that a processed call has used. */
export interface UsedKey {
  readonly operation: string
  readonly paymentId: string
}

export interface IdempotencyKeys {
  find(key: string): UsedKey | undefined
  insert(key: string, used: UsedKey): void
}

export const idempotencyKeysIn = (database: Database): IdempotencyKeys => ({
  find: (key) => {
    const row = database.get('SELECT operation, payment_id FROM idempotency_keys WHERE key = ?', key)
    if (row === undefined) return undefined
    return { operation: textIn(row, 'operation') ?? '', paymentId: textIn(row, 'payment_id') ?? '' }
  },
  insert: (key, { operation, paymentId }) => {
    database.run(
      'INSERT INTO idempotency_keys (key, operation, payment_id) VALUES (?, ?, ?)',
      key,
      operation,
      paymentId,
    )
  },
})
