import { openIdOverflowFile } from './id-overflow-file.ts'
import type { IdOverflowFile } from './id-overflow-file.ts'
import { FULL, IdTable, NEW } from './id-table.ts'

/** A paymentId of several rows. */
export interface Repeat {
  readonly paymentId: string
  /** The number of its rows without the first. */
  readonly count: number
  /** Its first rows. */
  readonly rows: readonly number[]
}

export interface Repeats {
  /** The number of rows with the paymentId of an earlier row. */
  readonly count: number
  /** The first repeated paymentIds. */
  readonly first: readonly Repeat[]
  /** From this row on, repeats among later rows are not found, because the disk is full. */
  readonly partialFrom: number | undefined
}

export interface RepeatFinder {
  readonly add: (paymentId: string, row: number) => void
  /** Call it once. */
  readonly end: () => Repeats
}

/** Three quarters of 2^20 slots (12 MB). Further IDs go to a temporary file. */
const MAX_IN_MEMORY = 786_432
const SHOWN_IDS = 20
const SHOWN_ROWS = 5

/** Finds every repeat in one pass, in constant memory. */
export function createRepeatFinder(
  maxInMemory = MAX_IN_MEMORY,
  open: () => IdOverflowFile = openIdOverflowFile,
): RepeatFinder {
  const table = new IdTable(maxInMemory)
  const shown = new Map<string, { count: number; rows: readonly number[] }>()
  let count = 0
  let overflow: IdOverflowFile | undefined
  let partialFrom: number | undefined

  const found = (paymentId: string, firstRow: number, row: number) => {
    count += 1
    const known = shown.get(paymentId)
    if (known !== undefined) {
      known.count += 1
      if (known.rows.length < SHOWN_ROWS) known.rows = [...known.rows, row]
    } else if (shown.size < SHOWN_IDS) shown.set(detachedCopy(paymentId), { count: 1, rows: [firstRow, row] })
  }
  return {
    add: (paymentId, row) => {
      if (paymentId === '') return
      const firstRow = table.add(paymentId, row)
      if (firstRow === NEW) return
      if (firstRow !== FULL) found(paymentId, firstRow, row)
      else if (partialFrom === undefined) {
        try {
          overflow ??= open()
          overflow.add(paymentId, row)
        } catch {
          partialFrom = row
        }
      }
    },
    end: () => {
      try {
        for (const part of overflow?.parts() ?? []) {
          const firstRows = new Map<string, number>()
          for (const [id, row] of part) {
            const firstRow = firstRows.get(id)
            if (firstRow === undefined) firstRows.set(id, row)
            else found(id, firstRow, row)
          }
        }
      } catch {
        partialFrom ??= maxInMemory + 1
      } finally {
        overflow?.close()
      }
      const first = [...shown].map(([paymentId, repeat]) => ({ paymentId, ...repeat }))
      return { count, first, partialFrom }
    },
  }
}

/** A copy: an ID is a slice that would keep its whole chunk in memory. */
const detachedCopy = (text: string): string => Buffer.from(text).toString()
