import { CURRENCY_CODES, exponentOf } from '../../money/currencies.ts'
import { idFault } from '../../text/id-fault.ts'
import { closest } from '../../text/suggest.ts'
import {
  FORMAT_HINT,
  readMajorUnits,
  readMinorUnits,
  tooManyDecimals,
  withoutSurplusZeros,
} from './amount-cell.ts'
import { ALL } from './field-schema.ts'
import type { FieldKind } from './field-schema.ts'
import { namesCurrency, splitMoney } from './money-cell.ts'
import type { MoneyCell } from './money-cell.ts'
import { hintOf, toPlainNumber } from './number-style.ts'
import type { NumberStyle } from './number-style.ts'
import type { CellProblem, CellValue } from './row.ts'
import { readTime } from './time-cell.ts'
import type { TimeOptions } from './time-cell.ts'

export interface CellOptions extends TimeOptions {
  /** The units of amounts. `typed`: as on the command line, 700 or 7.00 EUR; the cell stays text, as it may name its currency. */
  readonly amounts: 'minor' | 'major' | 'typed'
  /** The style of numbers; plain by default. */
  readonly numbers?: NumberStyle | undefined
  /** Whether amounts in minor units may have decimals that are all zero, as in `1250.0`. */
  readonly takesZeroDecimals?: boolean | undefined
  /** In ISO 8601, UTC: later times are probably a mistake. */
  readonly latest?: string | undefined
}

/** A pattern for nearly every cell: printable ASCII without a space at either end. */
const PLAIN = /^[!-~](?:[ -~]*[!-~])?$/
const SPACE_AT_END = /^[\s\u200B-\u200D\u2060]|[\s\u200B-\u200D\u2060]$/
/** Control characters, except line breaks and tabs, which may occur in text. */
const CONTROL = /[^\P{Cc}\t\n\r]/u
/** Invisible characters, and the one that a conversion leaves for bytes that it could not decode. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\uFFFD]/u
/** What programs write where they have no value. */
const NOTHING = /^(?:nan|none|null|n\/a|#n\/a|#ref!)$/i
/** What a spreadsheet exports for a formula that failed. */
const FORMULA_ERROR = /^#(?:REF!|NAME\?|VALUE!|N\/A|NUM!|DIV\/0!|NULL!|SPILL!|CALC!|GETTING_DATA)$/i
/** What a spreadsheet shows where a value is missing: no more of an error than an empty cell, in text. */
const LOST_VALUE = /^#(?:REF!|N\/A)$/i
/** A long number that a spreadsheet shortened. Spreadsheets write the plus sign; without it, 7E10 may be an ID. */
const SHORTENED = /^[+-]?\d(?:[.,]\d+)?E\+\d+$/i

/** Whether a text stands for no value. */
export const isNothing = (text: string): boolean => text.length <= 5 && NOTHING.test(text)

/** Converts a non-empty cell to the value of its field. Amounts in major units need the row's `currencyCode`. */
export function readCell(
  kind: FieldKind,
  text: string,
  options: CellOptions,
  currencyCode: string | undefined,
): CellValue | CellProblem {
  const damage = damageOf(kind, text)
  if (damage !== undefined) return damage
  switch (kind) {
    case 'id':
    case 'text':
    case 'code':
      return text
    case 'currency':
      return exponentOf(text) === undefined ? currencyInCapitals(text) : text
    case 'amount-or-all':
      return text.toLowerCase() === ALL
        ? ALL
        : readAmount(text, options, currencyCode ?? '', 'may name its currency')
    case 'amount':
      return readAmount(text, options, currencyCode ?? '')
    case 'signed-amount':
      return readSigned(text, options, currencyCode ?? '')
    case 'datetime':
      return readTime(text, options)
    case 'flag':
      return FLAGS.get(text.toLowerCase()) ?? { kind: 'is neither true nor false' }
  }
}

/** The number without a minus sign before or after it, or parentheses around it; undefined if it has neither. */
export function withoutSign(text: string): string | undefined {
  if (/^[-\u2212]./u.test(text)) return text.slice(1).trimStart()
  if (/^\(.+\)$/u.test(text)) return text.slice(1, -1)
  const before = text.endsWith('-') ? text.slice(0, -1).trimEnd() : ''
  return /\d$/.test(before) ? before : undefined
}

function readSigned(text: string, options: CellOptions, currencyCode: string): CellValue | CellProblem {
  const positive = withoutSign(text)
  const read = readAmount(positive ?? text, options, currencyCode)
  return typeof read === 'number' && positive !== undefined ? 0 - read : read
}

function readAmount(
  text: string,
  { amounts, numbers = 'plain', takesZeroDecimals = false }: CellOptions,
  currencyCode: string,
  naming?: 'may name its currency',
): CellValue | CellProblem {
  if (amounts === 'typed') return readTyped(text, numbers, currencyCode)
  if (amounts === 'minor') {
    const plain = toPlainNumber(text, numbers, undefined)
    return typeof plain === 'object' ? plain : withStyle(readMinorUnits(plain, takesZeroDecimals), numbers)
  }
  const money = splitMoney(text, currencyCode.toUpperCase())
  if ('kind' in money) return money
  const code = money.currencyCode ?? currencyCode.toUpperCase()
  const exponent = exponentOf(code)
  const plain = plainNumberOf(money, numbers, exponent)
  if (typeof plain === 'object') return plain
  const read = withStyle(readMajorUnits(plain, code, exponent), numbers)
  const isNamed = naming !== undefined && currencyCode === '' && money.currencyCode !== undefined
  return isNamed && typeof read === 'number' ? `${plain} ${code}` : read
}

/** Reads a number. The sign before a dash is the decimal one, so the other one in `1.234,-` separates thousands. */
function plainNumberOf(
  { number, isWhole }: Pick<MoneyCell, 'number' | 'isWhole'>,
  numbers: NumberStyle,
  exponent: number | undefined,
): string | CellProblem {
  const plain = toPlainNumber(number, numbers, isWhole ? 0 : exponent)
  return isWhole && typeof plain === 'string' && plain.includes('.')
    ? { kind: 'has decimals, and a dash that stands for none' }
    : plain
}

/** Replaces the advice for amounts with a decimal point, which would be wrong for others. */
const withStyle = (read: number | CellProblem, numbers: NumberStyle): number | CellProblem =>
  typeof read === 'object' && numbers !== 'plain' && read.hint?.startsWith(FORMAT_HINT) === true
    ? { kind: read.kind === 'has a comma' ? 'is not an amount' : read.kind, hint: hintOf(numbers) }
    : read

/** Rewrites the number of an amount that may name its currency, such as `1.234,50 EUR`; its reader checks it. */
function readTyped(text: string, numbers: NumberStyle, currencyCode: string): string | CellProblem {
  const isUsual =
    /\s[a-z]{3}$/iu.test(text) &&
    (exponentOf(text.slice(-3).toUpperCase()) !== undefined || !namesCurrency(text))
  const money = isUsual ? undefined : splitMoney(text, currencyCode.toUpperCase())
  if (money !== undefined && 'kind' in money) return money
  const number = money?.number ?? text.slice(0, -3).trimEnd()
  const named = money === undefined ? text.slice(number.length) : prefixed(money.currencyCode)
  const code = (named.trim() === '' ? currencyCode : named.trim()).toUpperCase()
  const exponent = exponentOf(code)
  const plain = plainNumberOf({ number, isWhole: money?.isWhole === true }, numbers, exponent)
  if (typeof plain === 'object') return plain
  const [, whole = plain, written = ''] = /^(\d+)\.(\d+)$/.exec(plain) ?? []
  const decimals = exponent === undefined ? written : withoutSurplusZeros(whole, written, exponent)
  // Its reader would quote the number as it was rewritten.
  if (plain !== number && exponent !== undefined && decimals.length > exponent)
    return tooManyDecimals(code, exponent)
  if (money?.isWhole === true && named === '' && /^\d+$/.test(plain) && exponent !== 0)
    return `${plain}.${'0'.repeat(exponent ?? 2)}`
  // A whole number without a currency is in minor units, but no one groups those.
  if (plain !== number && /^\d+$/.test(plain) && named === '' && exponent !== 0)
    return {
      kind: 'has separators, but neither decimals nor a currency',
      hint: 'Write 1234,00 or 1234 EUR, or use --amounts',
    }
  return `${whole}${decimals === '' ? '' : `.${decimals}`}${named}`
}

const prefixed = (currencyCode: string | undefined): string =>
  currencyCode === undefined ? '' : ` ${currencyCode}`

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
])

function damageOf(kind: FieldKind, text: string): CellProblem | undefined {
  if (!PLAIN.test(text)) {
    const problem = characterProblem(kind, text)
    if (problem !== undefined) return problem
  }
  if (kind === 'id' && isNothing(text))
    return { kind: 'is a word for nothing, not an ID', hint: 'Fill in the ID, or leave out the row' }
  const fault = kind === 'id' ? idFault(text) : undefined
  if (fault !== undefined) return { kind: fault, hint: 'Correct the cell' }
  const first = text.charCodeAt(0)
  if (first === 0x3d) return { kind: 'is a formula', hint: 'Export values, not formulas' }
  if (first === 0x23 && FORMULA_ERROR.test(text) && !(kind === 'text' && LOST_VALUE.test(text)))
    return { kind: 'is a formula error', hint: 'Correct the formula and export the file again' }
  if ((kind === 'id' || kind === 'code') && SHORTENED.test(text))
    return {
      kind: 'is a number that a spreadsheet shortened',
      hint: 'Digits are lost: format the column as text and export it again',
    }
  return undefined
}

function characterProblem(kind: FieldKind, text: string): CellProblem | undefined {
  if (SPACE_AT_END.test(text)) return { kind: 'has a space at its start or end' }
  if (CONTROL.test(text)) return { kind: 'has a control character' }
  if (kind !== 'text' && INVISIBLE.test(text))
    return {
      kind: 'has an invisible character',
      hint: 'Remove the line break, direction mark or damaged character',
    }
  return undefined
}

/** The problems found so far: a wrong code is usually in many rows, and finding the closest code takes long. */
const problemByCode = new Map<string, CellProblem>()
const MAX_CACHED_CODES = 1_000

const currencyInCapitals = (text: string): string | CellProblem => {
  const code = text.toUpperCase()
  return exponentOf(code) === undefined ? unknownCurrency(text) : code
}

function unknownCurrency(text: string): CellProblem {
  const code = text.slice(0, 10)
  const cached = problemByCode.get(code)
  if (cached !== undefined) return cached
  const suggestion = closest(code, CURRENCY_CODES)
  const problem = {
    kind: 'is not an ISO 4217 currency code',
    hint: suggestion === undefined ? 'Use three capital letters, such as EUR' : `Did you mean ${suggestion}?`,
  }
  if (problemByCode.size < MAX_CACHED_CODES) problemByCode.set(code, problem)
  return problem
}
