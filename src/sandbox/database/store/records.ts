import type {
  RecordAddition,
  RecordFilter,
  RecordPlace,
  RecordPosition,
  RecordRow,
  RecordSource,
  RecordStore,
} from '../../domain/store/record-store.ts'
import type { Database } from '../database.ts'
import type { SqlValue } from '../sqlite.ts'
import { readDocument, writeDocument } from './document.ts'
import { conditionsOf } from './payments.ts'
import { EXTERNAL_COLUMNS, PAYMENT_COLUMNS, externalRow, isAddition, paymentRow } from './record-rows.ts'
import { recordWindowsIn } from './record-windows.ts'

export const recordsIn = (database: Database): RecordStore => ({
  addition: (paymentId: string): RecordAddition | undefined =>
    readDocument(
      database.get('SELECT doc FROM record_additions WHERE payment_id = ?', paymentId),
      isAddition,
    ),
  saveAddition: (paymentId: string, addition: RecordAddition): void =>
    void database.run(
      'INSERT INTO record_additions (payment_id, doc) VALUES (?, ?) ON CONFLICT (payment_id) DO UPDATE SET doc = excluded.doc',
      paymentId,
      writeDocument(addition),
    ),
  list: (filter: RecordFilter, position: RecordPosition | undefined, limit: number): readonly RecordRow[] => {
    const isNewer = position?.direction === 'newer'
    const order = isNewer ? 'ASC' : 'DESC'
    const select = (
      source: RecordSource,
      columns: string,
      time: string,
      { conditions, values }: Conditions,
    ) => {
      const page = pageCondition(source, time, position)
      const all = [...conditions, ...page.conditions]
      const where = all.length === 0 ? '' : ` WHERE ${all.join(' AND ')}`
      return database.all(
        `SELECT ${columns} FROM ${TABLE[source]}${where} ORDER BY ${time} ${order}, seq ${order} LIMIT ?`,
        ...values,
        ...page.values,
        limit,
      )
    }
    const payments = select('payments', PAYMENT_COLUMNS, 'date', conditionsOf(filter))
    const external = select('external', EXTERNAL_COLUMNS, 'created_at', externalConditions(filter))
    return [...payments.flatMap(paymentRow), ...external.flatMap(externalRow)]
      .toSorted((one, other) => (isNewer ? 1 : -1) * comparePlaces(one.place, other.place))
      .slice(0, limit)
  },
  slice: (source, { fromDate, toDate }, after, limit) => {
    const [time, columns, toRow] = SLICES[source]
    return database
      .all(
        `SELECT seq, ${columns} FROM ${TABLE[source]}
         WHERE (${time}, seq) > (?, ?) AND ${time} <= ? ORDER BY ${time}, seq LIMIT ?`,
        after?.time ?? fromDate ?? '',
        after?.seq ?? -1,
        toDate ?? END_OF_TIME,
        limit,
      )
      .flatMap(toRow)
  },
  find: recordWindowsIn(database),
})

const SLICES = {
  payments: ['date', PAYMENT_COLUMNS, paymentRow],
  external: ['created_at', EXTERNAL_COLUMNS, externalRow],
} as const
/** Sorts after every date. */
const END_OF_TIME = '~'

interface Conditions {
  readonly conditions: readonly string[]
  readonly values: readonly SqlValue[]
}

const TABLE = { payments: 'payments', external: 'external_payments' } as const
const RANK = { external: 0, payments: 1 } as const

/** Oldest first. */
function comparePlaces(one: RecordPlace, other: RecordPlace): number {
  if (one.time !== other.time) return one.time < other.time ? -1 : 1
  return RANK[one.source] - RANK[other.source] || one.seq - other.seq
}

/** Selects the rows beyond the position, in one of the two tables. */
function pageCondition(source: RecordSource, time: string, position: RecordPosition | undefined): Conditions {
  if (position === undefined) return { conditions: [], values: [] }
  const { direction, place } = position
  const sign = direction === 'newer' ? '>' : '<'
  if (source === place.source)
    return { conditions: [`(${time}, seq) ${sign} (?, ?)`], values: [place.time, place.seq] }
  const includesSameTime =
    direction === 'newer' ? RANK[source] > RANK[place.source] : RANK[source] < RANK[place.source]
  return { conditions: [`${time} ${includesSameTime ? `${sign}=` : sign} ?`], values: [place.time] }
}

/** External records have no customer or card number, so a filter on either matches none. */
function externalConditions(filter: RecordFilter): Conditions {
  const { customerId, customerEmail, last4Digits } = filter
  if (customerId !== undefined || customerEmail !== undefined || last4Digits !== undefined)
    return { conditions: ['0'], values: [] }
  const conditions: string[] = []
  const values: SqlValue[] = []
  const addAnyOf = (path: string, wanted: readonly string[] | undefined) => {
    if (wanted === undefined) return
    conditions.push(`json_extract(doc, '$.${path}') IN (SELECT value FROM json_each(?))`)
    values.push(JSON.stringify(wanted))
  }
  const addBound = (condition: string, value: SqlValue | undefined) => {
    if (value === undefined) return
    conditions.push(condition)
    values.push(value)
  }
  addAnyOf('status', filter.status)
  addAnyOf('order.id', filter.orderId)
  addAnyOf('currencyCode', filter.currencyCode)
  addAnyOf('processor.name', filter.processor)
  addAnyOf('processor.merchantId', filter.merchantId)
  addAnyOf('paymentMethod.paymentMethodType', filter.methodType)
  addBound('created_at >= ?', filter.fromDate)
  addBound('created_at <= ?', filter.toDate)
  addBound("json_extract(doc, '$.amount') >= ?", filter.minAmount)
  addBound("json_extract(doc, '$.amount') <= ?", filter.maxAmount)
  return { conditions, values }
}
