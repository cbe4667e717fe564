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

/** The currencies by the signs and words that their countries write: `€ EUR` is the sign and its codes. */
const SIGNS: ReadonlyMap<string, readonly string[]> = new Map(
  [
    '€ EUR|£ GBP EGP GIP FKP SHP SSP SDG SYP LBP',
    '$ USD CAD AUD NZD SGD HKD TWD MXN BRL CLP COP ARS UYU DOP BBD BMD BSD BZD FJD GYD JMD KYD LRD NAD SBD SRD TTD XCD',
    'us$ USD|c$ CAD NIO|ca$ CAD|a$ AUD|au$ AUD|nz$ NZD|s$ SGD|hk$ HKD|nt$ TWD|mx$ MXN|r$ BRL',
    '¥ JPY CNY|円 JPY|元 CNY TWD|₹ INR|rs INR PKR LKR NPR MUR SCR|₩ KRW KPW|원 KRW|₫ VND|₱ PHP CUP|฿ THB|rp IDR|rm MYR',
    'kr SEK NOK DKK ISK|zł PLN|kč CZK|ft HUF|lei RON MDL|лв BGN|грн UAH|₴ UAH|₽ RUB|руб RUB BYN|fr CHF XOF XAF XPF|₺ TRY|tl TRY|₪ ILS',
  ]
    .flatMap((line) => line.split('|'))
    .map((line) => {
      const [sign = '', ...codes] = line.split(' ')
      return [sign, codes]
    }),
)

/** A sign, or a word that isn't the start of an ID such as `KR-1`. */
const BEFORE = /^(?:\p{L}*\p{Sc}|[\p{L}\p{M}]+(?![\p{L}\p{M}-])(?:\.(?=\s))?)/u
const AFTER = /(?:(?<!\p{L})\p{L}*\p{Sc}|(?<![\p{L}\p{M}]|\d-)[\p{L}\p{M}]+\.?)$/u
const NO_DECIMALS = /[.,][-\u2013\u2014]{1,2}$/u

/** Takes a cell apart. `rowCurrency`: the currency of the row, in capitals; empty if it has none. */
export function splitMoney(text: string, rowCurrency: string): MoneyCell | CellProblem {
  const mark = markIn(text, BEFORE) ?? markIn(text, AFTER) ?? ''
  const named = mark === '' ? undefined : currencyOf(mark, rowCurrency)
  if (typeof named === 'object') return named
  const bare =
    named === undefined
      ? text
      : (text.startsWith(mark) ? text.slice(mark.length) : text.slice(0, -mark.length)).trim()
  const isWhole = NO_DECIMALS.test(bare)
  return { number: isWhole ? bare.replace(NO_DECIMALS, '') : bare, currencyCode: named, isWhole }
}

const markIn = (text: string, place: RegExp): string | undefined => place.exec(text)?.[0]

/** Whether a currency is before or after the number. */
export function namesCurrency(text: string): boolean {
  const money = splitMoney(text, '')
  return 'kind' in money || money.currencyCode !== undefined
}

/** The text without what may be a currency before and after it, known or not. */
export function withoutMarks(text: string): string {
  const marks = [markIn(text, BEFORE) ?? '', markIn(text, AFTER) ?? '']
  const [before = '', after = ''] = marks.map((mark) =>
    /^(?:[a-z]{3}|\p{Sc})$/iu.test(mark) || codesOf(mark).length > 0 ? mark : '',
  )
  return text.slice(before.length, text.length - after.length).trim()
}

/** The currencies that a mark may mean. */
function codesOf(mark: string): readonly string[] {
  const known = SIGNS.get(mark)
  if (known !== undefined) return known
  const code = mark.toUpperCase()
  if (exponentOf(code) !== undefined) return [code]
  return SIGNS.get(mark.replace(/\.$/, '').normalize('NFC').toLowerCase()) ?? []
}

/** The currency of a mark; undefined for a word that is no currency. */
function currencyOf(mark: string, rowCurrency: string): string | CellProblem | undefined {
  const codes = codesOf(mark)
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
