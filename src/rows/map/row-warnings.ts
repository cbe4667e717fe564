/** Warnings about rows that are sent anyway, each kept once with the number of its rows. */
export interface RowWarnings {
  /** Counts a row for the warning `key`. Calls `describe` only for a new key. */
  readonly note: (key: string, describe: () => string) => void
  /** The warnings, the most frequent first. */
  readonly all: () => readonly RowWarning[]
}

export interface RowWarning {
  readonly text: string
  readonly count: number
}

/** The most warnings: a column with more unknown values has free text, not codes. */
const MAX_WARNINGS = 100
const OTHERS = 'other unknown values'

export function createRowWarnings(): RowWarnings {
  const byKey = new Map<string, { readonly text: string; count: number }>()
  let others = 0
  return {
    note: (key, describe) => {
      const known = byKey.get(key)
      if (known !== undefined) known.count += 1
      else if (byKey.size < MAX_WARNINGS) byKey.set(key, { text: describe(), count: 1 })
      else others += 1
    },
    all: () => [
      ...[...byKey.values()].toSorted((a, b) => b.count - a.count),
      ...(others === 0 ? [] : [{ text: OTHERS, count: others }]),
    ],
  }
}
