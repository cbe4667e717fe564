import { getPayment } from '../../api/operations/payment.ts'
import { decidePaymentOfOrder } from '../../api/payment-of-order.ts'
import { EXIT, PayError, UsageError } from '../../errors.ts'
import { isRecord } from '../../json/is-record.ts'
import { numberIn, textIn } from '../../store/database.ts'
import type { Database } from '../../store/database.ts'
import { openTemporaryDatabase } from '../keep/temporary-rows.ts'
import { ROW_KINDS } from '../map/mapping-file.ts'
import type { RowKind } from '../map/mapping-file.ts'
import { readPaymentPages } from '../payments/payment-pages.ts'
import type { BulkReader, ReadOutcome } from '../send/bulk-reader.ts'
import { inOrder } from '../send/row-loop.ts'
import { isCompared } from './file-row.ts'
import type { FileRow } from './file-row.ts'
import { VERDICTS, factsOf, isSettledThere, judge } from './judge.ts'
import type { FilePeriod, PaymentFacts, RowOfPayment, Verdict } from './judge.ts'

/** What names the payment of a row. */
export const MATCHES = ['payment', 'order', 'processor'] as const
export type Match = (typeof MATCHES)[number]

export interface CompareOptions {
  /** The rows of the file, a part at a time. */
  readonly rows: AsyncIterable<Iterable<FileRow>>
  /** Undefined to find out. */
  readonly match: Match | undefined
  /** The period of the file, if the user names it, in milliseconds. */
  readonly from: number | undefined
  readonly to: number | undefined
  /** Whether the times of rows are days, in whatever zone. */
  readonly hasDaysOnly: boolean
  readonly read: BulkReader
  /** Called now and then, with the number of rows and payments that were read. */
  readonly onProgress: (read: number) => void
  readonly stop: Pick<AbortSignal, 'aborted'>
}

/** A row that is neither matched nor expected; without a place and cells, a payment or refund of ours that the file lacks. */
export interface Exception
  extends
    Pick<FileRow, 'kind' | 'amount' | 'currencyCode' | 'timeMs'>,
    Partial<Pick<FileRow, 'row' | 'line' | 'cells'>> {
  readonly verdict: Verdict
  readonly found: string
  /** Its ID is the one at the processor where rows name payments by that. */
  readonly payment: { readonly id: string; readonly orderId: string | undefined } | undefined
}

/** A total of a currency. Refunds and chargebacks are negative. */
export interface Total {
  readonly currencyCode: string
  readonly kind: RowKind
  file: bigint
  here: bigint
}

export interface Comparison {
  readonly match: Match
  /** Undefined if neither the file nor the user says it. */
  readonly period: FilePeriod | undefined
  readonly rows: number
  /** Whether a row names a payment of the account. */
  readonly isKnown: boolean
  readonly byKind: Readonly<Partial<Record<RowKind, number>>>
  readonly verdicts: Readonly<Record<string, number>>
  readonly totals: readonly Total[]
  /** The values of kinds that aren't known, which count as other. */
  readonly unknownKinds: ReadonlyMap<string, number>
  readonly exceptionCount: number
  /** The exceptions: those of the file in its order, then ours, oldest first. */
  readonly exceptions: () => Generator<Exception>
}

const TABLES = [
  // What the file lacks stands here too, after its rows. `counted`: the amount, if the row counts in the totals. `json`: the row.
  `CREATE TABLE rows(row INTEGER PRIMARY KEY, kind TEXT NOT NULL, paymentId TEXT, orderId TEXT, processorId TEXT, counted INTEGER,
    currency TEXT, time INTEGER, isNegative INTEGER, isReversal INTEGER, key TEXT, payment TEXT, verdict TEXT, found TEXT, json TEXT)`,
  `CREATE TABLE payments(id TEXT PRIMARY KEY, orderId TEXT, time INTEGER, refunded INTEGER, isListed INTEGER NOT NULL,
    isFull INTEGER NOT NULL, facts TEXT NOT NULL) WITHOUT ROWID`,
  'CREATE INDEX byOrder ON payments(orderId)',
  'CREATE TABLE ids(id TEXT NOT NULL, payment TEXT NOT NULL, PRIMARY KEY(id, payment)) WITHOUT ROWID',
  `CREATE VIEW names AS SELECT 'payment' AS match, id AS name, id AS payment FROM payments
    UNION ALL SELECT 'order', orderId, id FROM payments UNION ALL SELECT 'processor', id, payment FROM ids`,
  'CREATE TABLE todo(n INTEGER PRIMARY KEY, id TEXT NOT NULL)',
]
const KEEP_ROWS = `INSERT INTO rows SELECT value->>'row', value->>'kind', value->>'paymentId', value->>'orderId',
  value->>'processorId', value->>'counted', value->>'currencyCode', value->>'timeMs', value->>'isNegative', value->>'isReversal',
  NULL, NULL, iif(value->>'problem' IS NULL, NULL, 'unread'), value->>'problem', value FROM json_each(?)`
/** A payment that was read in full is not replaced by its entry in a list. */
const KEEP_PAYMENTS = `INSERT INTO payments SELECT value->>'id', value->>'orderId', value->>'timeMs', value->>'refunded', ?, ?, value
  FROM json_each(?) WHERE true ON CONFLICT(id) DO UPDATE SET facts = iif(isFull, facts, excluded.facts),
  isFull = max(isFull, excluded.isFull), isListed = max(isListed, excluded.isListed)`
const KEEP_IDS = `INSERT OR IGNORE INTO ids SELECT ids.value, payments.value->>'id'
  FROM json_each(?) AS payments, json_each(payments.value, '$.processorIds') AS ids`

/** What names the payment in a row, in SQL and in words. */
const KEYS = {
  payment: 'paymentId',
  order: 'orderId',
  processor: 'coalesce(processorId, paymentId)',
} as const
export const NAMES = { payment: 'payment ID', order: 'order', processor: 'ID at the processor' } as const
const OPEN = 'payment IS NULL AND verdict IS NULL'
const IS_EXCEPTION = "verdict NOT IN ('matched', 'expected')"
const NOT_DURABLE = { isDurable: false }

/** How many rows are taken from the database at a time. */
const PART = 1_000
/** The most payments that are read concurrently. */
const WINDOW = 128

/**
 * Compares the rows of a file with the payments of the account. Keeps both in a temporary database, so that memory stays flat. Reads
 * the payments of the file's period once, as a list, and in full only those with refunds and those that the list lacks.
 * @throws {PayError} if the payments can't be listed; {@link UsageError} if what names the payments is in doubt; what the reader throws
 */
export async function compare(options: CompareOptions): Promise<Comparison> {
  const { read, stop } = options
  const database = openTemporaryDatabase()
  for (const sql of TABLES) database.run(sql)
  const { rows, byKind, unknownKinds } = await keepRows(database, options)
  let seen = rows
  const keep = (payments: readonly PaymentFacts[], { isListed = false, isFull = false }): void => {
    const json = JSON.stringify(payments)
    database.transaction(() => {
      database.run(KEEP_PAYMENTS, Number(isListed), Number(isFull), json)
      database.run(KEEP_IDS, json)
    }, NOT_DURABLE)
    seen += payments.length
    options.onProgress(seen)
  }

  const list = async ({ from, to }: FilePeriod): Promise<void> => {
    const query = { from_date: new Date(from).toISOString(), to_date: new Date(to).toISOString() }
    for await (const page of pagesOf(read, query)) {
      if (stop.aborted) return
      keep(
        page.filter(({ timeMs }) => timeMs === undefined || (timeMs >= from && timeMs <= to)),
        { isListed: true },
      )
    }
  }
  /** Reads the payments that a query names, in its order. A text says why some can't be read: the rows that name them are unread. */
  const readEach = async (
    names: string,
    readOne: (name: string) => Promise<readonly PaymentFacts[] | string>,
    how: { readonly isFull: boolean },
  ): Promise<void> => {
    fillTodo(database, names)
    for await (const [name, found] of inOrder(todoOf(database), readOne, WINDOW)) {
      if (stop.aborted) return
      if (typeof found !== 'string') keep(found, how)
      else
        database.run(`UPDATE rows SET verdict = 'unread', found = ? WHERE key = ? AND ${OPEN}`, found, name)
    }
  }
  const byId = async (id: string): Promise<readonly PaymentFacts[] | string> => {
    const outcome: ReadOutcome = await read({ operation: getPayment, params: { id } })
    if (outcome.kind === 'failed') return `the payment could not be read (${outcome.message})`
    const facts = outcome.kind === 'answer' ? factsOf(outcome.json) : undefined
    if (outcome.kind === 'not-found') return []
    return facts?.id === id ? [facts] : 'the response is another payment'
  }
  const byOrder = async (orderId: string): Promise<readonly PaymentFacts[] | string> => {
    try {
      const found: PaymentFacts[] = []
      for await (const page of pagesOf(read, { order_id: orderId }))
        found.push(...page.filter((facts) => facts.orderId === orderId))
      return found
    } catch (error) {
      if (error instanceof PayError && error.code === 'unusable_answer') return error.message
      throw error
    }
  }
  /** Reads the payments of a condition in full, the newest first. */
  const readFully = (which: string) =>
    readEach(`SELECT id FROM payments WHERE NOT isFull AND (${which}) ORDER BY time DESC`, byId, {
      isFull: true,
    })

  const stated = periodOf(database, 'rows', options)
  if (stated !== undefined) await list(stated)
  const match = options.match ?? (await findMatch(database, () => readFully('true')))
  database.run(`UPDATE rows SET key = ${KEYS[match]}`)
  database.run('CREATE INDEX byKey ON rows(key, kind, isNegative)')
  findReversals(database)
  database.run(
    "UPDATE rows SET verdict = 'unread', found = ? WHERE key IS NULL AND verdict IS NULL",
    `the row has no ${NAMES[match]}`,
  )
  if (match === 'processor') await readFully('true')
  resolve(database, match)
  if (match !== 'processor') {
    // Those that the list lacks may have been created before the period.
    const names = `SELECT key FROM rows WHERE ${OPEN} GROUP BY key ORDER BY max(time) DESC`
    await readEach(names, match === 'payment' ? byId : byOrder, { isFull: match === 'payment' })
    resolve(database, match)
  }
  // A file without times covers the time of its payments.
  const period = stated ?? periodOf(database, 'payments', options)
  if (stated === undefined && period !== undefined) await list(period)
  database.run('CREATE INDEX byPayment ON rows(payment)')
  const isKnown =
    database.get("SELECT 1 FROM rows WHERE payment IS NOT NULL OR verdict = 'ambiguous' LIMIT 1") !==
    undefined
  await readFully(
    "refunded IS NULL OR refunded <> 0 OR id IN (SELECT payment FROM rows WHERE kind = 'refund')",
  )
  const totals = totalsOfFile(database)
  judgeAll(database, period, totals)
  database.run(
    "UPDATE rows SET verdict = 'missing_here', found = ? WHERE verdict IS NULL",
    match === 'processor' && period !== undefined
      ? 'no payment of the period has this ID at the processor'
      : `no payment has this ${NAMES[match]}`,
  )
  // A chargeback is one whatever payment it names.
  database.run(
    "UPDATE rows SET verdict = 'chargeback' WHERE kind = 'chargeback' AND json->>'problem' IS NULL",
  )
  return {
    match,
    period,
    rows,
    isKnown,
    byKind,
    verdicts: countVerdicts(database),
    exceptionCount: numberIn(
      database.get(`SELECT count(*) AS count FROM rows WHERE ${IS_EXCEPTION}`),
      'count',
    ),
    totals: [...totals.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, total]) => total),
    unknownKinds,
    exceptions: () => exceptionsIn(database, match),
  }
}

/** Keeps the rows that are compared, and counts all. */
async function keepRows(database: Database, { rows, onProgress, stop }: CompareOptions) {
  let count = 0
  const byKind: Partial<Record<RowKind, number>> = {}
  const unknownKinds = new Map<string, number>()
  for await (const part of rows) {
    if (stop.aborted) break
    const compared: object[] = []
    for (const row of part) {
      count += 1
      const { kind, unknownKind, problem, amount } = row
      byKind[kind] = (byKind[kind] ?? 0) + 1
      if (unknownKind !== undefined && (unknownKinds.size < 100 || unknownKinds.has(unknownKind)))
        unknownKinds.set(unknownKind, (unknownKinds.get(unknownKind) ?? 0) + 1)
      if (!isCompared(kind)) continue
      compared.push({ ...row, counted: problem === undefined && isSettledThere(row) ? amount : undefined })
    }
    database.transaction(() => database.run(KEEP_ROWS, JSON.stringify(compared)), NOT_DURABLE)
    onProgress(count)
  }
  return { rows: count, byKind, unknownKinds }
}

const DAY_MS = 86_400_000

/** The period from the first to the last time, in whole days: of the file, or of payments. */
function periodOf(
  database: Database,
  table: 'rows' | 'payments',
  { from, to, hasDaysOnly }: Pick<CompareOptions, 'from' | 'to' | 'hasDaysOnly'>,
): FilePeriod | undefined {
  const times = database.get(
    `SELECT min(time) AS first, max(time) AS last, max(time % ${DAY_MS}) AS rest FROM ${table}
      WHERE time IS NOT NULL${table === 'rows' ? ' AND verdict IS NULL' : ''}`,
  )
  if (typeof times?.['first'] !== 'number')
    return from === undefined || to === undefined ? undefined : { from, to, end: to }
  const [first, last] = [numberIn(times, 'first'), numberIn(times, 'last')]
  const areDays = table === 'rows' && (hasDaysOnly || numberIn(times, 'rest') === 0)
  const startOfDay = (ms: number) => Math.floor(ms / DAY_MS) * DAY_MS
  return {
    from: from ?? (areDays ? first : startOfDay(first)),
    to: to ?? (areDays ? last : startOfDay(last)) + DAY_MS - 1,
    // Without times, the file may cover its last day to the end.
    end: to ?? (areDays ? last + DAY_MS - 1 : table === 'rows' ? last : startOfDay(last) + DAY_MS - 1),
  }
}

/** The payments of a list, a page at a time. */
async function* pagesOf(
  read: BulkReader,
  query: Readonly<Record<string, string>>,
): AsyncGenerator<readonly PaymentFacts[]> {
  let isFirst = true
  for await (const { entries, fault } of readPaymentPages(read, query)) {
    yield entries.filter(isRecord).flatMap((entry) => factsOf(entry) ?? [])
    if (fault !== undefined)
      throw new PayError(
        'unusable_answer',
        EXIT.serverFault,
        `The payments can't be listed: ${fault.kind === 'failed' ? fault.message : FAULTS[fault.kind]}`,
        { outcome: 'none', retryable: true },
      )
    // The first page may be empty and still have a cursor; a later empty page ends the list.
    if (entries.length === 0 && !isFirst) return
    isFirst = false
  }
}

const REPEATS = "a page repeats, or its cursor can't be followed"
const FAULTS = { 'not-a-list': 'the response is not a list', 'no-cursor': REPEATS, repeats: REPEATS } as const

/**
 * Finds out what names the payments: what every row has and leads to payments of the period, or else what some rows have.
 * @throws {UsageError} if two columns lead to different payments
 */
async function findMatch(database: Database, readAll: () => Promise<void>): Promise<Match> {
  const has = (condition: string) =>
    database.get(`SELECT 1 FROM rows WHERE verdict IS NULL AND ${condition} LIMIT 1`) !== undefined
  const leads = (match: Match) =>
    has(`EXISTS (SELECT 1 FROM names WHERE match = '${match}' AND name = ${KEYS[match]})`)
  const contrary = database.get(
    `SELECT row FROM rows JOIN payments ON payments.id = rows.paymentId
      WHERE verdict IS NULL AND payments.orderId <> rows.orderId ORDER BY row LIMIT 1`,
  )
  if (contrary !== undefined && leads('order'))
    throw new UsageError(
      `Row ${numberIn(contrary, 'row')} has the ID of one payment and the order of another: both columns lead to payments`,
      { code: 'missing_input', hint: 'Say which names the payments: --match payment or --match order.' },
    )
  if (leads('payment')) return 'payment'
  if (leads('order') && !has('orderId IS NULL')) return 'order'
  // A list shows no transactions.
  if (has(`${KEYS.processor} IS NOT NULL`)) await readAll()
  if (leads('processor')) return 'processor'
  return leads('order') || !has('paymentId IS NOT NULL') ? 'order' : 'payment'
}

/**
 * Finds rows that take back another: a negative payment among positive ones, and a positive refund or chargeback beside a negative one
 * of the same payment.
 */
function findReversals(database: Database): void {
  database.run(
    `UPDATE rows SET isReversal = 1 WHERE kind = 'payment' AND isNegative
      AND EXISTS (SELECT 1 FROM rows WHERE kind = 'payment' AND NOT isNegative AND verdict IS NULL)`,
  )
  database.run(
    `UPDATE rows SET isReversal = 1 WHERE kind <> 'payment' AND NOT isNegative AND EXISTS
      (SELECT 1 FROM rows AS other WHERE other.key IS rows.key AND other.kind = rows.kind AND other.isNegative = 1)`,
  )
}

/** Finds the payment of each key among those that were read. */
function resolve(database: Database, match: Match): void {
  const keys = partsOf(
    database,
    `SELECT key, json_group_array(DISTINCT facts) FROM rows JOIN names ON match = '${match}' AND name = key
      JOIN payments ON payments.id = names.payment
      WHERE rows.payment IS NULL AND verdict IS NULL AND key > ? GROUP BY key ORDER BY key`,
    '',
  )
  for (const part of keys)
    database.transaction(() => {
      for (const [key, json] of part) {
        const texts: readonly string[] = JSON.parse(String(json))
        const found = texts.map(factsIn)
        const chosen = found.length === 1 ? found[0]?.id : chosenOf(found)
        const ids = found.map(({ id }) => id).toSorted()
        if (chosen !== undefined)
          database.run(`UPDATE rows SET payment = ? WHERE key = ? AND ${OPEN}`, chosen, String(key))
        else
          database.run(
            `UPDATE rows SET verdict = 'ambiguous', found = ? WHERE key = ? AND ${OPEN}`,
            `fits several payments: ${ids.slice(0, 3).join(', ')}${ids.length > 3 ? ', …' : ''}`,
            String(key),
          )
      }
    }, NOT_DURABLE)
}

const factsIn = (json: unknown): PaymentFacts => JSON.parse(String(json))

/** The only one of an order's payments that isn't over, if the others never captured anything. */
function chosenOf(payments: readonly PaymentFacts[]): string | undefined {
  const verdict = decidePaymentOfOrder(
    payments.map(({ status, captured, refunded }) => ({
      payment: { status, processor: { amountCaptured: captured, amountRefunded: refunded } },
      isFull: false,
    })),
  )
  return verdict.kind === 'one' ? payments[verdict.at]?.id : undefined
}

/** The totals of the file, by currency and kind. A row that names no payment counts only if it is a chargeback. */
function totalsOfFile(database: Database): Map<string, Total> {
  const sums = database.all(
    // In two parts, since SQLite adds up to 2^63, and amounts may be as large as 2^53.
    `SELECT currency, kind, sum(counted / 1000000 * sign) AS millions,
      sum(counted % 1000000 * sign) AS rest
      FROM (SELECT *, iif((kind = 'payment') = isReversal, -1, 1) AS sign FROM rows)
      WHERE counted IS NOT NULL AND (key IS NOT NULL OR kind = 'chargeback') GROUP BY currency, kind`,
  )
  const totals = new Map<string, Total>()
  for (const sum of sums)
    totalOf(
      totals,
      textIn(sum, 'currency') ?? '',
      ROW_KINDS.find((kind) => kind === sum['kind']) ?? 'other',
    ).file = BigInt(numberIn(sum, 'millions')) * 1_000_000n + BigInt(numberIn(sum, 'rest'))
  return totals
}

/** The total of a currency and kind, which may be new. Names sort as totals do. */
function totalOf(totals: Map<string, Total>, currencyCode: string, kind: RowKind): Total {
  const name = `${currencyCode} ${ROW_KINDS.indexOf(kind)}`
  const total = totals.get(name) ?? { currencyCode, kind, file: 0n, here: 0n }
  totals.set(name, total)
  return total
}

/** Judges each payment with its rows, the oldest first. */
function judgeAll(database: Database, period: FilePeriod | undefined, totals: Map<string, Total>): void {
  fillTodo(
    database,
    'SELECT id FROM payments WHERE isListed OR id IN (SELECT payment FROM rows) ORDER BY time, id',
  )
  const payments = partsOf(
    database,
    'SELECT n, facts, isListed FROM todo JOIN payments USING (id) WHERE n > ? ORDER BY n',
    0,
  )
  for (const part of payments)
    database.transaction(() => {
      for (const [, json, isListed] of part) {
        const facts = factsIn(json)
        const rows = database
          .arrays(
            'SELECT json, key, isReversal FROM rows WHERE payment = ? AND verdict IS NULL ORDER BY row',
            facts.id,
          )
          .map(([row, key, isReversal]): RowOfPayment => ({
            ...JSON.parse(String(row)),
            key,
            isReversal: isReversal === 1,
          }))
        const judged = judge(facts, rows, period, isListed === 1)
        for (const [row, { verdict, found }] of judged.rows)
          database.run('UPDATE rows SET verdict = ?, found = ? WHERE row = ?', verdict, found, row)
        for (const { verdict, found, ...lacking } of judged.lacking)
          database.run(
            'INSERT INTO rows(kind, payment, verdict, found, json) VALUES (?, ?, ?, ?, ?)',
            lacking.kind,
            facts.id,
            verdict,
            found,
            JSON.stringify({ ...lacking, currencyCode: facts.currencyCode }),
          )
        for (const kind of ['payment', 'refund'] as const)
          if (judged.here[kind] !== 0)
            totalOf(totals, facts.currencyCode, kind).here += BigInt(
              kind === 'payment' ? judged.here.payment : -judged.here.refund,
            )
      }
    }, NOT_DURABLE)
}

/** How many rows, and payments and refunds that the file lacks, have each verdict. */
function countVerdicts(database: Database) {
  const counts = Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0]))
  for (const [verdict, count] of database.arrays('SELECT verdict, count(*) FROM rows GROUP BY verdict'))
    counts[String(verdict)] = Number(count)
  return counts
}

function* exceptionsIn(database: Database, match: Match): Generator<Exception> {
  const rows = partsOf(
    database,
    `SELECT row, verdict, found, json, facts FROM rows LEFT JOIN payments ON payments.id = payment
      WHERE row > ? AND ${IS_EXCEPTION} ORDER BY row`,
    0,
  )
  for (const part of rows)
    for (const [, verdict, found, json, facts] of part) {
      const ours = facts === null ? undefined : factsIn(facts)
      const id = match === 'processor' ? (ours?.processorIds[0] ?? ours?.id) : ours?.id
      const payment = id === undefined ? undefined : { id, orderId: ours?.orderId }
      yield { ...JSON.parse(String(json)), verdict, found, payment }
    }
}

function fillTodo(database: Database, select: string): void {
  database.run('DELETE FROM todo')
  database.run(`INSERT INTO todo(id) ${select}`)
}

function* todoOf(database: Database): Generator<readonly string[]> {
  for (const part of partsOf(database, 'SELECT n, id FROM todo WHERE n > ? ORDER BY n', 0))
    yield part.map(([, id]) => String(id))
}

/** The rows of a query for those after a first column, a part at a time. */
function* partsOf(
  database: Database,
  sql: string,
  first: number | string,
): Generator<readonly (readonly unknown[])[]> {
  let after = first
  for (;;) {
    const part = database.arrays(`${sql} LIMIT ${PART}`, after)
    if (part.length === 0) return
    yield part
    const last = part.at(-1)?.[0]
    after = typeof last === 'string' ? last : Number(last)
  }
}
