import { repeatsIn } from '../bulk/keep/repeats.ts'
import { openTemporaryDatabase } from '../bulk/keep/temporary-rows.ts'
import type { Repeats as RowRepeats } from '../bulk/keep/repeats.ts'

/** Rows with the paymentId of an earlier row. */
export interface Repeats {
  readonly count: number
  /** The first repeated paymentIds, each with its first rows. */
  readonly first: readonly {
    readonly paymentId: string
    /** The number of its rows without the first. */
    readonly count: number
    readonly rows: readonly number[]
  }[]
  /** From this row on, repeats are not found, because the disk is full. */
  readonly partialFrom: number | undefined
}

export const repeatsOf = ({ count, first }: RowRepeats, partialFrom?: number): Repeats => ({
  count,
  first: first.map(({ id, ...rest }) => ({ paymentId: id, ...rest })),
  partialFrom,
})

export interface RepeatFinder {
  readonly add: (paymentId: string, row: number) => void
  /** Call it once. */
  readonly end: () => Repeats
}

/** Finds every repeat of a check, in a temporary database that SQLite removes by itself. */
export function createRepeatFinder({ path = '', group = 4096 } = {}): RepeatFinder {
  const database = openTemporaryDatabase(path)
  let pending: (readonly [row: number, id: string])[] = []
  let partialFrom: number | undefined
  let isCreated = false
  const save = () => {
    const rows = pending
    pending = []
    if (partialFrom !== undefined) return
    try {
      if (!isCreated) database.run('CREATE TABLE rows(row INTEGER NOT NULL PRIMARY KEY, id TEXT NOT NULL)')
      isCreated = true
      database.transaction(() => {
        for (const row of rows) database.run('INSERT INTO rows VALUES (?, ?)', ...row)
      })
    } catch {
      partialFrom = rows[0]?.[0]
    }
  }
  return {
    add: (paymentId, row) => {
      pending.push([row, paymentId])
      if (pending.length >= group) save()
    },
    end: () => {
      save()
      try {
        return repeatsOf(repeatsIn(database), partialFrom)
      } catch {
        return { count: 0, first: [], partialFrom: partialFrom ?? 1 }
      } finally {
        database.close()
      }
    },
  }
}
