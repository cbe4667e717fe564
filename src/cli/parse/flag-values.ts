import { UsageError } from '../../errors.ts'
import { splitOnce } from './globals.ts'

/** The part of a malformed assignment before the first `:` or `=`. The rest may be a secret. */
export const assignedName = (text: string): string => text.replace(/[:=].*$/s, '')

/** Parses `KEY=VALUE` pairs. */
export function parsePairs(texts: readonly string[], what: string): Readonly<Record<string, string>> {
  const pairs: [string, string][] = []
  for (const text of texts) {
    const [key, value] = splitOnce(text, '=')
    if (value === undefined || key === '') {
      const problem =
        key === '' ? 'gives a value without a key' : `takes KEY=VALUE, not "${assignedName(text)}"`
      throw new UsageError(`${what} ${problem}`, { code: 'bad_value' })
    }
    if (key === '__proto__') throw new UsageError(`${what}: "${key}" cannot be a key`, { code: 'bad_value' })
    if (pairs.some(([existingKey]) => existingKey === key))
      throw new UsageError(`${what} gives "${key}" twice`, { code: 'given_twice' })
    pairs.push([key, value])
  }
  return Object.fromEntries(pairs)
}

/** Parses an ISO 8601 date and time with `Z` or an offset, and returns it in UTC. A zone is required, seconds are not. */
export function parseMoment(text: string, what: string): string {
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d(?::\d\d(\.\d{1,9})?)?)(Z|[+-]\d\d:?\d\d)?$/.exec(text)
  const zone = match?.[4]
  const at =
    match === null
      ? Number.NaN
      : Date.parse(`${match[1]}T${match[2]}${zone === undefined || zone === 'Z' ? 'Z' : withColon(zone)}`)
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
  return `${new Date(at).toISOString().slice(0, 19)}${match[3] ?? ''}Z`
}

const withColon = (zone: string): string =>
  zone.includes(':') ? zone : `${zone.slice(0, 3)}:${zone.slice(3)}`

/** Whether the calendar has this day. Date.parse accepts 2026-02-31 as March 3. */
export function isRealDay(day: string): boolean {
  const at = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day)
}
