import type {
  RecordAddition,
  RecordFilter,
  RecordPlace,
  RecordPosition,
  RecordRow,
  RecordSource,
  RecordStore,
} from '../../domain/store/record-store.ts'
import { takePage } from '../../domain/store/take-page.ts'
import type { Database } from '../database.ts'
import { NO_CONDITIONS, collectConditions, docField, joinConditions } from './conditions.ts'
import type { Conditions } from './conditions.ts'
import { eachOf, readDocument, writeDocument } from './document.ts'
import { conditionsOf } from './payments.ts'
import { RANK, TABLE, beyond, timeOf } from './record-conditions.ts'
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
  list: (filter: RecordFilter, position: RecordPosition | undefined, limit: number): Iterable<RecordRow> => {
    const isNewer = position?.direction === 'newer'
    const order = isNewer ? 'ASC' : 'DESC'
    const select = (source: RecordSource, conditions: Conditions) => {
      const [columns, toRow] = SLICES[source]
      const page = position === undefined ? NO_CONDITIONS : beyond(source, position)
      const { where, values } = joinConditions(conditions, page)
      const time = timeOf(source)
      const sql = `SELECT ${columns} FROM ${TABLE[source]}${where} ORDER BY ${time} ${order}, seq ${order} LIMIT ?`
      return eachOf(database.each(sql, ...values, limit), toRow)
    }
    return merge(
      select('payments', conditionsOf(filter)),
      select('external', externalConditions(filter)),
      (one, other) => (isNewer ? 1 : -1) * comparePlaces(one.place, other.place) < 0,
    )
  },
  slice: (source, { fromDate, toDate }, after, limit) => {
    const [columns, toRow] = SLICES[source]
    const time = timeOf(source)
    const rows = database.each(
      `SELECT seq, ${columns} FROM ${TABLE[source]}
       WHERE (${time}, seq) > (?, ?) AND ${time} <= ? ORDER BY ${time}, seq LIMIT ?`,
      after?.time ?? fromDate ?? '',
      after?.seq ?? -1,
      toDate ?? END_OF_TIME,
      limit,
    )
    return takePage(eachOf(rows, toRow), limit).page
  },
  find: recordWindowsIn(database),
})

const SLICES = {
  payments: [PAYMENT_COLUMNS, paymentRow],
  external: [EXTERNAL_COLUMNS, externalRow],
} as const
/** Sorts after every date. */
const END_OF_TIME = '~'

/** Merges two sorted sequences, and reads no more of each than is asked for. */
function* merge<T>(
  ones: Generator<T, void>,
  others: Generator<T, void>,
  isFirst: (one: T, other: T) => boolean,
): Generator<T, void> {
  try {
    let [one, other] = [ones.next(), others.next()]
    while (one.done !== true && other.done !== true) {
      if (isFirst(one.value, other.value)) {
        yield one.value
        one = ones.next()
      } else {
        yield other.value
        other = others.next()
      }
    }
    if (one.done !== true) yield one.value
    yield* ones
    if (other.done !== true) yield other.value
    yield* others
  } finally {
    ones.return()
    others.return()
  }
}

/** Oldest first. */
function comparePlaces(one: RecordPlace, other: RecordPlace): number {
  if (one.time !== other.time) return one.time < other.time ? -1 : 1
  return RANK[one.source] - RANK[other.source] || one.seq - other.seq
}

/** External records have no customer or card number, so a filter on either matches none. */
function externalConditions(filter: RecordFilter): Conditions {
  const { customerId, customerEmail, last4Digits } = filter
  if (customerId !== undefined || customerEmail !== undefined || last4Digits !== undefined)
    return { conditions: ['0'], values: [] }
  const { conditions, values, addAnyOf, addBound } = collectConditions()
  addAnyOf(docField('status'), filter.status)
  addAnyOf(docField('order.id'), filter.orderId)
  addAnyOf(docField('currencyCode'), filter.currencyCode)
  addAnyOf(docField('processor.name'), filter.processor)
  addAnyOf(docField('processor.merchantId'), filter.merchantId)
  addAnyOf(docField('paymentMethod.paymentMethodType'), filter.methodType)
  addBound('created_at >= ?', filter.fromDate)
  addBound('created_at <= ?', filter.toDate)
  addBound(`${docField('amount')} >= ?`, filter.minAmount)
  addBound(`${docField('amount')} <= ?`, filter.maxAmount)
  return { conditions, values }
}
