import { exponentOf } from '../../money/currencies.ts'
import { splitMoney } from './money-cell.ts'
import type { NumberStyle } from './number-style.ts'

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
    units: isMajor ? 'major' : namesMinorUnits(name) ? 'minor' : undefined,
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

/**
 * How an amount is written. A `whole` number is in minor units unless the user says otherwise; an amount with decimals or its
 * currency can only be in `major` units.
 */
export type AmountForm = 'whole' | 'major'

export interface WrittenAmount {
  readonly form: AmountForm
  /** In capitals; empty if unknown. */
  readonly currencyCode: string
}

const WHOLE: Readonly<Record<NumberStyle, RegExp>> = {
  plain: /^\d+$/,
  'decimal-comma': /^\d{1,3}(?:[. ]\d{3})*$|^\d+$/,
  'thousands-comma': /^\d{1,3}(?:,\d{3})*$|^\d+$/,
}
const DECIMAL: Readonly<Record<NumberStyle, RegExp>> = {
  plain: /^[\d,]*\d\.\d+$/,
  'decimal-comma': /^[\d. ]*\d,\d+$/,
  'thousands-comma': /^[\d,]*\d\.\d+$/,
}

/** Undefined for what is no amount, and where both units are the same. */
export function writtenAmount(
  text: string,
  rowCurrency: string,
  numbers: NumberStyle,
): WrittenAmount | undefined {
  const money = splitMoney(text.trim(), rowCurrency.toUpperCase())
  if ('kind' in money) return undefined
  const currencyCode = (money.currencyCode ?? rowCurrency).toUpperCase()
  if (exponentOf(currencyCode) === 0) return undefined
  const isDecimal = money.isWhole || DECIMAL[numbers].test(money.number)
  if (!isDecimal && !WHOLE[numbers].test(money.number)) return undefined
  return { form: isDecimal || money.currencyCode !== undefined ? 'major' : 'whole', currencyCode }
}

/** Names of minor units, and of what is counted in them. */
const MINOR_NAMES: ReadonlySet<string> = new Set(
  'minor minorunits cent cents eurocent eurocents pence penny öre øre ore paise paisa rappen centime centimes centavo centavos céntimo céntimos centimos grosz groszy haléř haléřů kopek kopeks kopecks fen sen fils'.split(
    ' ',
  ),
)

/** Whether the name of a column says that its amounts are in minor units: `amount_cents`, `Refund amount (pence)`. */
export const namesMinorUnits = (name: string): boolean =>
  name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .some((word) => MINOR_NAMES.has(word))
