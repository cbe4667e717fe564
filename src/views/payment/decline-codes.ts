/**
 * Whether it is worth while to try again: `later` with the same method; `customer` once the customer has done something;
 * `other-method` only with another one; `look-first` not before somebody knows what became of it; `unknown`.
 */
export type RetryAdvice = 'later' | 'customer' | 'other-method' | 'look-first' | 'unknown'

interface Decline {
  readonly means: string
  readonly retry: RetryAdvice
  /** What to do, for the person who talks to the customer. */
  readonly advice: string
}

/** What a refusal's code means (spec 2.1 names them, the field knows them). */
export const DECLINE_CODES: Readonly<Record<string, Decline>> = {
  ERROR: {
    means: 'Something went wrong on the way; the payment was not refused.',
    retry: 'later',
    advice: 'Try again in a few minutes, or through another processor.',
  },
  INVALID_CARD_NUMBER: {
    means: 'There is no card with this number.',
    retry: 'customer',
    advice: 'Ask the customer to enter the card again.',
  },
  EXPIRED_CARD: {
    means: 'The card has expired.',
    retry: 'other-method',
    advice: 'Ask for another card, or for the new one in its place.',
  },
  LOST_OR_STOLEN_CARD: {
    means: 'The card is reported lost or stolen.',
    retry: 'other-method',
    advice: 'Do not try this card again. Ask for another method; leave the reason to the bank.',
  },
  SUSPECTED_FRAUD: {
    means: 'The bank or the processor suspects fraud.',
    retry: 'other-method',
    advice:
      'Do not try this card again. The customer can ask their bank; check the order before another try.',
  },
  UNKNOWN: {
    means: 'No reason was given that you could act on.',
    retry: 'unknown',
    advice: 'One more try does no harm; then ask for another method.',
  },
  DECLINED: {
    means: 'It was refused without a reason.',
    retry: 'unknown',
    advice: 'One more try does no harm; then ask for another method, or send the customer to their bank.',
  },
  REFER_TO_CARD_ISSUER: {
    means: 'The bank wants to talk to its customer first.',
    retry: 'customer',
    advice: 'Ask the customer to call their bank, then try again.',
  },
  DO_NOT_HONOR: {
    means: 'The bank refused, and says no more than that.',
    retry: 'unknown',
    advice: 'The customer can ask their bank. One more try later does no harm; then ask for another method.',
  },
  INSUFFICIENT_FUNDS: {
    means: 'There is not enough money on the account, or not enough credit left.',
    retry: 'later',
    advice: 'Try again in a few days, such as after payday, or ask for another method.',
  },
  WITHDRAWAL_LIMIT_EXCEEDED: {
    means: 'The card has reached its limit for the day or the month.',
    retry: 'later',
    advice: 'Try again tomorrow; the customer can have the limit raised, or use another method.',
  },
  ISSUER_TEMPORARILY_UNAVAILABLE: {
    means: 'The bank could not be reached.',
    retry: 'later',
    advice: 'Try again in a few minutes.',
  },
  AUTHENTICATION_REQUIRED: {
    means: 'The bank wants the customer to prove who they are (3-D Secure).',
    retry: 'customer',
    advice: 'Try again with the customer present to pass the check.',
  },
}

/** How firm it was meant. What is hard overrules a code that would allow another try. */
export const DECLINE_TYPES: Readonly<Record<string, { readonly words: string; readonly isFinal: boolean }>> =
  {
    SOFT_DECLINE: { words: 'a soft decline: it may pass another time', isFinal: false },
    HARD_DECLINE: { words: 'a hard decline: this method will not pass', isFinal: true },
  }

/** Who said no. */
export const DECLINED_BY: Readonly<Record<string, string>> = {
  ISSUER_DECLINED: "the customer's bank refused it",
  GATEWAY_REJECTED: 'the processor refused it',
  APPLICATION_ERROR: 'an error got in the way',
  GATEWAY_TIMEOUT: 'the processor never answered',
}
