import type { CellProblem } from './row.ts'
import { timeZoneOf, ZONES } from './time-zone.ts'
import type { TimeZone } from './time-zone.ts'

/** A way to write times, in Unicode tokens (UTS 35): `dd.MM.yyyy HH:mm`. */
export interface DateFormat {
  readonly pattern: string
  /** Reads a text; undefined if it has another form. Days and hours that don't exist are not noticed here. */
  readonly read: (text: string) => ZonedTime | CellProblem | undefined
}

/** A time in ISO 8601, with or without an offset, and the zone that the text names. */
export interface ZonedTime {
  readonly iso: string
  readonly timezone?: TimeZone
}

type Part = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'fraction' | 'half' | 'zone' | 'weekday'

interface Token {
  readonly part: Part
  /** The source of a regular expression without groups. */
  readonly source: string
  /** The digits or letters as ISO 8601 has them; undefined for a value that doesn't exist. */
  readonly iso: (text: string) => string | undefined
  /** True for a token without a fixed number of digits. */
  readonly isLoose?: true
}

const asIs = (text: string): string => text
const padded = (text: string): string => text.padStart(2, '0')
const number = (part: Part): Readonly<Record<1 | 2, Token>> => ({
  1: { part, source: '\\d\\d?', iso: padded, isLoose: true },
  2: { part, source: '\\d\\d', iso: asIs },
})

const MONTHS = 'january february march april may june july august september october november december'
const monthNames = MONTHS.split(' ')
const monthNumber = (text: string): string | undefined => {
  const at = monthNames.findIndex((name) => name.startsWith(text.toLowerCase().replace(/\.$/, '')))
  return at === -1 ? undefined : padded(String(at + 1))
}
const offset: Token = {
  part: 'zone',
  source: '(?:Z|[+-]\\d\\d(?::?\\d\\d)?)',
  iso: (text) => text.toUpperCase(),
}
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const weekday: Token = {
  part: 'weekday',
  source: '[a-z]{3,9}\\.?',
  iso: (text) => DAYS.find((day) => text.toLowerCase().startsWith(day)),
}
const halfOfDay: Token = { part: 'half', source: '[ap]\\.?m\\.?', iso: (text) => text[0]?.toLowerCase() }

const TOKENS: Readonly<Record<string, Token>> = {
  yyyy: { part: 'year', source: '\\d{4}', iso: asIs },
  yy: { part: 'year', source: '\\d\\d', iso: (text) => `20${text}` },
  M: number('month')[1],
  MM: number('month')[2],
  MMM: { part: 'month', source: '[a-z]{3}\\.?', iso: monthNumber },
  MMMM: { part: 'month', source: '[a-z]{3,9}', iso: monthNumber },
  d: number('day')[1],
  dd: number('day')[2],
  H: number('hour')[1],
  HH: number('hour')[2],
  h: number('hour')[1],
  hh: number('hour')[2],
  m: number('minute')[1],
  mm: number('minute')[2],
  s: number('second')[1],
  ss: number('second')[2],
  a: halfOfDay,
  X: offset,
  XX: offset,
  XXX: offset,
  x: offset,
  xx: offset,
  xxx: offset,
  Z: offset,
  ZZZZZ: offset,
  z: {
    part: 'zone',
    source: '(?:[a-z_]+(?:/[a-z0-9_+-]+)+|[a-z]{2,5})',
    iso: (text) => (text.includes('/') ? '' : ZONES[text.toUpperCase()]),
  },
  EEE: weekday,
  EEEE: weekday,
  ...Object.fromEntries(
    [1, 2, 3, 4, 5, 6, 7, 8, 9].map((digits): [string, Token] => [
      'S'.repeat(digits),
      { part: 'fraction', source: `\\d{${digits}}`, iso: asIs },
    ]),
  ),
}

/** The mistakes that people write instead of a token. */
const MISTAKES: readonly (readonly [pattern: RegExp, hint: string])[] = [
  [/%[a-z]/i, 'Use Unicode tokens: dd.MM.yyyy HH:mm'],
  [/[YD]/, 'The year is yyyy and the day dd; Y is the year that a week belongs to, D the day of the year'],
  [/zz|V|v|O/, 'Use XXX for an offset such as +01:00, z for CET or Europe/Berlin'],
]
const KNOWN =
  'Tokens: yyyy yy, M MM MMM MMMM, d dd, H HH, h hh with a, m mm, s ss, S to SSSSSSSSS, XXX, z, EEE; put other letters in quotes. unix and unix-ms read the seconds or milliseconds since 1970'

/** Compiles a pattern. Returns why it can't be used, as words that follow its name. */
export function parseDateFormat(pattern: string): DateFormat | CellProblem {
  if (pattern === 'unix' || pattern === 'unix-ms') return { pattern, read: EPOCHS[pattern] }
  const tokens: Token[] = []
  let source = ''
  let before: Token | undefined
  for (const [text, quoted, letter] of pattern.matchAll(/'((?:[^']|'')*)'|([a-z])\2*|[^a-z]/gi)) {
    const token = letter === undefined || !Object.hasOwn(TOKENS, text) ? undefined : TOKENS[text]
    if (letter !== undefined && token === undefined)
      return problemIn(pattern, `has "${text}", which is not a token`)
    if (text === "'") return { kind: 'has an unclosed quote', hint: KNOWN }
    if (token === undefined)
      source += literal(quoted === undefined ? text : quoted === '' ? "'" : quoted.replaceAll("''", "'"))
    else {
      if (tokens.some(({ part }) => part === token.part))
        return problemIn(pattern, `has two tokens for the ${token.part}`)
      if (before?.isLoose && token.source.startsWith('\\d'))
        return { kind: 'has digits that run into each other', hint: 'Use two letters: MM, dd, HH' }
      tokens.push(token)
      source += `(${token.source})`
    }
    before = token
  }
  const missing = missingIn(pattern, tokens)
  if (missing !== undefined) return missing
  const regular = new RegExp(`^${source}$`, 'i')
  return { pattern, read: (text) => timeIn(regular.exec(text), tokens) }
}

/** The time since 1970 in UTC, in seconds with any decimals, or in milliseconds. */
const EPOCHS: Readonly<Record<'unix' | 'unix-ms', DateFormat['read']>> = {
  unix: (text) => {
    const [, seconds, fraction = ''] = /^(\d{1,11})(\.\d{1,9})?$/.exec(text) ?? []
    return seconds === undefined ? undefined : isoOf(Number(seconds) * 1000, fraction)
  },
  'unix-ms': (text) => {
    const [, seconds = '', digits] = /^(\d{0,11}?)(\d{1,3})$/.exec(text) ?? []
    if (digits === undefined) return undefined
    const fraction = digits.padStart(3, '0')
    return isoOf(Number(seconds) * 1000, fraction === '000' ? '' : `.${fraction}`)
  },
}

/** Undefined after the year 9999. */
function isoOf(ms: number, fraction: string): ZonedTime | undefined {
  const iso = new Date(ms).toISOString()
  return iso.length === 24 ? { iso: `${iso.slice(0, 19)}${fraction}Z` } : undefined
}

/** The pattern of a literal. A space also matches no-break spaces, which some locales write before AM. */
const literal = (text: string): string =>
  text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').replaceAll(' ', '[ \\u00A0\\u202F]')

const problemIn = (pattern: string, kind: string): CellProblem => ({
  kind,
  hint: MISTAKES.find(([mistake]) => mistake.test(pattern.replaceAll(/'[^']*'/g, '')))?.[1] ?? KNOWN,
})

function missingIn(pattern: string, tokens: readonly Token[]): CellProblem | undefined {
  const has = (part: Part): boolean => tokens.some((token) => token.part === part)
  if (!has('month') && has('minute'))
    return { kind: 'has no month', hint: 'The month is MM; mm are the minutes' }
  for (const part of ['year', 'month', 'day'] as const)
    if (!has(part)) return problemIn(pattern, `has no ${part}`)
  const isTwelve = pattern.replaceAll(/'[^']*'/g, '').includes('h')
  if (isTwelve !== has('half'))
    return {
      kind: isTwelve ? 'has hours up to 12 without AM or PM' : 'has AM or PM with hours up to 24',
      hint: 'Use HH for 0 to 23, or hh with a for 1 to 12',
    }
  for (const [part, larger] of [
    ['fraction', 'second'],
    ['second', 'minute'],
    ['minute', 'hour'],
  ] as const)
    if (has(part) && !has(larger)) return { kind: `has no ${larger}`, hint: KNOWN }
  return undefined
}

function timeIn(found: RegExpExecArray | null, tokens: readonly Token[]): ReturnType<DateFormat['read']> {
  if (found === null) return undefined
  const parts: Partial<Record<Part, string>> = {}
  let timezone: TimeZone | undefined
  for (const [at, { part, iso }] of tokens.entries()) {
    const text = found[at + 1] ?? ''
    if (part === 'zone' && text.includes('/')) timezone = zoneNamed(text)
    const value = iso(text)
    if (part === 'zone' && (value === undefined || (value === '' && timezone === undefined)))
      return {
        kind: 'has a time zone that is unknown or may mean several',
        hint: "Put it in quotes in --date-format in place of z ('CST'), and name the zone with --timezone",
      }
    if (value === undefined) return { kind: `has a ${part} that does not exist` }
    parts[part] = value
  }
  const { weekday: named } = parts
  const date = new Date(`${parts.year}-${parts.month}-${parts.day}T00:00:00Z`)
  if (named !== undefined && !Number.isNaN(date.getTime()) && DAYS[date.getUTCDay()] !== named)
    return { kind: 'names another day of the week than its date has' }
  const { year, month, day, hour = '00', minute = '00', second = '00', fraction, half, zone = '' } = parts
  const hours = half === undefined ? hour : hourOf(Number(hour), half)
  if (hours === undefined) return { kind: 'is a date or time that does not exist' }
  const iso = `${year}-${month}-${day}T${hours}:${minute}:${second}${fraction === undefined ? '' : `.${fraction}`}${zone}`
  return timezone === undefined ? { iso } : { iso, timezone }
}

const zones = new Map<string, TimeZone | undefined>()
const MAX_ZONES = 1_000

function zoneNamed(name: string): TimeZone | undefined {
  if (!zones.has(name)) {
    if (zones.size >= MAX_ZONES) zones.clear()
    zones.set(name, timeZoneOf(name))
  }
  return zones.get(name)
}

/** The hour of the day: 12 AM is midnight, 12 PM is noon. */
const hourOf = (hour: number, half: string): string | undefined =>
  hour < 1 || hour > 12 ? undefined : padded(String((hour % 12) + (half === 'p' ? 12 : 0)))
