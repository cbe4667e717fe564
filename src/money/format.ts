import { exponentOf } from './currencies.ts'

/**
 * An amount with its currency: `700, 'EUR'` is `7.00 EUR`, and `parseAmount` reads it back as 700. Without a known currency
 * the decimal point is unknown, so the amount is shown in minor units.
 */
export function formatMoney(amountMinor: number | bigint, currencyCode: string | undefined): string {
  const exponent = currencyCode === undefined ? undefined : exponentOf(currencyCode)
  const isExact = typeof amountMinor === 'bigint' || Number.isSafeInteger(amountMinor)
  if (exponent === undefined || !isExact) {
    return `${amountMinor} minor units${currencyCode === undefined ? '' : ` of ${currencyCode}`}`
  }
  return `${formatUnits(amountMinor, exponent)} ${currencyCode}`
}

/** An amount in major units, without the currency: `700, 2` is `7.00`. */
export function formatUnits(amountMinor: number | bigint, exponent: number): string {
  const digits = String(amountMinor).replace('-', '')
  return `${amountMinor < 0 ? '-' : ''}${withPoint(digits, exponent)}`
}

function withPoint(digits: string, exponent: number): string {
  if (exponent === 0) return digits
  const padded = digits.padStart(exponent + 1, '0')
  return `${padded.slice(0, -exponent)}.${padded.slice(-exponent)}`
}

/** Loyalty points, below zero when they were returned: `500 points`, `450 points returned`. */
export const formatPoints = (points: number): string =>
  points < 0 ? `${-points} points returned` : `${points} points`
