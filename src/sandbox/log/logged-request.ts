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

/** What happened in a folder, whichever process did it. */
export interface Changes {
  /** Ask with it next time. */
  readonly position: string
  /** Whether data changed without a logged request: the clock, faults, settings, or an event that was due. */
  readonly changed: boolean
  /** The requests that arrived, oldest first. */
  readonly requests: readonly LoggedRequest[]
}
