import type { DateFormat } from './date-format.ts'
import type { CellProblem } from './row.ts'
import type { TimeZone } from './time-zone.ts'

export interface TimeOptions {
  /** Whether times without a zone are UTC. */
  readonly assumesUtc: boolean
  /** The format of times; undefined for ISO 8601. */
  readonly dateFormat?: DateFormat | undefined
  /** The zone of times without one. */
  readonly timezone?: TimeZone | undefined
  /** The column with each row's zone. */
  readonly timezoneColumn?: string | undefined
}

const TIME = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(\.\d{1,9})?)?(?: ?(Z|[+-]\d\d(?::?\d\d)?))?$/
const MINUTE_MS = 60_000
/** The offset of Kiribati. Offsets behind UTC reach only 12 hours. */
const MAX_OFFSET_MINUTES = 14 * 60

/**
 * Converts a time to UTC, in ISO 8601 with Z. Keeps fractions of a second as written. A complete ISO 8601 time with a zone
 * can't be misread, so it is accepted with every format.
 */
export function readTime(text: string, options: TimeOptions): string | CellProblem {
  const { dateFormat } = options
  if (dateFormat === undefined) return readIsoTime(text, options)
  const time = dateFormat.read(text)
  if (time !== undefined) return 'iso' in time ? readIsoTime(time.iso, { ...options, ...time }) : time
  if (TIME.exec(text)?.[8] !== undefined) return readIsoTime(text, options)
  return { kind: `does not match ${dateFormat.pattern}`, hint: 'Correct the cell, or --date-format' }
}

function readIsoTime(text: string, { assumesUtc, timezone }: TimeOptions): string | CellProblem {
  const parts = TIME.exec(text)
  if (parts === null) return faultOf(text)
  const [, year = '', month = '', day = '', hour = '', minute = '', second = '00', fraction = '', zone] =
    parts
  const date = `${year}-${month}-${day}`
  const offset = offsetMinutes(zone ?? 'Z')
  if (!isDay(Number(year), Number(month), Number(day)) || !isTimeOfDay(hour, minute, second + fraction))
    return { kind: 'is a date or time that does not exist' }
  if (offset === undefined) return { kind: 'has an offset that does not exist' }
  const filler = FILLERS.find(([start]) => text.startsWith(start))
  if (filler !== undefined) return { kind: `is ${filler[1]}`, hint: 'Fill in the real time' }
  if (zone === undefined && timezone !== undefined)
    return fromLocal(Date.parse(`${date}T${hour}:${minute}:${second}Z`), fraction, timezone)
  if (zone === undefined && !assumesUtc)
    return { kind: 'has no time zone', hint: 'Add Z or an offset, or use --timezone or --assume-utc' }
  if (offset === 0 && hour !== '24') return `${date}T${hour}:${minute}:${second}${fraction}Z`
  return inUtc(Date.parse(`${date}T${hour}:${minute}:${second}Z`) - offset * MINUTE_MS, fraction)
}

/** Times that programs write where they have none. */
const FILLERS: readonly (readonly [start: string, meaning: string])[] = [
  ['0001-', 'a time that stands for none (the year 0001)'],
  ['1899-', 'a time that stands for none (the year 1899)'],
  ['9999-', 'a time that stands for none (the year 9999)'],
  ['1970-01-01T00:00:00', 'a time that stands for none (the first second of 1970)'],
  ['1970-01-01 00:00:00', 'a time that stands for none (the first second of 1970)'],
]

function fromLocal(localMs: number, fraction: string, timezone: TimeZone): string | CellProblem {
  const [utcMs, second] = timezone.instantsOf(localMs)
  if (utcMs === undefined)
    return {
      kind: `does not exist in ${timezone.name}: the clocks go forward then`,
      hint: 'Correct the time, or write it in ISO 8601 with an offset',
    }
  if (second !== undefined)
    return {
      kind: `exists twice in ${timezone.name}: the clocks go back then`,
      hint: `Write it in ISO 8601 with an offset: ${[utcMs, second].map((ms) => withOffset(localMs, ms)).join(' or ')}`,
    }
  return inUtc(utcMs, fraction)
}

const twoDigits = (number: number): string => String(number).padStart(2, '0')

/** A local time with its offset from UTC. */
function withOffset(localMs: number, utcMs: number): string {
  const minutes = Math.abs(localMs - utcMs) / MINUTE_MS
  const offset = `${localMs < utcMs ? '-' : '+'}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`
  return `${new Date(localMs).toISOString().slice(0, 19)}${offset}`
}

/** Writes a time in UTC. toISOString() writes years before 0 and after 9999 with a sign and six digits, so the text is longer. */
function inUtc(ms: number, fraction: string): string | CellProblem {
  const utc = new Date(ms).toISOString()
  return utc.length === 24
    ? `${utc.slice(0, 19)}${fraction}Z`
    : { kind: 'is a date or time that does not exist' }
}

const DAYS_OF_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function isDay(year: number, month: number, day: number): boolean {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = month === 2 && isLeap ? 29 : (DAYS_OF_MONTH[month - 1] ?? 0)
  return day >= 1 && day <= days
}

/** Whether a time of day exists. ISO 8601 allows 24:00 for the end of a day. */
const isTimeOfDay = (hour: string, minute: string, second: string): boolean =>
  (hour < '24' && minute < '60' && second < '60') ||
  (hour === '24' && minute === '00' && Number(second) === 0)

/** The minutes of an offset; undefined for one that no time zone has. */
function offsetMinutes(zone: string): number | undefined {
  if (zone === 'Z') return 0
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0')
  const [hours, minutes] = [Number(digits.slice(0, 2)), Number(digits.slice(2))]
  const offset = hours * 60 + minutes
  if (minutes > 59 || offset > MAX_OFFSET_MINUTES) return undefined
  return zone.startsWith('-') ? -offset : offset
}

const FORMAT_HINT =
  'Use ISO 8601 with a zone, such as 2026-01-31T09:30:00Z, or name the format with --date-format'

/** Explains a rejected time. The first pattern that matches wins. */
const FAULTS: readonly (readonly [pattern: RegExp, kind: string, hint: string])[] = [
  [
    /^\d{4,5}(?:[.,]\d+)?$/,
    "is a spreadsheet's day number",
    'Format the column as yyyy-mm-dd hh:mm:ss and export it again',
  ],
  [/^(?:19|20)\d{12}$/, 'is a time without separators', 'Add --date-format yyyyMMddHHmmss'],
  [/^\d{12,}$/, 'is a Unix timestamp', 'Add --date-format unix-ms'],
  [/^\d{9,}(?:\.\d+)?$/, 'is a Unix timestamp', 'Add --date-format unix'],
  [/^\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}/, 'does not show which number is the month', FORMAT_HINT],
  [/^\d{4}-\d\d-\d\d$/, 'has no time of day', FORMAT_HINT],
]

function faultOf(text: string): CellProblem {
  const [, kind, hint] = FAULTS.find(([pattern]) => pattern.test(text)) ?? [
    undefined,
    'is not a time',
    FORMAT_HINT,
  ]
  return { kind, hint }
}
