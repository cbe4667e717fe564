import { wasAuthorized } from './facts.ts'
import type { PaymentFact } from './facts.ts'

/** The supported groupings. Days and hours are UTC. */
export const GROUPINGS = [
  'status',
  'processor',
  'method',
  'reason',
  'currency',
  'country',
  'source',
  'day',
  'hour',
] as const
export type Grouping = (typeof GROUPINGS)[number]

/** A sum in minor units of the group's currency. A bigint beyond 2^53, so that no digit is lost; null if unknown. */
export type Sum = number | bigint | null

/** The figures of one key in one currency. Amounts in different currencies are never added up. */
export interface InsightGroup {
  /** null for payments without a value to group by. */
  readonly key: string | null
  readonly currencyCode: string | null
  readonly count: number
  /** Payments that were ever authorized, including those captured, cancelled or refunded later. */
  readonly authorized: number
  readonly declined: number
  readonly failed: number
  /** authorized / (authorized + declined + failed); null if the divisor is 0. */
  readonly authorizationRate: number | null
  readonly amountAuthorized: Sum
  readonly amountCaptured: Sum
  readonly amountRefunded: Sum
  /** Captured minus refunded. */
  readonly net: Sum
}

export interface Insights {
  /** ISO 8601, or null for no limit. */
  readonly from: string | null
  readonly to: string | null
  readonly by: Grouping
  readonly groups: readonly InsightGroup[]
}

export interface InsightsQuery {
  readonly by: Grouping
  /** Only payments created at this time or later. */
  readonly from?: Date | undefined
  /** Only payments created at this time or earlier. */
  readonly to?: Date | undefined
  readonly currencyCode?: string | undefined
}

interface Tally {
  readonly key: string | null
  readonly currencyCode: string | null
  count: number
  authorized: number
  declined: number
  failed: number
  amountAuthorized: bigint | null
  amountCaptured: bigint | null
  amountRefunded: bigint | null
}

/** Adds up payments one at a time: memory grows with the number of groups, not of payments. */
export class InsightsTally {
  readonly #query: InsightsQuery
  readonly #tallies = new Map<string, Tally>()

  constructor(query: InsightsQuery) {
    this.#query = query
  }

  /** Adds `count` payments that are alike; the amounts of the fact are their sums. */
  add(fact: PaymentFact, count = 1): void {
    const { by, currencyCode } = this.#query
    if (currencyCode !== undefined && fact.currencyCode !== currencyCode) return
    const createdAtMs = parseCreatedAt(fact)
    if (!this.#isInPeriod(createdAtMs)) return
    const key = keyOf(fact, by, createdAtMs)
    const tallyKey = JSON.stringify([fact.currencyCode ?? null, key])
    let tally = this.#tallies.get(tallyKey)
    if (tally === undefined) this.#tallies.set(tallyKey, (tally = emptyTally(key, fact.currencyCode ?? null)))
    addFact(tally, fact, count)
  }

  /** Sorts by currency, then days and hours in order, or other groups by size, largest first. */
  result(): Insights {
    const { by, from, to } = this.#query
    const isTime = by === 'day' || by === 'hour'
    const groups = [...this.#tallies.values()].toSorted(
      (one, other) =>
        compare(one.currencyCode, other.currencyCode) ||
        (isTime ? 0 : other.count - one.count) ||
        compare(one.key, other.key),
    )
    return {
      from: from?.toISOString() ?? null,
      to: to?.toISOString() ?? null,
      by,
      groups: groups.map(groupOf),
    }
  }

  #isInPeriod(createdAtMs: number): boolean {
    const { from, to } = this.#query
    if (from === undefined && to === undefined) return true
    return createdAtMs >= (from?.getTime() ?? -Infinity) && createdAtMs <= (to?.getTime() ?? Infinity)
  }
}

const emptyTally = (key: string | null, currencyCode: string | null): Tally => ({
  key,
  currencyCode,
  count: 0,
  authorized: 0,
  declined: 0,
  failed: 0,
  amountAuthorized: null,
  amountCaptured: null,
  amountRefunded: null,
})

function addFact(tally: Tally, fact: PaymentFact, count: number): void {
  tally.count += count
  if (wasAuthorized(fact)) tally.authorized += count
  if (fact.status === 'DECLINED') tally.declined += count
  if (fact.status === 'FAILED') tally.failed += count
  tally.amountAuthorized = addAmount(tally.amountAuthorized, fact.amountAuthorized)
  tally.amountCaptured = addAmount(tally.amountCaptured, fact.amountCaptured)
  tally.amountRefunded = addAmount(tally.amountRefunded, fact.amountRefunded)
}

/** The sum of the known amounts; null until one is known. */
const addAmount = (sum: bigint | null, amount: number | null): bigint | null =>
  amount === null ? sum : (sum ?? 0n) + BigInt(amount)

/** A group without payments. */
export const emptyGroup = ({ key, currencyCode }: Pick<InsightGroup, 'key' | 'currencyCode'>): InsightGroup =>
  groupOf(emptyTally(key, currencyCode))

function groupOf(tally: Tally): InsightGroup {
  const { amountCaptured, amountRefunded, authorized, declined, failed } = tally
  const attempts = authorized + declined + failed
  const net =
    amountCaptured === null && amountRefunded === null
      ? null
      : (amountCaptured ?? 0n) - (amountRefunded ?? 0n)
  return {
    key: tally.key,
    currencyCode: tally.currencyCode,
    count: tally.count,
    authorized,
    declined,
    failed,
    authorizationRate: attempts === 0 ? null : authorized / attempts,
    amountAuthorized: toSum(tally.amountAuthorized),
    amountCaptured: toSum(amountCaptured),
    amountRefunded: toSum(amountRefunded),
    net: toSum(net),
  }
}

function toSum(sum: bigint | null): Sum {
  if (sum === null) return null
  const number = Number(sum)
  return Number.isSafeInteger(number) ? number : sum
}

function keyOf(fact: PaymentFact, by: Grouping, createdAtMs: number): string | null {
  switch (by) {
    case 'status':
      return fact.status ?? null
    case 'processor':
      return fact.processor ?? null
    case 'method':
      return fact.method ?? null
    case 'reason':
      return fact.reason ?? null
    case 'currency':
      return fact.currencyCode ?? null
    case 'country':
      return fact.country ?? null
    case 'source':
      return fact.source
    case 'day':
      return Number.isNaN(createdAtMs) ? null : new Date(createdAtMs).toISOString().slice(0, 10)
    case 'hour':
      return Number.isNaN(createdAtMs) ? null : `${new Date(createdAtMs).toISOString().slice(0, 13)}:00Z`
  }
}

/** Milliseconds since the epoch; NaN if the time is missing or unreadable. A leap second counts as the second before it. */
function parseCreatedAt({ createdAt }: PaymentFact): number {
  if (createdAt === undefined) return Number.NaN
  const time = createdAt.replace(/(T\d\d:\d\d):60/, '$1:59')
  return Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(time) ? time : `${time}Z`)
}

/** Sorts null last. */
function compare(one: string | null, other: string | null): number {
  if (one === other) return 0
  if (one === null || other === null) return one === null ? 1 : -1
  return one < other ? -1 : 1
}
