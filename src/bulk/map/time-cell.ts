import type { CellProblem } from './row.ts'

const TIME = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(\.\d{1,9})?)?(Z|[+-]\d\d(?::?\d\d)?)?$/
const MINUTE_MS = 60_000
/** The offset of Kiribati. Offsets behind UTC reach only 12 hours. */
const MAX_OFFSET_MINUTES = 14 * 60

/** Converts an ISO 8601 time to UTC with Z. Keeps fractions of a second as written. */
export function readTime(text: string, assumesUtc: boolean): string | CellProblem {
  const parts = TIME.exec(text)
  if (parts === null) return faultOf(text)
  const [, year = '', month = '', day = '', hour = '', minute = '', second = '00', fraction = '', zone] =
    parts
  const date = `${year}-${month}-${day}`
  const offset = offsetMinutes(zone ?? 'Z')
  if (!isDay(Number(year), Number(month), Number(day)) || !isTimeOfDay(hour, minute, second + fraction))
    return { kind: 'is a date or time that does not exist' }
  if (offset === undefined) return { kind: 'has an offset that does not exist' }
  if (zone === undefined && !assumesUtc)
    return { kind: 'has no time zone', hint: 'Add Z or an offset, or use --assume-utc' }
  if (offset === 0 && hour !== '24') return `${date}T${hour}:${minute}:${second}${fraction}Z`
  const utc = new Date(Date.parse(`${date}T${hour}:${minute}:${second}Z`) - offset * MINUTE_MS).toISOString()
  // toISOString() writes years before 0 and after 9999 with a sign and six digits, so the text is longer.
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

/** ISO 8601 allows 24:00 for the end of a day. */
const isTimeOfDay = (hour: string, minute: string, second: string): boolean =>
  (hour < '24' && minute < '60' && second < '60') ||
  (hour === '24' && minute === '00' && Number(second) === 0)

/** Undefined for an offset that no time zone has. */
function offsetMinutes(zone: string): number | undefined {
  if (zone === 'Z') return 0
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0')
  const [hours, minutes] = [Number(digits.slice(0, 2)), Number(digits.slice(2))]
  const offset = hours * 60 + minutes
  if (minutes > 59 || offset > MAX_OFFSET_MINUTES) return undefined
  return zone.startsWith('-') ? -offset : offset
}

const FORMAT_HINT = 'Use ISO 8601 with a zone, such as 2026-01-31T09:30:00Z'

/** Explains a rejected time. The first pattern that matches wins. */
const FAULTS: readonly (readonly [pattern: RegExp, kind: string, hint: string])[] = [
  [
    /^\d{4,5}(?:[.,]\d+)?$/,
    "is a spreadsheet's day number",
    'Format the column as yyyy-mm-dd hh:mm:ss and export it again',
  ],
  [/^\d{9,}(?:\.\d+)?$/, 'is a Unix timestamp', FORMAT_HINT],
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
