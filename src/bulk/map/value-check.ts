import { SETS } from '../../api/sets.ts'
import type { NamedSet } from '../../api/sets.ts'
import { closest } from '../../suggest.ts'
import type { CellProblem } from './cell.ts'
import { FIELD_SETS } from '../../import/record-fields.ts'
import type { RowWarnings } from './row-warnings.ts'

type ValueCheck = (value: string) => CellProblem | undefined

const LONGEST_SHOWN = 40

/** For a field whose values come from a set: an error outside a closed one, a remark outside another. */
export function createValueCheck(
  path: string,
  column: string,
  rowWarnings: RowWarnings,
): ValueCheck | undefined {
  if (!Object.hasOwn(FIELD_SETS, path)) return undefined
  const name = FIELD_SETS[path]
  if (name === undefined) return undefined
  const set: NamedSet = SETS[name]
  const values = set.values ?? []
  const known = new Set(values)
  const isKnown = (value: string) =>
    set.values === undefined ? set.form?.pattern.test(value) === true : known.has(value)
  const didYouMean = (value: string): string | undefined => {
    // Of codes that are a few letters long each is near to many others.
    const meant =
      set.form === undefined
        ? closest(value.slice(0, LONGEST_SHOWN), values)
        : values.find((code) => code === value.toUpperCase())
    return meant === undefined ? set.form?.words : `Did you mean ${meant}?`
  }
  return (value) => {
    if (isKnown(value)) return undefined
    if (set.closed) {
      const hint = didYouMean(value)
      return { kind: `is not one of ${values.join(', ')}`, ...(hint === undefined ? {} : { hint }) }
    }
    rowWarnings.note(`${column}\n${value}`, () => {
      const hint = didYouMean(value)
      const shown = JSON.stringify(value.length > LONGEST_SHOWN ? `${value.slice(0, LONGEST_SHOWN)}…` : value)
      return `${column}: ${shown} is not a known value; it is sent as it is${hint === undefined ? '' : ` (${hint})`}`
    })
    return undefined
  }
}
