const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const

/** The two largest units of a span, rounded down: `1d 4h`, `59m 12s`, `0s`. */
export function formatSpan(ms: number): string {
  let rest = Math.max(0, ms)
  const parts: string[] = []
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0 || parts.length > 0) parts.push(count === 0 ? '' : `${count}${unit}`)
  }
  const shown = parts.slice(0, 2).filter((part) => part !== '')
  return shown.length === 0 ? '0s' : shown.join(' ')
}
