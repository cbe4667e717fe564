import type { CellProblem } from './row.ts'

/**
 * The styles of amounts: `plain` is 1234.50 or 1,234.50, `decimal-comma` also 1.234,50 and 1234,50, `thousands-comma` also 1,234.50.
 */
export type NumberStyle = 'plain' | 'decimal-comma' | 'thousands-comma'

interface Style {
  readonly plain: RegExp
  /** Thousands in groups of exactly three digits, all with the same separator. */
  readonly grouped: RegExp
  readonly decimal: ',' | '.'
  /** The sign that separates thousands here and decimals elsewhere. */
  readonly ambiguous: '.' | ','
  readonly mark: string
  readonly hint: string
}

const STYLES: Readonly<Record<Exclude<NumberStyle, 'plain'>, Style>> = {
  'decimal-comma': {
    plain: /^\d+(?:,\d+)?$/,
    grouped: /^[1-9]\d{0,2}(?:([. \u00A0\u202F])\d{3})(?:\1\d{3})*(?:,\d+)?$/,
    decimal: ',',
    ambiguous: '.',
    mark: 'a point',
    hint: 'Decimals follow a comma here: write 1234,50 or 1.234,50',
  },
  'thousands-comma': {
    plain: /^\d+(?:\.\d+)?$/,
    grouped: /^[1-9]\d{0,2}(?:(,)\d{3})(?:\1\d{3})*(?:\.\d+)?$/,
    decimal: '.',
    ambiguous: ',',
    mark: 'a comma',
    hint: 'Commas separate thousands here: write 1234.50 or 1,234.50',
  },
}

/**
 * A grouped number, also with the apostrophes of Switzerland and the groups of India, `1,20,000.00`. Only decimals, or a currency
 * without them, leave no doubt about it.
 */
const GROUPED = /^(?:[1-9]\d{0,2}(?:(?:,\d{3})+|(?:['\u2019]\d{3})+)|[1-9]\d?(?:,\d\d)+,\d{3})(\.\d+)?$/

/** The hint on how to write amounts in a style. */
export const hintOf = (name: Exclude<NumberStyle, 'plain'>): string => STYLES[name].hint

/**
 * Rewrites an amount to digits with a decimal point; anything that isn't a number is returned unchanged. `1.234` is refused: it may be
 * 1234 or a little more than 1. Only a currency without decimals (`exponent` 0) leaves no doubt.
 */
export function toPlainNumber(
  text: string,
  name: NumberStyle,
  exponent: number | undefined,
): string | CellProblem {
  if (name === 'plain') {
    const grouped = GROUPED.exec(text)
    const isCertain = grouped !== null && (grouped[1] !== undefined || exponent === 0)
    return isCertain ? text.replaceAll(/[,'\u2019]/g, '') : text
  }
  const style = STYLES[name]
  if (style.plain.test(text)) return text.replace(',', '.')
  const separator = style.grouped.exec(text)?.[1]
  if (separator === undefined) return text.includes(style.ambiguous) ? misplaced(text, style) : text
  const isDoubtful =
    separator === style.ambiguous && text.split(separator).length === 2 && !text.includes(style.decimal)
  if (isDoubtful && exponent !== 0)
    return {
      kind: `has ${style.mark} that may separate thousands or decimals`,
      hint: `Write 1234 or 1234${style.decimal}00, whichever it is`,
    }
  return text.replaceAll(separator, '').replace(',', '.')
}

const misplaced = (text: string, { mark, hint }: Style): string | CellProblem =>
  /^[\d.,\s]+$/.test(text) ? { kind: `has ${mark} in the wrong place`, hint } : text
