import { periodOfWord } from './times.ts'
import type { Period } from './times.ts'

/** Typed words that are parts of one value: that value, and how many they are. */
export type Joined = readonly [word: string, parts: number]

type Words = readonly string[]

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MONTH =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?$/i
const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const DAY_OF_MONTH = /^(\d{1,2})(?:st|nd|rd|th|\.)?$/i
const DAY_MS = 86_400_000

/** `28 Nov`, `Nov 28th`, `28. November 2026`; without a year, the latest such day, or tomorrow, which another clock may have. */
export function joinDay([first = '', second = '', third = '']: Words, now: Date): Joined | undefined {
  const [month, text] = MONTH.test(first) ? [first, second] : MONTH.test(second) ? [second, first] : []
  const day = DAY_OF_MONTH.exec(text ?? '')?.[1]?.padStart(2, '0')
  if (month === undefined || day === undefined || day > '31') return undefined
  const number = String(monthOf(month) + 1).padStart(2, '0')
  if (/^\d{4}$/.test(third)) return [`${third}-${number}-${day}`, 3]
  const latest = new Date(now.getTime() + DAY_MS)
  const year = latest.getUTCFullYear()
  const thisYear = `${year}-${number}-${day}`
  return [thisYear <= latest.toISOString().slice(0, 10) ? thisYear : `${year - 1}-${number}-${day}`, 2]
}

const monthOf = (name: string): number => MONTHS.indexOf(name.slice(0, 3).toLowerCase())

/** `last week` as `2026-11-16..2026-11-22`, `since monday` as `2026-11-23..`, `last 7 days` as `7d`; `in May`, `nov 2026`, `on friday`. */
export function joinSpan([first = '', ...rest]: Words, now: Date): Joined | undefined {
  const [second = '', third = ''] = rest
  if (MONTH.test(first) && /^20\d\d$/.test(second)) return [daysOfMonth(Number(second), monthOf(first)), 2]
  if (/^since$/i.test(first)) {
    const [text, parts] = joinDay(rest, now) ?? joinSpan(rest, now) ?? [daysNamed(second, now) ?? second, 1]
    const { from, to } = periodOfWord(text, now) ?? {}
    return from === undefined ? undefined : [to === undefined ? text : `${from.slice(0, 10)}..`, parts + 1]
  }
  const isPast = /^(?:last|past|previous)$/i.test(first)
  const isThis = /^this$/i.test(first)
  if (!isPast && !isThis && !/^(?:in|on)$/i.test(first)) return undefined
  const [named, parts] = joinSpan(rest, now) ?? [daysNamed(second, now, isPast), 1]
  if (named !== undefined) return [named, parts + 1]
  const back = isPast && /^[1-9]\d{0,2}$/.test(second) ? HOURS.get(unitOf(third)) : undefined
  if (back !== undefined) return [`${Number(second) * back}h`, 3]
  const whole = isPast || isThis ? wholeSpan(unitOf(second), isPast ? 1 : 0, now) : undefined
  return whole === undefined ? undefined : [whole, 2]
}

const HOURS = new Map(Object.entries({ hour: 1, day: 24, week: 168, month: 720 }))

const unitOf = (text: string): string => text.toLowerCase().replace(/s$/, '')

const dayOf = (year: number, month: number, date: number): string =>
  new Date(Date.UTC(year, month, date)).toISOString().slice(0, 10)

const daysOfMonth = (year: number, month: number): string =>
  `${dayOf(year, month, 1)}..${dayOf(year, month + 1, 0)}`

/** The year, the month from 0, the day of the month, and the days since Monday. */
const partsOf = (now: Date) =>
  [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), (now.getUTCDay() + 6) % 7] as const

/** The latest month or weekday with this name, which may be the current one unless it `isPast`; undefined for another word. */
function daysNamed(name: string, now: Date, isPast = false): string | undefined {
  const [year, month, date, sinceMonday] = partsOf(now)
  const weekday = WEEKDAYS.indexOf(name.toLowerCase())
  if (weekday !== -1) return dayOf(year, month, date - ((sinceMonday - weekday + 7) % 7 || (isPast ? 7 : 0)))
  if (!MONTH.test(name)) return undefined
  const named = monthOf(name)
  return daysOfMonth(named < month || (named === month && !isPast) ? year : year - 1, named)
}

/** The days that a word alone can mean. March, April, May, June and August are names of people too. */
export function daysOfWord(word: string, now: Date): Period | undefined {
  const isName = /^(?:january|february|july|september|october|november|december|\w+day)$/i.test(word)
  return isName ? periodOfWord(daysNamed(word, now) ?? '', now) : undefined
}

/** This week, month or year, or the last one. */
function wholeSpan(unit: string, back: 0 | 1, now: Date): string | undefined {
  const [year, month, date, sinceMonday] = partsOf(now)
  const monday = date - sinceMonday - 7 * back
  if (unit === 'week') return `${dayOf(year, month, monday)}..${dayOf(year, month, monday + 6)}`
  if (unit === 'month') return daysOfMonth(year, month - back)
  return unit === 'year' ? `${year - back}-01-01..${year - back}-12-31` : undefined
}
