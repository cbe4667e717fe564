/** The number of rows with an outcome, including those of earlier runs, and of those that have failed or are unknown. */
export interface Answered {
  readonly answered: number
  readonly answeredFailedOrUnknown: number
}

/** The limit at which a run stops early: a number of failures, or a share of the rows, from 0 to 1. */
export type FailureLimit = { readonly count: number } | { readonly share: number }

/** The fewest rows of which the share of failures says something. */
const MIN_ROWS_FOR_SHARE = 100

/**
 * Whether more rows have failed than the limit allows. A share is of the rows that have ended so far, or of the first hundred,
 * or of `rows` if the whole run has fewer: so it ends a run as soon as the remaining rows can't bring the share down.
 */
export function exceedsLimit(
  limit: FailureLimit | undefined,
  { answered, answeredFailedOrUnknown }: Answered,
  rows = MIN_ROWS_FOR_SHARE,
): boolean {
  if (limit === undefined) return false
  const base = Math.max(answered, Math.min(rows, MIN_ROWS_FOR_SHARE))
  return answeredFailedOrUnknown > ('count' in limit ? limit.count : limit.share * base)
}
