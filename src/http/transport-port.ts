/** One request as it goes over the wire. */
export interface HttpRequest {
  readonly method: string
  /** Absolute URL, query included. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/**
 * All of its declared length has arrived; what ends with its connection may be cut all the same. Header names are lower
 * case, and a name that comes several times has its values joined by commas.
 */
export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** It told no length, so that it ended where its connection did: only its content can tell whether all of it came. */
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
  /** The service is on this machine, and cannot work there. */
  | 'unusable'
  | 'other'

/**
 * No complete answer. `sent` is false only when it is proven that no byte of the request was written:
 * everything else may have reached the service.
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
  /** For the whole attempt, connecting included. */
  readonly timeoutMs: number
  /** Gives the request up, sent or not. */
  readonly signal?: AbortSignal | undefined
  /** Gives it up as long as nothing of it is written; without effect afterwards. */
  readonly signalBeforeSent?: AbortSignal | undefined
}

/** Sends one request once. Resolves with an answer that has ended by its own account, or rejects with a {@link TransportFailure}. Never follows redirects. */
export interface Transport {
  send(request: HttpRequest, options: SendOptions): Promise<HttpResponse>
  close(): Promise<void>
}
