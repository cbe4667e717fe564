/** How far to trust a time that another machine has written. */

const MINUTE_MS = 60 * 1000

/** Covers the usual difference between two machines' clocks, plus the duration of a request. */
export const CLOCK_SKEW_MS = 5 * MINUTE_MS

/** The most that a clock can plausibly be off: beyond this, certificates soon seem expired or not yet valid. */
export const MAX_CLOCK_SKEW_MS = 24 * 60 * MINUTE_MS

/**
 * Whether something that the service dated can be the work of a call that began here at `begun`. A wrong clock proves
 * nothing, so only a date long before the call means `no`; one that a wrong clock could explain means `perhaps`.
 */
export function isDatedAfter(dateMs: number, begun: Date): 'yes' | 'perhaps' | 'no' {
  const beforeMs = begun.getTime() - dateMs
  if (beforeMs <= CLOCK_SKEW_MS) return 'yes'
  return beforeMs <= MAX_CLOCK_SKEW_MS ? 'perhaps' : 'no'
}

/** Milliseconds since the epoch; times without a zone are UTC. undefined for anything else. */
export function parseTimeMs(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined
  const ms = Date.parse(/(?:Z|[+-]\d{2}:?\d{2})$/i.test(text) ? text : `${text}Z`)
  return Number.isNaN(ms) ? undefined : ms
}
