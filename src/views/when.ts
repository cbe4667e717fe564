import { safeText } from '../output/safe-text.ts'
import type { RenderOptions } from '../output/view.ts'

const HAS_ZONE = /(?:Z|[+-]\d{2}:?\d{2})$/i

/** A wire datetime, which is UTC where it names no zone, as local time with its zone. What is no date is shown as it came. */
export function shownTime(wire: string | undefined, timeZone: string | undefined): string | undefined {
  if (wire === undefined) return undefined
  return IN_UTC.test(wire) ? timeInUtc(wire, timeZone) : anyTime(wire, timeZone)
}

/** As the service and the ledger write most of them. */
const IN_UTC =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d+)?Z?$/

interface ShownHour {
  readonly before: string
  readonly zone: string
}

/** Hours that were met: how each is shown, if all its minutes are the same here and in UTC. */
const hours = new Map<string, ShownHour | 'met once' | 'not so'>()

/** The times of a long list lie close together: in an hour that is known only the words before and after have to be put. */
function timeInUtc(wire: string, timeZone: string | undefined): string {
  const hour = wire.slice(0, 13)
  const key = `${timeZone ?? ''} ${hour}`
  const known = hours.get(key)
  if (typeof known === 'object') return known.before + wire.slice(13, 19) + known.zone
  if (known !== 'not so') hours.set(key, known === undefined ? 'met once' : shownHour(hour, timeZone))
  return anyTime(wire, timeZone)
}

function shownHour(hour: string, timeZone: string | undefined): ShownHour | 'not so' {
  const first = anyTime(`${hour}:00:00Z`, timeZone)
  const [before, zone] = [first.slice(0, 13), first.slice(19)]
  // Clocks are changed once in an hour at most: its last quarter tells.
  const last = anyTime(`${hour}:45:00Z`, timeZone)
  return first === `${before}:00:00${zone}` && last === `${before}:45:00${zone}` ? { before, zone } : 'not so'
}

/** The same for whatever it is. */
export function anyTime(wire: string, timeZone: string | undefined): string {
  const date = new Date(HAS_ZONE.test(wire) || !wire.includes('T') ? wire : `${wire}Z`)
  if (Number.isNaN(date.getTime())) return safeText(wire)
  const isUtc = timeZone === undefined || timeZone === 'UTC'
  return (isUtc ? undefined : localTime(date, timeZone)) ?? utcTime(date)
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
  const local = offset === undefined ? Number.NaN : date.getTime() + offset.ms
  // At the end of all days there may be none.
  return offset === undefined || Number.isNaN(new Date(local).getTime())
    ? undefined
    : `${clockText(local)} ${offset.zone}`
}

/** Without the milliseconds. */
const clockText = (ms: number): string => new Date(ms).toISOString().slice(0, -5).replace('T', ' ')

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
