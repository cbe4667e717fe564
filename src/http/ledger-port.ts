/** What a write is about to do, before anything is sent. */
export interface Intent {
  readonly operation: string
  /** The resource it acts on: the id in the path, else what the body tells; undefined when nothing does. */
  readonly target: string | undefined
  /** Minor units, points for loyalty; undefined when the request leaves it to the service. */
  readonly amount: number | undefined
  readonly currencyCode: string | undefined
  readonly idempotencyKey: string | undefined
}

export type IntentState = 'confirmed' | 'rejected' | 'in-doubt'

export interface OpenIntent {
  readonly id: string
  /** Records how it ended. Called once, before the result is shown. */
  readonly settle: (state: IntentState, exitCode: number) => Promise<void>
}

/** The two places where a write meets the ledger: before the socket is used, and before the outcome is told. */
export interface Ledger {
  readonly begin: (intent: Intent) => Promise<OpenIntent>
}
