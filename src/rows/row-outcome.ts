export const OUTCOMES = ['created', 'updated', 'skipped', 'failed', 'unknown'] as const

/** The outcome of a row. `failed`: the service refused it, or it could not be sent. `unknown`: it may have been applied. */
export type Outcome = (typeof OUTCOMES)[number]

/** The errorId of an updated row whose record keeps another `createdAt`: the service never changes it. */
export const CREATED_AT_KEPT = 'created_at_kept'

/** The outcome of sending a row. */
export interface RowOutcome {
  readonly outcome: Outcome
  readonly errorId: string | undefined
  readonly message: string | undefined
  /** The number of additional attempts. */
  readonly retries: number
}
