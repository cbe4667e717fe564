import { UsageError } from '../../errors.ts'
import type { Settings } from './store/settings.ts'

const LAST_DAY_MS = Date.UTC(9999, 11, 31)

/** The machine's clock plus what the folder is ahead of it. */
export const virtualNow = (settings: Settings, now: () => Date): Date =>
  new Date(now().getTime() + settings.clockOffsetMs())

/** Moves the folder's clock ahead; it never goes back. */
export function advanceClock(settings: Settings, now: () => Date, ms: number): void {
  const offsetMs = settings.clockOffsetMs() + ms
  if (!Number.isSafeInteger(ms) || ms < 0 || now().getTime() + offsetMs > LAST_DAY_MS) {
    throw new UsageError(`The sandbox's clock cannot be moved by ${ms} ms`, {
      code: 'bad_clock',
      hint: 'Give a duration from 0 up that ends before the year 9999, such as 90m or 24h.',
      outcome: 'none',
    })
  }
  settings.setClockOffsetMs(offsetMs)
}
