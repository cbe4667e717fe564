import { UsageError } from '../errors.ts'

/** Parses an ISO 8601 date and time with `Z` or an offset, and returns it in UTC. A zone is required, seconds are not. */
export function parseMoment(text: string, what: string): string {
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d(?::\d\d(\.\d{1,9})?)?)(Z|[+-]\d\d:?\d\d)?$/.exec(text)
  const zone = match?.[4]
  const at =
    match === null
      ? Number.NaN
      : Date.parse(`${match[1]}T${match[2]}${zone === undefined ? 'Z' : withColon(zone)}`)
  if (match === null || Number.isNaN(at) || !isRealDay(match[1] ?? '')) {
    throw new UsageError(`${what} takes a time such as 2026-01-31T09:30:00Z, not "${text}"`, {
      code: 'bad_value',
    })
  }
  if (zone === undefined) {
    throw new UsageError(`${what} "${text}" has no time zone`, {
      code: 'bad_value',
      hint: `Add Z for UTC or an offset: ${text}Z, ${text}+02:00`,
    })
  }
  const utc = new Date(at).toISOString()
  // Years before 0 and after 9999 have a sign and six digits.
  if (utc.length !== 24)
    throw new UsageError(`${what} "${text}" is outside the years 0000 to 9999 in UTC`, { code: 'bad_value' })
  return `${utc.slice(0, 19)}${match[3] ?? ''}Z`
}

/** An offset with its colon: `+02:00` for `+0200`. */
export const withColon = (zone: string): string => zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')

/** Whether the calendar has this day. Date.parse accepts 2026-02-31 as March 3. */
export function isRealDay(day: string): boolean {
  const at = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day)
}
