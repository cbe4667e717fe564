import type { AdaptiveLimiter } from './adaptive-limiter.ts'

/** The pause after a 429 without Retry-After. */
const DEFAULT_PAUSE_MS = 1_000
/** `Retry-After: 0` must not lead to a busy loop. */
const MIN_PAUSE_MS = 50

interface PauseOptions {
  readonly limiter: AdaptiveLimiter
  /** The service asked every call to wait. */
  readonly onWait: (ms: number) => void
}

/** Makes every call wait as long as the service asks. */
export function pauseAll(
  { limiter, onWait }: PauseOptions,
  ticket: number,
  askedMs: number | undefined,
): void {
  const ms = Math.max(askedMs ?? DEFAULT_PAUSE_MS, MIN_PAUSE_MS)
  if (limiter.pause(ticket, ms)) onWait(ms)
}
