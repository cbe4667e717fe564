import { formatSum } from '../../../views/insights/format.ts'
import type { InsightGroup, Insights, Sum } from '../../../views/insights/insights.ts'
import { groupThousands } from '../../../text/words.ts'

/** `12,360.27`; `–` if unknown. */
export const formatFigure = (sum: Sum, currencyCode: string): string =>
  formatSum(sum, currencyCode).replace(/\d+/, groupThousands)

/** Currencies, those with the most payments first. */
export function currenciesIn({ groups }: Insights): readonly string[] {
  const counts = new Map<string, number>()
  for (const { currencyCode, count } of groups)
    if (currencyCode !== null) counts.set(currencyCode, (counts.get(currencyCode) ?? 0) + count)
  return [...counts]
    .toSorted(([one, first], [other, second]) => second - first || (one < other ? -1 : 1))
    .map(([currencyCode]) => currencyCode)
}

export const groupsOf = ({ groups }: Insights, currencyCode: string): readonly InsightGroup[] =>
  groups.filter((group) => group.currencyCode === currencyCode)

/** The figures of all groups together. The groups must be of one currency. */
export function totalOf(groups: readonly InsightGroup[], currencyCode: string): InsightGroup {
  const count = (name: 'count' | 'authorized' | 'declined' | 'failed') =>
    groups.reduce((total, group) => total + group[name], 0)
  const sum = (name: 'amountAuthorized' | 'amountCaptured' | 'amountRefunded' | 'net') =>
    groups.map((group) => group[name]).reduce(addSums, null)
  const [authorized, declined, failed] = [count('authorized'), count('declined'), count('failed')]
  const attempts = authorized + declined + failed
  return {
    key: null,
    currencyCode,
    count: count('count'),
    authorized,
    declined,
    failed,
    authorizationRate: attempts === 0 ? null : authorized / attempts,
    amountAuthorized: sum('amountAuthorized'),
    amountCaptured: sum('amountCaptured'),
    amountRefunded: sum('amountRefunded'),
    net: sum('net'),
  }
}

/** The sum of the known amounts; null if neither is known. */
function addSums(one: Sum, other: Sum): Sum {
  if (one === null) return other
  if (other === null) return one
  const sum = BigInt(one) + BigInt(other)
  return Number.isSafeInteger(Number(sum)) ? Number(sum) : sum
}

export interface Step {
  /** A day or an hour, as a key of the insights; or a month. */
  readonly key: string
  readonly count: number
  readonly amountAuthorized: Sum
}

/** The days or hours that have payments, in order. */
export const stepsOf = (groups: readonly InsightGroup[]): readonly Step[] =>
  groups
    .flatMap(({ key, count, amountAuthorized }) => (key === null ? [] : [{ key, count, amountAuthorized }]))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))

const STEP_MS = { day: 86_400_000, hour: 3_600_000 } as const
const MOST_BARS = 120

/** What a chart draws, so that its bars fill it: empty steps are left out if they are most, and many days are months. */
export function barsOf(steps: readonly Step[], by: 'day' | 'hour'): readonly Step[] {
  const [first, last] = [steps[0], steps.at(-1)]
  if (first === undefined || last === undefined) return []
  const startMs = Date.parse(first.key)
  const length = Math.round((Date.parse(last.key) - startMs) / STEP_MS[by]) + 1
  if (length <= Math.min(MOST_BARS, steps.length * 3)) {
    const known = new Map(steps.map((step) => [step.key, step]))
    return Array.from({ length }, (_, index) => {
      const time = new Date(startMs + index * STEP_MS[by]).toISOString()
      const key = by === 'day' ? time.slice(0, 10) : `${time.slice(0, 13)}:00Z`
      return known.get(key) ?? { key, count: 0, amountAuthorized: 0 }
    })
  }
  return steps.length <= MOST_BARS ? steps : monthsOf(steps)
}

function monthsOf(steps: readonly Step[]): readonly Step[] {
  const months = new Map<string, Step>()
  for (const { key, count, amountAuthorized } of steps) {
    const month = key.slice(0, 7)
    const sum = months.get(month)
    months.set(month, {
      key: month,
      count: count + (sum?.count ?? 0),
      amountAuthorized: addSums(amountAuthorized, sum?.amountAuthorized ?? null),
    })
  }
  return [...months.values()]
}
