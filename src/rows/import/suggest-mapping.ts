import { SETS } from '../../api/sets.ts'
import type { NamedSet } from '../../api/sets.ts'
import { closest } from '../../text/suggest.ts'
import { namesMinorUnits } from '../map/amount-style.ts'
import { KNOWN_COLUMNS, KNOWN_EXPORTS, isPersonal, plainName, saysUtc } from './known-columns.ts'
import { FIELD_SETS, RECORD_FIELDS, REQUIRED_FIELDS, isRecordField } from './record-fields.ts'

/** The header and the first rows of a table with other column names. */
export interface Sample {
  readonly names: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

export interface Suggestion {
  readonly field: string
  readonly column: string
}

export interface SuggestedMapping {
  readonly suggestions: readonly Suggestion[]
  /** The required fields without a certain column. */
  readonly missing: readonly string[]
  /** The units of amounts; undefined if the values don't show them. */
  readonly amounts: 'major' | undefined
  /** Whether the name of the createdAt column says UTC. */
  readonly assumesUtc: boolean
  /** The notes for the user: what was left out and why. */
  readonly notes: readonly string[]
}

interface Column {
  readonly name: string
  readonly plain: string
  /** The non-empty values of the sample. */
  readonly values: readonly string[]
}

/** The facts for choosing the column of a field. */
interface Search {
  readonly columns: readonly Column[]
  readonly meanings: Readonly<Record<string, string>>
  readonly chosen: ReadonlyMap<string, Column>
  readonly note: (sentence: string) => void
}

/**
 * Maps columns to fields where the meaning is certain. Because records cannot be removed, it leaves a column to the user if
 * its name has two meanings or its values don't fit, and always if it may identify a person.
 */
export function suggestMapping(sample: Sample): SuggestedMapping {
  const notes: string[] = []
  const note = (sentence: string) => void notes.push(sentence)
  const all: readonly Column[] = sample.names.map((name, index) => ({
    name,
    plain: plainName(name),
    values: sample.rows.flatMap((row) => (row[index] === undefined || row[index] === '' ? [] : [row[index]])),
  }))
  const known = KNOWN_EXPORTS.find(({ has }) => has.every((plain) => all.some((one) => one.plain === plain)))
  const foreign = all.filter(({ name }) => name !== '' && !isRecordField(name))
  const columns = foreign.filter(({ name }) => !isPersonal(name))
  const chosen = new Map(all.flatMap((one) => (isRecordField(one.name) ? [[one.name, one]] : [])))
  const given = new Set(chosen.keys())
  if (known !== undefined) note(known.note)
  // First the amount, because the choice of the currency depends on it.
  for (const field of ['amount', ...Object.keys(RECORD_FIELDS)]) {
    if (chosen.has(field)) continue
    const column = columnOf(field, { columns, meanings: known?.meanings ?? {}, chosen, note })
    if (column !== undefined) chosen.set(field, column)
  }

  const suggestions = [...chosen]
    .filter(([field]) => !given.has(field))
    .map(([field, { name }]) => ({ field, column: name }))
    .toSorted((a, b) => sample.names.indexOf(a.column) - sample.names.indexOf(b.column))
  const amounts = unitsOf(chosen.get('amount'), note)
  noteTimes(chosen.get('createdAt'), columns, note)
  noteRepeats(chosen.get('paymentId'), note)
  const missing = REQUIRED_FIELDS.filter((field) => !chosen.has(field))
  noteTypos(columns, { missing, note })
  notePersonal(
    foreign.filter(({ name }) => isPersonal(name)),
    note,
  )
  return {
    suggestions,
    missing,
    amounts,
    assumesUtc: saysUtc(chosen.get('createdAt')?.name ?? ''),
    notes,
  }
}

/** The one column with the most certain name among those whose values fit. */
function columnOf(field: string, search: Search): Column | undefined {
  const { columns, meanings, note } = search
  const ranks = ranksOf(field, search).map((names) =>
    columns.filter(({ plain }) => meanings[plain] === undefined && names.includes(plain)),
  )
  const byMeaning = columns.filter(({ plain }) => meanings[plain] === field)
  const all = [byMeaning, ...ranks]
  for (const [rank, alike] of all.entries()) {
    const fitting = alike.filter((column) => {
      const why = misfitOf(field, column, { isSure: rank <= CERTAIN_RANK, columns })
      if (why !== undefined) note(`"${column.name}" is not mapped to ${field}: ${why}.`)
      return why === undefined
    })
    const [first, second] = preferUtc(field, fitting)
    if (first === undefined) continue
    if (second === undefined) {
      const others = all.slice(rank).flatMap((some) => some.filter((other) => other !== first))
      if (others.length > 0)
        note(`${field} is mapped to "${first.name}", the most likely of ${quotedNames([first, ...others])}.`)
      return first
    }
    note(`${field} is not mapped because it could be any of ${quotedNames(fitting)}. Choose one with --map.`)
    return undefined
  }
  return undefined
}

/** The last rank of certain names: the field's own one and its most common one elsewhere. */
const CERTAIN_RANK = 2

function ranksOf(field: string, { chosen }: Search): readonly (readonly string[])[] {
  const ranks = KNOWN_COLUMNS[field] ?? []
  // A gross amount has its own currency, which may differ from the payout's.
  const isGross = field === 'currencyCode' && chosen.get('amount')?.plain.startsWith('gross') === true
  const first = [plainName(field), ...(isGross ? ['grosscurrency'] : [])]
  return [
    ...first.map((name) => [name]),
    ...ranks.map((names) => names.filter((name) => !first.includes(name))),
  ]
}

const quotedNames = (columns: readonly Column[]): string => columns.map(({ name }) => `"${name}"`).join(', ')

/** Prefers the times in UTC among several. */
function preferUtc(field: string, columns: readonly Column[]): readonly Column[] {
  const utc = field === 'createdAt' ? columns.filter(({ name }) => saysUtc(name)) : []
  return utc.length > 0 ? utc : columns
}

const EMAIL = /[^\s@]@[^\s@]+\.\p{L}/u
const DAY_ALONE = /^\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}$/
/** The form of payment method types in the API. */
const TYPE_CODE = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|^[A-Z]{5,}$/

/** Why the values of a column don't fit the field that its name suggests; undefined if they do. */
function misfitOf(
  field: string,
  { name, values }: Column,
  { isSure, columns }: { readonly isSure: boolean; readonly columns: readonly Column[] },
): string | undefined {
  if (values.some((value) => EMAIL.test(value))) return 'it has email addresses'
  const isCode = codeTest(field)
  if (isCode !== undefined) {
    const odd = [...new Set(values.filter((value) => !isCode(value)))].slice(0, 3)
    if (odd.length > 0)
      return `it has values that the API does not know (${odd.map((value) => JSON.stringify(value.slice(0, 40))).join(', ')})`
    if (values.length === 0 && !isSure) return 'the first rows have no value that shows its meaning'
  }
  if (field !== 'createdAt') return undefined
  const time = columns.find(({ plain }) => plain === 'time')
  if (plainName(name) === 'date' && time !== undefined)
    return `it has only the day, and "${time.name}" has the time; combine them in one column`
  return values.length > 0 && values.every((value) => DAY_ALONE.test(value))
    ? 'its values have no time of day'
    : undefined
}

/** A test for the codes of a field; undefined for a field without codes. */
function codeTest(field: string): ((value: string) => boolean) | undefined {
  if (field === 'paymentMethod.paymentMethodType') return (value) => TYPE_CODE.test(value)
  const name = Object.hasOwn(FIELD_SETS, field) ? FIELD_SETS[field] : undefined
  if (name === undefined) return undefined
  const { values, form }: NamedSet = SETS[name]
  return (value) => values?.includes(value) === true || form?.pattern.test(value) === true
}

type Note = Search['note']

/** An amount with decimals. `1,234` may mean a thousand, so a comma separates decimals only before two final digits. */
const DECIMALS = /^-?[\d,]*\.\d+$|^-?[\d.]*,\d\d$/

function unitsOf(amount: Column | undefined, note: Note): 'major' | undefined {
  if (amount === undefined) return undefined
  if (amount.values.some((value) => DECIMALS.test(value))) {
    note(`"${amount.name}" has decimals, so it is read as major units (12.50).`)
    return 'major'
  }
  if (!namesMinorUnits(amount.name))
    note(
      `"${amount.name}" is read as minor units: 2500 is 25.00 EUR. If 2500 means 2500.00 in this file, add --amounts major.`,
    )
  return undefined
}

function noteTimes(time: Column | undefined, columns: readonly Column[], note: Note): void {
  if (time === undefined) return
  const zone = columns.find(({ plain }) => plain === 'timezone')
  if (saysUtc(time.name)) note(`"${time.name}" says UTC, so times without a zone are read as UTC.`)
  else if (zone !== undefined)
    note(`The time zone of "${time.name}" is in "${zone.name}". Times without a zone are rejected.`)
}

function noteRepeats(id: Column | undefined, note: Note): void {
  if (id === undefined || new Set(id.values).size === id.values.length) return
  note(`"${id.name}" has the same value in several rows. Only the last row with a paymentId counts.`)
}

/** Notes a similar name, which is not enough to map a column, but may be a typo. */
function noteTypos(
  columns: readonly Column[],
  { missing, note }: { readonly missing: readonly string[]; readonly note: Note },
): void {
  for (const { name } of columns) {
    const meant = closest(name, missing)
    if (meant !== undefined) note(`"${name}" is not mapped. If it means ${meant}, use --map.`)
  }
}

const SHOWN = 10

function notePersonal(columns: readonly Column[], note: Note): void {
  if (columns.length === 0) return
  const more = columns.length > SHOWN ? ` and ${columns.length - SHOWN} more` : ''
  note(
    `Never mapped, because they may identify a person and records cannot be removed: ${quotedNames(columns.slice(0, SHOWN))}${more}.`,
  )
}
