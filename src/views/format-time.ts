import { safeText } from '../output/safe-text.ts'
import type { RenderOptions } from '../output/view.ts'

const HAS_ZONE = /(?:Z|[+-]\d{2}:?\d{2})$/i

/** A wire datetime, which is UTC where it names no zone, as local time with its zone. What is no date is shown as it came. */
export function formatTime(wire: string | undefined, timeZone = 'UTC'): string | undefined {
  if (wire === undefined) return undefined
  const date = new Date(HAS_ZONE.test(wire) || !wire.includes('T') ? wire : `${wire}Z`)
  return Number.isNaN(date.getTime()) ? safeText(wire) : formatFor(timeZone).format(date).replace(',', '')
}

/** As a table has room for: whole in a pipe, else without seconds and zone. */
export const formatTimeForTable = (
  wire: string | undefined,
  { width, timeZone }: Pick<RenderOptions, 'width' | 'timeZone'>,
): string | undefined => (width === undefined ? formatTime : formatMinute)(wire, timeZone)

/** The same without seconds and zone, where there is little room: `2026-03-01 12:05`. */
export const formatMinute = (wire: string | undefined, timeZone: string | undefined): string | undefined =>
  formatTime(wire, timeZone)?.replace(/^(\d{4}-\d\d-\d\d \d\d:\d\d):\d\d .*$/, '$1')

/** Making one costs more than using it a hundred times, and a list has a time in every line. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatFor(timeZone: string): Intl.DateTimeFormat {
  const format = formats.get(timeZone) ?? newFormat(timeZone)
  formats.set(timeZone, format)
  return format
}

function newFormat(timeZone: string): Intl.DateTimeFormat {
  const two = '2-digit'
  const fields = { year: 'numeric', month: two, day: two, hour: two, minute: two, second: two } as const
  try {
    // English with the year first, as Sweden has it: 2026-03-01, 12:05:07 CET.
    return new Intl.DateTimeFormat('en-SE', { ...fields, hourCycle: 'h23', timeZone, timeZoneName: 'short' })
  } catch {
    // A zone that this machine doesn't know: a result must not be lost over its clock.
    return newFormat('UTC')
  }
}
