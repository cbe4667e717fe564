import { numberIn } from '../database.ts'
import type { Database, Row } from '../database.ts'
import { assertMoney } from '../../domain/payment/money-invariants.ts'
import { collectConditions, docField, joinConditions } from './conditions.ts'
import type { Conditions } from './conditions.ts'
import { eachOf, readDocument, sizeOf, writeDocument } from './document.ts'
import { isStoredPayment } from '../../domain/store/stored-payment.ts'
import type { PaymentFilter } from '../../domain/store/payment-filter.ts'
import type { PagePosition, PaymentRow, PaymentStore } from '../../domain/store/store.ts'
import type { StoredPayment } from '../../domain/store/stored-payment.ts'

export const paymentsIn = (database: Database): PaymentStore => ({
  find: (id: string): StoredPayment | undefined =>
    readDocument(database.get('SELECT doc FROM payments WHERE id = ?', id), isStoredPayment),
  insert: (payment: StoredPayment): void => {
    assertMoney(payment)
    database.run(
      `INSERT INTO payments (status, amount, due_at, doc, order_id, customer_id, currency, date, id, session_hash)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...changing(payment),
      payment.orderId,
      payment.customerId ?? null,
      payment.currencyCode,
      payment.date,
      payment.id,
      payment.sessionIdHash ?? null,
    )
  },
  save: (payment: StoredPayment): void => {
    assertMoney(payment)
    const changed = database.run(
      'UPDATE payments SET status = ?, amount = ?, due_at = ?, doc = ? WHERE id = ?',
      ...changing(payment),
      payment.id,
    )
    if (changed !== 1) throw new Error(`Payment ${payment.id} is not in the store`)
  },
  list: (filter: PaymentFilter, position: PagePosition | undefined, limit: number): Iterable<PaymentRow> => {
    const isNewer = position?.direction === 'newer'
    const page = collectConditions()
    page.addBound(isNewer ? 'seq > ?' : 'seq < ?', position?.seq)
    const { where, values } = joinConditions(conditionsOf(filter), page)
    const direction = isNewer ? 'ASC' : 'DESC'
    const sql = `SELECT seq, doc FROM payments${where} ORDER BY seq ${direction} LIMIT ?`
    return eachOf(database.each(sql, ...values, limit), toPaymentRow)
  },
  due: (nowMs: number): readonly StoredPayment[] =>
    database
      .all('SELECT doc FROM payments WHERE due_at <= ?', nowMs)
      .flatMap((row) => readDocument(row, isStoredPayment) ?? []),
  upcoming: (limit: number): readonly StoredPayment[] =>
    database
      .all('SELECT doc FROM payments WHERE due_at IS NOT NULL ORDER BY due_at, seq LIMIT ?', limit)
      .flatMap((row) => readDocument(row, isStoredPayment) ?? []),
  findOfSession: (sessionIdHash: string): StoredPayment | undefined =>
    readDocument(
      database.get(
        `SELECT doc FROM payments WHERE session_hash = ?
         ORDER BY status IN ('DECLINED', 'FAILED'), seq DESC LIMIT 1`,
        sessionIdHash,
      ),
      isStoredPayment,
    ),
  failures: (id: string): number =>
    numberIn(database.get('SELECT failures FROM payments WHERE id = ?', id), 'failures'),
  countFailure: (id: string): void =>
    void database.run('UPDATE payments SET failures = failures + 1 WHERE id = ?', id),
})

const changing = (payment: StoredPayment): readonly [string, number, number | null, string] => [
  payment.status,
  payment.amount,
  nextDue(payment),
  writeDocument(payment),
]

function nextDue({ dueAtMs, transactions }: StoredPayment): number | null {
  const times = [dueAtMs, ...transactions.map((step) => step.dueAtMs)].filter((time) => time !== undefined)
  return times.length === 0 ? null : Math.min(...times)
}

function toPaymentRow(row: Row): readonly PaymentRow[] {
  const payment = readDocument(row, isStoredPayment)
  return payment === undefined ? [] : [{ seq: numberIn(row, 'seq'), payment, size: sizeOf(row) }]
}

/** The SQL conditions of a filter over the payments table, without its page. */
export function conditionsOf(filter: PaymentFilter): Conditions {
  const { conditions, values, addAnyOf, addBound } = collectConditions()
  addAnyOf('status', filter.status)
  addAnyOf('order_id', filter.orderId)
  addAnyOf('customer_id', filter.customerId)
  addAnyOf('currency', filter.currencyCode)
  addAnyOf(docField('processor.name'), filter.processor)
  addAnyOf(docField('processor.processorMerchantId'), filter.merchantId)
  addAnyOf(`lower(${docField('customer.emailAddress')})`, filter.customerEmail, 'lower(value)')
  addAnyOf(docField('method.scenario'), filter.scenario)
  addBound('date >= ?', filter.fromDate)
  addBound('date <= ?', filter.toDate)
  addBound('amount >= ?', filter.minAmount)
  addBound('amount <= ?', filter.maxAmount)
  return { conditions, values }
}
