import { factsOf, isRefund, movesMoney } from '../../api/facts.ts'
import { EXIT, LimitError, PayError } from '../../errors.ts'
import { jsonOrUndefined } from '../../json/json.ts'
import { formatMoney } from '../../money/format.ts'
import { textIn } from '../../store/database.ts'
import type { SqlValues } from '../../store/sqlite.ts'
import type { Tx } from '../../store/store.ts'
import { formatSpan } from '../../text/duration.ts'
import { pluralize } from '../../text/words.ts'
import { limitsInTime } from './limit-fields.ts'
import { checkValues, readRow, VALUES } from './entry.ts'
import type { DamagedRecord } from './entry.ts'
import { youngestAgeMs } from './moment.ts'
import type { Moment } from './moment.ts'
import { damagedRecord, intact } from './open-writes.ts'
import type { LimitsInTime } from './port.ts'
import { hasEnded, timingOf } from './record.ts'
import type { StoredRecord } from './record.ts'
import { OPEN } from './tables.ts'

/**
 * Limits over time: how much an account may refund, and how often it may move money, within a span. A write counts from when it
 * began, whatever became of it, unless it was refused; one that is open counts whatever its age.
 */

/** One limit that concerns a write. */
interface Ceiling {
  readonly spanMs: number
  /** Minor units, or writes. */
  readonly most: number
  /** How much of it a write takes; 0 for one that it doesn't concern. */
  readonly sizeOf: (record: StoredRecord) => number
  readonly format: (size: number) => string
  readonly of: string
}

function ceilingsOf({ maxTotal, maxCount }: LimitsInTime): readonly Ceiling[] {
  return [
    ...Object.entries(maxTotal ?? {}).map(([currencyCode, { amount, spanMs }]) => ({
      spanMs,
      most: amount,
      sizeOf: (record: StoredRecord) => sizeOfRefund(record, currencyCode),
      format: (size: number) => formatMoney(size, currencyCode),
      of: 'refunds',
    })),
    ...(maxCount === undefined
      ? []
      : [
          {
            spanMs: maxCount.spanMs,
            most: maxCount.count,
            sizeOf: ({ operation }: StoredRecord) => (movesMoney(operation) ? 1 : 0),
            format: (size: number) => pluralize(size, 'write'),
            of: 'writes that move money',
          },
        ]),
  ]
}

/** A refund of unknown amount or currency may be of any: it takes everything. A service may take 0 for none. */
function sizeOfRefund({ operation, amount, currencyCode }: StoredRecord, limited: string): number {
  if (!isRefund(operation) || (currencyCode !== null && currencyCode !== limited)) return 0
  return currencyCode === null || amount === null || amount <= 0 ? Number.POSITIVE_INFINITY : amount
}

/** How much of a limit is used. */
export interface Room {
  readonly limit: string
  readonly left: string
}

/**
 * Refuses a write that would pass a limit. The transaction holds what keeps the account's other writes from beginning.
 * @throws {PayError} exit 12
 */
export async function refuseOverLimit(
  tx: Tx,
  record: StoredRecord,
  limits: LimitsInTime,
  now: Date,
): Promise<void> {
  const { maxTotal } = limits
  const { operation, currencyCode } = record
  if (
    maxTotal !== undefined &&
    isRefund(operation) &&
    currencyCode !== null &&
    !Object.hasOwn(maxTotal, currencyCode)
  )
    throw refusal(
      `Refunds in ${currencyCode} have no limit over time, so none can be made`,
      `There are limits for: ${Object.keys(maxTotal).join(', ')}. ${ASK}`,
    )
  // `pay api` with a path of its own may do anything.
  if (factsOf(operation) === undefined)
    throw refusal('There are limits over time, which cannot be checked for a call to an unknown path', ASK)
  const ceilings = ceilingsOf(limits).filter(({ sizeOf }) => sizeOf(record) > 0)
  const counts = await countUnder(tx, record, record.first ?? {}, ceilings)
  for (const { ceiling, counted } of counts) {
    const size = ceiling.sizeOf(record)
    if (!Number.isFinite(size)) throw unknownSize(ceiling)
    const used = sumOf(counted)
    if (used + size > ceiling.most) throw overLimit(ceiling, { size, used, counted, now })
  }
}

/**
 * Whose writes a limit counts: those of the account, and on one machine also the profile's own at the same service, since its key
 * may be replaced, and a command may print another one each time.
 */
export type Limitee = Pick<StoredRecord, 'account' | 'profile' | 'baseUrl'>

const isOf =
  ({ account, profile, baseUrl }: Limitee, { databaseMs }: Moment) =>
  (record: StoredRecord): boolean =>
    record.account === account ||
    (databaseMs === undefined && profile !== null && record.profile === profile && record.baseUrl === baseUrl)

/** What is left of each of the limits. */
export async function roomIn(
  tx: Tx,
  limitee: Limitee,
  moment: Moment,
  limits: LimitsInTime,
): Promise<readonly Room[]> {
  const counts = await countUnder(tx, limitee, moment, ceilingsOf(limits))
  return counts.map(({ ceiling, counted }) => ({
    limit: formatCeiling(ceiling),
    left: ceiling.format(Math.max(0, ceiling.most - sumOf(counted))),
  }))
}

/** `2000.00 EUR in 24h` */
const formatCeiling = ({ most, format, spanMs }: Pick<Ceiling, 'most' | 'format' | 'spanMs'>): string =>
  `${format(most)} in ${formatSpan(spanMs)}`

interface Counted {
  readonly size: number
  readonly isOpen: boolean
  readonly beganMs: number
}

const sumOf = (counted: readonly Counted[]): number => counted.reduce((sum, { size }) => sum + size, 0)

/** The writes that count for each limit, last begun first, the open ones last. */
async function countUnder(
  tx: Tx,
  limitee: Limitee,
  moment: Moment,
  ceilings: readonly Ceiling[],
): Promise<readonly { readonly ceiling: Ceiling; readonly counted: readonly Counted[] }[]> {
  if (ceilings.length === 0) return []
  const counts = ceilings.map((ceiling) => ({ ceiling, counted: new Array<Counted>() }))
  const add = (record: StoredRecord, ageMs: number): void => {
    if (record.state === 'rejected') return
    for (const { ceiling, counted } of counts) {
      const size = ageMs > ceiling.spanMs ? 0 : ceiling.sizeOf(record)
      if (size > 0) counted.push({ size, isOpen: !hasEnded(record), beganMs: Date.parse(record.createdAt) })
    }
  }
  // First, since an open write may end before the next statement, which would miss it as an open one.
  const { account } = limitee
  const isCounted = isOf(limitee, moment)
  const where = moment.databaseMs === undefined ? '' : 'AND account = :account'
  const rows = await tx.all(
    `SELECT * FROM writes WHERE ${OPEN} ${where}`,
    moment.databaseMs === undefined ? {} : { account },
  )
  const open = rows.flatMap((row) => {
    const read = readRow(row)
    if (read.kind === 'damaged' && isElsewhere(read.damaged, account)) return []
    const { record } = intact(read)
    return isCounted(record) ? [record] : []
  })
  const ids = new Set(open.map(({ id }) => id))
  const spanMs = Math.max(...ceilings.map((ceiling) => ceiling.spanMs))
  for (const { record, ageMs } of await begunWithin(tx, account, { spanMs, moment }))
    if (!ids.has(record.id) && isCounted(record)) add(record, ageMs)
  for (const record of open) add(record, 0)
  return counts
}

/** The number of rows that are read at first: often, few are recent. Each part is four times as large as the one before it. */
const FIRST_PART = 16
const LARGEST_PART = 1024

/**
 * The writes that began within the span, and some before it, last begun first. A team's database dates them. On one machine anyone
 * may set the clocks, but rows stand in the order in which their writes began: none is older than the rows before it. The search
 * ends with a part whose writes all look older than the span.
 */
async function begunWithin(
  tx: Tx,
  account: string,
  { spanMs, moment }: { readonly spanMs: number; readonly moment: Moment },
): Promise<readonly Aged[]> {
  const { databaseMs, wallMs = 0 } = moment
  const where = databaseMs === undefined ? '' : 'account = :account AND created_at >= :since AND'
  const shared: SqlValues = databaseMs === undefined ? {} : { account, since: databaseMs - spanMs }
  const found: Aged[] = []
  let before = Number.MAX_SAFE_INTEGER
  for (let part = FIRST_PART; ; part = Math.min(4 * part, LARGEST_PART)) {
    let isRecent = false
    const rows = await tx.arrays(
      `SELECT ${VALUES} FROM writes WHERE ${where} place < :before ORDER BY place DESC LIMIT :part`,
      { ...shared, before, part },
    )
    for (const row of rows) {
      const read = checkValues(row)
      if (read.kind === 'damaged') {
        if (isElsewhere(read.damaged, account)) continue
        throw damagedRecord(read.damaged.id)
      }
      const { record } = read.entry()
      const createdMs = Date.parse(record.createdAt)
      // The state folder is this machine's, whatever its name was.
      const knownMs = youngestAgeMs(timingOf(record).first, moment) ?? wallMs - createdMs
      const ageMs = databaseMs === undefined ? knownMs : databaseMs - createdMs
      isRecent ||= ageMs <= spanMs
      found.push({ record, ageMs })
    }
    if (rows.length < part || !isRecent) break
    before = Number(rows.at(-1)?.at(-1))
  }
  let mostMs = Number.POSITIVE_INFINITY
  const oldestFirst = found.toReversed().map(({ record, ageMs }) => {
    // A clock that was set back says nothing, and gives 0.
    if (ageMs > 0) mostMs = Math.min(mostMs, ageMs)
    return { record, ageMs: Math.min(mostMs, ageMs) }
  })
  return oldestFirst.toReversed()
}

interface Aged {
  readonly record: StoredRecord
  readonly ageMs: number
}

/** What is damaged in another account doesn't concern this one. */
const isElsewhere = (damaged: DamagedRecord, account: string): boolean =>
  damaged.account !== undefined && damaged.account !== account

const refusal = (message: string, hint: string): PayError =>
  new PayError('over_limit_in_time', EXIT.limit, message, { outcome: 'none', hint })

const unknownSize = (ceiling: Ceiling): PayError =>
  refusal(
    `Refunds are limited to ${formatCeiling(ceiling)}, and the amount or currency of this one is unknown`,
    'Give both, such as --amount "5.00 EUR".',
  )

interface Excess {
  readonly size: number
  readonly used: number
  readonly counted: readonly Counted[]
  readonly now: Date
}

const ASK = 'Ask the person who set this limit.'

function overLimit(ceiling: Ceiling, { size, used, counted, now }: Excess): PayError {
  const { format, of, most } = ceiling
  const usedText = Number.isFinite(used) ? format(used) : 'one of an unknown amount'
  const room =
    size > most ? 'There is never room for that.' : roomAgain(ceiling, { size, used, counted, now })
  return refusal(
    `${format(size)} more would pass the limit of ${formatCeiling(ceiling)}: ${of} of that time come to ${usedText}`,
    `${room} ${ASK}`,
  )
}

/** When enough of what counts has left the span, oldest first. */
function roomAgain({ most, spanMs }: Ceiling, { size, used, counted, now }: Excess): string {
  let left = used
  for (const { size: one, isOpen, beganMs } of counted.toReversed()) {
    if (isOpen) continue
    left = Number.isFinite(left) ? left - one : sumOf(counted.filter((other) => other.beganMs > beganMs))
    if (left + size > most) continue
    const at = new Date(Math.max(beganMs + spanMs, now.getTime()))
    return `There is room for it again at ${at.toISOString().slice(0, 19)}Z.`
  }
  return 'There is room for it again once an open write has ended: see pay ops list --state in-doubt.'
}

/**
 * The limits of a team's account; undefined if it has none.
 * @throws {LimitError} if they can't be read
 */
export async function accountLimits(tx: Tx, account: string): Promise<LimitsInTime | undefined> {
  const text = textIn(
    await tx.get('SELECT limits FROM accounts WHERE name = :account', { account }),
    'limits',
  )
  if (text === undefined) return undefined
  const parsed = limitsInTime().safeParse(jsonOrUndefined(text))
  if (parsed.success) return parsed.data
  throw new LimitError(`The limits of the account ${account} in the team's ledger can't be read`, {
    hint: 'A newer version of pay may have set them: update pay.',
  })
}

/**
 * Keeps every other claim of the account that is limited waiting until this one's commit: a count alone would miss those that
 * have not committed yet.
 */
export const lockAccount = async (tx: Tx, account: string): Promise<void> => {
  await tx.get('SELECT pg_advisory_xact_lock(hashtextextended(:lock, 0)) IS NULL AS locked', {
    lock: `pay ledger account ${account}`,
  })
}
