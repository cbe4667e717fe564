import type { LoggedExchange } from './logged-exchange.ts'

/** One request that arrived, and its outcome. Tokens in paths and unknown keys are never logged. */
export interface LoggedRequest {
  /** On the virtual clock, formatted as in payments. */
  readonly at: string
  readonly requestId: string
  readonly method: string
  readonly path: string
  /** Such as `payment.refund`; missing if no operation has this path. */
  readonly operation?: string | undefined
  /** The payment or record that the path or the response names. */
  readonly payment?: string | undefined
  /** A sandbox key, `client token` or `unknown`; missing if none was sent. */
  readonly key?: string | undefined
  readonly idempotencyKey?: string | undefined
  /** Missing if there was no response. */
  readonly status?: number | undefined
  readonly errorId?: string | undefined
  /** The fault that the request met, as it was added. */
  readonly fault?: string | undefined
  /** Whether the request changed anything. */
  readonly applied: boolean
  /** Until the response was ready to be stored; only for requests whose bodies are kept. */
  readonly durationMs?: number | undefined
  /** Fields and query parameters that were dropped; missing if there were none. */
  readonly ignored?: readonly string[] | undefined
}

/** The log drops the oldest requests beyond this. */
export const MAX_LOGGED_REQUESTS = 10_000

/** A request of the log with its headers and bodies, which are missing if they weren't kept. */
export type LoggedDetails = LoggedRequest & Partial<LoggedExchange>

/** A place in the log. Numbers start again after the log is emptied, so the request's id tells two logs apart. */
export interface LogPosition {
  readonly number: number
  /** Of the request with that number; empty before the first one. */
  readonly requestId: string
}

export interface RequestLogStore {
  /** `exchanges` has the bodies of those entries whose bodies are kept. */
  append(entries: readonly LoggedRequest[], exchanges: readonly LoggedExchange[]): void
  /** Where the log ends. */
  position(): LogPosition
  /** The requests after a position, oldest first, and where they end; undefined if the position is unknown or too old. */
  after(
    position: LogPosition,
    limit: number,
  ): { readonly entries: readonly LoggedRequest[]; readonly position: LogPosition } | undefined
  /** Newest first; only those of one payment if it is given. */
  list(limit: number, payment?: string): readonly LoggedRequest[]
  /** All of them, oldest first. */
  details(): readonly LoggedDetails[]
  find(requestId: string): LoggedDetails | undefined
  clear(): void
}
