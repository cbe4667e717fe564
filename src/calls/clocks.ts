/** What is to be thought of a moment that another machine has written down. */

const MINUTE_MS = 60 * 1000

/** Two machines' clocks as they mostly are, and the time that a request takes. */
export const CLOCKS_DIFFER_MS = 5 * MINUTE_MS

/** As far off as a clock can be: with more, a service's certificate soon counts as expired or not yet valid. */
export const CLOCKS_DIFFER_AT_MOST_MS = 24 * 60 * MINUTE_MS

/**
 * Whether something dated by the service can have been made by a call that began here at that time. That a clock is
 * wrong is no proof of anything, so only what is long before it is not: `perhaps`.
 */
export function isSince(dateMs: number, begun: Date): 'yes' | 'perhaps' | 'no' {
  const beforeMs = begun.getTime() - dateMs
  if (beforeMs <= CLOCKS_DIFFER_MS) return 'yes'
  return beforeMs <= CLOCKS_DIFFER_AT_MOST_MS ? 'perhaps' : 'no'
}

/** Times without a zone are UTC. */
export function momentOf(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined
  const ms = Date.parse(/(?:Z|[+-]\d{2}:?\d{2})$/i.test(text) ? text : `${text}Z`)
  return Number.isNaN(ms) ? undefined : ms
}
