import { writtenAmount } from '../map/amount-style.ts'
import type { AmountForm } from '../map/amount-style.ts'
import type { CellOptions } from '../map/cell.ts'
import { readingsOf } from '../fit/fit-times.ts'
import type { NumberStyle } from '../map/number-style.ts'
import { isProblem } from '../map/row.ts'
import type { CellProblem } from '../map/row.ts'
import { isNothing } from '../map/cell.ts'
import { readTime } from '../map/time-cell.ts'
import { zoneInCell } from '../map/time-zone.ts'
import { unusableFile } from './unusable-file.ts'
import { shellWord } from '../../files/shell.ts'

/**
 * What the first rows of a file say about how it must be read. A reading that a row contradicts is refused before anything is
 * sent: a record can't be removed, and a refund can't be taken back.
 */

/** A row of the sample. Texts are as in the file, empty if the row has none. */
export interface SampleRow {
  readonly row: number
  /** The row's own ID, and its order. */
  readonly ids: readonly string[]
  readonly amount: string
  /** The currency of the row's own column or constant. */
  readonly currencyCode: string
  readonly createdAt: string
  /** What the row says of its time zone, in a column that isn't read. */
  readonly zone: string
}

type AmountOfRow = Pick<SampleRow, 'row' | 'amount' | 'currencyCode'>

/** How the amounts of each currency are written so far. */
export type AmountForms = ReturnType<typeof createAmountForms>

/** A row for each form in which the amounts of a currency are written. */
export type SavedForms = readonly (readonly [
  currencyCode: string,
  forms: Partial<Record<AmountForm, AmountOfRow>>,
])[]

export function createAmountForms(numbers: NumberStyle) {
  const seen = new Map<string, Partial<Record<AmountForm, AmountOfRow>>>()
  const EVERY = ''
  return {
    /** The forms that were seen. */
    kinds: (): ReadonlySet<string> => new Set([...seen.values()].flatMap((forms) => Object.keys(forms))),
    /** An earlier row whose amount can't be in the same units. */
    add: (row: AmountOfRow): AmountOfRow | undefined => {
      const written = writtenAmount(row.amount, row.currencyCode, numbers)
      if (written === undefined) return undefined
      const { currencyCode, form } = written
      // An amount of an unknown currency may be in any of them.
      const alike = currencyCode === EVERY ? [...seen.values()] : [seen.get(currencyCode), seen.get(EVERY)]
      const other = form === 'whole' ? 'major' : 'whole'
      const contrary = alike.find((forms) => forms?.[other] !== undefined)?.[other]
      if (contrary === undefined) seen.set(currencyCode, { [form]: row, ...seen.get(currencyCode) })
      return contrary
    },
    saved: (): SavedForms => [...seen],
    /** Takes over what an earlier run has seen. */
    restore: (saved: SavedForms): void => {
      for (const [currencyCode, forms] of saved)
        seen.set(currencyCode, { ...seen.get(currencyCode), ...forms })
    },
  }
}

/**
 * Refuses a sample that contradicts its reading. `forms`: undefined if the units are settled.
 * @throws {UsageError} naming two rows, and the flags that settle it
 */
export function refuseContradictions(
  sample: readonly SampleRow[],
  cells: CellOptions,
  forms: AmountForms | undefined,
): void {
  for (const row of sample) {
    const contrary = forms?.add(row)
    if (contrary !== undefined) throw mixedAmounts(contrary, row)
  }
  refuseDateOrder(sample, cells)
}

const shown = (text: string): string => JSON.stringify(text.slice(0, 40))

const mixedAmounts = (one: AmountOfRow, other: AmountOfRow) =>
  unusableFile(
    `The amounts are written in two ways: row ${one.row} has ${shown(one.amount)}, and row ${other.row} has ${shown(other.amount)}`,
    'If all of them are in major units, so that 20 is 20.00, add --amounts major. If whole numbers are minor units, correct the others, or add --amounts minor to leave those rows out.',
  )

/** The problem of a row after the sample. */
export const writtenDifferently = ({ row, amount }: AmountOfRow): CellProblem => ({
  kind: `is written in another way than ${shown(amount)} ${row === 0 ? 'before it' : `in row ${row}`}`,
  hint: 'Write all amounts alike, or add --amounts major or --amounts minor',
})

/** The first row whose zone, in a column that isn't read, isn't the one that its time is read in. */
export function otherZone(
  sample: readonly SampleRow[],
  { timezone, assumesUtc }: CellOptions,
): SampleRow | undefined {
  const read = timezone?.name ?? (assumesUtc ? 'UTC' : undefined)
  return read === undefined
    ? undefined
    : sample.find(({ zone }) => {
        const named = zone === '' ? undefined : zoneInCell(zone)?.name
        return named !== undefined && named !== read
      })
}

const ENDS_IN_ZERO = /^\d+\.0$/

/** Which of the IDs of a row, by their place, a program has made numbers of: those that all end in `.0`. */
export function idsMadeNumbers(sample: readonly SampleRow[]): readonly number[] {
  const places = sample[0]?.ids.keys() ?? []
  return [...places].filter((place) => {
    const ids = sample.flatMap(({ ids: all }) => all[place] ?? []).filter((id) => id !== '' && !isNothing(id))
    return ids.length > 0 && ids.every((id) => ENDS_IN_ZERO.test(id))
  })
}

/** The problem of such an ID; undefined for another one. */
export const madeNumber = (id: string): CellProblem | undefined =>
  ENDS_IN_ZERO.test(id)
    ? { kind: 'is a number with ".0", as are all IDs in its column', hint: 'Export the column as text' }
    : undefined

/** From this share of unreadable rows on, another format that fits all rows is the right one. */
const TOO_MANY = 0.1

function refuseDateOrder(sample: readonly SampleRow[], cells: CellOptions): void {
  const { dateFormat } = cells
  if (dateFormat === undefined) return
  // A zone, or none, says nothing of the format.
  const options = { dateFormat, assumesUtc: true }
  const rows = sample.filter(({ createdAt }) => createdAt !== '')
  const failing = rows.filter(({ createdAt }) => isProblem(readTime(createdAt, options)))
  const [first] = failing
  if (first === undefined || failing.length < rows.length * TOO_MANY) return
  const readings = readingsOf(rows.map(({ createdAt }) => createdAt))
  if (readings.length === 0 || readings.some(({ misfit }) => misfit !== undefined)) return
  const better = readings.map(({ pattern }) => pattern ?? 'ISO 8601').join(' or ')
  const flags = readings.map(({ pattern }) => `--date-format ${shellWord(pattern ?? '')}`).join(' or ')
  throw unusableFile(
    `The date format ${dateFormat.pattern} doesn't fit ${failing.length} of the first ${rows.length} rows, such as row ${first.row} (${shown(first.createdAt)}), and ${better} fits all of them`,
    readings[0]?.pattern === undefined ? 'Leave out --date-format.' : `Use ${flags}.`,
  )
}
