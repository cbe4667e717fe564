/** How long a connection may take over what; all in milliseconds. */
export interface ServeTimes {
  /** For the head of a request, from connecting or from its first byte. */
  readonly headersMs: number
  /** For a whole request. */
  readonly requestMs: number
  /** How often the first two are looked at. */
  readonly checkEveryMs: number
  /** Between requests. Longer than clients keep a connection: else one is closed as the next request is on its way. */
  readonly idleMs: number
  /** With an answer on its way and no byte moving: a client that does not read. */
  readonly stallMs: number
  /** For what a client goes on sending after the last answer it gets. */
  readonly lingerMs: number
  /** For what is under way when the server is closed. */
  readonly graceMs: number
}

export const SERVE_TIMES: ServeTimes = {
  headersMs: 20_000,
  requestMs: 40_000,
  checkEveryMs: 2_000,
  idleMs: 65_000,
  stallMs: 60_000,
  lingerMs: 5_000,
  graceMs: 5_000,
}

/** Beyond this a client that goes on sending is cut off, even if it then cannot read the answer. */
export const DISCARDED_BYTES = 32 * 1024 * 1024

/** Requests of one connection that are worked on at the same time. */
export const MAX_UNDER_WAY = 4

/** Answers that one connection may wait for before no more is read from it. */
export const MAX_DUE = 64

/** Connections that the system keeps while we are busy; it has a ceiling of its own. */
export const BACKLOG = 4096

export const MAX_HEADER_BYTES = 16 * 1024

/** The system then asks a silent client whether it is still there: one that waits for ever may be gone for as long. */
export const PROBE_AFTER_MS = 30_000

/** Requests with a longer body are processed one at a time, so that shorter ones get in between. In characters. */
export const LONG_BODY = 16 * 1024
