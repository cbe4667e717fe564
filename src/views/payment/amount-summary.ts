import type { Payment, Transaction } from '../../api/models/payment.ts'
import { deriveAmounts } from './amounts.ts'
import { formatAmount } from '../format-fields.ts'
import { pendingRefunds } from './refunds.ts'
import { capitalize } from '../../text/words.ts'

/** Amounts of a payment in minor units; null where the payment does not say. */
export interface AmountSummary {
  readonly currencyCode: string | null
  readonly asked: number | null
  readonly authorized: number | null
  readonly captured: number | null
  /** Released by a final partial capture. */
  readonly released: number | null
  readonly refunded: number | null
  readonly leftToCapture: number | null
  readonly leftToRefund: number | null
  /** Refunds that can still fail: their count and sum. */
  readonly refundsNotFinal: { readonly count: number; readonly amount: number | null }
  readonly words: string
}

export function summarizeAmounts(payment: Payment): AmountSummary {
  const { authorized, captured, released, refunded, leftToCapture, leftToRefund } = deriveAmounts(payment)
  const open = pendingRefunds(payment)
  const facts = {
    currencyCode: payment.currencyCode ?? null,
    asked: payment.amount ?? null,
    authorized: authorized ?? null,
    captured: captured ?? null,
    released: released ?? null,
    refunded: refunded ?? null,
    leftToCapture: leftToCapture ?? null,
    leftToRefund: leftToRefund ?? null,
    refundsNotFinal: { count: open.length, amount: sumOf(open) },
  }
  return { ...facts, words: describeAmounts(payment, facts) }
}

type Facts = Omit<AmountSummary, 'words'>

/** One sentence per known amount; unknown amounts are left out. */
function describeAmounts(payment: Payment, facts: Facts): string {
  const money = (amountMinor: number) => formatAmount(amountMinor, payment.currencyCode) ?? ''
  return [
    describeAuthorized(payment, facts, money),
    describeCaptured(facts, money),
    describeRefunded(facts, money),
  ]
    .filter((words) => words !== '')
    .join(' ')
}

type Money = (amountMinor: number) => string

function describeAuthorized(
  { status, statusReason }: Payment,
  { asked, authorized }: Facts,
  money: Money,
): string {
  if (authorized !== null) return `${money(authorized)} was authorized.`
  const what = asked === null ? 'the amount' : money(asked)
  switch (status) {
    case 'PENDING':
      return `${capitalize(what)} was requested and is not authorized yet.`
    case 'DECLINED':
      return `${capitalize(what)} was requested; nothing was authorized.`
    case 'FAILED':
      return statusReason?.type === 'GATEWAY_TIMEOUT'
        ? `${capitalize(what)} was requested; it is unknown whether it was authorized.`
        : `${capitalize(what)} was requested; nothing was authorized.`
    case 'CANCELLED':
      return `${capitalize(what)} was requested; nothing is reserved.`
    default:
      return asked === null ? '' : `${money(asked)} was requested.`
  }
}

function describeCaptured({ captured, released, leftToCapture }: Facts, money: Money): string {
  if (captured === null) return ''
  const rest =
    released !== null && released > 0
      ? `; the remaining ${money(released)} was released`
      : leftToCapture !== null && leftToCapture > 0
        ? `; ${money(leftToCapture)} can still be captured`
        : ''
  if (captured === 0) return leftToCapture !== null ? `Nothing is captured yet${rest}.` : ''
  return `${money(captured)} was captured${rest}.`
}

function describeRefunded(facts: Facts, money: Money): string {
  const { captured, refunded, leftToRefund, refundsNotFinal: open } = facts
  if (refunded === null || captured === null || captured === 0) return ''
  if (refunded === 0) return 'Nothing was refunded.'
  const notFinal =
    open.count === 0
      ? ''
      : open.amount === refunded
        ? ' and is not final yet'
        : `, of which ${open.amount === null ? 'part' : money(open.amount)} is not final yet`
  const left =
    leftToRefund === null
      ? ''
      : leftToRefund === 0
        ? '; nothing is left to refund'
        : `; ${money(leftToRefund)} can still be refunded`
  return `${money(refunded)} was refunded${notFinal}${left}.`
}

/** The sum of the amounts; null if any is unknown. */
export const sumOf = (transactions: readonly Transaction[]): number | null =>
  transactions.reduce<number | null>(
    (sum, { amount }) => (sum === null || amount === undefined ? null : sum + amount),
    0,
  )
