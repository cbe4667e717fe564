/**
 * The outcome of sending a row. `failed`: the service refused the row, or it could not be sent. `unknown`: it may or may
 * not have been applied. Each operation names its other outcomes, such as `created`.
 */
export interface RowOutcome {
  readonly outcome: string
  readonly errorId: string | undefined
  readonly message: string | undefined
  /** Additional attempts. */
  readonly retries: number
}
