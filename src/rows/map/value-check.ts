import { SETS } from '../../api/sets.ts'
import type { NamedSet } from '../../api/sets.ts'
import { closest } from '../../text/suggest.ts'
import type { FieldSchema } from './field-schema.ts'
import type { CellProblem } from './row.ts'
import type { RowWarnings } from './row-warnings.ts'

type ValueCheck = (value: string) => string | CellProblem

const MAX_SHOWN_LENGTH = 40

/**
 * For a field whose values come from a set: the value as the API spells it, in any letter case; a problem outside a
 * closed set, a warning outside an open one.
 */
export function createValueCheck(
  path: string,
  column: string,
  { sets }: Pick<FieldSchema, 'sets'>,
  rowWarnings: Pick<RowWarnings, 'note'>,
): ValueCheck | undefined {
  const name = Object.hasOwn(sets, path) ? sets[path] : undefined
  if (name === undefined) return undefined
  const set: NamedSet = SETS[name]
  const values = set.values ?? []
  const known = new Set(values)
  const isKnown = (value: string) =>
    set.values === undefined ? set.form?.pattern.test(value) === true : known.has(value)
  const hintFor = (value: string): string | undefined => {
    // Codes of two or three letters are all similar.
    const suggestion = set.form === undefined ? closest(value.slice(0, MAX_SHOWN_LENGTH), values) : undefined
    return suggestion === undefined ? set.form?.words : `Did you mean ${suggestion}?`
  }
  return (value) => {
    if (isKnown(value)) return value
    const capitals = value.toUpperCase()
    if (known.has(capitals)) return capitals
    if (set.closed) {
      const hint = hintFor(value)
      return { kind: `is not one of ${values.join(', ')}`, ...(hint === undefined ? {} : { hint }) }
    }
    const describe = () => {
      const hint = hintFor(value)
      const shown = JSON.stringify(
        value.length > MAX_SHOWN_LENGTH ? `${value.slice(0, MAX_SHOWN_LENGTH)}…` : value,
      )
      return `${column}: ${shown} is not a known value; it is sent unchanged${hint === undefined ? '' : ` (${hint})`}`
    }
    rowWarnings.note(`${column}\n${value}`, describe, { field: path, value })
    return value
  }
}
