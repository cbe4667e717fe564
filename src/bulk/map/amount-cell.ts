import type { CellProblem } from './cell.ts'

const AMOUNT = /^(\d+)(?:\.(\d+))?$/
const LARGEST = String(Number.MAX_SAFE_INTEGER)

/** A whole number as the service takes it: 1250. */
export function readMinorUnits(text: string): number | CellProblem {
  const [, units, decimals] = AMOUNT.exec(text) ?? []
  if (units === undefined) return faultOf(text)
  if (decimals !== undefined)
    return { kind: 'is not in minor units', hint: 'Use --amounts major for major units (12.50)' }
  return exact(units)
}

/**
 * An amount as people write it: 12.50. Digits are moved as text, nothing is rounded. An undefined exponent is that of a
 * code which is no currency, told elsewhere.
 */
export function readMajorUnits(
  text: string,
  currencyCode: string,
  exponent: number | undefined,
): number | CellProblem {
  const [, units, decimals = ''] = AMOUNT.exec(text) ?? []
  if (units === undefined) return faultOf(text)
  if (exponent === undefined) return exact(units)
  if (decimals.length > exponent)
    return {
      kind: 'has more decimals than its currency',
      hint: `${currencyCode} has ${exponent === 0 ? 'none' : exponent}`,
    }
  return exact(units + decimals.padEnd(exponent, '0'))
}

function exact(digits: string): number | CellProblem {
  if (digits.length < LARGEST.length) return Number(digits)
  const significant = digits.replace(/^0+(?=\d)/, '')
  const isTooLarge =
    significant.length > LARGEST.length || (significant.length === LARGEST.length && significant > LARGEST)
  return isTooLarge
    ? {
        kind: `is more than ${LARGEST} minor units`,
        hint: 'Larger numbers cannot be kept exact: check the digits',
      }
    : Number(significant)
}

const WRITE_IT = 'Use a decimal point and no thousands separators: 1234.50'

/** What a refused amount looks like, the first match being told. */
const FAULTS: readonly (readonly [pattern: RegExp, kind: string, hint: string])[] = [
  [
    /^[+-]?\d+(?:[.,]\d+)?e[+-]?\d+$/i,
    'is a number that a spreadsheet shortened',
    'Export the column as a plain number',
  ],
  [/^[-\u2212(]|-$/, 'is negative', 'Amounts must be 0 or more'],
  [/^\+/, 'has a plus sign', 'Leave it out'],
  [/[a-z\p{Sc}]/iu, 'has letters or a currency sign', 'The currency belongs in its own column'],
  [/(?!\d)\p{Nd}/u, 'has digits other than 0 to 9', 'Use the digits 0 to 9'],
  [/,/, 'has a comma', WRITE_IT],
  [/\d[\s'\u2019_]+\d/u, 'has a separator between its digits', WRITE_IT],
  [/\..*\./, 'has several points', WRITE_IT],
  [/^\.\d|\d\.$/, 'has no digit before or after its point', WRITE_IT],
]

function faultOf(text: string): CellProblem {
  const fault = FAULTS.find(([pattern]) => pattern.test(text))
  return fault === undefined
    ? { kind: 'is not an amount', hint: WRITE_IT }
    : { kind: fault[1], hint: fault[2] }
}
