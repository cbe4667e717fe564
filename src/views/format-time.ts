import { formatLocalTime, timeMsOf, withoutSeconds } from '../text/local-time.ts'
import { safeText } from '../output/safe-text.ts'
import type { RenderOptions } from '../output/view.ts'
import { pluralize } from '../text/words.ts'

/** An API datetime as local time with its zone. Without a zone it is UTC; text that is no date is shown as it is. */
export const formatTime = (wire: string | undefined, timeZone = 'UTC'): string | undefined =>
  wire === undefined ? undefined : (formatLocalTime(wire, timeZone) ?? safeText(wire))

/** The time for a table cell: complete in a pipe, without seconds and zone on a terminal. */
export const formatTimeForTable = (
  wire: string | undefined,
  { width, timeZone }: Pick<RenderOptions, 'width' | 'timeZone'>,
): string | undefined => (width === undefined ? formatTime : formatMinute)(wire, timeZone)

/** The local time without seconds and zone: `2026-03-01 12:05`. */
export function formatMinute(wire: string | undefined, timeZone: string | undefined): string | undefined {
  const time = formatTime(wire, timeZone)
  return time === undefined ? undefined : withoutSeconds(time)
}

/** `3 minutes ago`. Undefined for text that isn't a time, and for a time ahead of `now`, by another clock. */
export function formatAge(wire: string | undefined, now: Date): string | undefined {
  const ms = wire === undefined ? undefined : timeMsOf(wire)
  if (ms === undefined || ms > now.getTime()) return undefined
  const minutes = Math.floor((now.getTime() - ms) / 60_000)
  if (minutes === 0) return 'less than a minute ago'
  if (minutes < 60) return `${pluralize(minutes, 'minute')} ago`
  const hours = Math.floor(minutes / 60)
  return `${hours < 48 ? pluralize(hours, 'hour') : pluralize(Math.floor(hours / 24), 'day')} ago`
}
