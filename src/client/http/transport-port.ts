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
  /** Whether it declared no length and ended with its connection, so that only its content can show whether it is complete. */
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
  /** How long the whole attempt may take, connecting included. */
  readonly timeoutMs: number
  /** Aborts the request, sent or not. */
  readonly signal?: AbortSignal | undefined
  /** Aborts the request while nothing of it is written; has no effect afterwards. */
  readonly signalBeforeSent?: AbortSignal | undefined
  /** Called when a request that has waited for the pace is about to be sent. */
  readonly onTurn?: (() => void) | undefined
  /** Whether the request may still be sent, for a transport that waits before it sends. */
  readonly confirm?: (() => Promise<boolean>) | undefined
}

/** The 429s that one call has got in a row. */
export interface Streak {
  /** Counts another one. Returns whether the service refuses this call in particular, because others end meanwhile. */
  readonly isTooLong: () => boolean
}

/** How a transport shares the service among many calls: a 429 makes all of them wait, and ends none of them by itself. */
export interface Pace {
  readonly startStreak: () => Streak
  /** Whether a 429 ends a write that is not in doubt, because its caller reads the payment again before it repeats. */
  readonly returnsWrites: boolean
}

/** Sends one request once. Resolves with a response that ended as it declared, or rejects with a {@link TransportFailure}. Never follows redirects. */
export interface Transport {
  send(request: HttpRequest, options: SendOptions): Promise<HttpResponse>
  close(): Promise<void>
  readonly pace?: Pace
}

export interface TransportOptions {
  /** Source of the proxy variables. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** In milliseconds, from a clock that never goes back. */
  readonly monotonicMs: () => number
  /** The most connections to one server, set by commands that send many requests; unlimited by default. */
  readonly connections?: number | undefined
}
