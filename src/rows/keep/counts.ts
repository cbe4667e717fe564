import { OUTCOMES } from '../row-outcome.ts'
import type { Outcome, RowOutcome } from '../row-outcome.ts'

/** The figures of a run's summary: rows by outcome. */
export type Counts = Readonly<Record<'rows' | Outcome | 'retries', number>>

export const NO_COUNTS: Counts = {
  rows: 0,
  created: 0,
  updated: 0,
  skipped: 0,
  failed: 0,
  unknown: 0,
  retries: 0,
}

/** Says the counts, as in `3 created, 1 failed`. */
export const countsInWords = (counts: Counts): string =>
  OUTCOMES.flatMap((name) => (counts[name] === 0 ? [] : [`${counts[name]} ${name}`])).join(', ') || 'none'

/** A row that needs a person's attention. */
export interface ProblemRow {
  readonly row: number
  /** The line where the row begins in the decompressed input. */
  readonly line: number
  readonly id: string
  readonly outcome: string
  readonly message: string
}

/** How many rows the summary names; the results file has all. */
export const MAX_PROBLEM_ROWS = 5

export const problemRowOf = (
  { row, line, id }: Pick<ProblemRow, 'row' | 'line' | 'id'>,
  { outcome, errorId = '', message = errorId }: RowOutcome,
): ProblemRow => ({ row, line, id, outcome, message })
