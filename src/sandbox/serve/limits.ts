/** Time limits of a connection, in milliseconds. */
export interface ServeTimes {
  /** The time for the head of a request, from connecting or from its first byte. */
  readonly headersMs: number
  /** The time for a whole request. */
  readonly requestMs: number
  /** How often the first two limits are checked. */
  readonly checkEveryMs: number
  /** The time between requests. Clients keep a connection for less, so that it isn't closed while a request is on its way. */
  readonly idleMs: number
  /** The time without progress while sending a response: the client isn't reading. */
  readonly stallMs: number
  /** The time for requests in progress when the server closes. */
  readonly graceMs: number
}

export const SERVE_TIMES: ServeTimes = {
  headersMs: 20_000,
  requestMs: 40_000,
  checkEveryMs: 2_000,
  idleMs: 65_000,
  stallMs: 60_000,
  graceMs: 5_000,
}

/** A client that sends a body as large as this is cut off. One above the limit is read up to here, so that the client gets its 413. */
export const MAX_DISCARDED_BYTES = 32 * 1024 * 1024

/** How many connections the system queues while the server is busy; the system has its own limit. */
export const BACKLOG = 4096

export const MAX_HEADER_BYTES = 16 * 1024

/** When the system probes a silent client; one that waits for a response that never comes may be long gone. */
export const PROBE_AFTER_MS = 30_000

/** The length of a body, in characters, above which requests run one at a time, so that shorter ones aren't delayed. */
export const LONG_BODY = 16 * 1024
