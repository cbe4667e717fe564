import { numberIn } from '../../../store/database.ts'
import type { Database } from '../../../store/database.ts'
import { assertMoney } from '../../domain/payment/money-invariants.ts'
import { readDocument } from './document.ts'
import { columnsOfPayment, insertRecord, updateRecord } from './record-columns.ts'
import { isStoredPayment } from '../../domain/store/stored-payment.ts'
import type { PaymentStore } from '../../domain/store/store.ts'
import type { StoredPayment } from '../../domain/store/stored-payment.ts'

const DOCUMENT = 'SELECT doc FROM records JOIN documents USING (seq)'

export const paymentsIn = (database: Database): PaymentStore => ({
  find: (id: string): StoredPayment | undefined =>
    readDocument(database.get(`${DOCUMENT} WHERE id = ? AND source = 'payments'`, id), isStoredPayment),
  insert: (payment: StoredPayment): void => {
    assertMoney(payment)
    const isNew = insertRecord(database, {
      source: 'payments',
      id: payment.id,
      time: payment.date,
      columns: columnsOfPayment(payment),
      document: payment,
    })
    if (!isNew) throw new Error(`Payment ${payment.id} is already in the store`)
  },
  save: (payment: StoredPayment): void => {
    assertMoney(payment)
    const isKnown = updateRecord(database, payment.id, columnsOfPayment(payment), payment)
    if (!isKnown) throw new Error(`Payment ${payment.id} is not in the store`)
  },
  due: (nowMs: number): readonly StoredPayment[] =>
    database
      .all(`${DOCUMENT} WHERE due_at <= ?`, nowMs)
      .flatMap((row) => readDocument(row, isStoredPayment) ?? []),
  upcoming: (limit: number): readonly StoredPayment[] =>
    database
      .all(`${DOCUMENT} WHERE due_at IS NOT NULL ORDER BY due_at, seq LIMIT ?`, limit)
      .flatMap((row) => readDocument(row, isStoredPayment) ?? []),
  findOfSession: (sessionIdHash: string): StoredPayment | undefined =>
    readDocument(
      database.get(
        `${DOCUMENT} WHERE session_hash = ? ORDER BY status IN ('DECLINED', 'FAILED'), seq DESC LIMIT 1`,
        sessionIdHash,
      ),
      isStoredPayment,
    ),
  failures: (id: string): number =>
    numberIn(database.get('SELECT failures FROM records WHERE id = ?', id), 'failures'),
  countFailure: (id: string): void =>
    void database.run('UPDATE records SET failures = failures + 1 WHERE id = ?', id),
})
