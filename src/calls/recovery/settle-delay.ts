import { lastInFlightAt, mayStillTakeEffect } from '../attempt.ts'
import type { ClientOptions, Resolution } from '../client-port.ts'
import type { StoredIntent } from '../../ledger/port.ts'

/**
 * A write that is not visible yet may still arrive: a service may keep working after the client stopped waiting, and a
 * gateway may hold a request back. Only after the settle delay does absence prove anything.
 */

/** In test mode: short enough to wait for. */
const SETTLE_DELAY_MS = 10_000
/** With real money, the minimum: a longer configured timeout replaces it. */
const LIVE_SETTLE_DELAY_MS = 5 * 60_000

/** The client's options, plus the start of the settle delay. */
export interface ResolutionContext extends ClientOptions {
  /** When a request for the write may last have been in flight, including resends while resolving. */
  readonly underWayAt: () => Date
  /** When the last attempt was in flight. */
  readonly lastAttemptAt: () => Date
}

/** Starts the settle delay at the last known request, and restarts it with each resend that may still take effect. */
export function resolutionContextFor(options: ClientOptions, intent: StoredIntent): ResolutionContext {
  // A time in the future comes from a wrong clock, and waiting for it might never end.
  const isPast = intent.underWayAt.getTime() <= options.now().getTime()
  let underWayAt = isPast ? intent.underWayAt : options.now()
  let { lastAttemptAt } = intent
  return {
    ...options,
    underWayAt: () => underWayAt,
    lastAttemptAt: () => lastAttemptAt,
    onAttempt: (log) => {
      if (log.request.method !== 'GET') lastAttemptAt = lastInFlightAt(log, options.timeoutMs)
      if (log.request.method !== 'GET' && mayStillTakeEffect(log.ended)) underWayAt = options.now()
      options.onAttempt(log)
    },
  }
}

/** Waits out the settle delay in test mode. Returns a resolution if absence proves nothing yet, else undefined. */
export async function awaitSettleDelay(
  context: ResolutionContext,
  intent: StoredIntent,
): Promise<Resolution | undefined> {
  const early = checkSettleDelay(context, intent)
  if (early !== undefined) return early
  const { stop } = context.interruption
  const leftMs = leftOf(context, intent)
  if (leftMs > 0 && !isLive(context, intent))
    await context.sleep(leftMs, stop, 'because the request may still arrive')
  return stop.aborted
    ? { kind: 'in-doubt', isAmbiguous: false, words: 'Interrupted: nothing more was sent.' }
    : undefined
}

/** Like {@link awaitSettleDelay}, but never waits: with real money, the delay is too long to wait for. */
export function checkSettleDelay(context: ResolutionContext, intent: StoredIntent): Resolution | undefined {
  if (!isLive(context, intent)) return undefined
  const leftMs = leftOf(context, intent)
  if (leftMs <= 0) return undefined
  const at = new Date(context.now().getTime() + leftMs)
  return {
    kind: 'in-doubt',
    isAmbiguous: false,
    words: `It is not visible yet and may still arrive: try again after ${timeOf(at)}.`,
  }
}

/** How long after its last attempt a write may still take effect, in milliseconds. */
export const settleDelayOf = (context: ResolutionContext, intent: StoredIntent): number =>
  isLive(context, intent) ? Math.max(LIVE_SETTLE_DELAY_MS, context.timeoutMs) : SETTLE_DELAY_MS

const leftOf = (context: ResolutionContext, intent: StoredIntent): number =>
  context.underWayAt().getTime() + settleDelayOf(context, intent) - context.now().getTime()

const isLive = ({ mode }: ResolutionContext, intent: StoredIntent): boolean =>
  mode === 'live' || intent.mode === 'live'

/** Rounded up to the next second, so that trying at exactly that time is late enough. */
const timeOf = (at: Date): string =>
  `${new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', timeStyle: 'medium' }).format(Math.ceil(at.getTime() / 1000) * 1000)} UTC`
