import type { RowOutcome } from '../row-outcome.ts'

/** The figures of a run's summary: rows by outcome. */
export interface Counts {
  readonly rows: number
  readonly failed: number
  readonly unknown: number
  readonly retries: number
  /** The other outcomes of the operation, such as `created`. */
  readonly [outcome: string]: number
}

/** The names of the outcomes among the counts. */
export const outcomesIn = (counts: Counts): readonly string[] =>
  Object.keys(counts).filter((name) => name !== 'rows' && name !== 'retries')

/** A row that needs a person's attention. */
export interface ProblemRow {
  readonly row: number
  /** Where it begins in the decompressed input. */
  readonly line: number
  readonly id: string
  readonly outcome: string
  readonly message: string
}

/** The summary names only the first ones; the results file has all. */
export const MAX_PROBLEM_ROWS = 5

export const problemRowOf = (
  { row, line, id }: Pick<ProblemRow, 'row' | 'line' | 'id'>,
  { outcome, errorId = '', message = errorId }: RowOutcome,
): ProblemRow => ({ row, line, id, outcome, message })
