export const OUTCOMES = ['created', 'updated', 'skipped', 'failed', 'unknown'] as const

/** `failed`: the service refused the row, or it could not be sent. `unknown`: it may or may not have been applied. */
export type Outcome = (typeof OUTCOMES)[number]

/** The outcome of sending a row. */
export interface RowOutcome {
  readonly outcome: Outcome
  readonly errorId: string | undefined
  readonly message: string | undefined
  /** Additional attempts. */
  readonly retries: number
}
