import type { CurrencyTotal, PlanTrailer } from '../plan.ts'
import type { RunCounts } from './run-rows.ts'

/** The outcome of a plan. Amounts are in minor units. */
export interface ApplySummary {
  readonly planId: string
  /** The number of all rows of the plan, including those that are not ready. */
  readonly rows: number
  readonly done: number
  readonly skipped: number
  readonly failed: number
  readonly unknown: number
  /** The number of ready rows without an outcome. */
  readonly left: number
  /** The rows that are done, by currency. */
  readonly totals: readonly CurrencyTotal[]
  readonly seconds: number
}

export function summarize(
  { planId, trailer }: { readonly planId: string; readonly trailer: PlanTrailer },
  { done, skipped, failed, unknown, totals }: RunCounts,
  seconds: number,
): ApplySummary {
  const left = trailer.ready - done - skipped - failed - unknown
  return {
    planId,
    rows: trailer.rows,
    done,
    skipped,
    failed,
    unknown,
    left,
    totals,
    seconds: Math.round(seconds * 10) / 10,
  }
}

/** Says the counts, as in `398 done, 2 skipped`. */
export const countsInWords = (summary: ApplySummary): string =>
  (['done', 'skipped', 'failed', 'unknown', 'left'] as const)
    .flatMap((name) => (summary[name] === 0 ? [] : [`${summary[name]} ${name}`]))
    .join(', ') || 'no ready rows'
