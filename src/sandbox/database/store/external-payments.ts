import type { ExternalPayment } from '../../../api/models/external-payment.ts'
import { toSortableDate } from '../../domain/datetime.ts'
import type { ExternalPaymentStore } from '../../domain/store/store.ts'
import type { Database } from '../../../store/database.ts'
import { hasTexts, readDocument } from './document.ts'
import { columnsOfExternal, insertRecord, updateRecord } from './record-columns.ts'

export const isExternalPayment = hasTexts<ExternalPayment>('paymentId')

export const externalPaymentsIn = (database: Database): ExternalPaymentStore => ({
  find: (paymentId: string): ExternalPayment | undefined =>
    readDocument(
      database.get(
        `SELECT doc FROM records JOIN documents USING (seq) WHERE id = ? AND source = 'external'`,
        paymentId,
      ),
      isExternalPayment,
    ),
  insert: (paymentId: string, record: ExternalPayment): boolean =>
    insertRecord(database, {
      source: 'external',
      id: paymentId,
      time: toSortableDate(record.createdAt ?? ''),
      columns: columnsOfExternal(record),
      document: record,
    }),
  save: (paymentId: string, record: ExternalPayment): void =>
    void updateRecord(database, paymentId, columnsOfExternal(record), record),
})
