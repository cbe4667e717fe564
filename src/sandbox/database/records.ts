import type {
  RecordSource,
  RecordFilter,
  ReadablePlace,
  RecordPlace,
  RecordPosition,
  RecordRow,
  RecordGroup,
  RecordDistinctions,
  WholeRecord,
  RecordAddition,
  RecordWindow,
  FoundRecords,
  FoundRecord,
} from '../domain/records.ts'
import {
  emailIn,
  isSlip,
  fitOf,
  holdsOf,
  nearEmails,
  plainBrand,
  plainText,
  wholesIn,
} from '../../views/search/match.ts'
import type { Facts, NearEmails } from '../../views/search/match.ts'
import { needsTransactions } from '../../views/search/query.ts'
import type { Meaning, Query } from '../../views/search/query.ts'
import type { ExternalPayment } from '../../api/models/external-payment.ts'
import { isRecord } from '../../json/is-record.ts'
import { isStoredPayment } from '../domain/stored.ts'
import { unreadableDocument } from './database-error.ts'
import { numberIn, textIn } from '../../store/database.ts'
import type { Database, Row } from '../../store/database.ts'
import { hasTexts, readDocument, writeDocument } from './document.ts'
import { PAYMENT_STATES, hasUnrepairedRefund, refundStatuses } from '../../api/payment-states.ts'
import type { RefundFilter } from '../../api/payment-states.ts'
import type { SqlValue } from '../../store/sqlite.ts'

export const isExternalPayment = hasTexts<ExternalPayment>('paymentId')

/** The records of all payments: those made in the sandbox, and external ones. */
export const recordsIn = (database: Database) => ({
  isTaken: (id: string): boolean => database.get('SELECT 1 FROM records WHERE id = ?', id) !== undefined,
  /** The fields that a PATCH added to the record of a payment. */
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
  /** The records that match, newest first, or oldest first if the position's direction is `newer`. */
  list: (filter: RecordFilter, position: RecordPosition | undefined, limit: number): readonly RecordRow[] =>
    rowsFrom(database, `SELECT ${ROW_COLUMNS} FROM records`, filter, position, limit).map(rowOf),
  /** The next records, oldest first, in groups, and the place of each group's last one. None after the last record. */
  groups: (
    filter: RecordFilter,
    position: RecordPosition,
    apart: RecordDistinctions,
  ): readonly RecordGroup[] => {
    const { where, values } = joinConditions(...fromPosition(filter, position))
    const selected = `SELECT * FROM records${where} ORDER BY time, seq LIMIT ${GROUPED_TOGETHER}`
    return database
      .all(groupsFrom(selected, apart), ...values, ...apart.edges)
      .map((row) => ({ ...rowOf(row), count: numberIn(row, 'count') }))
  },
  /** The same records as `list`, for those who `read` them. */
  places: (
    filter: RecordFilter,
    position: RecordPosition | undefined,
    limit: number,
  ): readonly ReadablePlace[] =>
    rowsFrom(
      database,
      `SELECT ${PLACE_COLUMNS} FROM records JOIN documents USING (seq)`,
      filter,
      position,
      limit,
    ).map(placeOf),
  /** A window of the records that match, newest first, and their count. */
  find: (filter: RecordFilter, { offset, limit, start, search }: RecordWindow): FoundRecords => {
    if (search !== undefined) return searchIn(database, filter, { offset, limit, start, search })
    const matching = conditionsOf(filter)
    const count = (more?: Conditions): number => {
      const { where, values } = joinConditions(matching, more)
      return numberIn(database.get(`SELECT count(*) AS n FROM records${where}`, ...values), 'n')
    }
    const newer = start === undefined ? 0 : count(beyond({ direction: 'newer', place: start }))
    const { where, values } = joinConditions(matching)
    const sql = `SELECT ${ROW_COLUMNS} FROM records${where} ORDER BY time DESC, seq DESC LIMIT ? OFFSET ?`
    const rows = withFailedRefunds(database, database.all(sql, ...values, limit, newer + offset).map(rowOf))
    // The end of the list says how long it is.
    const isEnd = rows.length < limit && (rows.length > 0 || offset === 0)
    const total = isEnd ? offset + rows.length : count() - newer
    return { total, newer, rows }
  },
  /** The whole record at a place. */
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

/** Reads the transactions of the payments whose refunds can have failed. */
function withFailedRefunds(database: Database, rows: readonly RecordRow[]): readonly FoundRecord[] {
  const captured = rows.filter(
    ({ source, amountCaptured = 0 }) => source === 'payments' && amountCaptured > 0,
  )
  const failed = new Set(
    database
      .all(
        `SELECT seq, doc FROM documents WHERE seq IN ${LISTED}`,
        JSON.stringify(captured.map(({ seq }) => seq)),
      )
      .filter((row) => hasUnrepairedRefund(readDocument(row, isStoredPayment)?.transactions ?? []))
      .map((row) => numberIn(row, 'seq')),
  )
  return rows.map((row) => (failed.has(row.seq) ? { ...row, hasFailedRefund: true } : row))
}

/** The columns of a place. SQLite knows the length of a document without reading it. */
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
  more?: Conditions,
): readonly Row[] {
  const order = position?.direction === 'newer' ? 'ASC' : 'DESC'
  const { where, values } = joinConditions(...fromPosition(filter, position), more)
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

/** A text that sorts after every date. */
const END_OF_TIME = '~'

const readAddition = (doc: string | undefined): RecordAddition | undefined =>
  doc === undefined ? undefined : readDocument({ doc }, isAddition)

const isAddition = (value: unknown): value is RecordAddition => isRecord(value)

/** The columns that {@link rowOf} reads. */
const ROW_COLUMNS = `
  seq, source, id, time, status, reason, currency, amount, authorized, captured, refunded, method, network, last4,
  processor, country, order_id, customer_id, email
`

const AMOUNTS = ['amount', 'authorized', 'captured', 'refunded'] as const

/** The most records to group at once: few enough that a request waits only milliseconds for them. */
const GROUPED_TOGETHER = 1000

/** The largest amount to add up: the sum of a group still has every digit. */
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
const groupsFrom = (selected: string, { by, edges }: RecordDistinctions): string => `
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

const rowOf = (row: Row): RecordRow => ({
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

const sourceIn = (row: Row): RecordSource => (textIn(row, 'source') === 'external' ? 'external' : 'payments')

const amountIn = (row: Row, column: string): number | undefined =>
  row[column] === null ? undefined : numberIn(row, column)

/** SQL conditions that must all hold, and the values for their parameters. */
interface Conditions {
  readonly conditions: readonly string[]
  readonly values: readonly SqlValue[]
}

/** Selects the records that match. */
function conditionsOf(filter: RecordFilter): Conditions {
  const conditions: string[] = []
  const values: SqlValue[] = []
  const add = (condition: string, ...bound: readonly SqlValue[]): void => {
    conditions.push(condition)
    values.push(...bound)
  }
  const addBound = (condition: string, value: SqlValue | undefined): void => {
    if (value !== undefined) add(condition, value)
  }
  /** Binds a list as one JSON value: otherwise every list length would prepare and cache its own statement. */
  const addAnyOf = (column: string, wanted: readonly (string | null)[] | undefined): void => {
    if (wanted === undefined) return
    const orNone = wanted.includes(null) ? ` OR ${column} IS NULL` : ''
    add(`(${column} IN (SELECT value FROM json_each(?))${orNone})`, JSON.stringify(wanted))
  }
  // Not a parameter, so that SQLite can use the indexes of payments.
  if (filter.source !== undefined) add(`source = '${filter.source}'`)
  addBound('time >= ?', filter.fromDate)
  addBound('time <= ?', filter.toDate)
  addAnyOf('order_id', filter.orderId)
  addAnyOf('customer_id', filter.customerId)
  addAnyOf('status', filter.status)
  if (filter.wasAuthorized === true) add(WAS_AUTHORIZED, JSON.stringify(AUTHORIZED))
  addAnyOf('reason', filter.reason)
  addAnyOf('currency', filter.currencyCode)
  addAnyOf('method', filter.methodType)
  addAnyOf('last4', filter.last4Digits)
  addAnyOf('processor', filter.processor)
  addAnyOf('merchant', filter.merchantId)
  addAnyOf('country', filter.countryCode)
  const addEmails = (addresses: RecordFilter['customerEmail']): void =>
    addAnyOf(
      'email',
      addresses?.map((address) => address?.toLowerCase() ?? null),
    )
  addEmails(filter.customerEmail)
  // The payer's address at PayPal or Klarna, which is the customer's here.
  for (const [method, addresses] of [
    ['PAYPAL', filter.paypalEmail],
    ['KLARNA', filter.klarnaEmail],
  ] as const)
    if (addresses !== undefined) {
      add('method = ?', method)
      addEmails(addresses)
    }
  const addRefunds = (refunds: RefundFilter): void => {
    if (refunds === 'none') add('coalesce(refunded, 0) = 0')
    else if (refunds === 'partial') add('refunded > 0 AND refunded < captured')
    else if (refunds === 'full') add('refunded > 0 AND refunded >= captured')
    else
      add(`source = 'payments' AND captured > 0 AND ${HAS_REFUND}`, JSON.stringify(refundStatuses(refunds)))
  }
  addBound('amount >= ?', filter.minAmount)
  addBound('amount <= ?', filter.maxAmount)
  if (filter.refunds !== undefined) addRefunds(filter.refunds)
  return { conditions, values }
}

const AUTHORIZED = Object.entries(PAYMENT_STATES).flatMap(([status, { authorized }]) =>
  authorized === 'yes' ? [status] : [],
)

/** The condition that `wasAuthorized` of insights checks. An external record has no authorized amount. */
const WAS_AUTHORIZED =
  "(status IN (SELECT value FROM json_each(?)) OR status = 'CANCELLED' AND coalesce(authorized, 1) <> 0)"

const LISTED = '(SELECT value FROM json_each(?))'

/** How many records a search reads at once. */
const SEARCHED_TOGETHER = 5000

/** The condition that a refund of the payment has one of the listed statuses. */
const HAS_REFUND = `EXISTS (
  SELECT 1 FROM documents, json_each(documents.doc, '$.transactions') AS entry
  WHERE documents.seq = records.seq AND entry.value ->> 'transactionType' = 'REFUND'
    AND entry.value ->> 'processorStatus' IN ${LISTED}
)`

/** A window of the records that fit the words, by the same rule as `pay find`. */
function searchIn(
  database: Database,
  filter: RecordFilter,
  { offset, limit, start, search }: RecordWindow & { readonly search: Query },
): FoundRecords {
  const found = [...searchedRows(database, filter, search)]
  const wholes = wholesIn(
    search.words,
    found.map(({ holds }) => holds),
  )
  const fitting = found.filter(({ holds }) => fitOf(holds, wholes) === 'fits')
  const newer = start === undefined ? 0 : fitting.findIndex(({ place }) => !isBeyond(place, start))
  const before = newer === -1 ? fitting.length : newer
  if (fitting.length === 0) return { total: 0, newer: 0, rows: [], near: nearIn(database, filter, search) }
  const seqs = fitting.slice(before + offset, before + offset + limit).map(({ place }) => place.seq)
  const sql = `SELECT ${ROW_COLUMNS} FROM records WHERE seq IN ${LISTED} ORDER BY time DESC, seq DESC`
  return {
    total: fitting.length - before,
    newer: before,
    rows: withFailedRefunds(database, database.all(sql, JSON.stringify(seqs)).map(rowOf)),
  }
}

/** The e-mails that may be meant. */
function nearIn(database: Database, filter: RecordFilter, query: Query): NearEmails | undefined {
  const { typed } = emailIn(query) ?? {}
  if (typed === undefined) return undefined
  const sql = 'SELECT DISTINCT email FROM records WHERE length(email) BETWEEN ? AND ?'
  const emails = database
    .all(sql, typed.length - 1, typed.length + 1)
    .flatMap((row) => textIn(row, 'email') ?? [])
    .filter((email) => isSlip(typed, email))
  const candidates = { conditions: [`email IN ${LISTED}`], values: [JSON.stringify(emails)] }
  return nearEmails(query, searchedRows(database, filter, query, candidates))
}

/** The records that have one of the words, or are `candidates`, newest first. */
function* searchedRows(database: Database, filter: RecordFilter, query: Query, given?: Conditions) {
  const candidates = given ?? candidatesFor(query)
  const meanings = query.words.flatMap((word) => word.meanings)
  // Documents are long: they are read only for what no column has.
  const further = [
    ...(meanings.some(({ kind }) => kind === 'name' || kind === 'phone') ? [NAMES] : []),
    ...(meanings.some(needsTransactions) ? [TRANSACTIONS] : []),
  ]
  const from = further.length === 0 ? 'records' : 'records JOIN documents USING (seq)'
  const select = `SELECT ${[SEARCHED_COLUMNS, ...further].join(', ')} FROM ${from}`
  for (let position: RecordPosition | undefined; ;) {
    const rows = rowsFrom(database, select, filter, position, SEARCHED_TOGETHER, candidates)
    for (const row of rows) {
      const facts = factsOf(row)
      const holds = holdsOf(query, facts)
      const place = { time: textIn(row, 'time') ?? '', seq: numberIn(row, 'seq') }
      position = { direction: 'older', place }
      if (holds !== undefined && (given !== undefined || holds.some(({ is }) => is !== 'none')))
        yield { place, holds, email: facts.email }
    }
    if (rows.length < SEARCHED_TOGETHER) return
  }
}

/**
 * Selects at least the records that have one of the words, so that the others need not be looked at. Undefined if SQLite can't
 * tell: it knows capitals of ASCII letters only.
 */
function candidatesFor({ words }: Query): Conditions | undefined {
  const meanings = words.flatMap(({ meanings: all, beside }) => [
    ...all.filter(({ kind }) => kind !== 'time'),
    ...(beside === undefined ? [] : [beside]),
  ])
  const parts = meanings.map(candidatesOf)
  const isPlain = meanings.every(
    (meaning) => !('value' in meaning) || /^[ !#-[\]-~]*$/.test(plainText(meaning.value)),
  )
  return parts.length === 0 || !isPlain
    ? undefined
    : {
        conditions: [`(${parts.map(([condition]) => condition).join(' OR ')})`],
        values: parts.flatMap(([, ...values]) => values),
      }
}

function candidatesOf(meaning: Meaning): readonly [condition: string, ...values: SqlValue[]] {
  switch (meaning.kind) {
    case 'id':
      return ['id = ?', meaning.value]
    case 'order':
      return [mayContain('order_id'), patternOf(plainText(meaning.value))]
    case 'customer':
      return [mayContain('customer_id'), patternOf(plainText(meaning.value))]
    case 'email':
      return [mayContain('email'), patternOf(plainText(meaning.value))]
    case 'name':
      // First and last names stand apart.
      return [mayContain('doc'), patternOf(plainText(meaning.value).split(' ')[0] ?? '')]
    case 'phone':
      return [`json_extract(doc, '${PHONE}') IS NOT NULL`]
    case 'brand':
      return [
        `${['network', 'method'].map((name) => `replace(replace(replace(lower(${name}), '_', ''), '-', ''), ' ', '')`).join(` = ? OR `)} = ?`,
        plainBrand(meaning.value),
        plainBrand(meaning.value),
      ]
    case 'last4':
      return ['last4 = ?', meaning.value]
    case 'currency':
      return ['currency = ?', meaning.value]
    case 'amount':
      return ['amount = ?', meaning.amountMinor]
    case 'status':
      return [`status IN ${LISTED}`, JSON.stringify(meaning.values)]
    case 'refunds':
      return [needsTransactions(meaning) ? 'captured > 0' : 'refunded > 0']
    case 'time':
      return ['1']
  }
}

/** SQLite doesn't know accents, so it selects every text with a character that isn't ASCII: one of several bytes. */
const mayContain = (column: string): string =>
  `(${anyContains([column])} OR length(${column}) <> octet_length(${column}))`

const SEARCHED_COLUMNS =
  'seq, time, id, status, currency, amount, captured, refunded, method, network, last4, order_id, customer_id, email'

const PHONE = '$.customer.mobileNumber'
const PERSONS = ['customer', 'customer.billingAddress', 'customer.shippingAddress']
const NAMES = PERSONS.flatMap((person, at) =>
  ['firstName', 'lastName'].map((name) => `json_extract(doc, '$.${person}.${name}') AS ${name}${at}`),
)
  .concat(`json_extract(doc, '${PHONE}') AS phone`)
  .join(', ')

/** In place of the document. */
const TRANSACTIONS = "CASE WHEN captured > 0 THEN json_extract(doc, '$.transactions') END AS doc"

const factsOf = (row: Row): Facts => ({
  id: textIn(row, 'id'),
  date: textIn(row, 'time'),
  status: textIn(row, 'status'),
  orderId: textIn(row, 'order_id'),
  customerId: textIn(row, 'customer_id'),
  currencyCode: textIn(row, 'currency'),
  amount: amountIn(row, 'amount'),
  email: textIn(row, 'email'),
  names: PERSONS.map((_, at) =>
    `${textIn(row, `firstName${at}`) ?? ''} ${textIn(row, `lastName${at}`) ?? ''}`.trim(),
  ),
  phone: textIn(row, 'phone'),
  processor: { amountCaptured: amountIn(row, 'captured'), amountRefunded: amountIn(row, 'refunded') },
  transactions: readDocument(row, Array.isArray),
  brands: [textIn(row, 'method'), textIn(row, 'network')].filter((brand) => brand !== undefined),
  last4: textIn(row, 'last4'),
  isWhole: true,
})

const isBeyond = (one: RecordPlace, other: RecordPlace): boolean =>
  one.time > other.time || (one.time === other.time && one.seq > other.seq)

/** Selects the records beyond a position of the list. */
const beyond = ({ direction, place }: RecordPosition): Conditions => ({
  conditions: [`(time, seq) ${direction === 'newer' ? '>' : '<'} (?, ?)`],
  values: [place.time, place.seq],
})

/** The WHERE clause of all conditions, and their values. */
function joinConditions(...parts: readonly (Conditions | undefined)[]): {
  where: string
  values: readonly SqlValue[]
} {
  const conditions = parts.flatMap((part) => part?.conditions ?? [])
  return {
    where: conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`,
    values: parts.flatMap((part) => part?.values ?? []),
  }
}

const ESCAPE = String.raw` ESCAPE '\'`

/** The condition that one of the columns contains a text, in upper or lower case; each takes {@link patternOf} it. */
export const anyContains = (columns: readonly string[]): string =>
  `(${columns.map((column) => `${column} LIKE ?${ESCAPE}`).join(' OR ')})`

export const patternOf = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
