/** One request, as sent over the wire. */
export interface HttpRequest {
  readonly method: string
  /** Absolute URL, query included. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/**
 * A response whose declared length has arrived in full. One that ends with its connection may still be cut short. Header
 * names are in lower case; the values of a repeated header are joined by commas.
 */
export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** It declared no length and ended with its connection, so only its content can show whether it is complete. */
  readonly isUnframed?: true
}

export type FailureReason =
  | 'refused'
  | 'dns'
  | 'tls'
  | 'proxy'
  | 'unreachable'
  | 'connect-timeout'
  | 'timeout'
  | 'cut'
  | 'too-large'
  | 'aborted'
  /** The service runs on this machine and could not start. */
  | 'unusable'
  | 'other'

/**
 * No complete response. `sent` is false only when provably no byte of the request was written; otherwise the request may
 * have reached the service.
 */
export class TransportFailure extends Error {
  readonly reason: FailureReason
  readonly sent: boolean

  constructor(reason: FailureReason, sent: boolean, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'TransportFailure'
    this.reason = reason
    this.sent = sent
  }
}

export interface SendOptions {
  /** For the whole attempt, including connecting. */
  readonly timeoutMs: number
  /** Aborts the request, sent or not. */
  readonly signal?: AbortSignal | undefined
  /** Aborts the request while nothing of it is written; has no effect afterwards. */
  readonly signalBeforeSent?: AbortSignal | undefined
  /** For a transport that waits before it sends: whether it still may. */
  readonly confirm?: (() => Promise<boolean>) | undefined
}

/** Sends one request once. Resolves with a response that ended as it declared, or rejects with a {@link TransportFailure}. Never follows redirects. */
export interface Transport {
  send(request: HttpRequest, options: SendOptions): Promise<HttpResponse>
  close(): Promise<void>
}
