import type { CurrencyTotal, PlanTrailer } from '../plan.ts'
import type { ReadyRow } from './ready-row.ts'
import type { RowOutcome, RowResult } from './row-result.ts'

/** The outcome of a plan. Amounts in minor units. */
export interface ApplySummary {
  readonly planId: string
  /** All rows of the plan, including those that are not ready. */
  readonly rows: number
  readonly done: number
  readonly skipped: number
  readonly failed: number
  readonly unknown: number
  /** Ready rows without an outcome. */
  readonly left: number
  /** The rows that are done, by currency. */
  readonly totals: readonly CurrencyTotal[]
  readonly seconds: number
}

export function summarize(
  { planId, trailer }: { readonly planId: string; readonly trailer: PlanTrailer },
  rows: Iterable<ReadyRow>,
  results: ReadonlyMap<number, RowResult>,
  seconds: number,
): ApplySummary {
  const counts: Record<RowOutcome, number> = { done: 0, skipped: 0, failed: 0, unknown: 0 }
  const totals = new Map<string, { count: number; amount: number }>()
  let left = 0
  for (const row of rows) {
    const outcome = results.get(row.row)?.outcome
    if (outcome === undefined) {
      left += 1
      continue
    }
    counts[outcome] += 1
    const { currencyCode, amount } = row
    if (outcome !== 'done' || currencyCode === undefined || amount === undefined) continue
    const total = totals.get(currencyCode) ?? { count: 0, amount: 0 }
    totals.set(currencyCode, { count: total.count + 1, amount: total.amount + amount })
  }
  return {
    planId,
    rows: trailer.rows,
    ...counts,
    left,
    totals: [...totals]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([currencyCode, total]) => ({ currencyCode, ...total })),
    seconds: Math.round(seconds * 10) / 10,
  }
}

/** `398 done, 2 skipped`. */
export const countsInWords = (summary: ApplySummary): string =>
  (['done', 'skipped', 'failed', 'unknown', 'left'] as const)
    .flatMap((name) => (summary[name] === 0 ? [] : [`${summary[name]} ${name}`]))
    .join(', ') || 'no ready rows'
