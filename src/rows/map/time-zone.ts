/** A time zone of the IANA database, with its changes to and from daylight saving time. */
export interface TimeZone {
  readonly name: string
  /**
   * The instants that a local time can mean, in milliseconds, the earlier first: one; none if clocks skip that time; two if
   * they show it twice. `localMs` is the local time, counted as if it were UTC.
   */
  readonly instantsOf: (localMs: number) => readonly number[]
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

/** Every name that the IANA database recommends, for suggestions. */
export const timeZoneNames = (): readonly string[] => ['UTC', ...Intl.supportedValuesOf('timeZone')]
