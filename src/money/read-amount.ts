import { PayError, UsageError } from '../errors.ts'
import { exponentOf } from './currencies.ts'
import { formatMoney } from './format.ts'
import { needsCurrency, parseAmount } from './parse.ts'

/** What an amount that a person types depends on. Amounts are in minor units. */
export interface AmountFacts {
  readonly label: string
  readonly hint?: string | undefined
  /** The currency of the payment, or of the request so far. */
  readonly currencyCode: string | undefined
  /** Whether the amount must be in the payment's currency. Then an unknown currency is refused too. */
  readonly isOfPayment?: boolean
  readonly allowZero: boolean
  /** What an empty answer means, and `half` is half of; undefined if an amount is required. */
  readonly fullAmount?: FullAmount | undefined
  /** Another reason to refuse an amount, such as the profile's limits. */
  readonly refusal?: ((amountMinor: number) => string | undefined) | undefined
}

interface FullAmount {
  /** The most that can be moved; undefined if unknown. */
  readonly amountMinor: number | undefined
}

/**
 * Reads a typed amount in minor units. Undefined means all that is left, when that is unknown.
 * @throws {UsageError} if the text is not an amount, has two readings or another currency, or exceeds what is left
 */
export function readAmount(facts: AmountFacts, text: string): number | undefined {
  const { currencyCode, fullAmount } = facts
  const amountMinor = amountIn(facts, text)
  if (amountMinor === undefined) return undefined
  if (fullAmount?.amountMinor !== undefined && amountMinor > fullAmount.amountMinor)
    throw new UsageError(
      `That is more than the ${formatMoney(fullAmount.amountMinor, currencyCode)} that is left`,
    )
  const reason = facts.refusal?.(amountMinor)
  if (reason !== undefined) throw new UsageError(reason)
  return amountMinor
}

/**
 * The amount that a text says, which may be more than is left.
 * @throws {UsageError} if the text is not an amount, has two readings or another currency
 */
export function amountIn(facts: AmountFacts, text: string): number | undefined {
  const { currencyCode, allowZero, fullAmount } = facts
  const typed = asFlagValue(text, currencyCode)
  if (fullAmount !== undefined && /^(?:all)?$/i.test(typed)) return fullAmount.amountMinor
  const part = fullAmount === undefined ? undefined : partIn(typed)
  if (part !== undefined) return amountOfPart(part, typed, facts)
  const readings = readingsOf(facts, text)
  if (readings.length > 0) throw new UsageError(`${readings.join(' or ')}? Type one of them`)
  const amount = parseAmount(typed, { what: facts.label, currencyCode, allowZero, hint: howToAnswer(facts) })
  if (facts.isOfPayment === true && amount.currencyCode !== currencyCode)
    throw new UsageError(
      `The payment is in ${currencyCode ?? 'an unknown currency'}, not in ${amount.currencyCode ?? 'none'}`,
    )
  return amount.amountMinor
}

/** How to write an amount where its currency is known: a whole number would have two readings. */
const howToAnswer = ({ currencyCode, fullAmount }: AmountFacts): string | undefined => {
  const exponent = currencyCode === undefined ? undefined : exponentOf(currencyCode)
  if (exponent === undefined || exponent === 0) return undefined
  const parts = fullAmount?.amountMinor === undefined ? '' : ', half, 50% or all'
  return `Write an amount such as ${formatMoney(7 * 10 ** exponent, currencyCode)}${parts}.`
}

/** What a whole number of a currency with decimals can mean, each as an amount to type; none if the text has one reading. */
export function readingsOf(
  { currencyCode }: Pick<AmountFacts, 'currencyCode'>,
  text: string,
): readonly string[] {
  const digits = asFlagValue(text, currencyCode).replace(/^0+(?=\d)/, '')
  const exponent = currencyCode === undefined ? undefined : exponentOf(currencyCode)
  if (exponent === undefined || exponent === 0 || !/^[1-9]\d*$/.test(digits)) return []
  return [digits + '0'.repeat(exponent), digits].map((minor) => formatMoney(BigInt(minor), currencyCode))
}

/** A text as --amount takes it: without quotes, and with a point in place of a decimal comma. */
export function asFlagValue(text: string, currencyCode: string | undefined): string {
  const typed = text.trim().replace(/^(['"])(.*)\1$/, '$2')
  const hasCents = currencyCode !== undefined && exponentOf(currencyCode) === 2
  return hasCents ? typed.replace(/^(\d+),(\d\d)(?= |$)/, '$1.$2') : typed
}

/** A fraction of what is left. */
interface Part {
  readonly numerator: bigint
  readonly denominator: bigint
}

function partIn(typed: string): Part | undefined {
  if (/^half$/i.test(typed)) return { numerator: 1n, denominator: 2n }
  const [, whole, decimals = ''] = /^(\d{1,9})(?:[.,](\d{1,9}))? ?%$/.exec(typed) ?? []
  if (whole === undefined) return undefined
  return { numerator: BigInt(whole + decimals), denominator: 100n * 10n ** BigInt(decimals.length) }
}

/** The amount of a part, rounded down to the minor unit. */
function amountOfPart(
  { numerator, denominator }: Part,
  typed: string,
  { fullAmount, currencyCode }: AmountFacts,
): number {
  const left = fullAmount?.amountMinor
  if (left === undefined) throw new UsageError('How much is left is unknown, so type the amount')
  if (numerator > denominator) throw new UsageError(`${typed} is more than all of it`)
  const amountMinor = Number((BigInt(left) * numerator) / denominator)
  if (amountMinor === 0) throw new UsageError(`${typed} of ${formatMoney(left, currencyCode)} is nothing`)
  return amountMinor
}

/** How a text is understood, such as `12.50 EUR = 1250`; undefined while it isn't an amount. */
export function interpretAmount(facts: AmountFacts, text: string): string | undefined {
  const typed = text.trim()
  if (typed === '' || (facts.currencyCode === undefined && needsCurrency(typed))) return undefined
  const readings = readingsOf(facts, text)
  if (readings.length > 0) return readings.join(' or ').replace(/ [A-Z]{3}(?= )/, '')
  try {
    const amountMinor = amountIn({ ...facts, isOfPayment: false, allowZero: true }, text)
    const currencyCode = facts.currencyCode ?? /[A-Z]{3}/.exec(typed)?.[0]
    return amountMinor === undefined
      ? undefined
      : currencyCode === undefined
        ? `${amountMinor} minor units`
        : `${formatMoney(amountMinor, currencyCode)} = ${amountMinor}`
  } catch (error) {
    // The amount may be incomplete. Entering it reports what is wrong.
    if (error instanceof PayError) return undefined
    throw error
  }
}
