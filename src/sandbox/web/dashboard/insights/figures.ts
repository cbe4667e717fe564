import type { InsightGroup, Insights, Sum } from '../../../../insights/insights.ts'

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
  /** A day or an hour, as a key of the insights. */
  readonly key: string
  readonly seconds: number
  readonly count: number
  readonly amountAuthorized: Sum
}

const STEP_SECONDS = { day: 86_400, hour: 3600 } as const
/** More than ten years of days: steps without payments are left out. */
const MOST_STEPS = 4000

/** The steps of a chart, with those that have no payments. */
export function stepsOf(groups: readonly InsightGroup[], { from, to, by }: Insights): readonly Step[] {
  const known = new Map(
    groups.flatMap((group) => (group.key === null ? [] : [[secondsOf(group.key), group]])),
  )
  const size = STEP_SECONDS[by === 'hour' ? 'hour' : 'day']
  const times = [...known.keys()].toSorted((one, other) => one - other)
  const [first, last] = [startOf(from, size) ?? times[0], startOf(to, size) ?? times.at(-1)]
  if (first === undefined || last === undefined) return []
  const length = Math.round((Math.max(last, times.at(-1) ?? last) - first) / size) + 1
  const all = length > MOST_STEPS ? times : Array.from({ length }, (_, index) => first + index * size)
  return all.map((seconds) => {
    const group = known.get(seconds)
    return {
      key: keyOf(seconds, size),
      seconds,
      count: group?.count ?? 0,
      amountAuthorized: group === undefined ? 0 : group.amountAuthorized,
    }
  })
}

const secondsOf = (key: string): number => Date.parse(key) / 1000

/** The start of the day or hour that a time is in. */
const startOf = (time: string | null, size: number): number | undefined =>
  time === null ? undefined : Math.floor(secondsOf(time) / size) * size

const keyOf = (seconds: number, size: number): string => {
  const text = new Date(seconds * 1000).toISOString()
  return size === STEP_SECONDS.day ? text.slice(0, 10) : `${text.slice(0, 13)}:00Z`
}
