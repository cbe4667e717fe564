import { exponentOf } from '../../money/currencies.ts'
import type { CellProblem } from './row.ts'

/** An amount in major units without its currency, such as `12,00` of `€ 12,00`. */
export interface MoneyCell {
  readonly number: string
  /** The currency in the cell. */
  readonly currencyCode: string | undefined
  /** Whether the cell says that there are no decimals: `5,-`. */
  readonly isWhole: boolean
}

/** The currencies by their sign. */
const SIGNS: Readonly<Record<string, readonly string[]>> = {
  '€': ['EUR'],
  '£': ['GBP', 'EGP', 'GIP', 'FKP', 'SHP', 'SSP', 'SDG', 'SYP', 'LBP'],
  $: 'USD CAD AUD NZD SGD HKD TWD MXN BRL CLP COP ARS UYU DOP BBD BMD BSD BZD FJD GYD JMD KYD LRD NAD SBD SRD TTD XCD'.split(
    ' ',
  ),
  '¥': ['JPY', 'CNY'],
  '₹': ['INR'],
  '₩': ['KRW', 'KPW'],
  '₺': ['TRY'],
  '₴': ['UAH'],
  '₪': ['ILS'],
  '₫': ['VND'],
  '₱': ['PHP', 'CUP'],
  '฿': ['THB'],
  '₽': ['RUB'],
}

const BEFORE = /^(?:[a-z]{3}|\p{Sc})(?![a-z])/iu
const AFTER = /(?:(?<![a-z])[a-z]{3}|\p{Sc})$/iu
const NO_DECIMALS = /[.,][-\u2013\u2014]{1,2}$/u

/** Takes a cell apart. `rowCurrency`: the currency of the row, in capitals; empty if it has none. */
export function splitMoney(text: string, rowCurrency: string): MoneyCell | CellProblem {
  const mark = BEFORE.exec(text)?.[0] ?? AFTER.exec(text)?.[0] ?? ''
  const named = mark === '' ? undefined : currencyOf(mark, rowCurrency)
  if (typeof named === 'object') return named
  const bare =
    named === undefined
      ? text
      : (text.startsWith(mark) ? text.slice(mark.length) : text.slice(0, -mark.length)).trim()
  const isWhole = NO_DECIMALS.test(bare)
  return { number: isWhole ? bare.replace(NO_DECIMALS, '') : bare, currencyCode: named, isWhole }
}

/** The currency of a mark; undefined for a word that is no currency. */
function currencyOf(mark: string, rowCurrency: string): string | CellProblem | undefined {
  const code = mark.toUpperCase()
  const codes = SIGNS[mark] ?? (exponentOf(code) === undefined ? [] : [code])
  const [first] = codes
  if (first === undefined || codes.includes(rowCurrency)) return first === undefined ? undefined : rowCurrency
  if (rowCurrency !== '')
    return { kind: 'is in another currency than its row', hint: `The row is in ${rowCurrency}` }
  if (codes.length === 1) return first
  return {
    kind: 'has a sign of several currencies',
    hint: 'Name the currency in its own column, or by its code',
  }
}
