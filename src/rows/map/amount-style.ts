import { exponentOf } from '../../money/currencies.ts'
import { splitMoney } from './money-cell.ts'

/** How the amounts of a column seem to be written. */
export interface AmountStyle {
  /** The units; undefined if the values don't tell, because all are whole numbers. */
  readonly units: 'major' | 'minor' | undefined
  readonly hasDecimalComma: boolean
  /** The currency in the cells or in the column's name. */
  readonly currencyCode: string | undefined
  /** Whether every cell names its currency. */
  readonly isNamed: boolean
  /** The doubts, in words for the user. */
  readonly doubts: readonly string[]
}

const COMMA = /^\d[\d.\s]*,(?:\d{1,2}|\d{4,})$/
const POINT = /^\d[\d,\s]*\.(?:\d{1,2}|\d{4,})$/
const NAME_IS_MINOR = /minor|cents?\b|cent\b/i

export function amountStyleOf(name: string, cells: readonly string[]): AmountStyle {
  const values = cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
  const money = values.flatMap((value) => {
    const split = splitMoney(value, '')
    return 'kind' in split ? [] : [{ ...split, value }]
  })
  const commas = money.filter(({ number, value }) => COMMA.test(number) || /,[-\u2013]/u.test(value))
  const points = money.filter(({ number }) => POINT.test(number))
  const hasDecimalComma = commas.length > points.length
  const [few] = hasDecimalComma ? points : commas
  const codes = new Set(money.flatMap(({ currencyCode }) => currencyCode ?? []))
  const [code] = codes
  const isMajor = commas.length + points.length + codes.size > 0 || money.some(({ isWhole }) => isWhole)
  return {
    units: isMajor ? 'major' : NAME_IS_MINOR.test(name) ? 'minor' : undefined,
    hasDecimalComma,
    currencyCode: currencyIn(name) ?? (codes.size === 1 ? code : undefined),
    isNamed: money.length > 0 && money.every(({ currencyCode }) => currencyCode !== undefined),
    doubts:
      few === undefined || commas.length === 0 || points.length === 0
        ? []
        : [
            `Most amounts in "${name}" have a decimal ${hasDecimalComma ? 'comma' : 'point'}, but "${few.value}" does not: correct such cells.`,
          ],
  }
}

/** The currency in a column's name, as in `Betrag (EUR)` and `Amount in €`. */
function currencyIn(name: string): string | undefined {
  if (name.includes('€')) return 'EUR'
  return /\b[A-Z]{3}\b/.exec(name)?.find((word) => exponentOf(word) !== undefined)
}
