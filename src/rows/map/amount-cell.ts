import { namesCurrency } from './money-cell.ts'
import type { CellProblem } from './row.ts'

const AMOUNT = /^(\d+)(?:\.(\d+))?$/
const MAX_AMOUNT = String(Number.MAX_SAFE_INTEGER)

/** Reads an amount in minor units, such as `1250`, and where that can only be in minor units, `1250.0`. */
export function readMinorUnits(text: string, takesZeroDecimals = false): number | CellProblem {
  const [, units, decimals] = AMOUNT.exec(text) ?? []
  if (units === undefined) return faultOf(text, 'minor')
  if (decimals === undefined) return exact(units)
  if (takesZeroDecimals && isGroup(units, decimals))
    return {
      kind: 'has a point that may separate thousands or decimals',
      hint: `Write ${units}${decimals} if it separates thousands`,
    }
  const isZero = /^0+$/.test(decimals)
  if (takesZeroDecimals && isZero) return exact(units)
  return {
    kind: 'is not in minor units',
    hint: isZero
      ? 'Use --amounts major if 20.00 is 20.00, and --amounts minor if it is 0.20'
      : 'Use --amounts major for major units (12.50)',
  }
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
  if (units === undefined) return faultOf(text, 'major')
  if (exponent === undefined) return exact(units)
  const decimals = withoutSurplusZeros(units, written, exponent)
  if (decimals.length > exponent) return tooManyDecimals(currencyCode, exponent)
  return exact(units + decimals.padEnd(exponent, '0'))
}

/** Whether three digits after a point may be thousands, as in `1.250` and `10.000`. */
const isGroup = (whole: string, decimals: string): boolean =>
  decimals.length === 3 && /^[1-9]\d{0,2}$/.test(whole)

/**
 * Decimals without zeros beyond the currency's: those of `49.9000` EUR are `90`. Those of `1.250` stay, because three digits may be
 * thousands.
 */
export const withoutSurplusZeros = (whole: string, decimals: string, exponent: number): string =>
  /^0+$/.test(decimals.slice(exponent)) && !isGroup(whole, decimals) ? decimals.slice(0, exponent) : decimals

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

/** What accounting formats show for 0: `-`, `$ -`. */
const DASH = /^(?:[a-z]{3}|\p{Sc})?\s*[-\u2013\u2014]+\s*(?:[a-z]{3}|\p{Sc})?$/iu
const LETTERS = /[a-z\p{Sc}]/iu
const DECIMAL_COMMA = /\d,\d{1,2}(?:\D|$)/

/** Explains a rejected amount. The first pattern that matches wins. */
const FAULTS: readonly (readonly [pattern: RegExp, kind: string, hint: string])[] = [
  [
    /^[+-]?\d+(?:[.,]\d+)?e[+-]?\d+$/i,
    'is a number that a spreadsheet shortened',
    'Export the column as a plain number',
  ],
  [DASH, 'is a dash', 'Write 0 if it stands for 0, or leave out the row'],
  [/^[-\u2212(]\s*[\p{Sc}\d.,]|\d\s*[-\u2212]$/u, 'is negative', 'Amounts must be 0 or more'],
  [/^\+/, 'has a plus sign', 'Remove it'],
  [LETTERS, 'has letters or a currency sign', 'Write the number alone, or with its ISO 4217 code'],
  [/(?!\d)\p{Nd}/u, 'has digits other than 0 to 9', 'Use the digits 0 to 9'],
  [/,/, 'has a comma', FORMAT_HINT],
  [/\d[\s'\u2019_]+\d/u, 'has a separator between its digits', FORMAT_HINT],
  [/\..*\./, 'has several decimal points', FORMAT_HINT],
  [/^\.\d|\d\.$/, 'has no digit before or after the decimal point', FORMAT_HINT],
]

function faultOf(text: string, units: 'minor' | 'major'): CellProblem {
  const [, kind = 'is not an amount', hint = FORMAT_HINT] =
    FAULTS.find(([pattern]) => pattern.test(text)) ?? []
  const isMoney = LETTERS.test(text) && /\d/.test(text) && namesCurrency(text)
  const hasComma = kind === 'has a comma' || (isMoney && units === 'minor')
  const flags = [
    ...(units === 'minor' && (isMoney || hasComma) ? ['--amounts major'] : []),
    ...(hasComma && DECIMAL_COMMA.test(text) ? ['--decimal-comma'] : []),
  ].join(' ')
  if (kind === 'has a comma' && DECIMAL_COMMA.test(text))
    return { kind, hint: `${hint}. If commas separate decimals, add ${flags}` }
  return isMoney && units === 'minor'
    ? { kind, hint: `An amount with its currency is in major units: add ${flags}` }
    : { kind, hint }
}
