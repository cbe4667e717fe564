/** `Retry-After` in seconds or as an HTTP date (RFC 9110, 10.2.3), in milliseconds from `now`; undefined when absent or unreadable. May be years. */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined
  const text = header.trim()
  if (/^\d{1,12}$/.test(text)) return Number(text) * 1000
  // HTTP dates contain a weekday or month name. Date.parse alone would also accept "-5" or "12.5".
  if (!/[A-Za-z]{3}/.test(text)) return undefined
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(at - now.getTime(), 0)
}

const UNITS = [
  ['days', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
] as const

/** How long to wait, in the largest unit that has at least two: `90 s`, `5 min`, `11574 days`. */
export function waitInWords(ms: number): string {
  const [unit, unitMs] = UNITS.find(([, one]) => ms >= 2 * one) ?? (['s', 1_000] as const)
  return `${Math.ceil(ms / unitMs)} ${unit}`
}
