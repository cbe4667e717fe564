/**
 * The outcome of a ready row. `skipped`: its payment is not as planned, so nothing was sent. `failed`: nothing was done, and
 * that is proven. `unknown`: it was sent, and no usable response came.
 */
export const ROW_OUTCOMES = ['done', 'skipped', 'failed', 'unknown'] as const
export type RowOutcome = (typeof ROW_OUTCOMES)[number]

export interface RowResult {
  readonly outcome: RowOutcome
  /** The service's error id. */
  readonly errorId?: string | undefined
  readonly message?: string | undefined
  /** Whether the row was skipped because the payment is not as planned. */
  readonly isMoved?: true | undefined
  /** Whether the row was found done by its ticket, perhaps before the plan: then the plan's figures include it. */
  readonly isAnyTime?: true | undefined
}

/** The result that all rows without a message share, because a plan may have 100,000. */
export const DONE: RowResult = { outcome: 'done' }

export const PROCESSOR_REFUSED = 'The processor refused it'

export const TICKET_USED =
  'Its ticket was used for another write on this payment: if the row is still meant, plan it with another ticket'
