import { textIn } from '../database.ts'
import type { Database } from '../database.ts'

/** A key that a processed call has used, and what that call answered. */
export interface UsedKey {
  readonly operation: string
  readonly paymentId: string
  readonly answer: string
}

export interface IdempotencyKeys {
  find(key: string): UsedKey | undefined
  insert(key: string, used: UsedKey): void
}

export const idempotencyKeysIn = (database: Database): IdempotencyKeys => ({
  find: (key) => {
    const row = database.get('SELECT operation, payment_id, answer FROM idempotency_keys WHERE key = ?', key)
    if (row === undefined) return undefined
    return {
      operation: textIn(row, 'operation') ?? '',
      paymentId: textIn(row, 'payment_id') ?? '',
      answer: textIn(row, 'answer') ?? '',
    }
  },
  insert: (key, used) => {
    database.run(
      'INSERT INTO idempotency_keys (key, operation, payment_id, answer) VALUES (?, ?, ?, ?)',
      key,
      used.operation,
      used.paymentId,
      used.answer,
    )
  },
})
