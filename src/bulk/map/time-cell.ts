import type { CellProblem } from './cell.ts'

const MOMENT = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(\.\d{1,9})?)?(Z|[+-]\d\d(?::?\d\d)?)?$/
const MINUTE_MS = 60_000
/** Of Kiribati; the furthest behind is 12 hours. */
const FURTHEST_OFFSET_MINUTES = 14 * 60

/** ISO 8601, in UTC with Z. Fractions of a second stay as they are. */
export function readTime(text: string, assumesUtc: boolean): string | CellProblem {
  const parts = MOMENT.exec(text)
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
  // Before the year 0 and behind 9999 there is a sign and there are six digits.
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

/** 24:00 is the end of a day. */
const isTimeOfDay = (hour: string, minute: string, second: string): boolean =>
  (hour < '24' && minute < '60' && second < '60') ||
  (hour === '24' && minute === '00' && Number(second) === 0)

/** Undefined for an offset that no place has. */
function offsetMinutes(zone: string): number | undefined {
  if (zone === 'Z') return 0
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0')
  const [hours, minutes] = [Number(digits.slice(0, 2)), Number(digits.slice(2))]
  const offset = hours * 60 + minutes
  if (minutes > 59 || offset > FURTHEST_OFFSET_MINUTES) return undefined
  return zone.startsWith('-') ? -offset : offset
}

const WRITE_IT = 'ISO 8601 with a zone, such as 2026-01-31T09:30:00Z'

/** What a refused time looks like, the first match being told. */
const FAULTS: readonly (readonly [pattern: RegExp, kind: string, hint: string])[] = [
  [
    /^\d{4,5}(?:[.,]\d+)?$/,
    'is the day number of a spreadsheet',
    'Format the column as yyyy-mm-dd hh:mm:ss and export it again',
  ],
  [/^\d{9,}(?:\.\d+)?$/, 'is a Unix timestamp', `Write it as ${WRITE_IT}`],
  [/^\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}/, 'does not show which number is the month', `Write it as ${WRITE_IT}`],
  [/^\d{4}-\d\d-\d\d$/, 'has no time of day', `Write it as ${WRITE_IT}`],
]

function faultOf(text: string): CellProblem {
  const [, kind, hint] = FAULTS.find(([pattern]) => pattern.test(text)) ?? [
    undefined,
    'is not a time',
    WRITE_IT,
  ]
  return { kind, hint }
}
