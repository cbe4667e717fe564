import type { Outcome } from './sender.ts'

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

export const counted = (counts: Counts, outcome: Outcome, retries: number): Counts => ({
  ...counts,
  rows: counts.rows + 1,
  [outcome]: counts[outcome] + 1,
  retries: counts.retries + retries,
})
