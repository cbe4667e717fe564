/** What is worth a word and stops nothing: kept once, however often it is met. */
export interface RowWarnings {
  /** `say` makes the sentence when `key` is met for the first time. */
  readonly note: (key: string, say: () => string) => void
  /** The most frequent first. */
  readonly all: () => readonly RowWarning[]
}

export interface RowWarning {
  readonly remark: string
  readonly count: number
}

/** A column with more values than that has no set of them. */
const MOST = 100
const OTHERS = 'other unknown values'

export function createRowWarnings(): RowWarnings {
  const kept = new Map<string, { readonly remark: string; count: number }>()
  let others = 0
  return {
    note: (key, say) => {
      const known = kept.get(key)
      if (known !== undefined) known.count += 1
      else if (kept.size < MOST) kept.set(key, { remark: say(), count: 1 })
      else others += 1
    },
    all: () => [
      ...[...kept.values()].toSorted((a, b) => b.count - a.count),
      ...(others === 0 ? [] : [{ remark: OTHERS, count: others }]),
    ],
  }
}
