import type {
  ListOf,
  ListPage,
  SingleUseToken,
  StoredInstrument,
  StoredPayment,
  StoredSession,
} from '../domain/stored.ts'
import type { ExternalPayment } from '../../api/models/external-payment.ts'
import type { LoyaltyTransaction } from '../../api/models/loyalty.ts'
import type { CheckoutSettings } from '../../api/checkout-settings.ts'
import type { RecordSource } from '../domain/records.ts'
import type { Identifiers } from '../domain/identifiers.ts'
import type { Fault, NewFault } from '../faults/fault.ts'
import type { Database, Row } from '../../store/database.ts'
import { anyContains, isExternalPayment, patternOf, recordsIn } from './records.ts'
import { requestsIn } from './request-log.ts'
import { randomUUID } from 'node:crypto'
import { DEFAULT_SETTINGS } from '../../api/checkout-settings.ts'
import { textIn, numberIn } from '../../store/database.ts'
import { hasTexts, readDocument, writeDocument } from './document.ts'
import { sha256Base64url } from '../../files/sha256.ts'
import { isRecord } from '../../json/is-record.ts'
import { assertMoney } from '../domain/payment/money-invariants.ts'
import { authorizedAmount, isStoredPayment } from '../domain/stored.ts'
import { scenarioOfToken } from '../domain/scenarios/payment-scenarios.ts'
import type { SqlValue } from '../../store/sqlite.ts'
import { toSortableDate } from '../domain/datetime.ts'
import { UsageError } from '../../errors.ts'

/** Everything that the sandbox keeps. */
export type Store = ReturnType<typeof storeIn>

export const storeIn = (database: Database, ids: Pick<Identifiers, 'token'>) => ({
  settings: settingsIn(database, ids.token),
  sessions: sessionsIn(database),
  payments: paymentsIn(database),
  singleUseTokens: singleUseTokensIn(database),
  instruments: instrumentsIn(database),
  externalPayments: externalPaymentsIn(database),
  records: recordsIn(database),
  loyalty: loyaltyIn(database),
  idempotencyKeys: idempotencyKeysIn(database),
  faults: faultsIn(database),
  requests: requestsIn(database),
})

const isCheckoutSettings = hasTexts<CheckoutSettings>('threeDSecure', 'authorizationType')

/** Values that apply to the whole folder. */
function settingsIn(database: Database, newSecret: () => string) {
  const read = (name: string) =>
    textIn(database.get('SELECT value FROM settings WHERE name = ?', name), 'value')
  const write = (name: string, value: string) => {
    database.run(
      'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      name,
      value,
    )
    return value
  }
  return {
    /** A mark that differs after each change that isn't a logged request; undefined before the first one. */
    changeMark: () => read('change-mark'),
    /** Changes the mark, so that listeners notice. Takes none of the sandbox's own IDs, so that controls don't change those. */
    markChange: (): void => void write('change-mark', randomUUID()),
    /** The ID that tells these data from all others, also from those before a reset; undefined in data of earlier versions. */
    identity: () => read('identity'),
    makeIdentity: (): void => void write('identity', randomUUID()),
    /** A mark that differs for each made-up history; undefined if the store was emptied since. */
    seedMark: () => read('seed-mark'),
    markSeed: () => write('seed-mark', randomUUID()),
    /** How far the virtual clock is ahead of the machine's, in milliseconds. */
    clockOffsetMs: () => Number(read('clock-offset-ms') ?? 0),
    setClockOffsetMs: (offsetMs: number): void => void write('clock-offset-ms', String(offsetMs)),
    checkout: () => readDocument({ doc: read('checkout') }, isCheckoutSettings) ?? DEFAULT_SETTINGS,
    saveCheckout: (settings: CheckoutSettings): void => void write('checkout', writeDocument(settings)),
    /** The secret that signs client tokens; created on first use, at random unless told how. */
    secret: (make = newSecret) => read('secret') ?? write('secret', make()),
  }
}

const isStoredSession = (value: unknown): value is StoredSession =>
  isRecord(value) && typeof value['expiresAtMs'] === 'number'

/** Stores a hash of each session id, never the client token itself. */
function sessionsIn(database: Database) {
  const findByHash = (idHash: string): StoredSession | undefined =>
    readDocument(database.get('SELECT doc FROM sessions WHERE id_hash = ?', idHash), isStoredSession)
  return {
    find: (id: string) => findByHash(sha256Base64url(id)),
    findByHash,
    save: (id: string, session: StoredSession): void =>
      void database.run(
        `INSERT INTO sessions (id_hash, expires_at, order_id, customer_id, doc) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (id_hash) DO UPDATE SET expires_at = excluded.expires_at, order_id = excluded.order_id,
           customer_id = excluded.customer_id, doc = excluded.doc`,
        sha256Base64url(id),
        session.expiresAtMs,
        session.orderId ?? null,
        session.customerId ?? null,
        writeDocument(session),
      ),
    /** The sessions, the one that expires last first. Searches orders and customers. */
    list: ({
      offset,
      limit,
      search,
    }: ListPage): ListOf<{ readonly idHash: string; readonly session: StoredSession }> => {
      const where = search === '' ? '' : ` WHERE ${anyContains(['order_id', 'customer_id'])}`
      const values = search === '' ? [] : [patternOf(search), patternOf(search)]
      const rows = database.all(
        `SELECT id_hash, doc FROM sessions${where} ORDER BY expires_at DESC, id_hash LIMIT ? OFFSET ?`,
        ...values,
        limit,
        offset,
      )
      return {
        total: numberIn(database.get(`SELECT count(*) AS n FROM sessions${where}`, ...values), 'n'),
        data: rows.flatMap((row) => {
          const session = readDocument(row, isStoredSession)
          return session === undefined ? [] : [{ idHash: textIn(row, 'id_hash') ?? '', session }]
        }),
      }
    },
  }
}

const DOCUMENT = 'SELECT doc FROM records JOIN documents USING (seq)'

const paymentsIn = (database: Database) => ({
  find: (id: string): StoredPayment | undefined =>
    readDocument(database.get(`${DOCUMENT} WHERE id = ? AND source = 'payments'`, id), isStoredPayment),
  /** @throws {Error} if the amounts don't add up */
  insert: (payment: StoredPayment): void => {
    assertMoney(payment)
    const isNew = insertRecord(database, {
      source: 'payments',
      id: payment.id,
      time: payment.date,
      columns: columnsOfPayment(payment),
      document: payment,
    })
    if (!isNew) throw new Error(`Payment ${payment.id} is already in the store`)
  },
  /** @throws {Error} if the amounts don't add up, or if there is no such payment */
  save: (payment: StoredPayment): void => {
    assertMoney(payment)
    const isKnown = updateRecord(database, payment.id, columnsOfPayment(payment), payment)
    if (!isKnown) throw new Error(`Payment ${payment.id} is not in the store`)
  },
  /** The payments with an event due at or before this time. */
  due: (nowMs: number): readonly StoredPayment[] =>
    database
      .all(`${DOCUMENT} WHERE due_at <= ?`, nowMs)
      .flatMap((row) => readDocument(row, isStoredPayment) ?? []),
  /** The payments with an event still to come, the next one first. */
  upcoming: (limit: number): readonly StoredPayment[] =>
    database
      .all(`${DOCUMENT} WHERE due_at IS NOT NULL ORDER BY due_at, seq LIMIT ?`, limit)
      .flatMap((row) => readDocument(row, isStoredPayment) ?? []),
  /** The payment of a client session: one that isn't DECLINED or FAILED, otherwise the latest. */
  findOfSession: (sessionIdHash: string): StoredPayment | undefined =>
    readDocument(
      database.get(
        `${DOCUMENT} WHERE session_hash = ? ORDER BY status IN ('DECLINED', 'FAILED'), seq DESC LIMIT 1`,
        sessionIdHash,
      ),
      isStoredPayment,
    ),
  /** How many calls on the payment were refused. */
  failures: (id: string): number =>
    numberIn(database.get('SELECT failures FROM records WHERE id = ?', id), 'failures'),
  countFailure: (id: string): void =>
    void database.run('UPDATE records SET failures = failures + 1 WHERE id = ?', id),
})

const externalPaymentsIn = (database: Database) => ({
  find: (paymentId: string): ExternalPayment | undefined =>
    readDocument(
      database.get(
        `SELECT doc FROM records JOIN documents USING (seq) WHERE id = ? AND source = 'external'`,
        paymentId,
      ),
      isExternalPayment,
    ),
  /** Adds a record. Returns false if its id is taken, by another record or by a payment. */
  insert: (paymentId: string, record: ExternalPayment): boolean =>
    insertRecord(database, {
      source: 'external',
      id: paymentId,
      time: toSortableDate(record.createdAt ?? ''),
      columns: columnsOfExternal(record),
      document: record,
    }),
  save: (paymentId: string, record: ExternalPayment): void =>
    void updateRecord(database, paymentId, columnsOfExternal(record), record),
})

/** The columns that a change of the record can change. */
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

/** Adds a record. Returns false if its ID is taken, by a payment or an external record. */
function insertRecord(database: Database, { source, id, time, columns, document }: NewRecord): boolean {
  if (database.run(INSERT, source, id, time, ...valuesOf(columns)) === 0) return false
  database.run('INSERT INTO documents (seq, doc) VALUES (last_insert_rowid(), ?)', writeDocument(document))
  return true
}

/** Changes a record. Returns false if there is none. */
function updateRecord(database: Database, id: string, columns: Columns, document: object): boolean {
  if (database.run(UPDATE, ...valuesOf(columns), id) === 0) return false
  database.run(
    'UPDATE documents SET doc = ? WHERE seq = (SELECT seq FROM records WHERE id = ?)',
    writeDocument(document),
    id,
  )
  return true
}

const valuesOf = (columns: Columns): readonly SqlValue[] => COLUMNS.map((name) => columns[name] ?? null)

function columnsOfPayment(payment: StoredPayment): Columns {
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

const columnsOfExternal = (record: ExternalPayment): Columns => ({
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

const isSingleUseToken = hasTexts<SingleUseToken>('token', 'scenario')

const singleUseTokensIn = (database: Database) => ({
  find: (token: string): SingleUseToken | undefined =>
    readDocument(database.get('SELECT doc FROM single_use_tokens WHERE token = ?', token), isSingleUseToken),
  save: (token: SingleUseToken): void =>
    void database.run(
      `INSERT INTO single_use_tokens (token, doc) VALUES (?, ?)
       ON CONFLICT (token) DO UPDATE SET doc = excluded.doc`,
      token.token,
      writeDocument(token),
    ),
})

const isStoredInstrument = hasTexts<StoredInstrument>('token', 'customerId')

const instrumentsIn = (database: Database) => ({
  find: (token: string): StoredInstrument | undefined =>
    readDocument(database.get('SELECT doc FROM instruments WHERE token = ?', token), isStoredInstrument),
  insert: (instrument: StoredInstrument): void =>
    void database.run(
      'INSERT INTO instruments (token, customer_id, doc) VALUES (?, ?, ?)',
      instrument.token,
      instrument.customerId,
      writeDocument(instrument),
    ),
  save: (instrument: StoredInstrument): void =>
    void database.run(
      'UPDATE instruments SET is_deleted = ?, doc = ? WHERE token = ?',
      instrument.deletedAt === undefined ? 0 : 1,
      writeDocument(instrument),
      instrument.token,
    ),
  /** The saved methods of a customer, newest first, including deleted ones. */
  ofCustomer: (customerId: string): readonly StoredInstrument[] =>
    database
      .all('SELECT doc FROM instruments WHERE customer_id = ? ORDER BY seq DESC', customerId)
      .flatMap((row) => readDocument(row, isStoredInstrument) ?? []),
  /** The saved methods that aren't deleted, by customer, newest first. Searches customers. */
  list: ({ offset, limit, search }: ListPage): ListOf<StoredInstrument> => {
    const where = `WHERE is_deleted = 0 AND ${anyContains(['customer_id'])}`
    const pattern = patternOf(search)
    return {
      total: numberIn(database.get(`SELECT count(*) AS n FROM instruments ${where}`, pattern), 'n'),
      data: database
        .all(
          `SELECT doc FROM instruments ${where} ORDER BY customer_id, seq DESC LIMIT ? OFFSET ?`,
          pattern,
          limit,
          offset,
        )
        .flatMap((row) => readDocument(row, isStoredInstrument) ?? []),
    }
  },
})

const loyaltyIn = (database: Database) => ({
  /** The balance; undefined for a customer who hasn't used the connection yet. */
  balance: (connectionId: string, customerId: string): number | undefined => {
    const row = database.get(
      'SELECT balance FROM loyalty_balances WHERE connection_id = ? AND customer_id = ?',
      connectionId,
      customerId,
    )
    return row === undefined ? undefined : numberIn(row, 'balance')
  },
  setBalance: (connectionId: string, customerId: string, balance: number): void =>
    void database.run(
      `INSERT INTO loyalty_balances (connection_id, customer_id, balance) VALUES (?, ?, ?)
       ON CONFLICT (connection_id, customer_id) DO UPDATE SET balance = excluded.balance`,
      connectionId,
      customerId,
      balance,
    ),
  insert: (id: string, transaction: LoyaltyTransaction): void =>
    void database.run(
      'INSERT INTO loyalty_transactions (id, doc) VALUES (?, ?)',
      id,
      writeDocument(transaction),
    ),
})

/** A key that a processed call has used. */
export interface UsedKey {
  readonly operation: string
  readonly paymentId: string
  /** The hash of operation, target and body; missing for keys that an older program stored. */
  readonly requestHash: string | undefined
  /** The payment as the call left it. */
  readonly payment: StoredPayment | undefined
}

const idempotencyKeysIn = (database: Database) => ({
  find: (key: string): UsedKey | undefined => {
    const row = database.get(
      'SELECT operation, payment_id, request_hash, doc FROM idempotency_keys WHERE key = ?',
      key,
    )
    if (row === undefined) return undefined
    return {
      operation: textIn(row, 'operation') ?? '',
      paymentId: textIn(row, 'payment_id') ?? '',
      requestHash: textIn(row, 'request_hash'),
      payment: readDocument(row, isStoredPayment),
    }
  },
  /** Stores the payment's current state with the key. */
  insert: (key: string, { operation, paymentId, requestHash }: Omit<UsedKey, 'payment'>): void =>
    void database.run(
      `INSERT INTO idempotency_keys (key, operation, payment_id, request_hash, doc)
       VALUES (?, ?, ?, ?, (SELECT doc FROM records JOIN documents USING (seq) WHERE id = ?))`,
      key,
      operation,
      paymentId,
      requestHash ?? null,
      paymentId,
    ),
})

const isNewFault = hasTexts<NewFault>('on', 'do')

function toFault(row: Row): readonly Fault[] {
  const fault = readDocument(row, isNewFault)
  if (fault === undefined) return []
  const [id, matched, fired] = [numberIn(row, 'id'), numberIn(row, 'matched'), numberIn(row, 'fired')]
  return [{ id, ...fault, matched, fired }]
}

/** The most faults: every request is compared with all of them. */
const MAX_FAULTS = 100

const tooMany = () =>
  new UsageError(`The limit of ${MAX_FAULTS} faults is reached`, {
    code: 'too_many_faults',
    hint: 'Clear them first: pay sandbox faults clear',
    outcome: 'none',
  })

const faultsIn = (database: Database) => ({
  any: (): boolean => database.get('SELECT 1 FROM faults LIMIT 1') !== undefined,
  /** The faults, oldest first. */
  list: (): readonly Fault[] =>
    database.all('SELECT id, doc, matched, fired FROM faults ORDER BY id').flatMap(toFault),
  /** @throws {UsageError} `too_many_faults` once there are a hundred */
  add: (fault: NewFault): Fault => {
    if (numberIn(database.get('SELECT count(*) AS many FROM faults'), 'many') >= MAX_FAULTS) throw tooMany()
    const row = database.get('INSERT INTO faults (doc) VALUES (?) RETURNING id', writeDocument(fault))
    return { id: numberIn(row, 'id'), ...fault, matched: 0, fired: 0 }
  },
  /** Counts a request that matches the fault, and whether the fault met it. */
  count: (id: number, fired: boolean): void =>
    void database.run(
      'UPDATE faults SET matched = matched + 1, fired = fired + ? WHERE id = ?',
      fired ? 1 : 0,
      id,
    ),
  /** Removes all faults, and returns how many there were. */
  clear: (): number => database.run('DELETE FROM faults'),
})
