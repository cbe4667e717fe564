import type { StatusReason } from '../../api/models/status-reason.ts'
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

/**
 * Whether to try again: `later` with the same method; `customer` after the customer has acted; `other-method` only with
 * another method; `look-first` not until the outcome of this attempt is known; `unknown`.
 */
type RetryAdvice = 'later' | 'customer' | 'other-method' | 'look-first' | 'unknown'

interface Decline {
  readonly means: string
  readonly retry: RetryAdvice
  /** What to do, for a support agent. */
  readonly advice: string
}

/** Decline codes of spec 2.1. */
export const DECLINE_CODES: Readonly<Record<string, Decline>> = {
  ERROR: {
    means: 'A processing error occurred; no one declined the payment.',
    retry: 'later',
    advice: 'Try again in a few minutes, or use another processor.',
  },
  INVALID_CARD_NUMBER: {
    means: 'The card number does not exist.',
    retry: 'customer',
    advice: 'Ask the customer to check the card number and enter it again.',
  },
  EXPIRED_CARD: {
    means: 'The card has expired.',
    retry: 'other-method',
    advice: 'Ask for another card, or for the renewed one.',
  },
  LOST_OR_STOLEN_CARD: {
    means: 'The card was reported lost or stolen.',
    retry: 'other-method',
    advice: 'Do not try this card again. Ask for another method, and leave the explanation to the issuer.',
  },
  SUSPECTED_FRAUD: {
    means: 'The issuer or the processor suspects fraud.',
    retry: 'other-method',
    advice:
      'Do not try this card again. Check the order before you accept another method; the customer can contact their bank.',
  },
  UNKNOWN: {
    means: 'No usable reason was given.',
    retry: 'unknown',
    advice: 'You can try once more; then ask for another method.',
  },
  DECLINED: {
    means: 'The payment was declined without a reason.',
    retry: 'unknown',
    advice: 'You can try once more. Then ask for another method, or ask the customer to contact their bank.',
  },
  REFER_TO_CARD_ISSUER: {
    means: 'The issuer wants the customer to contact them first.',
    retry: 'customer',
    advice: 'Ask the customer to call their bank, then try again.',
  },
  DO_NOT_HONOR: {
    means: 'The issuer declined without giving a reason.',
    retry: 'unknown',
    advice:
      'Ask the customer to contact their bank. You can try once more later; then ask for another method.',
  },
  INSUFFICIENT_FUNDS: {
    means: 'The account has insufficient funds or credit.',
    retry: 'later',
    advice: 'Try again in a few days, for example after payday, or ask for another method.',
  },
  WITHDRAWAL_LIMIT_EXCEEDED: {
    means: 'The card has reached its daily or monthly limit.',
    retry: 'later',
    advice: 'Try again tomorrow, ask the customer to have the limit raised, or ask for another method.',
  },
  ISSUER_TEMPORARILY_UNAVAILABLE: {
    means: 'The issuer could not be reached.',
    retry: 'later',
    advice: 'Try again in a few minutes.',
  },
  AUTHENTICATION_REQUIRED: {
    means: 'The issuer requires 3-D Secure authentication.',
    retry: 'customer',
    advice: 'Try again with the customer present to authenticate.',
  },
}

/** Types of declines. A hard one overrules a code that would allow another attempt. */
const DECLINE_TYPES: Readonly<Record<string, { readonly text: string; readonly isFinal: boolean }>> = {
  SOFT_DECLINE: { text: 'a soft decline: another attempt may succeed', isFinal: false },
  HARD_DECLINE: { text: 'a hard decline: this method will not be approved', isFinal: true },
}

/** Who declined it, by the type of the reason. */
const DECLINED_BY: Readonly<Record<string, string>> = {
  ISSUER_DECLINED: 'the issuer declined it',
  GATEWAY_REJECTED: 'the processor rejected it',
  APPLICATION_ERROR: 'a processing error occurred',
  GATEWAY_TIMEOUT: 'the processor did not respond',
}
