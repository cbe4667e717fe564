/** Compares times from this machine's clock with times from the service's. */

const MINUTE_MS = 60 * 1000

/** The usual clock skew between two machines, plus the duration of a request. */
export const CLOCK_SKEW_MS = 5 * MINUTE_MS

/** The most that a clock can plausibly be off: beyond this, certificates soon seem expired or not yet valid. */
export const MAX_CLOCK_SKEW_MS = 24 * 60 * MINUTE_MS

/**
 * Whether a date from the service (epoch milliseconds) is later than the start of a call on this machine, so that the call
 * may have caused it. `perhaps` for an earlier date that clock skew can explain.
 */
export function isDatedAfter(dateMs: number, startedAt: Date): 'yes' | 'perhaps' | 'no' {
  const beforeMs = startedAt.getTime() - dateMs
  if (beforeMs <= CLOCK_SKEW_MS) return 'yes'
  return beforeMs <= MAX_CLOCK_SKEW_MS ? 'perhaps' : 'no'
}
