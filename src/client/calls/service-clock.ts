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
