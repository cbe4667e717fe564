import { hasUnrepairedRefund, knownStatus } from '../../api/payment-states.ts'
import type { PaymentStatus } from '../../api/sets.ts'
import type { Payment } from '../../api/models/payment.ts'
import type { StatusReason } from '../../api/models/status-reason.ts'
import type { Paint, Tone } from '../../output/paint.ts'
import { joinParts, formatField, formatFreeText, addNote } from '../format-fields.ts'

/** How a status of a payment, a record or a transaction reads and looks. */
export interface StatusStyle {
  /** Stands before the words in a terminal, so that colour is never the only sign. */
  readonly mark: string
  /** `open`: money that is still to be captured; `back`: money that went back to the customer. */
  readonly tone: Tone | 'open' | 'back'
  readonly words: string
}

const STATUSES: Readonly<Record<PaymentStatus, StatusStyle>> = {
  PENDING: { mark: '…', tone: 'warn', words: 'Pending' },
  AUTHORIZED: { mark: '✓', tone: 'open', words: 'Authorized' },
  SETTLING: { mark: '…', tone: 'good', words: 'Settling' },
  PARTIALLY_SETTLED: { mark: '…', tone: 'good', words: 'Partially settled' },
  SETTLED: { mark: '✓', tone: 'good', words: 'Settled' },
  DECLINED: { mark: '✗', tone: 'bad', words: 'Declined' },
  FAILED: { mark: '✗', tone: 'bad', words: 'Failed' },
  CANCELLED: { mark: '–', tone: 'dim', words: 'Cancelled' },
}
const REFUND_FAILED: StatusStyle = { mark: '✗', tone: 'bad', words: 'Refund failed' }

/** A status that pay doesn't know reads as the service writes it. */
export function styleOf(status: string): StatusStyle {
  const known = knownStatus(status)
  return known === undefined ? { mark: '?', tone: 'strong', words: formatField(status) } : STATUSES[known]
}

/** What the refunds of a payment add to its status. */
export interface RefundFigures {
  /** In minor units. */
  readonly captured?: number | null | undefined
  /** In minor units, without refunds that failed. */
  readonly refunded?: number | null | undefined
  /** Whether a refund failed that no later one made good. */
  readonly hasFailedRefund?: boolean | undefined
}

/** The state of a payment as a person names it: `Settled, partly refunded`, `Refunded`, `Refund failed`. */
export function styleOfPayment(
  status: string,
  { captured, refunded, hasFailedRefund = false }: RefundFigures,
): StatusStyle {
  if (hasFailedRefund) return REFUND_FAILED
  const style = styleOf(status)
  if (typeof refunded !== 'number' || refunded <= 0) return style
  const isAll = refunded >= (captured ?? 0)
  const words = isAll
    ? status === 'SETTLED'
      ? 'Refunded'
      : `${style.words}, refunded`
    : `${style.words}, partly refunded`
  return { mark: style.mark, tone: 'back', words }
}

/** The style of a payment or a list's row, which has no transactions; undefined without a status. */
export const styleOfSummary = ({
  status,
  processor,
  transactions,
}: Pick<Payment, 'status' | 'processor' | 'transactions'>): StatusStyle | undefined =>
  status === undefined
    ? undefined
    : styleOfPayment(status, {
        captured: processor?.amountCaptured,
        refunded: processor?.amountRefunded,
        hasFailedRefund: hasUnrepairedRefund(transactions ?? []),
      })

/** `✓ Settled`; an unknown status gets a question mark. */
export const formatStyle = (style: StatusStyle | undefined): string =>
  style === undefined ? '' : `${style.mark} ${style.words}`

export const toneOf = (style: StatusStyle | undefined): Tone | undefined =>
  style?.tone === 'open' ? 'good' : style?.tone === 'back' ? 'accent' : style?.tone

export const paintStyle = (style: StatusStyle | undefined, paint: Paint): string | undefined =>
  style === undefined ? undefined : paint(formatStyle(style), toneOf(style) ?? 'strong')

/** `✓ Settled`, of a transaction or a record. */
export const formatStatus = (status: string | undefined): string =>
  status === undefined ? '' : formatStyle(styleOf(status))

export const statusTone = (status: string | undefined): Tone | undefined =>
  status === undefined ? undefined : toneOf(styleOf(status))

export const paintStatus = (status: string | undefined, paint: Paint): string | undefined =>
  status === undefined ? undefined : paintStyle(styleOf(status), paint)

/** `INSUFFICIENT_FUNDS: not enough on the card (SOFT_DECLINE, ISSUER_DECLINED)`. */
export function formatReason(reason: StatusReason | undefined): string | undefined {
  if (reason === undefined) return undefined
  const words = joinParts([formatField(reason.code), formatFreeText(reason.message)], ': ')
  return addNote(words, joinParts([formatField(reason.declineType), formatField(reason.type)]))
}
