/** Longest wait before one attempt, no matter what the server asks for. */
export const MAX_WAIT_MS = 60_000

/** `Retry-After` in seconds or as an HTTP date (RFC 9110, 10.2.3), in milliseconds from `now`, capped; undefined when absent or unreadable. */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined
  const text = header.trim()
  if (/^\d{1,12}$/.test(text)) return Math.min(Number(text) * 1000, MAX_WAIT_MS)
  // HTTP dates contain a weekday or month name. Date.parse alone would also accept "-5" or "12.5".
  if (!/[A-Za-z]{3}/.test(text)) return undefined
  const at = Date.parse(text)
  if (Number.isNaN(at)) return undefined
  return Math.min(Math.max(at - now.getTime(), 0), MAX_WAIT_MS)
}
