import type { ExternalPayment } from '../../../api/models/external-payment.ts'
import { toSortableDate } from '../../domain/datetime.ts'
import type { ExternalPaymentStore } from '../../domain/store/store.ts'
import type { Database } from '../database.ts'
import { hasTexts, readDocument, writeDocument } from './document.ts'

const isExternalPayment = hasTexts<ExternalPayment>('paymentId')

export const externalPaymentsIn = (database: Database): ExternalPaymentStore => ({
  find: (paymentId: string): ExternalPayment | undefined =>
    readDocument(
      database.get('SELECT doc FROM external_payments WHERE payment_id = ?', paymentId),
      isExternalPayment,
    ),
  insert: (paymentId: string, record: ExternalPayment): boolean =>
    database.run(
      `INSERT INTO external_payments (payment_id, doc, created_at)
       SELECT ?1, ?2, ?3 WHERE NOT EXISTS (SELECT 1 FROM payments WHERE id = ?1)
       ON CONFLICT (payment_id) DO NOTHING`,
      paymentId,
      writeDocument(record),
      toSortableDate(record.createdAt ?? ''),
    ) === 1,
  save: (paymentId: string, record: ExternalPayment): void =>
    void database.run(
      'UPDATE external_payments SET doc = ? WHERE payment_id = ?',
      writeDocument(record),
      paymentId,
    ),
})
