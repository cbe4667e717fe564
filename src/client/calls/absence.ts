import { oldestAgeMs, youngestAgeMs } from '../ledger/moment.ts'
import type { Moment } from '../ledger/moment.ts'
import { KEY_LIFETIME_MS } from '../ledger/port.ts'
import type { Timing } from '../ledger/port.ts'

/**
 * What can be concluded from the age of a write. A write that a payment doesn't show may still arrive: a service may keep working
 * after the client stops waiting, a gateway may hold a request back, and a replica may answer reads.
 */

/** How long after the timeout of an attempt its request may still take effect, and show. */
const ARRIVAL_MS = { live: 5 * 60_000, test: 30_000 } as const

interface SentWrite {
  readonly timing: Pick<Timing, 'last' | 'timeoutMs'>
  readonly mode: 'test' | 'live'
  /** Whether the service ran in the process that sent it, which has ended: then none of its requests is in flight. */
  readonly isEmbedded: boolean
}

/**
 * How long until a write counts as not done if a payment doesn't show it, in milliseconds; 0 once it does. Undefined if no clock
 * knows both moments: then it never does.
 */
export function absenceCountsInMs({ timing, mode, isEmbedded }: SentWrite, now: Moment): number | undefined {
  if (isEmbedded) return 0
  const ageMs = youngestAgeMs(timing.last, now)
  return ageMs === undefined ? undefined : Math.max(0, timing.timeoutMs + ARRIVAL_MS[mode] - ageMs)
}

/** Whether the service may have forgotten the key of a write by now. If no clock knows its age, it may. */
export const isKeyOld = ({ first, keySince }: Pick<Timing, 'first' | 'keySince'>, now: Moment): boolean =>
  [first, ...keySince].some(
    (since) => (oldestAgeMs(since, now) ?? Number.POSITIVE_INFINITY) > KEY_LIFETIME_MS,
  )
