import { wasAuthorized } from './facts.ts'
import type { PaymentFact } from './facts.ts'

/** What the figures can be grouped by. Days and hours are UTC. */
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

/** Sums are in minor units of the group's currency; beyond 2^53 they are a bigint, so that no digit is lost. */
export type Sum = number | bigint | null

/** The figures of one key in one currency: amounts of two currencies are never added up. */
export interface InsightGroup {
  /** null for payments that lack what they are grouped by. */
  readonly key: string | null
  readonly currencyCode: string | null
  readonly count: number
  /** Payments that were ever authorized: later captured, cancelled and refunded ones included. */
  readonly authorized: number
  readonly declined: number
  readonly failed: number
  /** authorized / (authorized + declined + failed); null where that is 0. */
  readonly authorizationRate: number | null
  readonly amountAuthorized: Sum
  readonly amountCaptured: Sum
  readonly amountRefunded: Sum
  /** Captured less refunded. */
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
  /** Payments created then or later. */
  readonly from?: Date | undefined
  /** Payments created then or earlier. */
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

/** Adds payments up one at a time, so that a list of any length needs no more memory than it has groups. */
export class InsightsTally {
  readonly #query: InsightsQuery
  readonly #tallies = new Map<string, Tally>()

  constructor(query: InsightsQuery) {
    this.#query = query
  }

  add(fact: PaymentFact): void {
    const { by, currencyCode } = this.#query
    if (currencyCode !== undefined && fact.currencyCode !== currencyCode) return
    const at = momentOf(fact)
    if (!this.#isInPeriod(at)) return
    const key = keyOf(fact, by, at)
    const name = JSON.stringify([fact.currencyCode ?? null, key])
    let tally = this.#tallies.get(name)
    if (tally === undefined) this.#tallies.set(name, (tally = emptyTally(key, fact.currencyCode ?? null)))
    count(tally, fact)
  }

  /** Days and hours in their order; other groups by currency, the largest first. */
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

  #isInPeriod(at: number): boolean {
    const { from, to } = this.#query
    if (from === undefined && to === undefined) return true
    return at >= (from?.getTime() ?? -Infinity) && at <= (to?.getTime() ?? Infinity)
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

function count(tally: Tally, fact: PaymentFact): void {
  tally.count += 1
  if (wasAuthorized(fact)) tally.authorized += 1
  if (fact.status === 'DECLINED') tally.declined += 1
  if (fact.status === 'FAILED') tally.failed += 1
  tally.amountAuthorized = plus(tally.amountAuthorized, fact.amountAuthorized)
  tally.amountCaptured = plus(tally.amountCaptured, fact.amountCaptured)
  tally.amountRefunded = plus(tally.amountRefunded, fact.amountRefunded)
}

/** A sum of known parts; null as long as none is known. */
const plus = (sum: bigint | null, part: number | null): bigint | null =>
  part === null ? sum : (sum ?? 0n) + BigInt(part)

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
    amountAuthorized: exact(tally.amountAuthorized),
    amountCaptured: exact(amountCaptured),
    amountRefunded: exact(amountRefunded),
    net: exact(net),
  }
}

function exact(sum: bigint | null): Sum {
  if (sum === null) return null
  const number = Number(sum)
  return Number.isSafeInteger(number) ? number : sum
}

function keyOf(fact: PaymentFact, by: Grouping, at: number): string | null {
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
      return Number.isNaN(at) ? null : new Date(at).toISOString().slice(0, 10)
    case 'hour':
      return Number.isNaN(at) ? null : `${new Date(at).toISOString().slice(0, 13)}:00Z`
  }
}

/** NaN where there is no time, or none that can be read. */
function momentOf({ createdAt }: PaymentFact): number {
  if (createdAt === undefined) return Number.NaN
  return Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(createdAt) ? createdAt : `${createdAt}Z`)
}

/** null comes last. */
function compare(one: string | null, other: string | null): number {
  if (one === other) return 0
  if (one === null || other === null) return one === null ? 1 : -1
  return one < other ? -1 : 1
}
