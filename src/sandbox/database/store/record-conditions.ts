import { NO_VALUE } from '../../domain/store/record-store.ts'
import type { RecordPosition, RecordSearch, RecordSource } from '../../domain/store/record-store.ts'
import { collectConditions, docField, inList } from './conditions.ts'
import type { Conditions } from './conditions.ts'

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

const COLUMNS: Readonly<Record<RecordSource, Columns>> = {
  payments: {
    time: 'date',
    id: 'id',
    order: 'order_id',
    customer: 'customer_id',
    status: 'status',
    currency: 'currency',
    processor: docField('processor.name'),
    country: docField('order.countryCode'),
    reason: docField('statusReason.code'),
  },
  external: {
    time: 'created_at',
    id: 'payment_id',
    order: docField('order.id'),
    customer: 'NULL',
    status: docField('status'),
    currency: docField('currencyCode'),
    processor: docField('processor.name'),
    country: docField('order.countryCode'),
    reason: docField('statusReason.code'),
  },
}

export const TABLE = { payments: 'payments', external: 'external_payments' } as const
/** Of two records of the same time, the payment is newer. */
export const RANK = { external: 0, payments: 1 } as const

export const timeOf = (source: RecordSource): string => COLUMNS[source].time

/**
 * The conditions of a search in one of the two tables. Cheap ones first: SQLite tests them in this order, and columns cost less than fields of the document.
 */
export function searchConditions(source: RecordSource, search: RecordSearch): Conditions {
  const columns = COLUMNS[source]
  const { conditions, values, add, addBound } = collectConditions()
  const among = (column: string, wanted: readonly string[] | undefined) => {
    if (wanted === undefined) return
    const orNone = wanted.includes(NO_VALUE) ? ` OR ${column} IS NULL` : ''
    add(`(${inList(column)}${orNone})`, JSON.stringify(wanted))
  }
  if (search.source?.includes(source) === false) add('0')
  addBound(`${columns.time} >= ?`, search.fromDate)
  addBound(`${columns.time} <= ?`, search.toDate)
  among(columns.customer, search.customerId)
  among(columns.order, search.orderId)
  among(columns.status, search.status)
  among(columns.currency, search.currencyCode)
  if (search.text !== undefined) {
    const pattern = `%${search.text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
    const places = [columns.id, columns.order, columns.customer]
    add(`(${places.map((column) => `${column} LIKE ?${ESCAPE}`).join(' OR ')})`, pattern, pattern, pattern)
  }
  if (source === 'payments') among(docField('method.scenario'), search.scenario)
  else among(docField('paymentMethod.paymentMethodType'), search.methodType)
  among(columns.processor, search.processor)
  among(columns.country, search.countryCode)
  among(columns.reason, search.reason)
  return { conditions, values }
}

const ESCAPE = String.raw` ESCAPE '\'`

/** Selects the records of one table that are beyond a position of the list. */
export function beyond(source: RecordSource, { direction, place }: RecordPosition): Conditions {
  const { time } = COLUMNS[source]
  const sign = direction === 'newer' ? '>' : '<'
  if (source === place.source)
    return { conditions: [`(${time}, seq) ${sign} (?, ?)`], values: [place.time, place.seq] }
  const includesSameTime =
    direction === 'newer' ? RANK[source] > RANK[place.source] : RANK[source] < RANK[place.source]
  return { conditions: [`${time} ${includesSameTime ? `${sign}=` : sign} ?`], values: [place.time] }
}
