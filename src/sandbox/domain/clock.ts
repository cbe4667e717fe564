import { UsageError } from '../../errors.ts'
import type { Store } from '../database/store.ts'

const LAST_DAY_MS = Date.UTC(9999, 11, 31)

/** The machine's clock plus the folder's offset. */
export const virtualNow = (settings: Store['settings'], now: () => Date): Date =>
  new Date(now().getTime() + settings.clockOffsetMs())

/**
 * Moves the folder's clock forward; it never goes back.
 * @throws {UsageError} `bad_clock` unless `ms` is a whole number of at least 0 and the new time is at most 9999-12-31
 */
export function advanceClock(settings: Store['settings'], now: () => Date, ms: number): void {
  const offsetMs = settings.clockOffsetMs() + ms
  if (!Number.isSafeInteger(ms) || ms < 0 || now().getTime() + offsetMs > LAST_DAY_MS) {
    throw new UsageError(`The sandbox clock cannot be moved by ${ms} ms`, {
      code: 'bad_clock',
      hint: 'Give a duration of 0 or more that ends before the year 9999, such as 90m or 24h.',
      outcome: 'none',
    })
  }
  settings.setClockOffsetMs(offsetMs)
}

/** How long third parties and processors take: long enough that nothing settles while you type a few commands. */
export const PROCESSING_DELAY_MS = 60 * 60 * 1000

export const CLIENT_TOKEN_LIFETIME_MS = 24 * 60 * 60 * 1000
