import { refundStateOf, stateOf } from '../../api/payment-states.ts'
import type { RefundState } from '../../api/payment-states.ts'
import { isRecord } from '../../json/is-record.ts'
import { formatMoney } from '../../money/format.ts'
import { parseTimeMs } from '../../text/local-time.ts'
import { isRefund, minorIn, textIn } from '../payments/payment-facts.ts'
import type { FileRow } from './file-row.ts'

export const VERDICTS = [
  'matched',
  'expected',
  'amount_differs',
  'currency_differs',
  'status_differs',
  'missing_here',
  'missing_there',
  'twice',
  'ambiguous',
  'chargeback',
  'unread',
] as const
export type Verdict = (typeof VERDICTS)[number]

/** What is compared of a payment. */
export interface PaymentFacts {
  readonly id: string
  readonly orderId: string | undefined
  readonly status: string
  readonly currencyCode: string
  readonly timeMs: number | undefined
  readonly captured: number | undefined
  readonly refunded: number | undefined
  /** Undefined in a list, whose entries have no transactions. */
  readonly refunds: readonly RefundFacts[] | undefined
  /** The IDs of its transactions at the processor. */
  readonly processorIds: readonly string[]
}

export interface RefundFacts {
  readonly amount: number
  readonly state: RefundState
  readonly timeMs: number | undefined
  readonly processorId: string | undefined
}

/** Reads a payment, or its entry in a list; undefined without an ID. */
export function factsOf(payment: Readonly<Record<string, unknown>>): PaymentFacts | undefined {
  const { id, date, transactions } = payment
  if (typeof id !== 'string' || id === '') return undefined
  const processor = isRecord(payment['processor']) ? payment['processor'] : {}
  const status = textIn(payment, 'status') ?? ''
  // Before a capture, some services leave the figures out.
  const without = stateOf(status)?.captured === 'none' ? 0 : undefined
  const all = Array.isArray(transactions) ? transactions.filter(isRecord) : undefined
  return {
    id,
    orderId: textIn(payment, 'orderId'),
    status,
    currencyCode: textIn(payment, 'currencyCode') ?? '',
    timeMs: parseTimeMs(date),
    captured: minorIn(processor, 'amountCaptured') ?? without,
    refunded: minorIn(processor, 'amountRefunded') ?? without,
    refunds: all?.filter(isRefund).map((one) => ({
      amount: minorIn(one, 'amount') ?? 0,
      state: refundStateOf(textIn(one, 'processorStatus')),
      timeMs: parseTimeMs(one['date']),
      processorId: textIn(one, 'processorTransactionId'),
    })),
    processorIds: all?.flatMap((one) => textIn(one, 'processorTransactionId') ?? []) ?? [],
  }
}

/** A row that names the payment. */
export interface RowOfPayment extends Pick<FileRow, 'row' | 'kind' | 'timeMs' | 'status'> {
  readonly amount: number
  readonly currencyCode: string
  /** What named the payment, which may be the ID of a refund at the processor. */
  readonly key: string
  /** Whether it takes back another row. */
  readonly isReversal?: boolean
}

/** Whether the status in a row, if it has one, says that something was captured. */
export const isSettledThere = ({ status }: Pick<RowOfPayment, 'status'>): boolean =>
  stateOf(status)?.captured !== 'none'

/** The time that the file covers, in milliseconds. */
export interface FilePeriod {
  readonly from: number
  readonly to: number
  /** What happened later is expected in the next file. */
  readonly end: number
}

interface RowVerdict {
  readonly verdict: Verdict
  readonly found: string
}

/** A payment or refund that the file lacks. */
export interface Lacking extends RowVerdict {
  readonly kind: 'payment' | 'refund'
  readonly amount: number
  readonly timeMs: number | undefined
}

export interface Judgement {
  readonly rows: ReadonlyMap<number, RowVerdict>
  readonly lacking: readonly Lacking[]
  /** What the payment counts in the totals. */
  readonly here: { readonly payment: number; readonly refund: number }
}

/**
 * Judges the rows that name a payment, in file order, and finds what the file lacks of it. `isListed`: it was created in the
 * file's period.
 */
export function judge(
  payment: PaymentFacts,
  rows: readonly RowOfPayment[],
  period: FilePeriod | undefined,
  isListed: boolean,
): Judgement {
  const { id, captured, refunded, timeMs } = payment
  const verdicts = new Map<number, RowVerdict>()
  for (const { row, kind, isReversal } of rows)
    if (kind === 'chargeback' || isReversal === true)
      verdicts.set(row, {
        verdict: kind === 'chargeback' ? 'chargeback' : 'amount_differs',
        found: `${isReversal === true ? `the row takes back a ${kind} of ` : ''}${wordsOf(payment)}`,
      })
  const open = rows.filter(({ row }) => !verdicts.has(row))
  const payments = open.filter(({ kind }) => kind === 'payment')
  const refunds = open.filter(({ kind }) => kind === 'refund')
  judgePayments(payment, payments, period, verdicts)
  const { paired, left } = pairRefunds(payment, refunds, verdicts)
  const unpaired = left.filter((refund) => refund.state !== 'failed' && isWithin(refund.timeMs, period))
  const areUnread = payment.refunds === undefined && refunded !== 0 && isListed && refunds.length === 0
  return {
    rows: verdicts,
    lacking: [
      ...(payments.length === 0 && isListed ? lackingPayment(payment, period) : []),
      ...unpaired.map((refund) => lackingRefund(payment, refund, period)),
      ...(areUnread
        ? [
            {
              kind: 'refund',
              amount: refunded ?? 0,
              timeMs,
              verdict: 'unread',
              found: refundsUnread(id),
            } as const,
          ]
        : []),
    ],
    here: {
      payment: isListed || payments.length > 0 ? (captured ?? 0) : 0,
      refund: sum(paired.filter(({ state }) => state !== 'failed')) + sum(unpaired),
    },
  }
}

const sum = (amounts: readonly { readonly amount: number }[]): number =>
  amounts.reduce((total, { amount }) => total + amount, 0)

const isWithin = (timeMs: number | undefined, period: FilePeriod | undefined): boolean =>
  period !== undefined && (timeMs === undefined || (timeMs >= period.from && timeMs <= period.to))

const isAfter = (timeMs: number | undefined, end: number | undefined): boolean =>
  timeMs !== undefined && end !== undefined && timeMs > end

const wordsOf = ({ id, status, captured = 0, currencyCode }: PaymentFacts): string =>
  `payment ${id}, ${status}${captured === 0 ? '' : `, ${formatMoney(captured, currencyCode)} captured`}`

function judgePayments(
  payment: PaymentFacts,
  rows: readonly RowOfPayment[],
  period: FilePeriod | undefined,
  verdicts: Map<number, RowVerdict>,
): void {
  const { id, status, currencyCode, captured, timeMs } = payment
  const set = ({ row }: RowOfPayment, verdict: Verdict, found = wordsOf(payment)) =>
    verdicts.set(row, { verdict, found })
  const alike: RowOfPayment[] = []
  for (const row of rows)
    if (row.currencyCode !== currencyCode) set(row, 'currency_differs')
    else if (!isSettledThere(row)) set(row, row.status === status ? 'matched' : 'status_differs')
    else if (stateOf(status)?.captured === 'none')
      set(row, status === 'PENDING' || status === 'AUTHORIZED' ? 'expected' : 'status_differs')
    else if (captured === undefined) set(row, 'unread', `payment ${id} doesn't show what was captured`)
    else alike.push(row)
  if (captured === undefined) return
  let total = sum(alike)
  // From the last row on, those that repeat an earlier one are taken away while the others account for the whole.
  const once = alike.toReversed().filter((row) => {
    const isRepeat =
      total - row.amount >= captured && alike.some((one) => one.row < row.row && one.amount === row.amount)
    if (!isRepeat) return true
    total -= row.amount
    set(row, 'twice')
    return false
  })
  const whole = total === captured ? once : once.filter(({ amount }) => amount === captured).slice(-1)
  const agreed = status === 'SETTLING' || isAfter(timeMs, period?.to) ? 'expected' : 'matched'
  for (const row of once) set(row, whole.includes(row) ? agreed : 'amount_differs')
}

function lackingPayment(payment: PaymentFacts, period: FilePeriod | undefined): readonly Lacking[] {
  const { status, captured = 0, timeMs } = payment
  if (period === undefined || (status !== 'AUTHORIZED' && captured === 0)) return []
  const isExpected = status === 'AUTHORIZED' || status === 'SETTLING' || isAfter(timeMs, period.end)
  const verdict = isExpected ? 'expected' : 'missing_there'
  return [{ kind: 'payment', amount: captured, timeMs, verdict, found: wordsOf(payment) }]
}

function lackingRefund(payment: PaymentFacts, refund: RefundFacts, period: FilePeriod | undefined): Lacking {
  const { amount, timeMs, state } = refund
  const verdict = state === 'pending' || isAfter(timeMs, period?.end) ? 'expected' : 'missing_there'
  return { kind: 'refund', amount, timeMs, verdict, found: refundWords(payment, refund) }
}

const refundsUnread = (id: string): string => `the refunds of payment ${id} could not be read`

const refundWords = ({ id, currencyCode }: PaymentFacts, { amount, state, timeMs }: RefundFacts): string =>
  [
    `refund of ${formatMoney(amount, currencyCode)} of payment ${id}`,
    ...(timeMs === undefined ? [] : [new Date(timeMs).toISOString().slice(0, 10)]),
    ...(state === 'done' ? [] : [state]),
  ].join(', ')

/** Pairs rows with refunds: by the refund's own ID, then by amount and day, then by amount and the nearest day. */
function pairRefunds(
  payment: PaymentFacts,
  rows: readonly RowOfPayment[],
  verdicts: Map<number, RowVerdict>,
): { readonly paired: readonly RefundFacts[]; readonly left: readonly RefundFacts[] } {
  const { id, refunds, currencyCode } = payment
  const left = [...(refunds ?? [])]
  const paired: RefundFacts[] = []
  const open = new Set(rows)
  const set = (row: RowOfPayment, verdict: Verdict, found: string): void => {
    open.delete(row)
    verdicts.set(row.row, { verdict, found })
  }
  const pair = (row: RowOfPayment, refund: RefundFacts): void => {
    left.splice(left.indexOf(refund), 1)
    paired.push(refund)
    const agreed = row.amount === refund.amount ? REFUND_VERDICTS[refund.state] : 'amount_differs'
    set(row, row.currencyCode === currencyCode ? agreed : 'currency_differs', refundWords(payment, refund))
  }
  if (refunds === undefined) for (const row of open) set(row, 'unread', refundsUnread(id))
  for (const row of open) {
    const own = left.find(({ processorId }) => processorId === row.key)
    if (own !== undefined) pair(row, own)
  }
  for (const isSameDay of [true, false])
    for (const row of open) {
      const [nearest] = left
        .filter(({ amount }) => amount === row.amount)
        .toSorted(
          (one, other) =>
            Number(one.state === 'failed') - Number(other.state === 'failed') ||
            daysBetween(one, row) - daysBetween(other, row),
        )
      if (nearest !== undefined && (!isSameDay || daysBetween(nearest, row) === 0)) pair(row, nearest)
    }
  for (const row of open) {
    const first = rows.find((one) => one.row < row.row && one.amount === row.amount)
    const other = left.find(({ state }) => state !== 'failed')
    if (first !== undefined) set(row, 'twice', `as row ${first.row}: payment ${id}`)
    else if (other !== undefined) pair(row, other)
    else set(row, 'missing_here', `payment ${id} has no such refund`)
  }
  return { paired, left }
}

const REFUND_VERDICTS = { done: 'matched', pending: 'expected', failed: 'status_differs' } as const

const DAY_MS = 86_400_000

/** 0 on the same day in UTC, and where a time is unknown. */
const daysBetween = (one: Pick<RefundFacts, 'timeMs'>, other: typeof one): number =>
  one.timeMs === undefined || other.timeMs === undefined
    ? 0
    : Math.abs(Math.floor(one.timeMs / DAY_MS) - Math.floor(other.timeMs / DAY_MS))
