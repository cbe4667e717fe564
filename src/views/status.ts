import type { StatusReason } from '../api/models/status-reason.ts'
import type { Paint, Tone } from '../output/paint.ts'
import { styleOfStatus } from '../payment/status-style.ts'
import { joinParts, formatField, formatFreeText, addNote } from './format-fields.ts'

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
