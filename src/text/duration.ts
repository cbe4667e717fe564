import { UsageError } from '../errors.ts'

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
/** The longest duration: a hundred years. Dates far beyond are invalid. */
const MAX_MS = 36_525 * UNITS.d

/** The longest timer, in milliseconds: Node fires a longer timer at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * Parses `500ms`, `30s`, `2m`, `25h`, `1d` and sums such as `1h30m` to milliseconds. `what` names the source in the error.
 * @throws {UsageError} `bad_duration`
 */
export function parseDuration(text: string, what: string): number {
  const parts = [...text.matchAll(/(\d{1,9})(ms|s|m|h|d)/g)]
  const isWhole = parts.length > 0 && parts.map((part) => part[0]).join('') === text
  // `1h1h` is more likely a slip than two hours.
  const isOnceEach = new Set(parts.map((part) => part[2])).size === parts.length
  const total = parts.reduce(
    (sum, [, count, unit]) => sum + Number(count) * (isUnit(unit) ? UNITS[unit] : 0),
    0,
  )
  if (!isWhole || !isOnceEach || total === 0 || total > MAX_MS) {
    throw new UsageError(
      `${what} takes a positive duration such as 500ms, 30s, 2m, 25h or 1h30m, not "${text}"`,
      {
        code: 'bad_duration',
      },
    )
  }
  return total
}

const isUnit = (unit: string | undefined): unit is keyof typeof UNITS =>
  unit !== undefined && Object.hasOwn(UNITS, unit)

/** `24h`, `1h30m`, from two days on `7d`: a whole number of milliseconds as {@link parseDuration} reads it. */
export function formatSpan(spanMs: number): string {
  let left = spanMs
  const parts: string[] = []
  for (const [unit, ms] of [
    ...(spanMs < 2 * UNITS.d ? [] : [['d', UNITS.d] as const]),
    ['h', UNITS.h],
    ['m', UNITS.m],
    ['s', UNITS.s],
    ['ms', 1],
  ] as const) {
    const count = Math.floor(left / ms)
    if (count > 0) parts.push(`${count}${unit}`)
    left -= count * ms
  }
  return parts.join('')
}
