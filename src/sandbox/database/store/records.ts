import { isRecord } from '../../../json/is-record.ts'
import type {
  FoundRecords,
  ReadablePlace,
  RecordAddition,
  RecordFilter,
  RecordGroup,
  RecordPosition,
  RecordRow,
  RecordStore,
  RecordWindow,
  WholeRecord,
} from '../../domain/store/record-store.ts'
import { isStoredPayment } from '../../domain/store/stored-payment.ts'
import { unreadableDocument } from '../database-error.ts'
import { numberIn, textIn } from '../../../store/database.ts'
import type { Database, Row } from '../../../store/database.ts'
import { readDocument, writeDocument } from './document.ts'
import { isExternalPayment } from './external-payments.ts'
import { GROUPED_TOGETHER, groupsFrom, ROW_COLUMNS, rowOf, sourceIn } from './record-columns.ts'
import { beyond, conditionsOf, joinConditions } from './record-conditions.ts'
import type { Conditions } from './record-conditions.ts'

export const recordsIn = (database: Database): RecordStore => ({
  isTaken: (id: string): boolean => database.get('SELECT 1 FROM records WHERE id = ?', id) !== undefined,
  addition: (paymentId: string): RecordAddition | undefined =>
    readAddition(
      textIn(
        database.get('SELECT addition FROM records JOIN documents USING (seq) WHERE id = ?', paymentId),
        'addition',
      ),
    ),
  saveAddition: (paymentId: string, addition: RecordAddition): void =>
    void database.run(
      'UPDATE documents SET addition = ? WHERE seq = (SELECT seq FROM records WHERE id = ?)',
      writeDocument(addition),
      paymentId,
    ),
  list: (filter, position, limit): readonly RecordRow[] =>
    rowsFrom(database, `SELECT ${ROW_COLUMNS} FROM records`, filter, position, limit).map(rowOf),
  groups: (filter, position, apart): readonly RecordGroup[] => {
    const { where, values } = joinConditions(...fromPosition(filter, position))
    const selected = `SELECT * FROM records${where} ORDER BY time, seq LIMIT ${GROUPED_TOGETHER}`
    return database
      .all(groupsFrom(selected, apart), ...values, ...apart.edges)
      .map((row) => ({ ...rowOf(row), count: numberIn(row, 'count') }))
  },
  places: (filter, position, limit): readonly ReadablePlace[] =>
    rowsFrom(
      database,
      `SELECT ${PLACE_COLUMNS} FROM records JOIN documents USING (seq)`,
      filter,
      position,
      limit,
    ).map(placeOf),
  find: (filter: RecordFilter, { offset, limit, start }: RecordWindow): FoundRecords => {
    const matching = conditionsOf(filter)
    const count = (more?: Conditions): number => {
      const { where, values } = joinConditions(matching, more)
      return numberIn(database.get(`SELECT count(*) AS n FROM records${where}`, ...values), 'n')
    }
    const newer = start === undefined ? 0 : count(beyond({ direction: 'newer', place: start }))
    const { where, values } = joinConditions(matching)
    const sql = `SELECT ${ROW_COLUMNS} FROM records${where} ORDER BY time DESC, seq DESC LIMIT ? OFFSET ?`
    const rows = database.all(sql, ...values, limit, newer + offset).map(rowOf)
    // The end of the list says how long it is. A search reads every record: once is enough.
    const isEnd = rows.length < limit && (rows.length > 0 || offset === 0)
    const total = isEnd ? offset + rows.length : count() - newer
    return { total, newer, rows }
  },
  read: ({ seq, source }: ReadablePlace): WholeRecord => {
    const row = database.get('SELECT doc, addition FROM documents WHERE seq = ?', seq)
    if (source === 'external') {
      const record = readDocument(row, isExternalPayment)
      if (record !== undefined) return { source, record }
    } else {
      const payment = readDocument(row, isStoredPayment)
      if (payment !== undefined) return { source, payment, addition: readAddition(textIn(row, 'addition')) }
    }
    throw unreadableDocument()
  },
})

/** SQLite knows the length of a document without reading it. */
const PLACE_COLUMNS = 'seq, time, source, octet_length(doc) + coalesce(octet_length(addition), 0) AS size'

const placeOf = (row: Row): ReadablePlace => ({
  seq: numberIn(row, 'seq'),
  time: textIn(row, 'time') ?? '',
  source: sourceIn(row),
  size: numberIn(row, 'size'),
})

function rowsFrom(
  database: Database,
  select: string,
  filter: RecordFilter,
  position: RecordPosition | undefined,
  limit: number,
): readonly Row[] {
  const order = position?.direction === 'newer' ? 'ASC' : 'DESC'
  const { where, values } = joinConditions(...fromPosition(filter, position))
  return database.all(`${select}${where} ORDER BY time ${order}, seq ${order} LIMIT ?`, ...values, limit)
}

/** Leaves out the wider of two bounds at the same end: SQLite might start there and read everything up to the other one. */
function fromPosition(filter: RecordFilter, position: RecordPosition | undefined): readonly Conditions[] {
  if (position === undefined) return [conditionsOf(filter)]
  const { time } = position.place
  const { fromDate = '', toDate = END_OF_TIME } = filter
  if (position.direction === 'newer')
    return fromDate > time
      ? [conditionsOf(filter)]
      : [conditionsOf({ ...filter, fromDate: undefined }), beyond(position)]
  return toDate < time
    ? [conditionsOf(filter)]
    : [conditionsOf({ ...filter, toDate: undefined }), beyond(position)]
}

/** Sorts after every date. */
const END_OF_TIME = '~'

const readAddition = (doc: string | undefined): RecordAddition | undefined =>
  doc === undefined ? undefined : readDocument({ doc }, isAddition)

const isAddition = (value: unknown): value is RecordAddition => isRecord(value)
