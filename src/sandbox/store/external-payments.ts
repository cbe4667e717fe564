import type { ExternalPayment } from '../../api/external-payment.ts'
import type { Database } from '../database.ts'
import { readDocument, writeDocument } from './document.ts'
import { isRecord } from '../../is-record.ts'

export interface ExternalPayments {
  find(paymentId: string): ExternalPayment | undefined
  /** False when the id is taken. */
  insert(paymentId: string, record: ExternalPayment): boolean
  save(paymentId: string, record: ExternalPayment): void
}

const isExternalPayment = (value: unknown): value is ExternalPayment =>
  isRecord(value) && typeof value['paymentId'] === 'string'

export const externalPaymentsIn = (database: Database): ExternalPayments => ({
  find: (paymentId) =>
    readDocument(
      database.get('SELECT doc FROM external_payments WHERE payment_id = ?', paymentId),
      isExternalPayment,
    ),
  insert: (paymentId, record) =>
    database.run(
      'INSERT INTO external_payments (payment_id, doc) VALUES (?, ?) ON CONFLICT (payment_id) DO NOTHING',
      paymentId,
      writeDocument(record),
    ) === 1,
  save: (paymentId, record) => {
    database.run(
      'UPDATE external_payments SET doc = ? WHERE payment_id = ?',
      writeDocument(record),
      paymentId,
    )
  },
})
