import type { PaymentStatus } from '../api/sets.ts'
import type { StatusReason } from '../api/models/status-reason.ts'
import type { Paint, Tone } from '../output/paint.ts'
import { joined, shown, shownWords, withNote } from './format-fields.ts'

interface Look {
  readonly mark: string
  readonly tone: Tone
}

/** A mark beside the word, so that nothing is told by colour alone. */
const LOOKS: Readonly<Record<PaymentStatus, Look>> = {
  PENDING: { mark: '…', tone: 'warn' },
  AUTHORIZED: { mark: '✓', tone: 'good' },
  SETTLING: { mark: '…', tone: 'good' },
  PARTIALLY_SETTLED: { mark: '…', tone: 'good' },
  SETTLED: { mark: '✓', tone: 'good' },
  DECLINED: { mark: '✗', tone: 'bad' },
  FAILED: { mark: '✗', tone: 'bad' },
  CANCELLED: { mark: '–', tone: 'dim' },
}
const UNKNOWN: Look = { mark: '?', tone: 'strong' }

const lookOf = (status: string): Look => {
  const known: Readonly<Record<string, Look>> = LOOKS
  return (Object.hasOwn(known, status) ? known[status] : undefined) ?? UNKNOWN
}

/** `✓ SETTLED`; a status that is not known is shown as it is, with a question mark. */
export function statusText(status: string | undefined): string {
  return status === undefined ? '' : `${lookOf(status).mark} ${shown(status)}`
}

export function statusTone(status: string | undefined): Tone | undefined {
  return status === undefined ? undefined : lookOf(status).tone
}

export const paintedStatus = (status: string | undefined, paint: Paint): string | undefined =>
  status === undefined ? undefined : paint(statusText(status), lookOf(status).tone)

/** `INSUFFICIENT_FUNDS: not enough on the card (SOFT_DECLINE, ISSUER_DECLINED)`. */
export function reasonText(reason: StatusReason | undefined): string | undefined {
  if (reason === undefined) return undefined
  const words = joined([shown(reason.code), shownWords(reason.message)], ': ')
  return withNote(words, joined([shown(reason.declineType), shown(reason.type)]))
}
