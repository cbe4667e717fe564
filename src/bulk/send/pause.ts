import type { AdaptiveLimiter } from './adaptive-limiter.ts'
import type { Patience } from './patience.ts'

/** The pause after a 429 without Retry-After. */
const DEFAULT_PAUSE_MS = 1_000
/** `Retry-After: 0` must not lead to a busy loop. */
const MIN_PAUSE_MS = 50

export interface PauseOptions {
  readonly limiter: AdaptiveLimiter
  readonly patience: Patience
  /** The service asked every call to wait. */
  readonly onWait: (ms: number) => void
}

/** Makes every call wait as long as the service asks, or none that waits go on if that is too long. */
export function pauseAll(
  { limiter, patience, onWait }: PauseOptions,
  ticket: number,
  askedMs: number | undefined,
): void {
  const ms = Math.max(askedMs ?? DEFAULT_PAUSE_MS, MIN_PAUSE_MS)
  if (!patience.bears(ms)) limiter.recheck()
  else if (limiter.pause(ticket, ms)) onWait(ms)
}
