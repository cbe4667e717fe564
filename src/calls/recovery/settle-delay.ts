import { mayStillTakeEffect } from '../attempt.ts'
import type { ClientOptions, Resolution } from '../client-port.ts'
import type { StoredIntent } from '../../ledger/port.ts'

/**
 * That something is not there proves nothing as long as it may still arrive: a service may work on after nobody waits
 * for its answer any longer, and a gateway may hold a request back.
 */

/** Of no real money: worth waiting for. */
const LATE_MS = 10_000
/** Of real money; a service that is known to take long gets longer. */
const LIVE_LATE_MS = 5 * 60_000

/** What context out goes by. */
export interface ResolutionContext extends ClientOptions {
  /** When it may last have been under way; what is sent to find out counts too. */
  readonly underWayAt: () => Date
}

export function resolutionContextFor(options: ClientOptions, intent: StoredIntent): ResolutionContext {
  // In the future it was a wrong clock that said so, and a wait for it might never end.
  const isPast = intent.underWayAt.getTime() <= options.now().getTime()
  let underWayAt = isPast ? intent.underWayAt : options.now()
  return {
    ...options,
    underWayAt: () => underWayAt,
    onAttempt: (log) => {
      if (log.request.method !== 'GET' && mayStillTakeEffect(log.ended)) underWayAt = options.now()
      options.onAttempt(log)
    },
  }
}

/** Why it cannot be told yet that it was not done; undefined as soon as it can. Waits where that is worth it. */
export async function awaitSettleDelay(
  context: ResolutionContext,
  intent: StoredIntent,
): Promise<Resolution | undefined> {
  const early = checkSettleDelay(context, intent)
  if (early !== undefined) return early
  const { stop } = context.interruption
  const leftMs = leftOf(context, LATE_MS)
  if (leftMs > 0 && !isLive(context, intent)) await context.sleep(leftMs, stop, 'for what may still arrive')
  return stop.aborted
    ? { kind: 'in-doubt', isAmbiguous: false, words: 'Interrupted: nothing more was sent.' }
    : undefined
}

/** The same where nothing is worth a wait: nobody sits out what real money takes. */
export function checkSettleDelay(context: ResolutionContext, intent: StoredIntent): Resolution | undefined {
  if (!isLive(context, intent)) return undefined
  const leftMs = leftOf(context, Math.max(LIVE_LATE_MS, context.timeoutMs))
  if (leftMs <= 0) return undefined
  const at = new Date(context.now().getTime() + leftMs)
  return {
    kind: 'in-doubt',
    isAmbiguous: false,
    words: `It is not there so far, and may still arrive: ask again after ${timeOf(at)}.`,
  }
}

const leftOf = (context: ResolutionContext, lateMs: number): number =>
  context.underWayAt().getTime() + lateMs - context.now().getTime()

const isLive = ({ mode }: ResolutionContext, intent: StoredIntent): boolean =>
  mode === 'live' || intent.mode === 'live'

/** To the next whole second: asked at that very time it is late enough. */
const timeOf = (at: Date): string =>
  `${new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', timeStyle: 'medium' }).format(Math.ceil(at.getTime() / 1000) * 1000)} UTC`
