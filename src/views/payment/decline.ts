import type { StatusReason } from '../../api/models/status-reason.ts'
import { DECLINED_BY, DECLINE_CODES, DECLINE_TYPES } from './decline-codes.ts'
import type { RetryAdvice } from './decline-codes.ts'
import { formatFreeText } from '../format-fields.ts'

/** A decline and what to do about it. A field is null where the service gave none. */
export interface DeclineExplanation {
  readonly type: string | null
  readonly declineType: string | null
  readonly code: string | null
  /** As the service worded it. */
  readonly message: string | null
  /** `the issuer declined it` */
  readonly by: string | null
  readonly means: string
  readonly retry: RetryAdvice
  readonly advice: string
}

const PROCESSOR_TIMEOUT = {
  means: 'The processor did not respond, so it is unknown whether money was taken.',
  retry: 'look-first',
  advice: "Check the processor's own records before you try again: the customer could be charged twice.",
} as const

const UNKNOWN_REASON = {
  means: 'pay does not recognize this reason.',
  retry: 'unknown',
  advice: 'Ask for another method, or ask the customer to contact their bank.',
} as const

export function explainDecline(reason: StatusReason | undefined): DeclineExplanation {
  const { type, declineType, code, message } = reason ?? {}
  const known =
    type === 'GATEWAY_TIMEOUT' ? PROCESSOR_TIMEOUT : (entryOf(DECLINE_CODES, code) ?? UNKNOWN_REASON)
  const isFinal = entryOf(DECLINE_TYPES, declineType)?.isFinal === true
  const isOverruled = isFinal && known.retry !== 'look-first' && known.retry !== 'other-method'
  return {
    type: type ?? null,
    declineType: declineType ?? null,
    code: code ?? null,
    message: formatFreeText(message) ?? null,
    by: entryOf(DECLINED_BY, type) ?? null,
    means: known.means,
    retry: isOverruled ? 'other-method' : known.retry,
    advice: isOverruled ? 'Do not try this method again; ask for another one.' : known.advice,
  }
}

/** Whether to try again. The text carries the meaning; the tone only repeats it. */
export const RETRY_TEXTS = {
  later: { text: 'yes, later', tone: 'good' },
  customer: { text: 'after the customer has acted', tone: 'warn' },
  'other-method': { text: 'no, not with this method', tone: 'bad' },
  'look-first': { text: 'not until you know the outcome', tone: 'bad' },
  unknown: { text: 'unknown', tone: 'warn' },
} as const satisfies Record<RetryAdvice, { text: string; tone: 'good' | 'warn' | 'bad' }>

/** `a soft decline: another attempt may succeed`; undefined for an unknown type. */
export const describeDeclineType = (declineType: string | null): string | undefined =>
  entryOf(DECLINE_TYPES, declineType ?? undefined)?.text

function entryOf<T>(table: Readonly<Record<string, T>>, key: string | undefined): T | undefined {
  return key !== undefined && Object.hasOwn(table, key) ? table[key] : undefined
}
