import { parseTimeMs } from '../../text/local-time.ts'
import { isRealDay, parseMoment } from '../../text/moment.ts'
import { parseDuration } from '../../text/duration.ts'
import { UsageError } from '../../errors.ts'

/** A period, with both ends in ISO 8601 and UTC. */
export interface Period {
  readonly from: string | undefined
  readonly to: string | undefined
}

const DAY_MS = 86_400_000
const SPAN = /^\d+(?:ms|s|m|h|d)/
const MOMENT = /^\d{4}-\d\d-\d\dT/

/**
 * Reads a time as every filter takes it: a day, a span back from now, `today`, `yesterday`, or ISO 8601. A day has a start and
 * an end; for a span or a time, they are the same moment.
 * @throws {UsageError} `what` names the source in it
 */
export function readTime(
  text: string,
  what: string,
  now: Date,
): { readonly start: string; readonly end: string } {
  if (SPAN.test(text)) return momentAt(new Date(now.getTime() - parseDuration(text, what)).toISOString())
  if (MOMENT.test(text)) return momentAt(parseMoment(text, what))
  const day = dayOf(text, now)
  if (day === undefined)
    throw new UsageError(
      `${what} takes a day (2026-01-31), a time (2026-01-31T09:30:00Z), a span back from now (7d, 90m), today or yesterday, not "${text}"`,
      { code: 'bad_value', hint: yearFirst(text) },
    )
  if (!isRealDay(day)) throw new UsageError(`${what}: there is no day ${day}`, { code: 'bad_value' })
  return { start: `${day}T00:00:00.000Z`, end: `${day}T23:59:59.999Z` }
}

/** How to write a day that has its year last. */
function yearFirst(text: string): string | undefined {
  const real = [...new Set(daysWithYearLast(text))].filter(isRealDay)
  return real.length === 0 ? undefined : `Write the year first: ${real.join(' or ')}`
}

/** What `28.11.2026` can mean: with the day first, and with the month first. */
function daysWithYearLast(text: string): readonly string[] {
  const [, first = '', , second = '', year] = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/.exec(text) ?? []
  const [one, other] = [first.padStart(2, '0'), second.padStart(2, '0')]
  return year === undefined ? [] : [`${year}-${other}-${one}`, `${year}-${one}-${other}`]
}

/** Whether the time counts from now. */
export const isRelativeTime = (text: string): boolean =>
  SPAN.test(text) ||
  /\b(?:since|this|last|past|previous|\w+day|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)\b/i.test(
    text,
  )

const momentAt = (moment: string) => ({ start: moment, end: moment })

function dayOf(text: string, now: Date): string | undefined {
  if (text === 'today') return now.toISOString().slice(0, 10)
  if (text === 'yesterday') return new Date(now.getTime() - DAY_MS).toISOString().slice(0, 10)
  return /^\d{4}-\d\d-\d\d$/.test(text) ? text : undefined
}

/** The payments that a time among the words of a search means: those of a day or of days (`2026-11-16..2026-11-22`), or those since a day or a moment. Undefined if the word is no time. */
export function periodOfWord(text: string, now: Date): Period | undefined {
  const [, first = '', last] = /^(\d{4}-\d\d-\d\d)\.\.(\d{4}-\d\d-\d\d)?$/.exec(text) ?? []
  if (first !== '')
    return { from: readTime(first, text, now).start, to: last && readTime(last, text, now).end }
  const word = isoDayOf(text) ?? text.toLowerCase()
  const isDay = dayOf(word, now) !== undefined
  if (!isDay && !MOMENT.test(text) && !/^(?:\d+(?:ms|s|m|h|d))+$/.test(text)) return undefined
  const { start, end } = readTime(isDay ? word : text, `"${text}"`, now)
  return { from: start, to: isDay ? end : undefined }
}

/**
 * `2026/11/28`, `28.11.2026`, `28/11/2026` and `11/28/2026` as `2026-11-28`; undefined if the text is no day.
 * @throws {UsageError} if day and month can't be told apart
 */
function isoDayOf(text: string): string | undefined {
  const [, isoYear, isoMonth = '', isoDay = ''] = /^(\d{4})[/.](\d{1,2})[/.](\d{1,2})$/.exec(text) ?? []
  if (isoYear !== undefined) return `${isoYear}-${isoMonth.padStart(2, '0')}-${isoDay.padStart(2, '0')}`
  const [dayFirst, monthFirst = ''] = daysWithYearLast(text)
  if (dayFirst === undefined || dayFirst === monthFirst || text.includes('.') || !isRealDay(monthFirst))
    return dayFirst
  if (!isRealDay(dayFirst)) return monthFirst
  throw new UsageError(`"${text}" is ${dayFirst} or ${monthFirst}`, {
    code: 'bad_value',
    outcome: 'none',
    hint: 'Write the one you mean. If it is an order, write order: before it.',
  })
}

/** What both periods have in common. */
export const intersect = (one: Period, other: Period): Period => ({
  from: pick(one.from, other.from, 'later'),
  to: pick(one.to, other.to, 'earlier'),
})

function pick(
  one: string | undefined,
  other: string | undefined,
  which: 'later' | 'earlier',
): string | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return isBefore(one, other) === (which === 'earlier') ? one : other
}

export const isEmptyPeriod = ({ from, to }: Period): boolean => isBefore(to, from)

/** Whether both times are known, and in this order. Times without a zone are UTC. */
export function isBefore(one: string | undefined, other: string | undefined): boolean {
  const [first, second] = [parseTimeMs(one), parseTimeMs(other)]
  return first !== undefined && second !== undefined && first < second
}
