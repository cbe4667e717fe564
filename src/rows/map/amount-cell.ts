import type { CellProblem } from './row.ts'

const AMOUNT = /^(\d+)(?:\.(\d+))?$/
const MAX_AMOUNT = String(Number.MAX_SAFE_INTEGER)

/** Reads an amount in minor units, such as `1250`, and where that can only be in minor units, `1250.0`. */
export function readMinorUnits(text: string, takesZeroDecimals = false): number | CellProblem {
  const [, units, decimals] = AMOUNT.exec(text) ?? []
  if (units === undefined) return faultOf(text)
  if (decimals !== undefined && !(takesZeroDecimals && /^0+$/.test(decimals)))
    return { kind: 'is not in minor units', hint: 'Use --amounts major for major units (12.50)' }
  return exact(units)
}

/**
 * Reads an amount in major units, such as `12.50`, and returns minor units. Moves the decimal point in the text, so nothing
 * is rounded. `exponent` is the currency's number of decimals; undefined for an unknown currency, which another check
 * reports.
 */
export function readMajorUnits(
  text: string,
  currencyCode: string,
  exponent: number | undefined,
): number | CellProblem {
  const [, units, written = ''] = AMOUNT.exec(text) ?? []
  if (units === undefined) return faultOf(text)
  if (exponent === undefined) return exact(units)
  const decimals = withoutSurplusZeros(units, written, exponent)
  if (decimals.length > exponent) return tooManyDecimals(currencyCode, exponent)
  return exact(units + decimals.padEnd(exponent, '0'))
}

/**
 * Decimals without zeros beyond the currency's: those of `49.9000` EUR are `90`. Those of `1.250` stay, because three digits may be
 * thousands.
 */
export const withoutSurplusZeros = (whole: string, decimals: string, exponent: number): string =>
  /^0+$/.test(decimals.slice(exponent)) && !(decimals.length === 3 && whole.length <= 3)
    ? decimals.slice(0, exponent)
    : decimals

export const tooManyDecimals = (currencyCode: string, exponent: number): CellProblem => ({
  kind: 'has more decimals than its currency',
  hint: `${currencyCode} has ${exponent === 0 ? 'none' : exponent}`,
})

function exact(digits: string): number | CellProblem {
  if (digits.length < MAX_AMOUNT.length) return Number(digits)
  const significant = digits.replace(/^0+(?=\d)/, '')
  const isTooLarge =
    significant.length > MAX_AMOUNT.length ||
    (significant.length === MAX_AMOUNT.length && significant > MAX_AMOUNT)
  return isTooLarge
    ? {
        kind: `is more than ${MAX_AMOUNT} minor units`,
        hint: 'Larger numbers would lose digits: check the amount',
      }
    : Number(significant)
}

export const FORMAT_HINT = 'Use a decimal point and no thousands separators: 1234.50'

/** Explains a rejected amount. The first pattern that matches wins. */
const FAULTS: readonly (readonly [pattern: RegExp, kind: string, hint: string])[] = [
  [
    /^[+-]?\d+(?:[.,]\d+)?e[+-]?\d+$/i,
    'is a number that a spreadsheet shortened',
    'Export the column as a plain number',
  ],
  [/^[-\u2212(]|-$/, 'is negative', 'Amounts must be 0 or more'],
  [/^\+/, 'has a plus sign', 'Remove it'],
  [/[a-z\p{Sc}]/iu, 'has letters or a currency sign', 'The currency belongs in its own column'],
  [/(?!\d)\p{Nd}/u, 'has digits other than 0 to 9', 'Use the digits 0 to 9'],
  [/,/, 'has a comma', `${FORMAT_HINT}. If commas separate decimals, add --decimal-comma`],
  [/\d[\s'\u2019_]+\d/u, 'has a separator between its digits', FORMAT_HINT],
  [/\..*\./, 'has several decimal points', FORMAT_HINT],
  [/^\.\d|\d\.$/, 'has no digit before or after the decimal point', FORMAT_HINT],
]

function faultOf(text: string): CellProblem {
  const fault = FAULTS.find(([pattern]) => pattern.test(text))
  return fault === undefined
    ? { kind: 'is not an amount', hint: FORMAT_HINT }
    : { kind: fault[1], hint: fault[2] }
}
