import type { LoggedExchange } from './logged-exchange.ts'

/** A request that arrived, and its outcome. Tokens in paths and unknown keys are never logged. */
export interface LoggedRequest {
  /** The time on the virtual clock, formatted as in payments. */
  readonly at: string
  readonly requestId: string
  readonly method: string
  readonly path: string
  /** The operation, such as `payment.refund`; missing if none has this path. */
  readonly operation?: string | undefined
  /** The payment or record that the path or the response names. */
  readonly payment?: string | undefined
  /** The key: a sandbox key, `client token` or `unknown`; missing if none was sent. */
  readonly key?: string | undefined
  readonly idempotencyKey?: string | undefined
  /** The status; missing if there was no response. */
  readonly status?: number | undefined
  readonly errorId?: string | undefined
  /** The fault that the request met, as it was added. */
  readonly fault?: string | undefined
  /** Whether the request changed anything. */
  readonly applied: boolean
  /** The time until the response was ready to be stored; only for requests whose bodies are kept. */
  readonly durationMs?: number | undefined
  /** The fields and query parameters that were dropped; missing if there were none. */
  readonly ignored?: readonly string[] | undefined
}

/** The most requests in the log, which drops the oldest beyond. */
export const MAX_LOGGED_REQUESTS = 10_000

/** A request of the log with its headers and bodies, which are missing if they weren't kept. */
export type LoggedDetails = LoggedRequest & Partial<LoggedExchange>

/** A place in the log. Numbers start again after the log is emptied, so the request's id tells two logs apart. */
export interface LogPosition {
  readonly number: number
  /** The ID of the request with that number; empty before the first one. */
  readonly requestId: string
}

/** The changes in a folder, whichever process made them. */
export interface Changes {
  /** The position to ask with next time. */
  readonly position: string
  /** Whether data changed without a logged request: the clock, faults, settings, or an event that was due. */
  readonly changed: boolean
  /** The requests that arrived, oldest first. */
  readonly requests: readonly LoggedRequest[]
}
