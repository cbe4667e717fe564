import { UsageError } from '../errors.ts'
import { didYouMean } from '../suggest.ts'
import { CURRENCY_CODES, exponentOf } from './currencies.ts'

export interface Amount {
  readonly amountMinor: number
  /** The currency written with the amount, else the one that the caller knows. */
  readonly currencyCode: string | undefined
}

export interface ParseOptions {
  /** What the amount was given with, for messages: `--amount`. */
  readonly what: string
  /** The currency known beside the amount, from `--currency` or a payment that was read. */
  readonly currencyCode?: string | undefined
  readonly allowZero: boolean
}

const AMOUNT = /^(?<units>\d+)(?:\.(?<decimals>\d+))?(?: +(?<currency>[A-Z]{3}))?$/
const BARE_DECIMAL = /^\d+\.\d+$/
const HOW_TO_WRITE = "Write minor units (700) or an amount with its currency ('7.00 EUR')."

/** What a refused text looks like, the first match being told. */
const PROBLEMS: readonly (readonly [pattern: RegExp, problem: string])[] = [
  [/^$/, 'is empty'],
  [/^[+\-\u2212]/, 'has a sign'],
  [/^[\d.]+e[+-]?\d+/i, 'is written with an exponent'],
  [/\d,\d{1,2}(?: *[a-z]{3})?$/i, 'has a comma; decimals follow a point'],
  [/\d[,'_\s\u00a0\u2009\u202f]+\d|\d\.\d+\./, 'has a separator between its digits'],
  [/[$\u00a2-\u00a5\u20a0-\u20cf]/, 'has a currency sign; a currency is written as its code'],
  [/^\.\d|\d\.(?!\d)/, 'lacks a digit beside its point'],
  [/^0[xob]/i, 'is not written in decimal digits'],
]

/** A decimal without a currency: `7.00`. It needs one from elsewhere before it means anything. */
export function needsCurrency(text: string): boolean {
  return BARE_DECIMAL.test(text.trim())
}

/**
 * Reads an amount as typed. A bare integer is minor units; a currency written with it, or known for a bare decimal,
 * makes it major units. Digits are moved as text: no floating point, no rounding.
 */
export function parseAmount(text: string, options: ParseOptions): Amount {
  const typed = text.trim()
  const parts = AMOUNT.exec(typed)?.groups
  if (parts === undefined) throw unreadableAmount(typed, options)
  const { units = '', decimals, currency } = parts

  if (currency === undefined && decimals === undefined) {
    return { amountMinor: toMinor(units, options), currencyCode: options.currencyCode }
  }
  const currencyCode = currency ?? options.currencyCode
  if (currencyCode === undefined) throw missingCurrency(typed, options)
  const exponent = exponentOf(currencyCode)
  if (exponent === undefined) throw unknownCurrency(currencyCode, options)
  if (options.currencyCode !== undefined && currencyCode !== options.currencyCode) {
    throw new UsageError(
      `${options.what} is in ${currencyCode}, but the currency is ${options.currencyCode}.`,
      {
        code: 'currency_conflict',
        hint: `Give the amount in ${options.currencyCode}.`,
      },
    )
  }
  const given = decimals ?? ''
  if (given.length > exponent) throw tooManyDecimals(typed, currencyCode, exponent, options)
  return {
    amountMinor: toMinor(units + given.padEnd(exponent, '0'), options),
    currencyCode,
  }
}

function toMinor(digits: string, options: ParseOptions): number {
  const significant = digits.replace(/^0+(?=\d)/, '')
  // The length is looked at first: a million digits are refused without being computed.
  if (significant.length > 16 || BigInt(significant) > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw badAmount(
      options,
      `is more than ${Number.MAX_SAFE_INTEGER} minor units, the most that is exact`,
      'Check the digits.',
    )
  }
  const amountMinor = Number(significant)
  if (amountMinor === 0 && !options.allowZero) {
    throw badAmount(options, 'is zero', 'Give an amount above zero.')
  }
  return amountMinor
}

function unreadableAmount(typed: string, options: ParseOptions): UsageError {
  const swapped = /^([a-z]{3}) *(\d+(?:\.\d+)?)$/i.exec(typed)
  const joined = /^(\d+(?:\.\d+)?) *([a-z]{3})$/i.exec(typed)
  const meant = swapped === null ? joined && [joined[1], joined[2]] : [swapped[2], swapped[1]]
  if (meant) {
    const [amount = '', currency = ''] = meant
    if (exponentOf(currency.toUpperCase()) === undefined) return unknownCurrency(currency, options)
    const problem = 'is not an amount, a space, and a currency code in capitals'
    const hint = mayBeCardNumber(typed) ? HOW_TO_WRITE : `Write '${amount} ${currency.toUpperCase()}'.`
    return badAmount(options, `${quote(typed)} ${problem}`, hint)
  }
  const unknown = /^\d+(?:\.\d+)? +([a-z]+)$/i.exec(typed)?.[1]
  if (unknown !== undefined) return unknownCurrency(unknown, options)
  const problem = PROBLEMS.find(([pattern]) => pattern.test(typed))?.[1] ?? 'is not an amount'
  return badAmount(options, `${typed === '' ? '' : `${quote(typed)} `}${problem}`, HOW_TO_WRITE)
}

function missingCurrency(typed: string, { what }: ParseOptions): UsageError {
  return new UsageError(`${what} ${quote(typed)} needs a currency.`, {
    code: 'amount_needs_currency',
    hint: "Write it with the amount ('7.00 EUR'), give --currency, or give minor units as a whole number.",
  })
}

function unknownCurrency(currency: string, { what }: ParseOptions): UsageError {
  return new UsageError(`${what}: ${quote(currency)} is not an ISO 4217 currency.`, {
    code: 'unknown_currency',
    hint: didYouMean(currency, CURRENCY_CODES) ?? 'Use an ISO 4217 code such as EUR.',
  })
}

/** A currency that was named on its own. */
export function refuseUnknownCurrency(currencyCode: string, what: string): void {
  if (exponentOf(currencyCode) === undefined) throw unknownCurrency(currencyCode, { what, allowZero: false })
}

function tooManyDecimals(
  typed: string,
  currencyCode: string,
  exponent: number,
  options: ParseOptions,
): UsageError {
  const has = exponent === 0 ? 'no decimals' : `${exponent} decimals`
  return badAmount(options, `${quote(typed)} has too many decimals`, `${currencyCode} has ${has}.`)
}

function badAmount({ what }: ParseOptions, problem: string, hint: string): UsageError {
  return new UsageError(`${what} ${problem}.`, { code: 'bad_amount', hint })
}

function quote(typed: string): string {
  if (mayBeCardNumber(typed)) return '(long, not repeated here)'
  return `"${typed.replaceAll(/[^\u0020-\u007e\u00a1-\u00ac\u00ae-\u024f\u20a0-\u20cf]/g, '?')}"`
}

/** A card number may have been pasted: long digit runs are not repeated. */
const mayBeCardNumber = (typed: string): boolean =>
  typed.length > 40 || typed.replaceAll(/\D/g, '').length >= 12
