import { exponentOf } from '../../money/currencies.ts'
import { readCell } from './cell.ts'
import { splitMoney, withoutMarks } from './money-cell.ts'
import type { NumberStyle } from './number-style.ts'
import { isProblem } from './row.ts'

interface CellOfRow {
  readonly amount: string
  /** Empty if unknown. */
  readonly currencyCode: string
}

const SIGN = /^[-\u2212(+]|[-\u2212)]$/gu

/** The number in a cell, without its sign and currency. `5,-` stays as it is. */
const numberIn = (text: string): string => {
  const number = withoutMarks(text.trim())
  if (/[.,][-\u2013\u2014]+$/u.test(number)) return number
  return withoutMarks(number.replaceAll(SIGN, '').trim())
}

/** Whether a cell has an amount, in whatever style and currency. */
export const isMoney = (text: string): boolean =>
  /^\d[\d.,'\u2019 \u00A0\u202F]*(?:[.,][-\u2013\u2014]{1,2})?$/u.test(numberIn(text))

export const isNegative = (text: string): boolean =>
  /^[-\u2212(]|\d-$/u.test(withoutMarks(text.trim()).replaceAll(/\s/g, '')) && isMoney(text)

const STYLES = ['plain', 'decimal-comma', 'thousands-comma'] as const

/** The style in which most cells are amounts, and the first cell that is none in it. */
export function numbersOf(cells: readonly CellOfRow[]): {
  readonly numbers: NumberStyle
  readonly other: string | undefined
} {
  const amounts = cells.filter(({ amount }) => isMoney(amount))
  const fitting = (numbers: NumberStyle) => amounts.filter((cell) => isReadable(cell, numbers))
  const numbers = STYLES.map((name) => ({ name, cells: fitting(name) })).reduce((best, one) =>
    one.cells.length > best.cells.length ? one : best,
  )
  return { numbers: numbers.name, other: amounts.find((cell) => !numbers.cells.includes(cell))?.amount }
}

function isReadable({ amount, currencyCode }: CellOfRow, numbers: NumberStyle): boolean {
  const money = splitMoney(amount, '')
  const code = ('kind' in money ? undefined : money.currencyCode) ?? currencyCode
  const known = exponentOf(code.toUpperCase()) === undefined ? 'EUR' : code
  return !isProblem(
    readCell('amount', numberIn(amount), { amounts: 'major', numbers, assumesUtc: false }, known),
  )
}

/** The currency in a column's name, as in `Betrag (EUR)` and `Amount in €`. */
export function currencyIn(name: string): string | undefined {
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
  'decimal-comma': /^\d{1,3}(?:[.\s]\d{3})*$|^\d+$/,
  'thousands-comma': /^\d{1,3}(?:,\d{3})*$|^\d+$/,
}
const DECIMAL: Readonly<Record<NumberStyle, RegExp>> = {
  plain: /^[\d,'\u2019]*\d\.\d+$/,
  'decimal-comma': /^[\d.\s]*\d,\d+$/,
  'thousands-comma': /^[\d,]*\d\.\d+$/,
}

/** Undefined for what is no amount, and where both units are the same: yen, and zero. */
export function writtenAmount(
  text: string,
  rowCurrency: string,
  numbers: NumberStyle,
): WrittenAmount | undefined {
  const money = splitMoney(text.trim(), rowCurrency.toUpperCase())
  // Whichever currency `$` means, its amount is in major units.
  if ('kind' in money)
    return rowCurrency === '' && isMoney(text) ? { form: 'major', currencyCode: '' } : undefined
  const currencyCode = (money.currencyCode ?? rowCurrency).toUpperCase()
  if (exponentOf(currencyCode) === 0 || /^0+$/.test(money.number)) return undefined
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
