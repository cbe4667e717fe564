/** What a fault does to the requests that it meets. */
export type FaultEffect =
  /** Processed, answered late. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Answered with this status, and nothing applied. */
  | { readonly kind: 'status'; readonly status: number }
  /** Answered with 429, and nothing applied; `retryAfter` is the header as it is sent. */
  | { readonly kind: '429'; readonly retryAfter: string }
  | { readonly kind: PlainFaultKind }

/**
 * - `refuse`: as if nobody listened; nothing applied.
 * - `hang`: taken, and never answered; nothing applied.
 * - `drop-before`: the connection is cut; nothing applied.
 * - `drop-after`: applied, then the connection is cut.
 * - `truncate`: applied; a part of the answer arrives, then the connection is cut.
 * - `malformed`: applied; the answer is whole, and no JSON.
 * - `html`: applied; a proxy's page comes in place of the answer (502).
 * - `partial`: applied; the answer has lost all of its fields but the ids.
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

/** A fault that is to be added, checked. */
export interface NewFault {
  /** A method or `*`, a space, and a path; see `pattern.ts`. */
  readonly on: string
  /** As it is written: `delay=2s`. */
  readonly do: string
  /** The share of the matching requests that it meets, above 0 and up to 1. */
  readonly rate: number
  /** Decides which ones: the same seed, the same requests. */
  readonly seed: number
  /** Meets no more requests than this. */
  readonly times?: number | undefined
  /** Lets this many matching requests pass first. */
  readonly skip: number
}

/** A fault of the folder, with what it has seen. */
export interface Fault extends NewFault {
  readonly id: number
  /** Requests that it was on. */
  readonly matched: number
  /** Requests that it met. */
  readonly fired: number
}

export interface FaultStore {
  any(): boolean
  /** Oldest first. */
  list(): readonly Fault[]
  /** @throws {UsageError} `too_many_faults` once there are a hundred */
  add(fault: NewFault): Fault
  /** Counts a request that matches the fault, and whether the fault met it. */
  count(id: number, fired: boolean): void
  /** Returns how many there were. */
  clear(): number
}
