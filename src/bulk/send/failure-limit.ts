import type { Answered } from './run.ts'

/** When a run stops early: after more failures than a number, or than a share of the rows, from 0 to 1. */
export type FailureLimit = { readonly count: number } | { readonly share: number }

/** Among fewer rows, the share of failures says little. */
const MIN_ROWS_FOR_SHARE = 100

export function exceedsLimit(
  limit: FailureLimit | undefined,
  { answered, answeredFailedOrUnknown }: Answered,
): boolean {
  if (limit === undefined) return false
  return 'count' in limit
    ? answeredFailedOrUnknown > limit.count
    : answered >= MIN_ROWS_FOR_SHARE && answeredFailedOrUnknown / answered > limit.share
}
