import { UsageError } from '../errors.ts'
import { didYouMean } from '../text/suggest.ts'
import { CURRENCY_CODES, exponentOf } from './currencies.ts'
import { formatMoney } from './format.ts'

export interface Amount {
  readonly amountMinor: number
  /** The currency written with the amount, or the one in the options. */
  readonly currencyCode: string | undefined
}

export interface ParseOptions {
  /** Source of the amount, for messages: `--amount`. */
  readonly what: string
  /** Known currency, from `--currency` or the payment. */
  readonly currencyCode?: string | undefined
  readonly allowZero: boolean
  /** How to write an amount, where it isn't as {@link howToWrite} says; about decimal commas too. */
  readonly hint?: string | undefined
}

const AMOUNT = /^(?<units>\d+)(?:\.(?<decimals>\d+))?(?: +(?<currency>[A-Z]{3}))?$/
const BARE_DECIMAL = /^\d+\.\d+$/
/**
 * The hint for most problems. Its example is in the known currency, so that it is accepted when it is typed; and the amount that
 * was typed, where only its comma is wrong.
 */
export function howToWrite(currencyCode: string | undefined, typed = ''): string {
  const isKnown = currencyCode !== undefined && exponentOf(currencyCode) !== undefined
  const currency = isKnown ? currencyCode : 'EUR'
  const isMeant = exponentOf(currency) === 2 && /^\d{1,7},\d\d$/.test(typed)
  const amount = isMeant ? Number(typed.replace(',', '')) : 700
  return `Write minor units (${amount}) or an amount with its currency ("${formatMoney(amount, currency)}").`
}

/** Problems by pattern; the first match is reported. */
const PROBLEMS: readonly (readonly [pattern: RegExp, problem: string])[] = [
  [/^$/, 'is empty'],
  [/^[+\-\u2212]/, 'has a sign'],
  [/^[\d.]+e[+-]?\d+/i, 'is written with an exponent'],
  [/\d,\d{1,2}(?: *[a-z]{3})?$/i, 'has a comma; decimals follow a point'],
  [/\d[,'_\s\u00a0\u2009\u202f]+\d|\d\.\d+\./, 'has a separator between its digits'],
  [/[$\u00a2-\u00a5\u20a0-\u20cf]/, 'has a currency sign; a currency is written as its code'],
  [/^\.\d|\d\.(?!\d)/, 'needs digits on both sides of its point'],
  [/^0[xob]/i, 'is not written in decimal digits'],
]

/** Whether the text is a decimal without a currency, such as `7.00`, which needs one from elsewhere. */
export function needsCurrency(text: string): boolean {
  return BARE_DECIMAL.test(text.trim())
}

/**
 * Parses an amount as typed: `700` is minor units; `7.00 EUR`, or `7.00` with a known currency, is major units. Works on
 * text, without floating point or rounding.
 * @throws {UsageError} `bad_amount`, `amount_needs_currency`, `unknown_currency` or `currency_conflict`
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
      `${options.what} is in ${currencyCode}, but the currency is ${options.currencyCode}`,
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
  // The length is checked first, so that a million digits are never converted.
  if (significant.length > 16 || BigInt(significant) > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw badAmount(
      options,
      `is more than ${Number.MAX_SAFE_INTEGER} minor units, the largest exact number`,
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
  const known = PROBLEMS.find(([pattern]) => pattern.test(typed))?.[1]
  const swapped = /^([a-z]{3}) *(\d+(?:\.\d+|,\d{1,2})?)$/i.exec(typed)
  const joined = /^(\d+(?:\.\d+|,\d{1,2})?) *([a-z]{3})$/i.exec(typed)
  const meant = swapped === null ? joined && [joined[1], joined[2]] : [swapped[2], swapped[1]]
  if (meant) {
    const [amount = '', currency = ''] = meant
    const currencyCode = currency.toUpperCase()
    const exponent = exponentOf(currencyCode)
    if (exponent === undefined) return unknownCurrency(currency, options)
    const [units = '', decimals = ''] = amount.split(/[.,]/)
    if (decimals.length > exponent) return tooManyDecimals(typed, currencyCode, exponent, options)
    const problem = known ?? 'is not an amount, a space and a currency code in capitals'
    const written = decimals === '' ? units : `${units}.${decimals}`
    const isForCaller = known !== undefined && options.hint !== undefined
    const hint =
      mayBeCardNumber(typed) || isForCaller ? hintOf(options) : `Write "${written} ${currencyCode}".`
    return badAmount(options, `${quote(typed)} ${problem}`, hint)
  }
  const unknown = /^\d+(?:\.\d+)? +([a-z]+)$/i.exec(typed)?.[1]
  if (unknown !== undefined) return unknownCurrency(unknown, options)
  const problem = known ?? 'is not an amount'
  const isPart = options.what.startsWith('--') && /^(?:half|all|\d{1,3} ?%)$/i.test(typed)
  return badAmount(
    options,
    `${typed === '' ? '' : `${quote(typed)} `}${problem}`,
    isPart ? `Only the question on a terminal takes it. ${hintOf(options, typed)}` : hintOf(options, typed),
  )
}

const hintOf = ({ hint, currencyCode }: ParseOptions, typed = ''): string =>
  hint ?? howToWrite(currencyCode, typed)

function missingCurrency(typed: string, { what }: ParseOptions): UsageError {
  return new UsageError(`${what} ${quote(typed)} needs a currency`, {
    code: 'amount_needs_currency',
    hint: 'Write it with the amount ("7.00 EUR"), give --currency, or give minor units as a whole number.',
  })
}

function unknownCurrency(currency: string, { what }: ParseOptions): UsageError {
  return new UsageError(`${what}: ${quote(currency)} is not an ISO 4217 currency`, {
    code: 'unknown_currency',
    hint: didYouMean(currency, CURRENCY_CODES) ?? 'Use an ISO 4217 code such as EUR.',
  })
}

/**
 * Refuses an unknown currency that is given without an amount.
 * @throws {UsageError} `unknown_currency`
 */
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
  return new UsageError(`${what} ${problem}`, { code: 'bad_amount', hint })
}

function quote(typed: string): string {
  if (mayBeCardNumber(typed)) return '(long, not repeated here)'
  return `"${typed.replaceAll(/[^\u0020-\u007e\u00a1-\u00ac\u00ae-\u024f\u20a0-\u20cf]/g, '?')}"`
}

/** Whether the text has a long run of digits, which may be a pasted card number and isn't repeated. */
const mayBeCardNumber = (typed: string): boolean =>
  typed.length > 40 || typed.replaceAll(/\D/g, '').length >= 12
