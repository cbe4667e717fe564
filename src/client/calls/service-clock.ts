import type { Clocks } from '../ledger/moment.ts'
import type { AttemptLog } from './attempt.ts'

/** The service's clock, as far as this process has seen it: the `Date` of its answers (RFC 9110, 6.6.1). */
export interface ServiceClock {
  readonly note: (log: AttemptLog) => void
  /** The newest `Date`, in milliseconds since 1970; undefined before the first. */
  readonly seenMs: () => number | undefined
  /** What that clock shows at this moment, plus up to a second: `Date` leaves out fractions. */
  readonly nowMs: () => number | undefined
}

export function createServiceClock(clocks: () => Clocks): ServiceClock {
  let seen: { readonly dateMs: number; readonly at: Clocks } | undefined
  return {
    note: ({ ended }) => {
      const dateMs = ended.kind === 'answer' ? Date.parse(ended.answer.headers['date'] ?? '') : Number.NaN
      if (!Number.isNaN(dateMs)) seen = { dateMs, at: clocks() }
    },
    seenMs: () => seen?.dateMs,
    nowMs: () => {
      if (seen === undefined) return undefined
      const { wallMs, upMs = 0 } = clocks()
      // A person may think for minutes before the write is sent, and a wall clock may be set meanwhile.
      const sinceMs = Math.max(0, wallMs - seen.at.wallMs, upMs - (seen.at.upMs ?? upMs))
      return seen.dateMs + 1_000 + sinceMs
    },
  }
}

const MINUTE_MS = 60 * 1000

/** The usual clock skew between two machines, plus the duration of a request. */
export const CLOCK_SKEW_MS = 5 * MINUTE_MS

/** The most that a clock can plausibly be off: beyond this, certificates soon seem expired or not yet valid. */
const MAX_CLOCK_SKEW_MS = 24 * 60 * MINUTE_MS

/**
 * Whether a date from the service (epoch milliseconds) is later than the start of a call on this machine, so that the call
 * may have caused it. `perhaps` for an earlier date that clock skew can explain.
 */
export function isDatedAfter(dateMs: number, startedAt: Date): 'yes' | 'perhaps' | 'no' {
  const beforeMs = startedAt.getTime() - dateMs
  if (beforeMs <= CLOCK_SKEW_MS) return 'yes'
  return beforeMs <= MAX_CLOCK_SKEW_MS ? 'perhaps' : 'no'
}
