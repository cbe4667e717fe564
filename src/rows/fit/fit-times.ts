import { isNothing } from '../map/cell.ts'
import { parseDateFormat } from '../map/date-format.ts'
import type { DateFormat } from '../map/date-format.ts'
import { isProblem } from '../map/row.ts'
import { readTime } from '../map/time-cell.ts'

/** A way to read the times of a column. */
interface TimeReading {
  /** undefined for ISO 8601. */
  readonly pattern: string | undefined
  /** The text that has no zone; undefined if all have one. */
  readonly local: string | undefined
  /** A text that it doesn't fit. */
  readonly misfit: string | undefined
}

/** The share of texts that a reading must fit; the others are bad rows. */
const MOST = 0.9

/**
 * The readings that fit a column. Two of them give different times, and none means that no known format fits.
 */
export function readingsOf(cells: readonly string[]): readonly TimeReading[] {
  const texts = [...new Set(cells.map((cell) => cell.trim()))].filter(
    (text) => text !== '' && !isNothing(text),
  )
  if (texts.length === 0) return []
  const found = new Map<string, TimeReading>()
  for (const format of [undefined, ...formatsLike(texts)]) {
    const times = texts.map((text) => readTime(text, { dateFormat: format, assumesUtc: true }))
    const fitting = times.filter(
      (time) => !isProblem(time) && (format?.pattern.startsWith('unix') !== true || isRecent(time)),
    )
    if (fitting.length === 0 || fitting.length < texts.length * MOST) continue
    const key = times.map((time) => (isProblem(time) ? '' : time)).join(' ')
    if (found.has(key)) continue
    found.set(key, {
      pattern: format?.pattern,
      local: texts.find((text) => isLocal(text, format)),
      misfit: texts.find((_, at) => isProblem(times[at] ?? '')),
    })
    // A text that fits ISO 8601 can't be misread.
    if (format === undefined) break
  }
  const readings = [...found.values()]
  const certain = readings.filter(({ misfit }) => misfit === undefined)
  return certain.length > 0 ? certain : readings
}

const isRecent = (time: unknown): boolean => typeof time === 'string' && time >= '2000' && time < '2100'

function isLocal(text: string, dateFormat: DateFormat | undefined): boolean {
  const time = readTime(text, { dateFormat, assumesUtc: false })
  return isProblem(time) && time.kind === 'has no time zone'
}

const TIME_OF_DAY =
  /(,? (?:at|à|um|o|kl\.?) |,? |T)\d{1,2}([:.h])\d\d(\2\d\d)?([.,]\d{1,9})?( ?[ap]\.?m\.?)?(?:( ?)(Z|[+-]\d\d(?::?\d\d)?|uhr|[a-z]{3,5}|[a-z_]+(?:\/[a-z0-9_+-]+)+))?$/i
const IN_WORDS =
  'd MMM yyyy|d MMMM yyyy|d. MMM yyyy|d. MMMM yyyy|d-MMM-yyyy|d-MMM-yy|d/MMM/yyyy|MMM d, yyyy|MMMM d, yyyy|MMM d yyyy|MMMM d yyyy|EEE, d MMM yyyy|EEE, MMM d, yyyy|EEEE, MMMM d, yyyy|EEEE, d MMMM yyyy'.split(
    '|',
  )

/** The formats that some texts of a column look like. */
function formatsLike(texts: readonly string[]): readonly DateFormat[] {
  const samples = [texts[0], texts[texts.length >> 1], texts.at(-1)]
  const patterns = new Set(samples.flatMap((text) => (text === undefined ? [] : patternsLike(text))))
  return [...patterns].flatMap((pattern) => {
    const format = parseDateFormat(pattern)
    return 'read' in format ? [format] : []
  })
}

function patternsLike(text: string): readonly string[] {
  if (/^\d+(?:\.\d+)?$/.test(text)) return ['unix', 'unix-ms', ...datesLike(text)]
  const time = TIME_OF_DAY.exec(text)
  const dates = datesLike(time === null ? text : text.slice(0, time.index))
  if (time === null) return dates
  const [, joint = '', separator = '', seconds, fraction, half, blank = '', zone] = time
  const rest = [
    `${quotedWords(separator)}mm`,
    seconds === undefined ? '' : `${quotedWords(separator)}ss`,
    fraction === undefined ? '' : `${fraction[0]}${'S'.repeat(fraction.length - 1)}`,
    half === undefined ? '' : `${half.startsWith(' ') ? ' ' : ''}a`,
    zone === undefined ? '' : `${blank}${zoneLike(zone)}`,
  ].join('')
  const hours = half === undefined ? ['HH', 'H'] : ['hh', 'h']
  return dates.flatMap((date) => hours.map((hour) => `${date}${quotedWords(joint)}${hour}${rest}`))
}

const quotedWords = (text: string): string => text.replace(/\p{L}+\.?/u, "'$&'")

const zoneLike = (zone: string): string =>
  /^uhr$/i.test(zone) ? "'Uhr'" : /^(?:Z$|[+-])/i.test(zone) ? 'XXX' : 'z'

/** Dates with fixed digits come before those with as few as need be. */
function datesLike(text: string): readonly string[] {
  if (/[a-z]{3}/i.test(text)) return IN_WORDS
  // Czech and Hungarian dates have a blank after each point, and may end with a point.
  const separator = /[/-]|\. ?/.exec(text)?.[0] ?? ''
  const end = text.endsWith('.') ? '.' : ''
  if (separator === '') return ['yyyyMMddHHmmss', 'yyyyMMddHHmm', 'yyyyMMdd', 'ddMMyyyy', 'MMddyyyy']
  return [
    ['dd', 'MM'],
    ['d', 'M'],
  ].flatMap(([day = '', month = '']) =>
    [
      [day, month, 'yyyy'],
      [month, day, 'yyyy'],
      [day, month, 'yy'],
      [month, day, 'yy'],
      ['yyyy', month, day],
    ].map((parts) => `${parts.join(separator)}${end}`),
  )
}
