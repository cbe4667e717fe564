/** One request that arrived, and what became of it. Tokens in paths, unknown keys and bodies are not kept. */
export interface LoggedRequest {
  /** By the virtual clock, as payments have it. */
  readonly at: string
  readonly requestId: string
  readonly method: string
  readonly path: string
  /** Such as `payment.refund`; absent where nothing is at the path. */
  readonly operation?: string | undefined
  /** A key of the sandbox, or `unknown`; absent where none was sent. */
  readonly key?: string | undefined
  readonly idempotencyKey?: string | undefined
  /** Absent where no answer was given. */
  readonly status?: number | undefined
  readonly errorId?: string | undefined
  /** What was done to it, as the fault was written. */
  readonly fault?: string | undefined
  /** Whether it changed anything. */
  readonly applied: boolean
  /** Fields and query parameters that were left out; absent where none were. */
  readonly ignored?: readonly string[] | undefined
}
