/** A time zone of the IANA database, with its changes to and from daylight saving time. */
export interface TimeZone {
  readonly name: string
  /**
   * The instants that a local time can mean, in milliseconds, the earlier first: one; none if clocks skip that time; two if
   * they show it twice. `localMs` is the local time, counted as if it were UTC.
   */
  readonly instantsOf: (localMs: number) => readonly number[]
}

/** Common abbreviations that mean one offset only. Others, such as CST and IST, mean several. */
export const ZONES: Readonly<Record<string, string>> = {
  UTC: 'Z',
  GMT: 'Z',
  WET: '+00:00',
  WEST: '+01:00',
  CET: '+01:00',
  CEST: '+02:00',
  EET: '+02:00',
  EEST: '+03:00',
  EST: '-05:00',
  EDT: '-04:00',
  MST: '-07:00',
  MDT: '-06:00',
  PST: '-08:00',
  PDT: '-07:00',
  BST: '+01:00',
  MSK: '+03:00',
  SAST: '+02:00',
  HKT: '+08:00',
  JST: '+09:00',
  KST: '+09:00',
  AEST: '+10:00',
  AEDT: '+11:00',
  NZST: '+12:00',
  NZDT: '+13:00',
}

const DAY_MS = 24 * 60 * 60_000
/** The time for which one offset holds: clocks change only at a quarter of an hour. */
const QUARTER_MS = 15 * 60_000
const MAX_CACHED = 20_000

/** The zone of a name; undefined for one that the IANA database doesn't have. */
export function timeZoneOf(name: string): TimeZone | undefined {
  const format = formatIn(name)
  if (format === undefined) return undefined
  const cache = new Map<number, number>()
  const offsetAt = (ms: number): number => {
    const quarter = Math.floor(ms / QUARTER_MS)
    const known = cache.get(quarter)
    if (known !== undefined) return known
    const offset = localOf(format, quarter * QUARTER_MS) - quarter * QUARTER_MS
    if (cache.size >= MAX_CACHED) cache.clear()
    cache.set(quarter, offset)
    return offset
  }
  return {
    name: format.resolvedOptions().timeZone,
    instantsOf: (localMs) => {
      // No zone is more than a day from UTC, and none changes its clocks twice in two days.
      const offsets = new Set([offsetAt(localMs - DAY_MS), offsetAt(localMs + DAY_MS)])
      return [...offsets]
        .map((offset) => localMs - offset)
        .filter((ms) => ms + offsetAt(ms) === localMs)
        .toSorted((a, b) => a - b)
    },
  }
}

/** A format in the zone; undefined for offsets such as +01:00, which only some versions of Node accept as a zone. */
function formatIn(name: string): Intl.DateTimeFormat | undefined {
  if (!/^[a-z]/i.test(name)) return undefined
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch {
    return undefined
  }
}

function localOf(format: Intl.DateTimeFormat, ms: number): number {
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]))
  const of = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
}

/** The zone with one offset. */
const fixedZone = (name: string, offsetMs: number): TimeZone => ({
  name,
  instantsOf: (localMs) => [localMs - offsetMs],
})

/** What programs call zones in English; other names are those of a zone's largest city. */
const ENGLISH_ZONES: Readonly<Record<string, string>> = {
  'eastern time (us & canada)': 'America/New_York',
  'central time (us & canada)': 'America/Chicago',
  'mountain time (us & canada)': 'America/Denver',
  'pacific time (us & canada)': 'America/Los_Angeles',
  'eastern time': 'America/New_York',
  'central time': 'America/Chicago',
  'mountain time': 'America/Denver',
  'pacific time': 'America/Los_Angeles',
  alaska: 'America/Anchorage',
  hawaii: 'Pacific/Honolulu',
  arizona: 'America/Phoenix',
  edinburgh: 'Europe/London',
  'new delhi': 'Asia/Kolkata',
  mumbai: 'Asia/Kolkata',
  beijing: 'Asia/Shanghai',
}

/**
 * The zone that a cell names: an IANA name, an offset such as `+02:00` or `UTC+2`, an abbreviation that means one offset, or a usual
 * English name. Undefined if it names none.
 */
export function zoneInCell(text: string): TimeZone | undefined {
  const [, sign, hours, minutes = '00'] = /^(?:UTC|GMT)?([+-])(\d{1,2}):?(\d\d)?$/i.exec(text) ?? []
  if (hours !== undefined) {
    const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000
    return Number(hours) > 14 || Number(minutes) > 59
      ? undefined
      : fixedZone(text, sign === '-' ? -offsetMs : offsetMs)
  }
  const offset = Object.hasOwn(ZONES, text.toUpperCase()) ? ZONES[text.toUpperCase()] : undefined
  if (offset !== undefined) return offset === 'Z' ? fixedZone('UTC', 0) : zoneInCell(offset)
  const city = `/${text.replaceAll(' ', '_').toLowerCase()}`
  const name =
    ENGLISH_ZONES[text.toLowerCase()] ?? timeZoneNames().find((one) => one.toLowerCase().endsWith(city))
  // The system knows CST and IST too, as one of the zones that they may mean.
  return name !== undefined || text.includes('/') ? timeZoneOf(name ?? text) : undefined
}

/** Whether the name of a column says that it has time zones. */
export const namesZone = (column: string): boolean =>
  /^(?:time[\s_-]?zone|tz|zone|zeitzone|fuseau horaire|zona horaria|fuso (?:orario|hor\u00E1rio)|tijdzone|strefa czasowa)$/i.test(
    column.trim(),
  )

/** Every name that the IANA database recommends, for suggestions. */
export const timeZoneNames = (): readonly string[] => ['UTC', ...Intl.supportedValuesOf('timeZone')]
