import { textIn } from '../../../store/database.ts'
import type { Database } from '../../../store/database.ts'
import { readDocument } from './document.ts'
import { isStoredPayment } from '../../domain/store/stored-payment.ts'
import type { IdempotencyKeyStore, UsedKey } from '../../domain/store/store.ts'

export const idempotencyKeysIn = (database: Database): IdempotencyKeyStore => ({
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
  insert: (key: string, { operation, paymentId, requestHash }: Omit<UsedKey, 'payment'>): void =>
    void database.run(
      `INSERT INTO idempotency_keys (key, operation, payment_id, request_hash, doc)
       VALUES (?, ?, ?, ?, (SELECT doc FROM records JOIN documents USING (seq) WHERE id = ?))`,
      key,
      operation,
      paymentId,
      requestHash ?? null,
      paymentId,
    ),
})
