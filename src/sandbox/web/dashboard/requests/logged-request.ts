/** A request as `GET /sandbox/requests` lists it. */
export interface LoggedRequest {
  readonly at: string
  readonly requestId: string
  readonly method: string
  readonly path: string
  readonly operation?: string
  readonly payment?: string
  readonly key?: string
  readonly idempotencyKey?: string
  readonly status?: number
  readonly errorId?: string
  readonly fault?: string
  readonly applied: boolean
  readonly durationMs?: number
  readonly ignored?: readonly string[]
}

export interface LoggedMessage {
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** In characters, if only the beginning is kept. */
  readonly bodyLength?: number
}

/** The answer of `GET /sandbox/requests/:requestId`; headers and bodies are missing if they weren't kept. */
export interface RequestDetails extends LoggedRequest {
  readonly request?: LoggedMessage & { readonly query?: string }
  readonly response?: LoggedMessage
}
