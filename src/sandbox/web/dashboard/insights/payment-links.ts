import type { Grouping, Insights } from '../../../../insights/insights.ts'
import { writeQuery } from '../../page/send.ts'

/** What a filter of the list of payments is for those without a value. */
export const NO_VALUE = '(none)'

type Filter = Readonly<Record<string, string | undefined>>

/** The address of the payments that a figure counts. */
export function paymentsAddress(
  { from, to }: Pick<Insights, 'from' | 'to'>,
  currencyCode: string,
  filter: Filter = {},
): string {
  return `/dashboard/payments${writeQuery({
    currency: currencyCode,
    from: from ?? undefined,
    to: to ?? undefined,
    ...filter,
  })}`
}

/** The filter for one group. */
export function filterOf(
  by: Grouping,
  key: string | null,
  { from, to }: Pick<Insights, 'from' | 'to'>,
): Filter {
  if (by !== 'day' && by !== 'hour') return { [by]: key ?? NO_VALUE }
  if (key === null) return {}
  const start = by === 'day' ? `${key}T00:00:00.000Z` : `${key.slice(0, 13)}:00:00.000Z`
  // Times of records have microseconds.
  const end = by === 'day' ? `${key}T23:59:59.999999Z` : `${key.slice(0, 13)}:59:59.999999Z`
  return { from: from !== null && from > start ? from : start, to: to !== null && to < end ? to : end }
}
