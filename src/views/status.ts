import type { PaymentStatus } from '../api/sets.ts'
import type { StatusReason } from '../api/models/status-reason.ts'
import type { Paint, Tone } from '../output/paint.ts'
import { joinParts, formatField, formatFreeText, addNote } from './format-fields.ts'

/** How a status looks. */
export interface StatusStyle {
  readonly mark: string
  readonly tone: Tone
}

/** A mark goes with each status, so that colour is never the only sign. */
const STATUS_STYLES: Readonly<Record<PaymentStatus, StatusStyle>> = {
  PENDING: { mark: '…', tone: 'warn' },
  AUTHORIZED: { mark: '✓', tone: 'good' },
  SETTLING: { mark: '…', tone: 'good' },
  PARTIALLY_SETTLED: { mark: '…', tone: 'good' },
  SETTLED: { mark: '✓', tone: 'good' },
  DECLINED: { mark: '✗', tone: 'bad' },
  FAILED: { mark: '✗', tone: 'bad' },
  CANCELLED: { mark: '–', tone: 'dim' },
}
const UNKNOWN_STATUS: StatusStyle = { mark: '?', tone: 'strong' }

/** An unknown status gets a question mark. */
export const styleOfStatus = (status: string): StatusStyle => {
  const styles: Readonly<Record<string, StatusStyle>> = STATUS_STYLES
  return (Object.hasOwn(styles, status) ? styles[status] : undefined) ?? UNKNOWN_STATUS
}

/** `✓ SETTLED`; an unknown status gets a question mark. */
export function formatStatus(status: string | undefined): string {
  return status === undefined ? '' : `${styleOfStatus(status).mark} ${formatField(status)}`
}

export function statusTone(status: string | undefined): Tone | undefined {
  return status === undefined ? undefined : styleOfStatus(status).tone
}

export const paintStatus = (status: string | undefined, paint: Paint): string | undefined =>
  status === undefined ? undefined : paint(formatStatus(status), styleOfStatus(status).tone)

/** `INSUFFICIENT_FUNDS: not enough on the card (SOFT_DECLINE, ISSUER_DECLINED)`. */
export function formatReason(reason: StatusReason | undefined): string | undefined {
  if (reason === undefined) return undefined
  const words = joinParts([formatField(reason.code), formatFreeText(reason.message)], ': ')
  return addNote(words, joinParts([formatField(reason.declineType), formatField(reason.type)]))
}
