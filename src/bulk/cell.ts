import { PayError } from '../errors.ts'
import { CURRENCY_CODES } from '../money/currencies.ts'
import { parseAmount } from '../money/parse.ts'
import type { FieldKind } from './record-fields.ts'

export interface CellOptions {
  readonly amounts: 'minor' | 'major'
  /** Times without a zone are UTC. */
  readonly assumesUtc: boolean
}

/** Why a cell cannot be what it is to be. `kind` groups what is the same in many rows. */
export class CellProblem {
  readonly kind: string
  readonly hint: string | undefined

  constructor(kind: string, hint?: string) {
    this.kind = kind
    this.hint = hint
  }
}

export type CellValue = string | number | boolean

/** What a spreadsheet leaves where a formula failed. */
const FORMULA_ERROR = /^#(?:REF!|NAME\?|VALUE!|N\/A|NUM!|DIV\/0!|NULL!|SPILL!|CALC!|GETTING_DATA)$/i
/** A long number that a spreadsheet has shortened: its digits are gone. */
const SHORTENED = /^[+-]?\d(?:[.,]\d+)?E\+?\d+$/i
const CURRENCIES: ReadonlySet<string> = new Set(CURRENCY_CODES)

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
      return CURRENCIES.has(text)
        ? text
        : new CellProblem('is not an ISO 4217 currency code', 'Three capital letters, such as EUR')
    case 'amount':
      return readAmount(text, options.amounts, currencyCode)
    case 'datetime':
      return readMoment(text, options.assumesUtc)
    case 'flag':
      return FLAGS[text.toLowerCase()] ?? new CellProblem('is neither true nor false')
  }
}

const FLAGS: Readonly<Record<string, boolean>> = { true: true, false: false }

function damageOf(kind: FieldKind, text: string): CellProblem | undefined {
  const first = text.charCodeAt(0)
  const last = text.charCodeAt(text.length - 1)
  // Every sign up to the space, and the one that does not break.
  if (first <= 0x20 || last <= 0x20 || first === 0xa0 || last === 0xa0)
    return new CellProblem('has a space at its start or end')
  if (first === 0x3d) return new CellProblem('is a formula', 'Export the values, not the formulas')
  if (first === 0x23 && FORMULA_ERROR.test(text)) return new CellProblem('is what a failed formula left')
  if (kind !== 'text' && SHORTENED.test(text))
    return new CellProblem(
      'is a number that a spreadsheet has shortened',
      'Its digits are lost: export the column as text',
    )
  return undefined
}

function readAmount(
  text: string,
  amounts: CellOptions['amounts'],
  currencyCode: string | undefined,
): number | CellProblem {
  if (amounts === 'minor') {
    if (/^\d{1,15}$/.test(text)) return Number(text)
    return new CellProblem(
      /^\d+[.,]\d+$/.test(text) ? 'is not in minor units' : 'is not a whole number of minor units',
      'Major units (12.50) are read with --amounts major',
    )
  }
  if (currencyCode === undefined) return new CellProblem('has no currency to be read with')
  try {
    return parseAmount(`${text} ${currencyCode}`, { what: 'The amount', allowZero: true }).amountMinor
  } catch (error) {
    if (!(error instanceof PayError)) throw error
    return new CellProblem(
      /,\d/.test(text) ? 'has a comma: decimals follow a point' : 'is not an amount of its currency',
    )
  }
}

const MOMENT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d{1,9})?(Z|[+-]\d\d(?::?\d\d)?)?$/

/** ISO 8601, in UTC with Z. Fractions of a second stay as they are. */
function readMoment(text: string, assumesUtc: boolean): string | CellProblem {
  const parts = MOMENT.exec(text)
  if (parts === null)
    return new CellProblem('is not a time', 'ISO 8601 with a zone, such as 2026-01-31T09:30:00Z')
  const [, day = '', time = '', fraction = '', zone] = parts
  if (zone === undefined && !assumesUtc)
    return new CellProblem('does not say its time zone', 'Add Z or an offset, or say --assume-utc')
  const isUtc = zone === undefined || zone === 'Z'
  const at = Date.parse(`${day}T${time}${isUtc ? 'Z' : fullOffset(zone)}`)
  // Date.parse takes 2026-02-31 for the third of March.
  if (Number.isNaN(at) || !new Date(Date.parse(`${day}T00:00:00Z`)).toISOString().startsWith(day))
    return new CellProblem('is a day or time that does not exist')
  return isUtc ? `${day}T${time}${fraction}Z` : `${new Date(at).toISOString().slice(0, 19)}${fraction}Z`
}

const fullOffset = (zone: string): string =>
  zone.includes(':') ? zone : `${zone.slice(0, 3)}:${zone.slice(3).padEnd(2, '0')}`
