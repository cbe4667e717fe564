import { numberIn } from '../database.ts'
import type { Database, Row } from '../database.ts'
import { assertMoney } from '../../domain/payment/money-invariants.ts'
import type { SqlValue } from '../sqlite.ts'
import { readDocument, writeDocument } from './document.ts'
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
  list: (filter: PaymentFilter, position: PagePosition | undefined, limit: number): readonly PaymentRow[] => {
    const { conditions, values } = conditionsOf(filter)
    if (position !== undefined) {
      conditions.push(position.direction === 'newer' ? 'seq > ?' : 'seq < ?')
      values.push(position.seq)
    }
    const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`
    const direction = position?.direction === 'newer' ? 'ASC' : 'DESC'
    return database
      .all(`SELECT seq, doc FROM payments${where} ORDER BY seq ${direction} LIMIT ?`, ...values, limit)
      .flatMap(toPaymentRow)
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
  return payment === undefined ? [] : [{ seq: numberIn(row, 'seq'), payment }]
}

/** The SQL conditions of a filter over the payments table, without its page. */
export function conditionsOf(filter: PaymentFilter) {
  const conditions: string[] = []
  const values: SqlValue[] = []
  const among = (column: string, wanted: readonly string[] | undefined, value = 'value') => {
    if (wanted === undefined) return
    // Bind lists as one JSON value: otherwise every list length would prepare and cache its own statement.
    conditions.push(`${column} IN (SELECT ${value} FROM json_each(?))`)
    values.push(JSON.stringify(wanted))
  }
  const bound = (condition: string, value: SqlValue | undefined) => {
    if (value === undefined) return
    conditions.push(condition)
    values.push(value)
  }
  among('status', filter.status)
  among('order_id', filter.orderId)
  among('customer_id', filter.customerId)
  among('currency', filter.currencyCode)
  among("json_extract(doc, '$.processor.name')", filter.processor)
  among("json_extract(doc, '$.processor.processorMerchantId')", filter.merchantId)
  among("lower(json_extract(doc, '$.customer.emailAddress'))", filter.customerEmail, 'lower(value)')
  among("json_extract(doc, '$.method.scenario')", filter.scenario)
  bound('date >= ?', filter.fromDate)
  bound('date <= ?', filter.toDate)
  bound('amount >= ?', filter.minAmount)
  bound('amount <= ?', filter.maxAmount)
  return { conditions, values }
}
