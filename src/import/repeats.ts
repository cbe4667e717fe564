import { openIdOverflowFile } from './id-overflow-file.ts'
import type { IdOverflowFile } from './id-overflow-file.ts'
import { FULL, IdTable, NEW } from './id-table.ts'

/** A paymentId that several rows of one input have. */
export interface Repeat {
  readonly paymentId: string
  /** All of its rows but the first. */
  readonly count: number
  /** The first of its rows. */
  readonly rows: readonly number[]
}

export interface Repeats {
  /** Rows with the paymentId of an earlier row. */
  readonly count: number
  /** Some of the paymentIds. */
  readonly first: readonly Repeat[]
  /** From this row on, IDs were compared with those of earlier rows alone: the disk had no room for more. */
  readonly partialFrom: number | undefined
}

export interface RepeatFinder {
  readonly see: (paymentId: string, row: number) => void
  /** Called once, at the end. */
  readonly end: () => Repeats
}

/** So many IDs fill three quarters of 2^20 slots (12 MB); those beyond wait in a temporary file. */
const MOST_IN_MEMORY = 786_432
const SHOWN_IDS = 20
const SHOWN_ROWS = 5

/** Finds every repeat in one pass, and needs the same memory whatever the input's size. */
export function createRepeatFinder(
  mostInMemory = MOST_IN_MEMORY,
  open: () => IdOverflowFile = openIdOverflowFile,
): RepeatFinder {
  const table = new IdTable(mostInMemory)
  const shown = new Map<string, { count: number; rows: readonly number[] }>()
  let count = 0
  let spill: IdOverflowFile | undefined
  let partialFrom: number | undefined

  const found = (paymentId: string, firstRow: number, row: number) => {
    count += 1
    const known = shown.get(paymentId)
    if (known !== undefined) {
      known.count += 1
      if (known.rows.length < SHOWN_ROWS) known.rows = [...known.rows, row]
    } else if (shown.size < SHOWN_IDS) shown.set(copyOf(paymentId), { count: 1, rows: [firstRow, row] })
  }
  return {
    see: (paymentId, row) => {
      if (paymentId === '') return
      const firstRow = table.see(paymentId, row)
      if (firstRow === NEW) return
      if (firstRow !== FULL) found(paymentId, firstRow, row)
      else if (partialFrom === undefined) {
        try {
          spill ??= open()
          spill.add(paymentId, row)
        } catch {
          partialFrom = row
        }
      }
    },
    end: () => {
      try {
        for (const part of spill?.parts() ?? []) {
          const firstRows = new Map<string, number>()
          for (const [id, row] of part) {
            const firstRow = firstRows.get(id)
            if (firstRow === undefined) firstRows.set(id, row)
            else found(id, firstRow, row)
          }
        }
      } catch {
        partialFrom ??= mostInMemory + 1
      } finally {
        spill?.close()
      }
      const first = [...shown].map(([paymentId, repeat]) => ({ paymentId, ...repeat }))
      return { count, first, partialFrom }
    },
  }
}

/** A piece of a text would keep all of the text that it is cut from. */
const copyOf = (text: string): string => Buffer.from(text).toString()
