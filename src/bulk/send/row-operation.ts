import type { CallOperation } from '../../calls/call.ts'
import type { HttpRequest } from '../../http/transport-port.ts'
import type { PreparedRow } from '../map/row.ts'

/** One request of a row. */
export interface RowRequest {
  readonly operation: CallOperation
  /** The path parameters; they show whether a response is about this row. */
  readonly params: Readonly<Record<string, string>>
  readonly request: HttpRequest
  /** The outcome of the row once the service accepts the request. */
  readonly outcome: string
}

/** How the service refused a row. */
export interface RowRefusal {
  readonly row: PreparedRow
  readonly operation: CallOperation
  readonly errorId: string | undefined
  /** Whether an earlier attempt, of this run or another, may have been applied. */
  readonly maybeDone: boolean
}

/** An outcome other than that of the {@link RowRequest}. */
export interface RowResult {
  readonly outcome: string
  /** Replaces the service's own reason. */
  readonly message?: string
}

/**
 * What the engine sends for a row, and what the responses mean. Every request must be safe to repeat, by a unique ID or an
 * idempotency key: the engine repeats rows in doubt, and a refusal of a repeat also counts for the attempts before it.
 */
export interface RowOperation {
  readonly requestFor: (row: PreparedRow) => RowRequest
  /** The next request or the outcome after a refusal; undefined if the row has simply failed. */
  readonly afterRefusal: (refusal: RowRefusal) => RowRequest | RowResult | undefined
}
