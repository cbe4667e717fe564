const HAS_TIME = /\d:\d\d/
const HAS_ZONE = /(?:Z|[+-]\d{2}:?\d{2})$/i

/** An API datetime as local time with its zone: `2026-03-01 12:05:07 CET`. Without a zone it is UTC. Undefined for text without a date and a time. */
export function formatLocalTime(wire: string, timeZone: string): string | undefined {
  const ms = timeMsOf(wire)
  return ms === undefined ? undefined : formatFor(timeZone).format(ms).replace(',', '')
}

/** An API datetime in milliseconds since 1970. Without a zone it is UTC. Undefined for text without a date and a time. */
export const timeMsOf = (wire: string): number | undefined =>
  HAS_TIME.test(wire) ? parseTimeMs(wire) : undefined

/** A time in milliseconds since 1970; a date or a time without a zone is in UTC. Undefined for anything else. */
export function parseTimeMs(wire: unknown): number | undefined {
  if (typeof wire !== 'string') return undefined
  const ms = Date.parse(HAS_ZONE.test(wire) ? wire : `${wire}Z`)
  return Number.isNaN(ms) ? undefined : ms
}

/** A time such as `2026-03-01 12:05:07 CET` without seconds and zone: `2026-03-01 12:05`. */
export const withoutSeconds = (time: string): string =>
  time.replace(/^(\d{4}-\d\d-\d\d \d\d:\d\d):\d\d .*$/, '$1')

/** The formats by zone. Cached: creating a format costs more than a hundred uses, and a list has a time in every row. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatFor(timeZone: string): Intl.DateTimeFormat {
  const format = formats.get(timeZone) ?? newFormat(timeZone)
  formats.set(timeZone, format)
  return format
}

function newFormat(timeZone: string): Intl.DateTimeFormat {
  const two = '2-digit'
  const fields = { year: 'numeric', month: two, day: two, hour: two, minute: two, second: two } as const
  try {
    // English with the year first, as in Sweden: 2026-03-01, 12:05:07 CET.
    return new Intl.DateTimeFormat('en-SE', { ...fields, hourCycle: 'h23', timeZone, timeZoneName: 'short' })
  } catch {
    // This machine doesn't know the zone; show the result in UTC rather than fail.
    return newFormat('UTC')
  }
}
