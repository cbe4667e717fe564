import { NO_VALUE } from '../../domain/store/record-store.ts'
import type { RecordPlace, RecordSearch, RecordSource } from '../../domain/store/record-store.ts'
import type { SqlValue } from '../sqlite.ts'

/** The SQL for a search in one of the two tables. */
export interface Conditions {
  readonly conditions: readonly string[]
  readonly values: readonly SqlValue[]
}

interface Columns {
  readonly time: string
  readonly id: string
  readonly order: string
  readonly customer: string
  readonly status: string
  readonly currency: string
  readonly processor: string
  readonly country: string
  readonly reason: string
}

const json = (path: string) => `json_extract(doc, '$.${path}')`

const COLUMNS: Readonly<Record<RecordSource, Columns>> = {
  payments: {
    time: 'date',
    id: 'id',
    order: 'order_id',
    customer: 'customer_id',
    status: 'status',
    currency: 'currency',
    processor: json('processor.name'),
    country: json('order.countryCode'),
    reason: json('statusReason.code'),
  },
  external: {
    time: 'created_at',
    id: 'payment_id',
    order: json('order.id'),
    customer: 'NULL',
    status: json('status'),
    currency: json('currencyCode'),
    processor: json('processor.name'),
    // As responses show it.
    country: `coalesce(${json('order.countryCode')}, ${json('paymentMethod.data.binData.issuerCountryCode')}, 'US')`,
    reason: json('statusReason.code'),
  },
}

export const timeOf = (source: RecordSource): string => COLUMNS[source].time

/** Cheap conditions first: SQLite tests them in this order, and columns cost less than fields of the document. */
export function searchConditions(source: RecordSource, search: RecordSearch): Conditions {
  const columns = COLUMNS[source]
  const conditions: string[] = []
  const values: SqlValue[] = []
  const add = (condition: string, ...bound: SqlValue[]) => {
    conditions.push(condition)
    values.push(...bound)
  }
  const among = (column: string, wanted: readonly string[] | undefined) => {
    if (wanted === undefined) return
    const orNone = wanted.includes(NO_VALUE) ? ` OR ${column} IS NULL` : ''
    // Bind lists as one JSON value: otherwise every list length would prepare and cache its own statement.
    add(`(${column} IN (SELECT value FROM json_each(?))${orNone})`, JSON.stringify(wanted))
  }
  if (search.source?.includes(source) === false) add('0')
  if (search.fromDate !== undefined) add(`${columns.time} >= ?`, search.fromDate)
  if (search.toDate !== undefined) add(`${columns.time} <= ?`, search.toDate)
  among(columns.customer, search.customerId)
  among(columns.order, search.orderId)
  among(columns.status, search.status)
  among(columns.currency, search.currencyCode)
  if (search.text !== undefined) {
    const pattern = `%${search.text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
    const places = [columns.id, columns.order, columns.customer]
    add(`(${places.map((column) => `${column} LIKE ?${ESCAPE}`).join(' OR ')})`, pattern, pattern, pattern)
  }
  if (source === 'payments') among(json('method.scenario'), search.scenario)
  else among(json('paymentMethod.paymentMethodType'), search.methodType)
  among(columns.processor, search.processor)
  among(columns.country, search.countryCode)
  among(columns.reason, search.reason)
  return { conditions, values }
}

const ESCAPE = String.raw` ESCAPE '\'`

/** Of two records of the same time, the payment is newer. */
const RANK = { external: 0, payments: 1 } as const

export function newerThan(source: RecordSource, place: RecordPlace): Conditions {
  const { time } = COLUMNS[source]
  if (source === place.source)
    return { conditions: [`(${time}, seq) > (?, ?)`], values: [place.time, place.seq] }
  return {
    conditions: [`${time} ${RANK[source] > RANK[place.source] ? '>=' : '>'} ?`],
    values: [place.time],
  }
}
