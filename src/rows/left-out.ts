/** Why the mapping leaves out a row: a cell that it names, or doesn't. */
export interface LeftOut {
  readonly column: string
  /** The value of the cell; null for one beyond the first ones of the column. */
  readonly value: string | null
}

export interface LeftOutCount extends LeftOut {
  readonly rows: number
}

/** Counts the rows that the mapping leaves out. */
export interface LeftOutTally {
  readonly note: (leftOut: LeftOut) => void
  /** The counts so far, the most frequent first. */
  readonly all: () => readonly LeftOutCount[]
  /** Takes over the counts of an earlier run. */
  readonly restore: (counts: readonly LeftOutCount[]) => void
}

/** The most values of a column of statuses. */
const MAX_VALUES = 100

export function createLeftOutTally(): LeftOutTally {
  const counts = new Map<string, LeftOut & { rows: number }>()
  const countOf = (leftOut: LeftOut) => counts.get(JSON.stringify([leftOut.column, leftOut.value]))
  return {
    note: ({ column, value }) => {
      const known =
        countOf({ column, value }) ??
        (counts.size < MAX_VALUES ? undefined : countOf({ column, value: null }))
      if (known !== undefined) known.rows += 1
      else {
        // A copy: a part of a chunk of the input would keep all of it in memory.
        const own = counts.size < MAX_VALUES && value !== null ? Buffer.from(value).toString() : null
        counts.set(JSON.stringify([column, own]), { column, value: own, rows: 1 })
      }
    },
    all: () =>
      [...counts.values()].map((count) => ({ ...count })).toSorted((one, other) => other.rows - one.rows),
    restore: (earlier) => {
      for (const { column, value, rows } of earlier)
        counts.set(JSON.stringify([column, value]), { column, value, rows })
    },
  }
}
