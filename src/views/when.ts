import { safeText } from '../output/safe-text.ts'
import type { RenderOptions } from '../output/view.ts'

const HAS_ZONE = /(?:Z|[+-]\d{2}:?\d{2})$/i

/** A wire datetime, which is UTC where it names no zone, as local time with its zone. What is no date is shown as it came. */
export function shownTime(wire: string | undefined, timeZone: string | undefined): string | undefined {
  if (wire === undefined) return undefined
  const date = new Date(HAS_ZONE.test(wire) || !wire.includes('T') ? wire : `${wire}Z`)
  if (Number.isNaN(date.getTime())) return safeText(wire)
  return (timeZone === undefined ? undefined : localTime(date, timeZone)) ?? utcTime(date)
}

/** As a table has room for: whole in a pipe, else without seconds and zone. */
export const shownTimeIn = (
  wire: string | undefined,
  { width, timeZone }: Pick<RenderOptions, 'width' | 'timeZone'>,
): string | undefined => (width === undefined ? shownTime : shownMinute)(wire, timeZone)

/** The same without seconds and zone, where there is little room: `2026-03-01 12:05`. */
export const shownMinute = (wire: string | undefined, timeZone: string | undefined): string | undefined =>
  shownTime(wire, timeZone)?.replace(/^(\d{4}-\d\d-\d\d \d\d:\d\d):\d\d .*$/, '$1')

const utcTime = (date: Date) => `${clockText(date.getTime())} UTC`

/** Making one costs more than using it a hundred times, and a list has a time in every line. */
const formats = new Map<string, Intl.DateTimeFormat | undefined>()

/** Clocks are changed at full quarters of an hour: within one, a zone is one offset. */
const QUARTER_MS = 15 * 60 * 1000

interface Offset {
  readonly ms: number
  readonly zone: string
}

/** Using a format still costs more than all the rest of a line, and the times of a long list lie close together. */
const offsets = new Map<string, Offset | undefined>()

/** Undefined for a zone that this machine does not know: a result must not be lost over its clock. */
function localTime(date: Date, timeZone: string): string | undefined {
  const start = Math.floor(date.getTime() / QUARTER_MS) * QUARTER_MS
  const key = `${timeZone} ${start}`
  if (!offsets.has(key)) offsets.set(key, offsetAt(new Date(start), timeZone))
  const offset = offsets.get(key)
  return offset === undefined ? undefined : `${clockText(date.getTime() + offset.ms)} ${offset.zone}`
}

function clockText(ms: number): string {
  const iso = new Date(ms).toISOString()
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}`
}

function offsetAt(moment: Date, timeZone: string): Offset | undefined {
  if (!formats.has(timeZone)) formats.set(timeZone, formatFor(timeZone))
  const format = formats.get(timeZone)
  if (format === undefined) return undefined
  const parts = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, value]))
  const { year, month, day, hour, minute, second, timeZoneName = '' } = parts
  const local = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  )
  return { ms: local - moment.getTime(), zone: timeZoneName }
}

function formatFor(timeZone: string): Intl.DateTimeFormat | undefined {
  const two = '2-digit'
  const fields = { year: 'numeric', month: two, day: two, hour: two, minute: two, second: two } as const
  try {
    return new Intl.DateTimeFormat('en-GB', { ...fields, hourCycle: 'h23', timeZone, timeZoneName: 'short' })
  } catch {
    return undefined
  }
}
