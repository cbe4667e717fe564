import { closest } from '../../suggest.ts'
import { CURRENCY_CODES, exponentOf } from '../../money/currencies.ts'
import { readMajorUnits, readMinorUnits } from './amount-cell.ts'
import { readTime } from './time-cell.ts'
import type { FieldKind } from '../../import/record-fields.ts'

export interface CellOptions {
  readonly amounts: 'minor' | 'major'
  /** Times without a zone are UTC. */
  readonly assumesUtc: boolean
}

/** Why a cell cannot be what it is to be. `kind` groups what is the same in many rows. */
export interface CellProblem {
  readonly kind: string
  readonly hint?: string
}

export type CellValue = string | number | boolean

export const isProblem = (read: CellValue | CellProblem): read is CellProblem => typeof read === 'object'

/** What nearly all cells are: ASCII that can be seen, without spaces at its ends. */
const PLAIN = /^[!-~](?:[ -~]*[!-~])?$/
const SPACE_AT_END = /^[\s\u200B-\u200D\u2060]|[\s\u200B-\u200D\u2060]$/
/** Line breaks and tabs are text, if hardly in a name. */
const CONTROL = /[^\P{Cc}\t\n\r]/u
/** What nobody sees, or what an earlier conversion could not read. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\uFFFD]/u
/** What a spreadsheet leaves where a formula failed. */
const FORMULA_ERROR = /^#(?:REF!|NAME\?|VALUE!|N\/A|NUM!|DIV\/0!|NULL!|SPILL!|CALC!|GETTING_DATA)$/i
/** A long number that a spreadsheet has shortened. It writes the plus: 7E10 may be an id. */
const SHORTENED = /^[+-]?\d(?:[.,]\d+)?E\+\d+$/i

/** One cell that is not empty, as the value of its field. `currencyCode` is the row's, where amounts need it. */
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
      return exponentOf(text) === undefined ? noCurrency(text) : text
    case 'amount':
      return options.amounts === 'minor'
        ? readMinorUnits(text)
        : readMajorUnits(text, currencyCode ?? '', exponentOf(currencyCode ?? ''))
    case 'datetime':
      return readTime(text, options.assumesUtc)
    case 'flag':
      return FLAGS.get(text.toLowerCase()) ?? { kind: 'is neither true nor false' }
  }
}

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
])

function damageOf(kind: FieldKind, text: string): CellProblem | undefined {
  if (!PLAIN.test(text)) {
    const odd = oddSigns(kind, text)
    if (odd !== undefined) return odd
  }
  const first = text.charCodeAt(0)
  if (first === 0x3d) return { kind: 'is a formula', hint: 'Export values, not formulas' }
  if (first === 0x23 && FORMULA_ERROR.test(text)) return { kind: 'is the error of a failed formula' }
  if ((kind === 'id' || kind === 'code') && SHORTENED.test(text))
    return {
      kind: 'is a number that a spreadsheet shortened',
      hint: 'Its digits are lost: format the column as text and export it again',
    }
  return undefined
}

function oddSigns(kind: FieldKind, text: string): CellProblem | undefined {
  if (SPACE_AT_END.test(text)) return { kind: 'has a space at its start or end' }
  if (CONTROL.test(text)) return { kind: 'has a control character' }
  if (kind !== 'text' && INVISIBLE.test(text))
    return { kind: 'has an invisible character', hint: 'It is a line break, a direction mark, or damage' }
  return undefined
}

/** One wrong code stands in many rows, and looking for what was meant takes longer than all else about a row. */
const wrongCodes = new Map<string, CellProblem>()
const MOST_WRONG_CODES = 1_000

function noCurrency(text: string): CellProblem {
  const code = text.slice(0, 10)
  const known = wrongCodes.get(code)
  if (known !== undefined) return known
  const meant = closest(code, CURRENCY_CODES)
  const problem = {
    kind: 'is not an ISO 4217 currency code',
    hint: meant === undefined ? 'Three capital letters, such as EUR' : `Did you mean ${meant}?`,
  }
  if (wrongCodes.size < MOST_WRONG_CODES) wrongCodes.set(code, problem)
  return problem
}
