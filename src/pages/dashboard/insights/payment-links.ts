import type { Grouping, Insights } from '../../../views/insights/insights.ts'

/** The value of a filter for payments that have none. */
const NO_VALUE = 'none'

/** Escapes a value for a filter, which takes a list separated by commas. */
const escapeValue = (value: string): string => value.replaceAll(/[\\,]/g, String.raw`\$&`)

export type Filter = Readonly<Record<string, string | undefined>>

/** The address of the payments that a figure counts. */
export function paymentsAddress(
  { from, to }: Pick<Insights, 'from' | 'to'>,
  currencyCode: string,
  filter: Filter = {},
): string {
  const query = new URLSearchParams({ currency: currencyCode })
  for (const [name, value] of Object.entries({ from, to, ...filter })) {
    if (value !== undefined && value !== null) query.set(name, value)
  }
  return `/dashboard/payments?${query.toString()}`
}

/** The filter for one group. */
export function filterOf(
  by: Grouping,
  key: string | null,
  { from, to }: Pick<Insights, 'from' | 'to'>,
): Filter {
  if (by !== 'day' && by !== 'hour') return { [by]: key === null ? NO_VALUE : escapeValue(key) }
  if (key === null) return {}
  const start = by === 'day' ? `${key}T00:00:00.000Z` : `${key.slice(0, 13)}:00:00.000Z`
  // Times of records have microseconds.
  const end = by === 'day' ? `${key}T23:59:59.999999Z` : `${key.slice(0, 13)}:59:59.999999Z`
  return { from: from !== null && from > start ? from : start, to: to !== null && to < end ? to : end }
}
