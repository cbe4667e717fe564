/** The effect of a fault on the requests that meet it. */
export type FaultEffect =
  /** The request is applied; the response is delayed. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** The request isn't applied, and is answered with this status. */
  | { readonly kind: 'status'; readonly status: number }
  /** The request isn't applied, and is answered with 429. `retryAfter` is the value of the header. */
  | { readonly kind: '429'; readonly retryAfter: string }
  | { readonly kind: PlainFaultKind }

/**
 * - `refuse`: not applied; the connection is refused as if no server were listening.
 * - `hang`: not applied; never answered.
 * - `drop-before`: not applied; the connection is closed.
 * - `drop-after`: applied, then the connection is closed.
 * - `truncate`: applied; the connection is closed in the middle of the response.
 * - `malformed`: applied; the response is complete but isn't JSON.
 * - `html`: applied; a proxy's error page replaces the response (502).
 * - `partial`: applied; the response has lost every field except ids.
 */
export const PLAIN_FAULT_KINDS = [
  'refuse',
  'hang',
  'drop-before',
  'drop-after',
  'truncate',
  'malformed',
  'html',
  'partial',
] as const

type PlainFaultKind = (typeof PLAIN_FAULT_KINDS)[number]

/** A fault to add, already checked. */
export interface NewFault {
  /** The pattern: a method or `*`, a space, and a path; see `pattern.ts`. */
  readonly on: string
  /** The effect as typed: `delay=2s`. */
  readonly do: string
  /** The share of matching requests that meet the fault, above 0 and up to 1. */
  readonly rate: number
  /** The seed that picks the requests: the same one always picks the same ones. */
  readonly seed: number
  /** How many requests meet the fault at most. */
  readonly times?: number | undefined
  /** How many matching requests pass first. */
  readonly skip: number
}

/** A stored fault with its counters. */
export interface Fault extends NewFault {
  readonly id: number
  /** The number of requests that matched the pattern. */
  readonly matched: number
  /** The number of requests that met the fault. */
  readonly fired: number
}
