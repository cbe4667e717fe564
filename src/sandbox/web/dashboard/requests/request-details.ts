import type { LoggedRequest } from '../../page/logged-request.ts'

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
