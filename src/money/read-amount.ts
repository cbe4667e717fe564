import { PayError, UsageError } from '../errors.ts'
import { exponentOf } from './currencies.ts'
import { formatMoney, formatUnits } from './format.ts'
import { needsCurrency, parseAmount } from './parse.ts'
import type { Amount } from './parse.ts'

/** What an amount that a person types depends on. Amounts are in minor units. */
export interface AmountFacts {
  readonly label: string
  readonly hint?: string | undefined
  /** The currency of the payment, or of the request so far. */
  readonly currencyCode: string | undefined
  /** The amount must be in the payment's currency. An unknown currency is refused too. */
  readonly isOfPayment?: boolean
  readonly allowZero: boolean
  /** What an empty answer means; undefined if an amount is required. */
  readonly fullAmount?: FullAmount | undefined
  /** Another reason to refuse an amount, such as the profile's limits. */
  readonly refusal?: ((amountMinor: number) => string | undefined) | undefined
}

export interface FullAmount {
  /** The most that can be moved; undefined if unknown. */
  readonly amountMinor: number | undefined
}

/**
 * Parses a typed amount into minor units. Undefined means all that is left, when that is unknown.
 * @throws {UsageError} if the text is not an amount, has another currency, or exceeds what is left
 */
export function readAmount(facts: AmountFacts, text: string): number | undefined {
  const { currencyCode, allowZero, fullAmount } = facts
  if (text.trim() === '' && fullAmount !== undefined) {
    if (fullAmount.amountMinor !== undefined) throwRefusal(facts, fullAmount.amountMinor)
    return fullAmount.amountMinor
  }
  const amount = parseAmount(text, { what: facts.label, currencyCode, allowZero })
  if (facts.isOfPayment === true && amount.currencyCode !== currencyCode)
    throw new UsageError(
      `The payment is in ${currencyCode ?? 'an unknown currency'}, not in ${amount.currencyCode ?? 'none'}`,
    )
  if (fullAmount?.amountMinor !== undefined && amount.amountMinor > fullAmount.amountMinor)
    throw new UsageError(
      `That is more than the ${formatMoney(fullAmount.amountMinor, currencyCode)} that is left`,
    )
  throwRefusal(facts, amount.amountMinor)
  if (isProbablyMajorUnits(text, amount)) throw ambiguousAmountError(text, amount)
  return amount.amountMinor
}

function throwRefusal({ refusal }: AmountFacts, amountMinor: number): void {
  const reason = refusal?.(amountMinor)
  if (reason !== undefined) throw new UsageError(reason)
}

/** Whether a whole number is less than one unit: `5` is 0.05 EUR, which a person rarely means. */
function isProbablyMajorUnits(text: string, { amountMinor, currencyCode }: Amount): boolean {
  if (!/^\d+$/.test(text.trim()) || currencyCode === undefined) return false
  const exponent = exponentOf(currencyCode)
  return exponent !== undefined && amountMinor > 0 && amountMinor < 10 ** exponent
}

/** Offers both interpretations, each as the text to type. */
function ambiguousAmountError(text: string, { amountMinor, currencyCode = '' }: Amount): UsageError {
  const exponent = exponentOf(currencyCode) ?? 0
  const asTyped = formatUnits(amountMinor, exponent)
  const asUnits = formatUnits(amountMinor * 10 ** exponent, exponent)
  return new UsageError(
    `${text.trim()} would be ${asTyped} ${currencyCode}. Type ${asUnits} for ${asUnits} ${currencyCode}, or ${asTyped} for ${asTyped} ${currencyCode}.`,
  )
}

/** How a text is understood, such as `12.50 EUR = 1250`; undefined while it isn't an amount. */
export function interpretAmount(facts: AmountFacts, text: string): string | undefined {
  const typed = text.trim()
  if (typed === '' || (facts.currencyCode === undefined && needsCurrency(typed))) return undefined
  try {
    const { amountMinor, currencyCode } = parseAmount(typed, { what: '', ...facts, allowZero: true })
    return currencyCode === undefined
      ? `${amountMinor} minor units`
      : `${formatMoney(amountMinor, currencyCode)} = ${amountMinor}`
  } catch (error) {
    // The amount may be incomplete. Entering it reports what is wrong.
    if (error instanceof PayError) return undefined
    throw error
  }
}
