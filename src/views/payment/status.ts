import { knownStatus } from '../../api/payment-states.ts'
import type { PaymentStatus } from '../../api/sets.ts'
import type { StatusReason } from '../../api/models/status-reason.ts'
import type { Paint, Tone } from '../../output/paint.ts'
import { joinParts, formatField, formatFreeText, addNote } from '../format-fields.ts'

/** How a status of a payment, a record or a transaction reads and looks. */
interface StatusStyle {
  /** Stands before the code in a terminal, so that colour is never the only sign. */
  readonly mark: string
  readonly tone: Tone
  /** Replaces the code on the pages. */
  readonly word: string
}

const STATUSES: Readonly<Record<PaymentStatus, StatusStyle>> = {
  PENDING: { mark: '…', tone: 'warn', word: 'Pending' },
  AUTHORIZED: { mark: '✓', tone: 'good', word: 'Authorized' },
  SETTLING: { mark: '…', tone: 'good', word: 'Settling' },
  PARTIALLY_SETTLED: { mark: '…', tone: 'good', word: 'Partially settled' },
  SETTLED: { mark: '✓', tone: 'good', word: 'Settled' },
  DECLINED: { mark: '✗', tone: 'bad', word: 'Declined' },
  FAILED: { mark: '✗', tone: 'bad', word: 'Failed' },
  CANCELLED: { mark: '–', tone: 'dim', word: 'Cancelled' },
}
const UNKNOWN_STATUS = { mark: '?', tone: 'strong', word: undefined } as const

function styleOf(status: string) {
  const known = knownStatus(status)
  return known === undefined ? UNKNOWN_STATUS : STATUSES[known]
}

/** `✓ SETTLED`; an unknown status gets a question mark. */
export function formatStatus(status: string | undefined): string {
  return status === undefined ? '' : `${styleOf(status).mark} ${formatField(status)}`
}

export function statusTone(status: string | undefined): Tone | undefined {
  return status === undefined ? undefined : styleOf(status).tone
}

export const paintStatus = (status: string | undefined, paint: Paint): string | undefined =>
  status === undefined ? undefined : paint(formatStatus(status), styleOf(status).tone)

/** `Partially settled`; undefined for an unknown status. */
export const wordOfStatus = (status: string): string | undefined => styleOf(status).word

export interface StatusBadge {
  readonly tone: Tone | 'open' | 'back'
  /** Undefined for an unknown status. */
  readonly word: string | undefined
}

/** The state of a payment as a person names it: one whose money went back is refunded, not settled. Amounts are in minor units. */
export function badgeOf(
  status: string,
  {
    captured,
    refunded,
  }: { readonly captured?: number | null | undefined; readonly refunded?: number | null | undefined } = {},
): StatusBadge {
  if (typeof refunded === 'number' && refunded > 0) {
    const isAll = status !== 'PARTIALLY_SETTLED' && refunded >= (captured ?? 0)
    return { tone: 'back', word: isAll ? 'Refunded' : 'Partly refunded' }
  }
  const { tone, word } = styleOf(status)
  // The money is still to be captured.
  return { tone: status === 'AUTHORIZED' ? 'open' : tone, word }
}

/** `INSUFFICIENT_FUNDS: not enough on the card (SOFT_DECLINE, ISSUER_DECLINED)`. */
export function formatReason(reason: StatusReason | undefined): string | undefined {
  if (reason === undefined) return undefined
  const words = joinParts([formatField(reason.code), formatFreeText(reason.message)], ': ')
  return addNote(words, joinParts([formatField(reason.declineType), formatField(reason.type)]))
}
