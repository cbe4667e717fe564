import type { Sum } from '../../../views/insights/insights.ts'
import { groupThousands } from '../../../text/words.ts'
import { formatFigure } from './figures.ts'

/** Differences in words, because a colour or an arrow alone says nothing to many readers. */

export function compareCounts(now: number, before: number): string {
  if (now === before) return 'the same'
  return `${groupThousands(Math.abs(now - before))} ${now > before ? 'more' : 'fewer'}`
}

export function compareSums(now: Sum, before: Sum, currencyCode: string): string {
  if (now === null || before === null) return now === before ? 'the same' : 'not comparable'
  const difference = BigInt(now) - BigInt(before)
  if (difference === 0n) return 'the same'
  const size = difference < 0n ? -difference : difference
  return `${formatFigure(size, currencyCode)} ${difference > 0n ? 'more' : 'less'}`
}

export function compareRates(now: number | null, before: number | null): string {
  if (now === null || before === null) return now === before ? 'the same' : 'not comparable'
  // As both rates are shown: the difference of the rounded figures.
  const points = Math.round(now * 1000) - Math.round(before * 1000)
  if (points === 0) return 'the same'
  const size = Math.abs(points)
  return `${Math.floor(size / 10)}.${size % 10} points ${points > 0 ? 'higher' : 'lower'}`
}
