import { refundStateOf, stateOf } from '../../api/payment-states.ts'
import type { RefundState } from '../../api/payment-states.ts'
import { isRecord } from '../../json/is-record.ts'
import { formatMoney } from '../../money/format.ts'
import { parseTimeMs } from '../../text/local-time.ts'
import type { RowKind } from '../map/mapping-file.ts'
import { isRefund, minorIn, textIn } from '../payments/payment-facts.ts'

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
export interface RowOfPayment {
  readonly row: number
  readonly kind: RowKind
  readonly amount: number
  readonly currencyCode: string
  readonly timeMs: number | undefined
  readonly status: string | undefined
  /** What named the payment, which may be the ID of a refund at the processor. */
  readonly key: string
}

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
  const verdicts = new Map<number, RowVerdict>()
  const of = (kind: RowKind) => rows.filter((row) => row.kind === kind)
  for (const { row } of of('chargeback'))
    verdicts.set(row, { verdict: 'chargeback', found: `payment ${payment.id}, ${stateWords(payment)}` })
  const payments = of('payment')
  for (const [row, verdict] of judgePayments(payment, payments, period)) verdicts.set(row, verdict)
  const refunds = pairRefunds(payment, of('refund'))
  for (const [row, verdict] of refunds.verdicts) verdicts.set(row, verdict)
  const unpaired = refunds.left.filter(
    ({ state, timeMs }) => state !== 'failed' && period !== undefined && isWithin(timeMs, period),
  )
  const lacking = period === undefined ? [] : unpaired.map((refund) => lackingRefund(payment, refund, period))
  const areUnread =
    payment.refunds === undefined && payment.refunded !== 0 && isListed && of('refund').length === 0
  const unread: Lacking = {
    kind: 'refund',
    amount: payment.refunded ?? 0,
    timeMs: payment.timeMs,
    verdict: 'unread',
    found: refundsUnread(payment),
  }
  const lackingPayment =
    payments.length === 0 && isListed && period !== undefined ? lackingPaymentOf(payment, period) : undefined
  return {
    rows: verdicts,
    lacking: [
      ...(lackingPayment === undefined ? [] : [lackingPayment]),
      ...lacking,
      ...(areUnread ? [unread] : []),
    ],
    here: {
      payment: isListed || payments.length > 0 ? (payment.captured ?? 0) : 0,
      refund: sum(refunds.paired.filter(({ state }) => state !== 'failed')) + sum(unpaired),
    },
  }
}

const sum = (amounts: readonly { readonly amount: number }[]): number =>
  amounts.reduce((total, { amount }) => total + amount, 0)

const isWithin = (timeMs: number | undefined, { from, to }: FilePeriod): boolean =>
  timeMs === undefined || (timeMs >= from && timeMs <= to)

const stateWords = ({ status, captured, currencyCode }: PaymentFacts): string =>
  `${status}${captured === undefined || captured === 0 ? '' : `, ${formatMoney(captured, currencyCode)} captured`}`

function judgePayments(
  payment: PaymentFacts,
  rows: readonly RowOfPayment[],
  period: FilePeriod | undefined,
): ReadonlyMap<number, RowVerdict> {
  const { id, status, currencyCode, captured, timeMs } = payment
  const verdicts = new Map<number, RowVerdict>()
  const found = `payment ${id}, ${stateWords(payment)}`
  const set = (row: RowOfPayment, verdict: Verdict, words = found) =>
    verdicts.set(row.row, { verdict, found: words })
  const state = stateOf(status)
  const alike: RowOfPayment[] = []
  for (const row of rows) {
    const isUnsettledThere = stateOf(row.status)?.captured === 'none'
    if (row.currencyCode !== currencyCode) set(row, 'currency_differs')
    else if (isUnsettledThere) set(row, row.status === status ? 'matched' : 'status_differs')
    else if (state?.captured === 'none')
      set(row, status === 'PENDING' || status === 'AUTHORIZED' ? 'expected' : 'status_differs')
    else if (captured === undefined) set(row, 'unread', `payment ${id} doesn't show what was captured`)
    else alike.push(row)
  }
  if (captured === undefined) return verdicts
  let total = sum(alike)
  const once = alike.toReversed().filter((row) => {
    const isRepeat =
      total - row.amount >= captured && alike.some((one) => one.row < row.row && one.amount === row.amount)
    if (!isRepeat) return true
    total -= row.amount
    set(row, 'twice')
    return false
  })
  const isYounger = period !== undefined && timeMs !== undefined && timeMs > period.to
  const whole = total === captured ? once : once.filter(({ amount }) => amount === captured).slice(-1)
  for (const row of once)
    set(
      row,
      !whole.includes(row) ? 'amount_differs' : isYounger || status === 'SETTLING' ? 'expected' : 'matched',
    )
  return verdicts
}

function lackingPaymentOf(
  { id, status, captured, timeMs, currencyCode, ...rest }: PaymentFacts,
  { end }: FilePeriod,
): Lacking | undefined {
  const isAuthorized = status === 'AUTHORIZED'
  if (!isAuthorized && (captured === undefined || captured === 0)) return undefined
  const isExpected = isAuthorized || status === 'SETTLING' || (timeMs !== undefined && timeMs > end)
  return {
    kind: 'payment',
    amount: captured ?? 0,
    timeMs,
    verdict: isExpected ? 'expected' : 'missing_there',
    found: `payment ${id}, ${stateWords({ id, status, captured, timeMs, currencyCode, ...rest })}`,
  }
}

const refundsUnread = ({ id }: PaymentFacts): string => `the refunds of payment ${id} could not be read`

const refundWords = ({ id, currencyCode }: PaymentFacts, { amount, state, timeMs }: RefundFacts): string =>
  `refund of ${formatMoney(amount, currencyCode)} of payment ${id}${timeMs === undefined ? '' : `, ${dayOf(timeMs)}`}${state === 'done' ? '' : `, ${state}`}`

const lackingRefund = (payment: PaymentFacts, refund: RefundFacts, { end }: FilePeriod): Lacking => ({
  kind: 'refund',
  amount: refund.amount,
  timeMs: refund.timeMs,
  verdict:
    refund.state === 'pending' || (refund.timeMs !== undefined && refund.timeMs > end)
      ? 'expected'
      : 'missing_there',
  found: refundWords(payment, refund),
})

/** Pairs rows with refunds: by the refund's own ID, then by amount and day, then by amount and the nearest day. */
function pairRefunds(payment: PaymentFacts, rows: readonly RowOfPayment[]) {
  const left = [...(payment.refunds ?? [])]
  const paired: RefundFacts[] = []
  const verdicts = new Map<number, RowVerdict>()
  if (payment.refunds === undefined) {
    const found = refundsUnread(payment)
    for (const { row } of rows) verdicts.set(row, { verdict: 'unread', found })
    return { verdicts, paired, left }
  }
  const open = new Set(rows)
  const pair = (row: RowOfPayment, refund: RefundFacts, differs?: 'amount_differs') => {
    open.delete(row)
    left.splice(left.indexOf(refund), 1)
    paired.push(refund)
    const isOther = row.currencyCode !== payment.currencyCode
    verdicts.set(row.row, {
      verdict: isOther
        ? 'currency_differs'
        : (differs ?? (row.amount === refund.amount ? REFUND_VERDICTS[refund.state] : 'amount_differs')),
      found: refundWords(payment, refund),
    })
  }
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
    if (first !== undefined)
      verdicts.set(row.row, { verdict: 'twice', found: `as row ${first.row}: payment ${payment.id}` })
    else if (other !== undefined) pair(row, other, 'amount_differs')
    else
      verdicts.set(row.row, {
        verdict: 'missing_here',
        found: `payment ${payment.id} has no such refund`,
      })
  }
  return { verdicts, paired, left }
}

const REFUND_VERDICTS = { done: 'matched', pending: 'expected', failed: 'status_differs' } as const

const DAY_MS = 86_400_000
const dayOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10)

/** 0 on the same day in UTC, and where a time is unknown. */
const daysBetween = (one: { readonly timeMs: number | undefined }, other: typeof one): number =>
  one.timeMs === undefined || other.timeMs === undefined
    ? 0
    : Math.abs(Math.floor(one.timeMs / DAY_MS) - Math.floor(other.timeMs / DAY_MS))
