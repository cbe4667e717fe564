import type { ExternalPayment } from '../../../api/models/external-payment.ts'
import { scenarioOfToken } from '../../domain/scenarios/find-scenario.ts'
import type { RecordDistinctions, RecordRow, RecordSource } from '../../domain/store/record-store.ts'
import { authorizedAmount } from '../../domain/store/stored-payment.ts'
import type { StoredPayment } from '../../domain/store/stored-payment.ts'
import { numberIn, textIn } from '../../../store/database.ts'
import type { Database, Row } from '../../../store/database.ts'
import type { SqlValue } from '../../../store/sqlite.ts'
import { writeDocument } from './document.ts'

/** Columns that a change of the record can change. */
const COLUMNS = [
  'status',
  'reason',
  'currency',
  'amount',
  'authorized',
  'captured',
  'refunded',
  'method',
  'network',
  'last4',
  'processor',
  'merchant',
  'country',
  'order_id',
  'customer_id',
  'email',
  'due_at',
  'session_hash',
] as const

type Columns = Readonly<Partial<Record<(typeof COLUMNS)[number], SqlValue | undefined>>>

interface NewRecord {
  readonly source: RecordSource
  readonly id: string
  readonly time: string
  readonly columns: Columns
  readonly document: object
}

const INSERT = `
  INSERT INTO records (source, id, time, ${COLUMNS.join(', ')}) VALUES (?, ?, ?, ${COLUMNS.map(() => '?').join(', ')})
  ON CONFLICT (id) DO NOTHING
`
const UPDATE = `UPDATE records SET ${COLUMNS.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`

/** False if the ID is taken, by a payment or an external record. */
export function insertRecord(
  database: Database,
  { source, id, time, columns, document }: NewRecord,
): boolean {
  if (database.run(INSERT, source, id, time, ...valuesOf(columns)) === 0) return false
  database.run('INSERT INTO documents (seq, doc) VALUES (last_insert_rowid(), ?)', writeDocument(document))
  return true
}

/** False if there is no such record. */
export function updateRecord(database: Database, id: string, columns: Columns, document: object): boolean {
  if (database.run(UPDATE, ...valuesOf(columns), id) === 0) return false
  database.run(
    'UPDATE documents SET doc = ? WHERE seq = (SELECT seq FROM records WHERE id = ?)',
    writeDocument(document),
    id,
  )
  return true
}

const valuesOf = (columns: Columns): readonly SqlValue[] => COLUMNS.map((name) => columns[name] ?? null)

export function columnsOfPayment(payment: StoredPayment): Columns {
  const { processor, method } = payment
  const scenario = scenarioOfToken(method.scenario)
  return {
    status: payment.status,
    reason: payment.statusReason?.code,
    currency: payment.currencyCode,
    amount: payment.amount,
    authorized: authorizedAmount(payment),
    captured: payment.amountCaptured,
    refunded: payment.amountRefunded,
    method: scenario?.paymentMethodType ?? 'PAYMENT_CARD',
    network: scenario?.display?.network,
    last4: scenario?.display?.last4Digits,
    processor: processor.name,
    merchant: processor.processorMerchantId,
    country: payment.order?.countryCode,
    order_id: payment.orderId,
    customer_id: payment.customerId,
    email: payment.customer?.emailAddress?.toLowerCase(),
    due_at: nextDue(payment),
    session_hash: payment.sessionIdHash,
  }
}

function nextDue({ dueAtMs, transactions }: StoredPayment): number | undefined {
  const times = [dueAtMs, ...transactions.map((step) => step.dueAtMs)].filter((time) => time !== undefined)
  return times.length === 0 ? undefined : Math.min(...times)
}

export const columnsOfExternal = (record: ExternalPayment): Columns => ({
  status: record.status,
  reason: record.statusReason?.code,
  currency: record.currencyCode,
  amount: record.amount,
  method: record.paymentMethod?.paymentMethodType,
  network: record.paymentMethod?.data?.binData?.network,
  processor: record.processor?.name,
  merchant: record.processor?.merchantId,
  country: record.order?.countryCode,
  order_id: record.order?.id,
})

/** Selects what {@link rowOf} reads. */
export const ROW_COLUMNS = `
  seq, source, id, time, status, reason, currency, amount, authorized, captured, refunded, method, network, last4,
  processor, country, order_id, customer_id, email
`

const AMOUNTS = ['amount', 'authorized', 'captured', 'refunded'] as const

/** Few enough that a request waits only milliseconds for them. */
export const GROUPED_TOGETHER = 1000

/** So many amounts up to this one add up to a number that has every digit. */
const MOST_TO_ADD = 2 ** 43

const DISTINCTIONS: Readonly<Record<string, string>> = {
  processor: 'processor',
  method: 'method',
  reason: 'reason',
  country: 'country',
  day: 'substr(time, 1, 10)',
  hour: 'substr(time, 1, 13)',
}

/** Selects groups of the records that a query selects. With one `max`, SQLite reads other columns from that record. */
export const groupsFrom = (selected: string, { by, edges }: RecordDistinctions): string => `
  SELECT seq, source, time, status, reason, currency, method, processor, country, count(*) AS count,
    ${AMOUNTS.map((name) => `sum(${name}) AS ${name}`).join(', ')}, max(time || printf(' %016d', seq)) AS place
  FROM (${selected}) AS records
  GROUP BY ${[
    'records.source, records.status, records.currency, records.authorized = 0',
    ...AMOUNTS.map((name) => `records.${name} IS NULL`),
    `CASE WHEN ${AMOUNTS.map((name) => `records.${name} > ${MOST_TO_ADD}`).join(' OR ')} THEN seq END`,
    ...by.flatMap((grouping) => DISTINCTIONS[grouping] ?? []),
    ...edges.map(() => 'time < ?'),
  ].join(', ')}
  ORDER BY place
`

export const rowOf = (row: Row): RecordRow => ({
  seq: numberIn(row, 'seq'),
  time: textIn(row, 'time') ?? '',
  source: sourceIn(row),
  id: textIn(row, 'id') ?? '',
  status: textIn(row, 'status'),
  reason: textIn(row, 'reason'),
  currencyCode: textIn(row, 'currency'),
  amount: amountIn(row, 'amount'),
  amountAuthorized: amountIn(row, 'authorized'),
  amountCaptured: amountIn(row, 'captured'),
  amountRefunded: amountIn(row, 'refunded'),
  method: textIn(row, 'method'),
  network: textIn(row, 'network'),
  last4Digits: textIn(row, 'last4'),
  processor: textIn(row, 'processor'),
  countryCode: textIn(row, 'country'),
  orderId: textIn(row, 'order_id'),
  customerId: textIn(row, 'customer_id'),
  customerEmail: textIn(row, 'email'),
})

export const sourceIn = (row: Row): RecordSource =>
  textIn(row, 'source') === 'external' ? 'external' : 'payments'

const amountIn = (row: Row, column: string): number | undefined =>
  row[column] === null ? undefined : numberIn(row, column)
