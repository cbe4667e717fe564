import { isRealDay, withColon } from '../../text/moment.ts'

/** Writes a date as the service does, in UTC with microseconds and no zone: `2026-11-20T15:36:16.367000`. */
export const toServiceDate = (date: Date): string => date.toISOString().replace('Z', '000')

const FORM = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.(\d{1,9}))?(Z|[+-]\d{2}:?\d{2})?)?$/

/**
 * A date from a list filter, in the form of stored dates so that the two compare as text. Time, fraction and zone are
 * optional (the zone defaults to UTC); a day alone means its first or last microsecond. Undefined if it isn't a date.
 */
export function toFilterDate(text: string, edge: 'first' | 'last'): string | undefined {
  const found = FORM.exec(text)
  if (found === null) return undefined
  const [, day, time, fraction = '', zone = 'Z'] = found
  const whole = time === undefined ? (edge === 'first' ? '00:00:00' : '23:59:59') : padSeconds(time)
  const date = new Date(`${day}T${whole}${withColon(zone)}`)
  if (Number.isNaN(date.getTime()) || !isRealDay(day ?? '')) return undefined
  const micros =
    time === undefined ? (edge === 'first' ? '000000' : '999999') : fraction.padEnd(6, '0').slice(0, 6)
  return `${date.toISOString().slice(0, 19)}.${micros}`
}

const padSeconds = (time: string) => (time.length === 5 ? `${time}:00` : time)

/** A valid `createdAt` as responses show it, with `Z`. */
export const toExternalDate = (text: string): string => `${text.replace(/(Z|[+-]00:00)$/, '')}Z`

/** Whether two valid timestamps are the same instant in different notations: zone, separator, trailing zeros in the fraction. */
export function isSameInstant(one: string, other: string): boolean {
  return instantOf(one) === instantOf(other)
}

/** The seconds since 1970, with the fraction as text: a number can't hold nanoseconds. */
function instantOf(text: string): string {
  const [, day = '', time = '', fraction = '', zone = 'Z'] = FORM.exec(text) ?? []
  const at = Date.parse(`${day}T${padSeconds(time)}${withColon(zone)}`)
  return `${at / 1000}.${fraction.replace(/(?<!0)0+$/, '')}`
}

/** A record's `createdAt` in the form of a payment's date, so that both sort as text: `2026-01-31T09:30:00.000000`. */
export function toSortableDate(text: string): string {
  const [, whole = '', fraction = ''] = /^(.{19})(?:\.(\d+))?/.exec(text) ?? []
  return `${whole}.${fraction.padEnd(6, '0').slice(0, 6)}`
}
