import { getPayment } from '../../api/operations/payment.ts'
import { stateOf } from '../../api/payment-states.ts'
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
import { VERDICTS, factsOf, judge } from './judge.ts'
import type { FilePeriod, PaymentFacts, RowOfPayment, Verdict } from './judge.ts'

/** What names the payment of a row. */
export const MATCHES = ['payment', 'order', 'processor'] as const
export type Match = (typeof MATCHES)[number]

export interface CompareOptions {
  /** The rows of the file and their cells, a part at a time. */
  readonly rows: AsyncIterable<Iterable<{ readonly row: FileRow; readonly cells: readonly string[] }>>
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

/** A row that is neither matched nor expected, or a payment or refund of ours that the file lacks. */
export interface Exception {
  readonly verdict: Verdict
  readonly found: string
  readonly kind: RowKind
  readonly amount: number | undefined
  readonly currencyCode: string | undefined
  readonly timeMs: number | undefined
  /** Its ID is the one at the processor where rows name payments by that. */
  readonly payment: { readonly id: string; readonly orderId: string | undefined } | undefined
  /** Undefined for one of ours. */
  readonly inFile:
    | { readonly row: number; readonly line: number; readonly cells: readonly string[] }
    | undefined
}

export interface Total {
  readonly currencyCode: string
  readonly kind: 'payment' | 'refund' | 'chargeback'
  file: bigint
  here: bigint
}

export interface Comparison {
  readonly match: Match
  /** Undefined if neither the file nor the user says it. */
  readonly period: FilePeriod | undefined
  readonly rows: number
  readonly byKind: Readonly<Partial<Record<RowKind, number>>>
  readonly verdicts: Readonly<Partial<Record<Verdict, number>>>
  readonly totals: readonly Total[]
  /** The values of kinds that aren't known, which count as other. */
  readonly unknownKinds: ReadonlyMap<string, number>
  /** The exceptions: those of the file in its order, then ours, oldest first. */
  readonly exceptions: () => Generator<Exception>
}

const TABLES = [
  // What the file lacks stands here too, after its rows and without cells.
  `CREATE TABLE rows(row INTEGER PRIMARY KEY, line INTEGER, kind TEXT NOT NULL, paymentId TEXT, orderId TEXT, processorId TEXT,
    amount INTEGER, currency TEXT, time INTEGER, status TEXT, key TEXT, payment TEXT, verdict TEXT, found TEXT, cells TEXT)`,
  `CREATE TABLE payments(id TEXT PRIMARY KEY, orderId TEXT, time INTEGER, refunded INTEGER, isListed INTEGER NOT NULL,
    isFull INTEGER NOT NULL, facts TEXT NOT NULL) WITHOUT ROWID`,
  'CREATE INDEX byOrder ON payments(orderId)',
  'CREATE TABLE ids(id TEXT NOT NULL, payment TEXT NOT NULL, PRIMARY KEY(id, payment)) WITHOUT ROWID',
  'CREATE TABLE todo(n INTEGER PRIMARY KEY, id TEXT NOT NULL)',
]

/** How many rows are written, or taken from the database, at a time. */
const PART = 1_000
/** The most payments that are read concurrently. */
const WINDOW = 128

/**
 * Compares the rows of a file with the payments of the account. Keeps both in a temporary database, so that memory stays flat. Reads
 * the payments of the file's period once, as a list, and in full only those with refunds and those that the list lacks.
 * @throws {PayError} if the payments can't be listed; {@link UsageError} if what names the payments is in doubt; what the reader throws
 */
export async function compare(options: CompareOptions): Promise<Comparison> {
  const database = openTemporaryDatabase()
  for (const sql of TABLES) database.run(sql)
  const kept = await keepRows(database, options)
  const stated = periodOf(database, 'rows', options)
  const store = createPaymentStore(database)
  const note = () => options.onProgress(kept.rows + store.count())
  const list = async ({ from, to }: FilePeriod) => {
    const query = { from_date: new Date(from).toISOString(), to_date: new Date(to).toISOString() }
    for await (const page of pagesOf(options.read, query)) {
      if (options.stop.aborted) return
      database.transaction(() => {
        for (const facts of page)
          store.keep(facts, facts.timeMs === undefined || (facts.timeMs >= from && facts.timeMs <= to), false)
      }, NOT_DURABLE)
      note()
    }
  }
  if (stated !== undefined) await list(stated)
  const match = options.match ?? (await findMatch(database, () => readFully('SELECT id FROM payments')))
  database.run(`UPDATE rows SET key = ${KEYS[match]}`)
  database.run('CREATE INDEX byKey ON rows(key)')
  database.run(
    `UPDATE rows SET verdict = ${orChargeback('unread')}, found = ? WHERE key IS NULL AND verdict IS NULL`,
    `the row has no ${NAMES[match]}`,
  )
  if (match === 'processor') await readFully('SELECT id FROM payments WHERE NOT isFull')
  resolve(database, match)
  if (match !== 'processor') await lookUp(match)
  resolve(database, match)
  // A file without times covers the time of its payments.
  const period = stated ?? periodOf(database, 'payments', options)
  if (stated === undefined && period !== undefined) await list(period)
  database.run('CREATE INDEX byPayment ON rows(payment)')
  await readFully(
    `SELECT id FROM payments WHERE NOT isFull AND
      (refunded IS NULL OR refunded <> 0 OR id IN (SELECT payment FROM rows WHERE kind = 'refund'))`,
  )
  judgeAll(database, period, kept.totals)
  database.run(
    `UPDATE rows SET verdict = ${orChargeback('missing_here')}, found = ? WHERE verdict IS NULL`,
    match === 'processor' && period !== undefined
      ? 'no payment of the period has this ID at the processor'
      : `no payment has this ${NAMES[match]}`,
  )
  return {
    match,
    period,
    rows: kept.rows,
    byKind: kept.byKind,
    verdicts: countVerdicts(database),
    totals: [...kept.totals.values()].toSorted(
      (total, other) =>
        compareTexts(total.currencyCode, other.currencyCode) ||
        ROW_KINDS.indexOf(total.kind) - ROW_KINDS.indexOf(other.kind),
    ),
    unknownKinds: kept.unknownKinds,
    exceptions: () => exceptionsIn(database, match),
  }

  /** Reads the payments of a query that selects their IDs, the newest first. */
  async function readFully(ids: string): Promise<void> {
    fillTodo(database, `SELECT id FROM payments WHERE id IN (${ids}) ORDER BY time DESC`)
    const readings = inOrder<string, ReadOutcome>(
      todoOf(database),
      (id) => options.read({ operation: getPayment, params: { id } }),
      WINDOW,
    )
    for await (const [id, outcome] of readings) {
      if (options.stop.aborted) return
      const facts = outcome.kind === 'answer' ? factsOf(outcome.json) : undefined
      // Without its transactions, its refunds count as unread.
      if (facts?.id === id) store.keep(facts, false, true)
      note()
    }
  }

  /** Looks for the payments of rows that the list lacks: they may have been created before the file's period. */
  async function lookUp(by: 'payment' | 'order'): Promise<void> {
    fillTodo(database, `SELECT key FROM rows WHERE ${OPEN} GROUP BY key ORDER BY max(time) DESC`)
    const read = by === 'payment' ? one : ofOrder
    const readings = inOrder<string, readonly PaymentFacts[] | string>(todoOf(database), read, WINDOW)
    for await (const [key, found] of readings) {
      if (options.stop.aborted) return
      if (typeof found === 'string')
        database.run(
          `UPDATE rows SET verdict = ${orChargeback('unread')}, found = ? WHERE key = ? AND ${OPEN}`,
          found,
          key,
        )
      else for (const facts of found) store.keep(facts, false, by === 'payment')
      note()
    }
  }

  async function one(id: string): Promise<readonly PaymentFacts[] | string> {
    const outcome = await options.read({ operation: getPayment, params: { id } })
    if (outcome.kind === 'not-found') return []
    const facts = outcome.kind === 'answer' ? factsOf(outcome.json) : undefined
    if (outcome.kind === 'failed') return `the payment could not be read (${outcome.message})`
    return facts?.id === id ? [facts] : 'the response is another payment'
  }

  async function ofOrder(orderId: string): Promise<readonly PaymentFacts[] | string> {
    try {
      const found: PaymentFacts[] = []
      for await (const page of pagesOf(options.read, { order_id: orderId }))
        found.push(...page.filter((facts) => facts.orderId === orderId))
      return found
    } catch (error) {
      if (error instanceof PayError && error.code === 'unusable_answer') return error.message
      throw error
    }
  }
}

const NOT_DURABLE = { isDurable: false }
const OPEN = 'payment IS NULL AND verdict IS NULL'
/** A verdict in SQL. A chargeback is one whatever payment it names. */
const orChargeback = (verdict: Verdict): string => `iif(kind = 'chargeback', 'chargeback', '${verdict}')`
const KEYS = {
  payment: 'paymentId',
  order: 'orderId',
  processor: 'coalesce(processorId, paymentId)',
} as const
const NAMES = { payment: 'payment ID', order: 'order', processor: 'ID at the processor' } as const
const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** Keeps the rows that are compared, and counts all. */
async function keepRows(database: Database, { rows, onProgress, stop }: CompareOptions) {
  const counts = { rows: 0 }
  const byKind: Partial<Record<RowKind, number>> = {}
  const unknownKinds = new Map<string, number>()
  const totals = new Map<string, Total>()
  for await (const part of rows) {
    if (stop.aborted) break
    database.transaction(() => {
      for (const { row, cells } of part) {
        counts.rows += 1
        const { kind, problem, amount, currencyCode } = row
        byKind[kind] = (byKind[kind] ?? 0) + 1
        const { unknownKind } = row
        if (unknownKind !== undefined && (unknownKinds.size < 100 || unknownKinds.has(unknownKind)))
          unknownKinds.set(unknownKind, (unknownKinds.get(unknownKind) ?? 0) + 1)
        if (!isCompared(kind)) continue
        database.run(
          'INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, ?, ?, ?)',
          row.row,
          row.line,
          kind,
          row.paymentId ?? null,
          row.orderId ?? null,
          row.processorId ?? null,
          amount ?? null,
          currencyCode ?? null,
          row.timeMs ?? null,
          row.status ?? null,
          problem === undefined ? null : 'unread',
          problem ?? null,
          JSON.stringify(cells),
        )
        const isSettled = stateOf(row.status)?.captured !== 'none'
        if (problem === undefined && isSettled && amount !== undefined && currencyCode !== undefined)
          totalOf(totals, currencyCode, kind).file += BigInt(kind === 'payment' ? amount : -amount)
      }
    }, NOT_DURABLE)
    onProgress(counts.rows)
  }
  return { ...counts, byKind, unknownKinds, totals }
}

function totalOf(totals: Map<string, Total>, currencyCode: string, kind: RowKind): Total {
  const key = `${currencyCode} ${kind}`
  const named = kind === 'refund' || kind === 'chargeback' ? kind : 'payment'
  const total = totals.get(key) ?? { currencyCode, kind: named, file: 0n, here: 0n }
  totals.set(key, total)
  return total
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

function createPaymentStore(database: Database) {
  let count = 0
  return {
    count: () => count,
    /** Keeps a payment. One that was read in full is not replaced by its entry in a list. */
    keep: (facts: PaymentFacts, isListed: boolean, isFull: boolean) => {
      count += 1
      database.run(
        `INSERT INTO payments VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT(id) DO UPDATE SET
          facts = iif(isFull, facts, excluded.facts), isFull = max(isFull, excluded.isFull), isListed = max(isListed, excluded.isListed)`,
        facts.id,
        facts.orderId ?? null,
        facts.timeMs ?? null,
        facts.refunded ?? null,
        Number(isListed),
        Number(isFull),
        JSON.stringify(facts),
      )
      for (const id of facts.processorIds)
        database.run('INSERT OR IGNORE INTO ids VALUES (?, ?)', id, facts.id)
    },
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
    if (fault !== undefined) throw unusable(fault.kind === 'failed' ? fault.message : FAULTS[fault.kind])
    // The first page may be empty and still have a cursor; a later empty page ends the list.
    if (entries.length === 0 && !isFirst) return
    isFirst = false
  }
}

const REPEATS = "a page repeats, or its cursor can't be followed"
const FAULTS = { 'not-a-list': 'the response is not a list', 'no-cursor': REPEATS, repeats: REPEATS } as const

const unusable = (why: string): PayError =>
  new PayError('unusable_answer', EXIT.serverFault, `The payments can't be listed: ${why}`, {
    outcome: 'none',
    retryable: true,
  })

/**
 * Finds out what names the payments: what every row has and leads to payments of the period, or else what some rows have.
 * @throws {UsageError} if two columns lead to different payments
 */
async function findMatch(database: Database, readAll: () => Promise<void>): Promise<Match> {
  const has = (condition: string) =>
    database.get(`SELECT 1 FROM rows WHERE verdict IS NULL AND ${condition} LIMIT 1`) !== undefined
  const areIn = {
    payment: 'SELECT id FROM payments',
    order: 'SELECT orderId FROM payments',
    processor: 'SELECT id FROM ids',
  }
  const leads = (match: Match) => has(`${KEYS[match]} IN (${areIn[match]})`)
  const isWhole = (match: Match) => !has(`${KEYS[match]} IS NULL`)
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
  if (leads('order') && isWhole('order')) return 'order'
  // A list shows no transactions.
  if (has(`${KEYS.processor} IS NOT NULL`)) await readAll()
  if (leads('processor')) return 'processor'
  return leads('order') || !has('paymentId IS NOT NULL') ? 'order' : 'payment'
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

/** Finds the payment of each key among those that were read. */
function resolve(database: Database, match: Match): void {
  const keys = partsOf(database, `SELECT DISTINCT key FROM rows WHERE key > ? AND ${OPEN} ORDER BY key`, '')
  const from = {
    payment: 'payments WHERE id = ?',
    order: 'payments WHERE orderId = ?',
    processor: 'ids JOIN payments ON payments.id = ids.payment WHERE ids.id = ?',
  }[match]
  for (const part of keys)
    database.transaction(() => {
      for (const [key] of part) {
        const found = database.arrays(`SELECT payments.id, facts FROM ${from}`, String(key))
        const ids = found.map(([id]) => String(id))
        if (ids.length === 0) continue
        const chosen = ids.length === 1 ? ids[0] : chosenOf(found.map(([, facts]) => factsIn(facts)))
        if (chosen !== undefined)
          database.run(`UPDATE rows SET payment = ? WHERE key = ? AND ${OPEN}`, chosen, String(key))
        else
          database.run(
            `UPDATE rows SET verdict = ${orChargeback('ambiguous')}, found = ? WHERE key = ? AND ${OPEN}`,
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

/** Judges each payment with its rows, the oldest first. */
function judgeAll(database: Database, period: FilePeriod | undefined, totals: Map<string, Total>): void {
  fillTodo(database, 'SELECT id FROM payments ORDER BY time, id')
  const payments = partsOf(
    database,
    'SELECT n, facts, isListed FROM todo JOIN payments USING (id) WHERE n > ? ORDER BY n',
    0,
  )
  for (const part of payments)
    database.transaction(() => {
      for (const [, json, isListed] of part) {
        const facts = factsIn(json)
        const rows = database.arrays(
          'SELECT row, kind, amount, currency, time, status, key FROM rows WHERE payment = ? AND verdict IS NULL ORDER BY row',
          facts.id,
        )
        if (rows.length === 0 && isListed !== 1) continue
        const judged = judge(facts, rows.map(rowIn), period, isListed === 1)
        for (const [row, { verdict, found }] of judged.rows)
          database.run('UPDATE rows SET verdict = ?, found = ? WHERE row = ?', verdict, found, row)
        for (const { kind, amount, timeMs, verdict, found } of judged.lacking)
          database.run(
            'INSERT INTO rows(kind, amount, currency, time, payment, verdict, found) VALUES (?, ?, ?, ?, ?, ?, ?)',
            kind,
            amount,
            facts.currencyCode,
            timeMs ?? null,
            facts.id,
            verdict,
            found,
          )
        for (const kind of ['payment', 'refund'] as const) {
          const amount = judged.here[kind]
          if (amount !== 0)
            totalOf(totals, facts.currencyCode, kind).here += BigInt(kind === 'payment' ? amount : -amount)
        }
      }
    }, NOT_DURABLE)
}

const optional = <T>(value: unknown, read: (value: unknown) => T): T | undefined =>
  value === null || value === undefined ? undefined : read(value)
const kindIn = (value: unknown): RowKind => ROW_KINDS.find((kind) => kind === value) ?? 'other'
const verdictIn = (value: unknown): Verdict => VERDICTS.find((verdict) => verdict === value) ?? 'unread'

const rowIn = ([row, kind, amount, currency, time, status, key]: readonly unknown[]): RowOfPayment => ({
  row: Number(row),
  kind: kindIn(kind),
  amount: Number(amount),
  currencyCode: String(currency),
  timeMs: optional(time, Number),
  status: optional(status, String),
  key: String(key),
})

function countVerdicts(database: Database): Comparison['verdicts'] {
  const counted = database.all('SELECT verdict, count(*) AS count FROM rows GROUP BY verdict')
  const counts = new Map(counted.map((row) => [textIn(row, 'verdict'), numberIn(row, 'count')]))
  return Object.fromEntries(VERDICTS.map((verdict) => [verdict, counts.get(verdict) ?? 0]))
}

function* exceptionsIn(database: Database, match: Match): Generator<Exception> {
  const rows = partsOf(
    database,
    `SELECT row, line, kind, amount, currency, rows.time, facts, verdict, found, cells
      FROM rows LEFT JOIN payments ON payments.id = payment
      WHERE row > ? AND verdict NOT IN ('matched', 'expected') ORDER BY row`,
    0,
  )
  for (const part of rows)
    for (const [row, line, kind, amount, currency, time, facts, verdict, found, cells] of part)
      yield {
        verdict: verdictIn(verdict),
        found: String(found),
        kind: kindIn(kind),
        amount: optional(amount, Number),
        currencyCode: optional(currency, String),
        timeMs: optional(time, Number),
        payment: optional(facts, (json) => {
          const { id, orderId, processorIds } = factsIn(json)
          return { id: match === 'processor' ? (processorIds[0] ?? id) : id, orderId }
        }),
        inFile: optional(cells, () => ({
          row: Number(row),
          line: Number(line),
          cells: JSON.parse(String(cells)),
        })),
      }
}
