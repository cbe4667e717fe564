import type { Outcome, RowOutcome } from '../row-outcome.ts'

/** What a run has come to, as its summary tells it. */
export interface Counts {
  readonly rows: number
  readonly created: number
  readonly updated: number
  readonly skipped: number
  readonly failed: number
  readonly unknown: number
  readonly retries: number
}

export const NO_COUNTS: Counts = {
  rows: 0,
  created: 0,
  updated: 0,
  skipped: 0,
  failed: 0,
  unknown: 0,
  retries: 0,
}

/** Whether every row has become a record. */
export const isWhole = ({ rows, created, updated }: Counts): boolean => rows === created + updated

/** A row that has become none, for the person who has to look. */
export interface ProblemRow {
  readonly row: number
  readonly paymentId: string
  readonly outcome: Outcome
  readonly message: string
}

const MOST_TROUBLES = 5

type RowName = Pick<ProblemRow, 'row' | 'paymentId'>

export const problemRowOf = (
  { row, paymentId }: RowName,
  { outcome, errorId = '', message = errorId }: RowOutcome,
): ProblemRow => ({ row, paymentId, outcome, message })

/** The first of them. */
export function withProblemRow(
  troubles: readonly ProblemRow[],
  name: RowName,
  outcome: RowOutcome,
): readonly ProblemRow[] {
  const isOne = outcome.outcome !== 'created' && outcome.outcome !== 'updated'
  return isOne && troubles.length < MOST_TROUBLES ? [...troubles, problemRowOf(name, outcome)] : troubles
}
