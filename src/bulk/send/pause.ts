/** The pause after a 429 without Retry-After. */
export const DEFAULT_PAUSE_MS = 1_000
/** `Retry-After: 0` must not lead to a busy loop. */
export const MIN_PAUSE_MS = 50
