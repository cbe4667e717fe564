import { PayError, UsageError } from '../errors.ts'
import { formatMoney } from '../money/format.ts'
import { needsCurrency, parseAmount } from '../money/parse.ts'
import type { Question } from './prompts-port.ts'

export interface AmountFacts {
  readonly label: string
  readonly hint?: string | undefined
  /** The currency that is known: of the payment, or of the request so far. */
  readonly currencyCode: string | undefined
  /** A payment has its currency: another one is refused, and so is one that cannot be held against it. */
  readonly isOfPayment?: boolean
  readonly allowZero: boolean
  /** What an empty answer stands for; undefined where one is no answer. */
  readonly whole?: WholeAmount | undefined
}

export interface WholeAmount {
  /** What may be moved at most; undefined where nobody knows. */
  readonly amountMinor: number | undefined
}

/** An amount, checked and read back while it is typed: `12.50 EUR = 1250`. */
export function amountQuestion(facts: AmountFacts): Question {
  return {
    label: facts.label,
    hint: facts.hint,
    check: (text) => problemOf(facts, text),
    meaning: (text) => meaningOf(facts, text),
  }
}

/**
 * Minor units of what was typed; undefined for all of it.
 * @throws {UsageError} for what is no amount, in another currency, or more than there is
 */
export function readAmount(facts: AmountFacts, text: string): number | undefined {
  const { currencyCode, allowZero, whole } = facts
  if (text.trim() === '' && whole !== undefined) return whole.amountMinor
  const amount = parseAmount(text, { what: facts.label, currencyCode, allowZero })
  if (facts.isOfPayment === true && amount.currencyCode !== currencyCode)
    throw new UsageError(
      `The payment is in ${currencyCode ?? 'an unknown currency'}, not in ${amount.currencyCode ?? 'none'}`,
    )
  if (whole?.amountMinor !== undefined && amount.amountMinor > whole.amountMinor)
    throw new UsageError(`That is more than the ${formatMoney(whole.amountMinor, currencyCode)} that is left`)
  return amount.amountMinor
}

function problemOf(facts: AmountFacts, text: string): string | undefined {
  try {
    readAmount(facts, text)
    return undefined
  } catch (error) {
    if (!(error instanceof PayError)) throw error
    return [error.message, error.details.hint].filter(Boolean).join(' ')
  }
}

function meaningOf(facts: AmountFacts, text: string): string | undefined {
  const typed = text.trim()
  if (typed === '' || (facts.currencyCode === undefined && needsCurrency(typed))) return undefined
  try {
    const { amountMinor, currencyCode } = parseAmount(typed, { what: '', ...facts, allowZero: true })
    return currencyCode === undefined
      ? `${amountMinor} minor units`
      : `${formatMoney(amountMinor, currencyCode)} = ${amountMinor}`
  } catch (error) {
    // Half an amount: what is wrong with it is told when it is entered.
    if (error instanceof PayError) return undefined
    throw error
  }
}
