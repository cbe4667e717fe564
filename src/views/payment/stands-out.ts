import type { Payment, PaymentSummary, Transaction } from '../../api/models/payment.ts'
import { formatAmount, formatField, joinParts } from '../format-fields.ts'
import { formatTime } from '../format-time.ts'
import { parseTimeMs } from '../../text/local-time.ts'
import { pluralize } from '../../text/words.ts'
import { mayHaveReturned, newestFirst, refundsOf, hasFailed } from './refunds.ts'
import { formatStyle, styleOfPayment } from './status.ts'

/** What a person who looks at a payment should not overlook. */
export type Standout =
  | Wait
  /** Two or more refunds of one amount, of which none has failed: one of them may be a repeat. Newest first. */
  | {
      readonly kind: 'equal_refunds'
      readonly amount: number
      readonly currencyCode: string | null
      /** The service's dates; null where it gives none. */
      readonly at: readonly (string | null)[]
    }
  /** A refund that was accepted, and returned no money. */
  | {
      readonly kind: 'refund_failed'
      readonly amount: number | null
      readonly currencyCode: string | null
      readonly at: string | null
      /** Unknown if the processor never responded: it may have returned the money. */
      readonly outcome: 'none' | 'unknown'
    }
  /** Another payment of the same order that is not over: the customer may have paid twice, or got the money back through it. */
  | {
      readonly kind: 'other_payment'
      readonly id: string | null
      readonly status: string | null
      readonly amount: number | null
      readonly currencyCode: string | null
      readonly captured: number | null
      readonly refunded: number | null
      readonly at: string | null
    }

/** An authorization that may have expired, or a payment that has waited for its customer for a day or more. */
type Wait = {
  readonly kind: 'long_wait'
  readonly status: 'AUTHORIZED' | 'PENDING'
  readonly amount: number | null
  readonly currencyCode: string | null
  readonly at: string
  /** Whole days since then. */
  readonly days: number
}

/** From how many days on a payment in this status stands out. Issuers often release an authorization after 7 days. */
const LONG_DAYS = { AUTHORIZED: 7, PENDING: 1 } as const
const DAY_MS = 24 * 60 * 60 * 1000

export const isWaiting = (status: unknown): status is keyof typeof LONG_DAYS =>
  typeof status === 'string' && Object.hasOwn(LONG_DAYS, status)

function findWait({ status, date, amount, currencyCode }: Payment, now: Date): readonly Wait[] {
  if (!isWaiting(status) || date === undefined) return []
  const ms = parseTimeMs(date)
  const days = ms === undefined ? 0 : Math.floor((now.getTime() - ms) / DAY_MS)
  return days < LONG_DAYS[status]
    ? []
    : [
        {
          kind: 'long_wait',
          status,
          amount: amount ?? null,
          currencyCode: currencyCode ?? null,
          at: date,
          days,
        },
      ]
}

export type OtherPayment = Extract<Standout, { kind: 'other_payment' }>

/** The other payments of an order, as what stands out. */
export const otherPaymentsOf = (payments: readonly PaymentSummary[]): readonly OtherPayment[] =>
  payments.map(({ id, status, amount, currencyCode, date, processor }) => ({
    kind: 'other_payment',
    id: id ?? null,
    status: status ?? null,
    amount: amount ?? null,
    currencyCode: currencyCode ?? null,
    captured: processor?.amountCaptured ?? null,
    refunded: processor?.amountRefunded ?? null,
    at: date ?? null,
  }))

/** What stands out, refunds that failed first, each kind with the newest first. */
export function findStandouts(payment: Payment, now: Date): readonly Standout[] {
  const refunds = newestFirst(refundsOf(payment))
  const currencyOf = ({ currencyCode }: Transaction) => currencyCode ?? payment.currencyCode ?? null
  const failed = refunds.filter(hasFailed).map(
    (refund) =>
      ({
        kind: 'refund_failed',
        amount: refund.amount ?? null,
        currencyCode: currencyOf(refund),
        at: refund.date ?? null,
        outcome: mayHaveReturned(refund) ? 'unknown' : 'none',
      }) as const,
  )
  const equal = new Map<string, Extract<Standout, { kind: 'equal_refunds' }>>()
  for (const refund of refunds) {
    const { amount, date } = refund
    if (amount === undefined || hasFailed(refund)) continue
    const currencyCode = currencyOf(refund)
    const name = `${amount} ${currencyCode}`
    const at = [...(equal.get(name)?.at ?? []), date ?? null]
    equal.set(name, { kind: 'equal_refunds', amount, currencyCode, at })
  }
  return [...failed, ...findWait(payment, now), ...[...equal.values()].filter(({ at }) => at.length > 1)]
}

/** The most times to name. */
const MAX_TIMES = 5

export function describeStandout(standout: Standout, timeZone: string | undefined): string {
  const { amount, currencyCode } = standout
  const money = amount === null ? undefined : formatAmount(amount, currencyCode ?? undefined)
  if (standout.kind === 'other_payment')
    return `The order has another payment, ${describeOther(standout, timeZone)}.`
  if (standout.kind === 'long_wait') {
    const days = pluralize(standout.days, 'day')
    return standout.status === 'AUTHORIZED'
      ? `Authorized ${days} ago. Issuers often release the funds after 7 days: a capture may fail.`
      : `Pending for ${days}. If the customer won't finish it, cancel it; they can pay again.`
  }
  if (standout.kind === 'refund_failed') {
    const time = formatTime(standout.at ?? undefined, timeZone)
    const words = `${money === undefined ? 'A refund' : `A refund of ${money}`} failed${time === undefined ? '' : ` (${time})`}`
    return standout.outcome === 'unknown'
      ? `${words}: the processor never responded, so the money may have been returned.`
      : `${words}: it returned no money to the customer.`
  }
  const times = standout.at
    .slice(0, MAX_TIMES)
    .map((at) => formatTime(at ?? undefined, timeZone) ?? 'time unknown')
  const more = standout.at.length - MAX_TIMES
  return `${standout.at.length} equal refunds of ${money ?? 'unknown'}: ${times.join('; ')}${more > 0 ? `; and ${more} more` : ''}. Check that each is wanted.`
}

/** `x1: ✓ Refunded, 64.90 EUR, 64.90 EUR refunded, 2026-03-01 12:00:00 UTC` */
function describeOther(
  { id, status, amount, currencyCode, captured, refunded, at }: OtherPayment,
  timeZone: string | undefined,
): string {
  const money = (minor: number | null) => formatAmount(minor ?? undefined, currencyCode ?? undefined)
  const style = status === null ? undefined : styleOfPayment(status, { captured, refunded })
  const parts = joinParts([
    formatStyle(style),
    money(amount),
    refunded && refunded !== amount ? `${money(refunded) ?? 'part'} refunded` : undefined,
    formatTime(at ?? undefined, timeZone),
  ])
  return `${formatField(id ?? undefined) ?? 'without an ID'}: ${parts ?? 'unknown'}`
}
